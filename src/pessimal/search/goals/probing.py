"""``probe``: steps of every size in every leaf at once, of which the best is taken.

A step that is a power of two leaves at most half of a distance that grows with the leaf, and it changes one bit of the
number: so both sums and masks of bits are solved in as many rounds as numbers have bits. Batches are cheap where the
target runs elsewhere, and a round is one batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite, nextafter, ulp

from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.search.goals.landscape import Input, Landscape, mutated, sample

MOST_MOVES = 1500
"""How many inputs one round may have; where there are more, leaves are drawn."""
KICKS = 3
"""How often a minimum is left by a mutation before the search starts anew."""
_WIDEST, _FLOAT_BITS, _FEW = 64, 56, 12


class Probing:
    """Steepest descent over steps of all sizes; minima are left by mutations, then by new random inputs."""

    name = "probe"

    def descend(self, landscape: Landscape, start: Input) -> None:
        """Take the best step as long as there is one."""
        current, kicks = list(start), 0
        (best,) = landscape.fitness([current])
        minimum, at_minimum = best, current
        while True:
            near = moves(current, landscape)
            values = landscape.fitness(near) if near else [best]
            least = min(values)
            if least < best:
                current, best = near[values.index(least)], least
                continue
            if best < minimum:
                minimum, at_minimum, kicks = best, current, 0
            kicks += 1
            current = mutated(at_minimum, landscape) if kicks <= KICKS else sample(landscape)
            (best,) = landscape.fitness([current])
            if kicks > KICKS:
                minimum, at_minimum, kicks = best, current, 0


def moves(leaves: Input, landscape: Landscape) -> list[Input]:
    """The inputs that differ in one leaf by a step."""
    steps = [list(dict.fromkeys(near(value, domain))) for value, domain in zip(leaves, landscape.domains, strict=True)]
    order = list(range(len(leaves)))
    if sum(map(len, steps)) > MOST_MOVES:
        landscape.rng.shuffle(order)
    found: list[Input] = []
    for at in order:
        found += ([*leaves[:at], value, *leaves[at + 1 :]] for value in steps[at] if value != leaves[at])
        if len(found) >= MOST_MOVES:
            break
    return found


def near(value: Leaf, domain: Domain) -> Iterator[Leaf]:
    """Values at distances that are powers of two, both ways; of few values all."""
    if domain.kind == "float":
        yield from (domain.clip(item) for item in _near_float(float(value)))
        return
    low, high = domain.low, domain.high
    if low is not None and high is not None and high - low < _FEW:
        yield from range(int(low), int(high) + 1)
        return
    width = _WIDEST if low is None or high is None else int(high - low).bit_length()
    for power in range(width):
        yield domain.clip(value + (1 << power))
        yield domain.clip(value - (1 << power))


def _near_float(value: float) -> Iterator[float]:
    if not isfinite(value):
        yield from (0.0, 1.0, -1.0, 1e9)
        return
    yield from (0.0, -value, float(round(value)), value * 2, value / 2, value + 1, value - 1)
    yield from (nextafter(value, float("inf")), nextafter(value, float("-inf")))
    unit = max(ulp(value), ulp(1.0))
    for power in range(0, _FLOAT_BITS, 2):
        yield value + unit * (1 << power)
        yield value - unit * (1 << power)
