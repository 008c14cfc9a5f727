"""``probe``: steps of every size in every leaf at once, of which the best is taken.

A step that is a power of two leaves at most half of a distance that grows with the leaf, and it changes one bit of the
number: so both sums and masks of bits are solved in as many rounds as numbers have bits. Batches are cheap where the
target runs elsewhere, and a round is one batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import inf, isfinite, nextafter, ulp
from random import Random

from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.search.goals.landscape import Input, Landscape, mutated, sample
from pessimal.search.goals.sequences import Run, inserted, removed, runs

MOST_MOVES, LEAST_MOVES, MOST_COPIED = 1500, 50, 1_000_000
"""How many inputs one round may have, where there are more some are drawn, and how many leaves all of them together."""
KICKS = 6
"""How many steps in turn may gain nothing before the search starts anew."""
MOST_PAIRS, SUGGESTIONS = 6, 40
"""How many pairs of numbers are moved together, and how many suggested values of a leaf are tried."""
INSERTIONS, LEAST_INSERTIONS, LONGEST_INSERTION, SUGGESTED_SHARE = 120, 4, 3, 0.8
"""How often elements are inserted into a text, at each place of it, how many, and which share of them is suggested."""
_WIDEST, _FLOAT_BITS, _FEW = 64, 54, 12
_SMALL_STEPS = (3, -3, 5, -5, 6, -6, 7, -7, 9, -9, 10, -10)
_PAIRED_STEPS = [sign * 2.0**power for power in range(-20, 40) for sign in (1, -1)]


class Probing:
    """Steepest descent over steps of all sizes, of one leaf or of two together.

    A plateau is crossed by steps that change nothing, a minimum left by mutations, then by new random inputs.
    """

    name = "probe"

    def descend(self, landscape: Landscape, start: Input) -> None:
        """Take the best step as long as there is one."""
        current, kicks = list(start), 0
        (best,) = landscape.fitness([current])
        while True:
            value, following = self._step(landscape, current, best)
            if value < best:
                current, best, kicks = following, value, 0
                continue
            kicks += 1
            current = following if kicks <= KICKS else sample(landscape)
            if kicks > KICKS or value > best:
                (best,) = landscape.fitness([current])
                kicks %= KICKS + 1

    def _step(self, landscape: Landscape, current: Input, best: float) -> tuple[float, Input]:
        """The best step; where none is better one of those that are no worse, or a mutation."""
        groups = [edits(current, landscape), [*moves(current, landscape), *paired(current, landscape)]]
        near = [item for group in groups for item in group]
        values = landscape.fitness(near) if near else []
        least = min(values, default=inf)
        if least < best:
            return least, near[values.index(least)]
        cut = len(groups[0])
        parts = ((groups[0], values[:cut]), (groups[1], values[cut:]))
        equal = [[item for item, value in zip(*part, strict=True) if value == best] for part in parts]
        choices = [group for group in equal if group]
        rng = landscape.rng
        return (best, rng.choice(rng.choice(choices))) if choices else (inf, mutated(current, landscape))


def edits(leaves: Input, landscape: Landscape) -> list[Input]:
    """The inputs that differ in elements of a text or list which are inserted or removed; of very many some."""
    rng, domains = landscape.rng, landscape.domains
    wanted: list[tuple[Run, int, bool]] = []
    for run in runs(domains):
        count = run.count(leaves)
        times = max(LEAST_INSERTIONS, INSERTIONS // (count + 1))
        wanted += ((run, at, False) for at in range(count))
        wanted += ((run, at, True) for at in range(min(count + 1, run.most)) for _ in range(times))
    most = _most(leaves)
    chosen = wanted if len(wanted) <= most else rng.sample(wanted, most)
    return [
        _with_insertions(leaves, run, at, landscape) if is_insertion else removed(leaves, run, at)
        for run, at, is_insertion in chosen
    ]


def _most(leaves: Input) -> int:
    """How many inputs one round may have: each is a copy of all leaves."""
    return max(LEAST_MOVES, min(MOST_MOVES, MOST_COPIED // max(1, len(leaves))))


def _with_insertions(leaves: Input, run: Run, at: int, landscape: Landscape) -> Input:
    rng, domain = landscape.rng, landscape.domains[run.first + at]
    for _ in range(rng.randrange(1, LONGEST_INSERTION + 1)):
        leaves = inserted(leaves, run, at, _element(domain, rng))
    return leaves


def _element(domain: Domain, rng: Random) -> Leaf:
    suggestions = getattr(domain, "suggestions", ())
    return rng.choice(suggestions) if suggestions and rng.random() < SUGGESTED_SHARE else domain.sample(rng)


def moves(leaves: Input, landscape: Landscape) -> list[Input]:
    """The inputs that differ in one leaf by a step; elements that a text does not have are left out."""
    domains = landscape.domains
    unused = {at for run in runs(domains) for at in range(run.first + run.count(leaves), run.first + run.most)}
    order = [at for at in range(len(leaves)) if at not in unused]
    landscape.rng.shuffle(order)
    most = _most(leaves)
    found: list[Input] = []
    for at in order:
        if len(found) >= most:
            break
        values = dict.fromkeys(near(leaves[at], domains[at]))
        found += ([*leaves[:at], value, *leaves[at + 1 :]] for value in values if value != leaves[at])
    return found


def paired(leaves: Input, landscape: Landscape) -> list[Input]:
    """The inputs that differ in two numbers by the same step, in the same direction or in opposite ones."""
    rng, domains = landscape.rng, landscape.domains
    numbers = [at for at, domain in enumerate(domains) if domain.kind in ("int", "float")]
    pairs = list(combinations(numbers, 2))
    chosen = pairs if len(pairs) <= MOST_PAIRS else rng.sample(pairs, MOST_PAIRS)
    found: list[Input] = []
    for one, other in chosen:
        for step in _PAIRED_STEPS:
            for sign in (1, -1):
                changed = list(leaves)
                changed[one] = domains[one].clip(leaves[one] + step)
                changed[other] = domains[other].clip(leaves[other] + sign * step)
                found.append(changed)
    return found


def near(value: Leaf, domain: Domain) -> Iterator[Leaf]:
    """Values at distances that are powers of two, both ways, and with all low bits turned over; of few values all."""
    yield from getattr(domain, "suggestions", ())[:SUGGESTIONS]
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
        yield domain.clip(int(value) ^ ((2 << power) - 1))
    yield from (domain.clip(value + step) for step in _SMALL_STEPS)


def _near_float(value: float) -> Iterator[float]:
    if not isfinite(value):
        yield from (0.0, 1.0, -1.0, 1e9)
        return
    yield from (0.0, -value, float(round(value)), value * 2, value / 2, value + 1, value - 1)
    yield from (nextafter(value, inf), nextafter(value, -inf))
    unit = max(ulp(value), ulp(1.0))
    for power in range(_FLOAT_BITS):
        yield value + unit * (1 << power)
        yield value - unit * (1 << power)
