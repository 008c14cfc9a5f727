"""Looking for one number that makes a condition true, where the condition can only be evaluated.

Samples of all magnitudes are tried first; where the two sides of a comparison change places between two samples, the
place is found by bisection. That solves what is monotone or continuous in one variable, and proves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise

from pessimal.expr import Leaf

Order = Callable[[Leaf], int | None]
"""Which side of a comparison is larger at a value, as a sign; None where it cannot be evaluated."""

MAX_CHANGES = 6
MAX_STEPS = 140
EVERY = 1024
"""A range of at most so many integers is tried completely."""
LARGEST = 1.7976931348623157e308
_POWERS = [1 << k for k in range(65)]
_STEPS = [2.0**k for k in range(-10, 11)]
_GRID = [k / 2 for k in range(41)]


def candidates(order: Order, samples: list[Leaf], here: Leaf) -> Iterator[Leaf]:
    """The samples and the places where the order changes between them, near ones first."""
    yield from sorted(samples, key=lambda value: abs(value - here))
    known = [(value, at) for value in samples if (at := order(value)) is not None]
    changes = [(a, b) for (a, p), (b, q) in pairwise(known) if (p < 0) != (q < 0)]
    changes.sort(key=lambda pair: min(abs(pair[0] - here), abs(pair[1] - here)))
    for a, b in changes[:MAX_CHANGES]:
        yield from _bisected(order, a, b)


def _bisected(order: Order, a: Leaf, b: Leaf) -> Iterator[Leaf]:
    """Where the order changes between two values, ending with the neighbours on both sides of it."""
    first = order(a)
    for _ in range(MAX_STEPS):
        middle = _middle(a, b)
        if middle in (a, b):
            break
        at = order(middle)
        if at is None or first is None:
            return
        if at == 0:
            yield middle
        if (at < 0) is (first < 0):
            a = middle
        else:
            b = middle
    yield a
    yield b


def _middle(a: Leaf, b: Leaf) -> Leaf:
    """Half way, by magnitude where that is wide; integers stay integers."""
    if isinstance(a, int) and isinstance(b, int):
        return (a + b) // 2
    if a < 0 < b:
        return 0.0
    if a * b > 0 and max(abs(a), abs(b)) > 4 * min(abs(a), abs(b)):
        return math.copysign(math.sqrt(abs(a)) * math.sqrt(abs(b)), a)
    return a + (b - a) / 2


def integers(here: int, low: int | None, high: int | None, more: list[int]) -> list[Leaf]:
    """Integers of a range worth a look: all if they are few, else the small, the near and the large ones."""
    if low is not None and high is not None and high - low < EVERY:
        return list(range(low, high + 1))
    wide = {0, here, *_POWERS, *(-p for p in _POWERS), *more}
    for centre in (here, low, high):
        if centre is not None:
            wide.update(centre + p for p in _POWERS[:20])
            wide.update(centre - p for p in _POWERS[:20])
            wide.add(centre)
    if low is not None and high is not None:
        wide.update(low + (high - low) * k // 8 for k in range(8))
    return sorted(v for v in wide if (low is None or v >= low) and (high is None or v <= high))


def floats(here: float, low: float | None, high: float | None, more: list[float]) -> list[Leaf]:
    """Doubles of a range worth a look: halves near zero, all magnitudes, the neighbourhood of the present value."""
    low = -LARGEST if low is None else low
    high = LARGEST if high is None else high
    wide = {here, low, high, *more}
    for size in (*_GRID, *_STEPS, *map(float, _POWERS), 1e100, 1e200, LARGEST):
        wide.update((size, -size))
    for size in _STEPS:
        wide.update((here + size, here - size))
    return sorted(v for v in wide if low <= v <= high)
