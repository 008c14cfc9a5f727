"""Intervals of numbers that a term may have, both ends included, and whether it may be no number at all.

Ends of floats are floats that may be reached, infinite ones too. Ends of integers are ints; an infinite one means that
there is no limit. Everything errs on the wide side, so that what is outside of an interval is proved to be.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from pessimal.expr import Leaf

INF = math.inf
LARGEST = 1.7976931348623157e308


class Interval(NamedTuple):
    """The least and the largest value, and whether NaN is possible; empty where the ends are the wrong way round."""

    low: Leaf
    high: Leaf
    may_be_nan: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is no number in it."""
        return not self.low <= self.high

    @property
    def is_point(self) -> bool:
        """Whether there is one number in it, and nothing else."""
        return self.low == self.high and not self.may_be_nan

    def has(self, value: Leaf) -> bool:
        """Whether a number lies in it."""
        return self.low <= value <= self.high


ANY = Interval(-INF, INF, True)
"""All that a float may be."""
ANY_INTEGER = Interval(-INF, INF)
EMPTY = Interval(INF, -INF)


def below(value: Leaf, units: int) -> Leaf:
    """A float smaller by some units in the last place."""
    for _ in range(units):
        value = math.nextafter(value, -INF)
    return value


def above(value: Leaf, units: int) -> Leaf:
    """A float larger by some units in the last place."""
    for _ in range(units):
        value = math.nextafter(value, INF)
    return value


def added(a: Leaf, b: Leaf) -> Leaf:
    """The sum of two ends of integers, of which any may be without a limit."""
    if abs(a) == INF:
        return a
    return b if abs(b) == INF else a + b


def widened(low: Leaf, high: Leaf, units: int, may_be_nan: bool = False) -> Interval:
    """The interval with room for so many units of rounding at both ends."""
    return Interval(below(low, units), above(high, units), may_be_nan)


def meet(a: Interval, b: Interval) -> Interval:
    """What two intervals have in common."""
    return Interval(max(a.low, b.low), min(a.high, b.high), a.may_be_nan and b.may_be_nan)


def hull(*intervals: Interval) -> Interval:
    """The smallest interval that has all of several ones in it."""
    kept = [one for one in intervals if not one.is_empty]
    may_be_nan = any(one.may_be_nan for one in intervals)
    if not kept:
        return Interval(INF, -INF, may_be_nan)
    return Interval(min(one.low for one in kept), max(one.high for one in kept), may_be_nan)


def fitted(interval: Interval, sort: str) -> Interval:
    """The interval with ends of a sort that lie in it: whole numbers for integers, doubles for floats."""
    if interval.is_empty:
        return interval
    low, high = (_whole if sort != "float" else _double)(interval.low, interval.high)
    return Interval(low, high, interval.may_be_nan and sort == "float")


def _whole(low: Leaf, high: Leaf) -> tuple[Leaf, Leaf]:
    return (low if low in (-INF, INF) else math.ceil(low)), (high if high in (-INF, INF) else math.floor(high))


def _double(low: Leaf, high: Leaf) -> tuple[Leaf, Leaf]:
    a, b = as_double(low), as_double(high)
    return (a if a >= low else math.nextafter(a, INF)), (b if b <= high else math.nextafter(b, -INF))


def as_double(value: Leaf) -> float:
    """The nearest double; integers that are too large for one become infinite."""
    try:
        return float(value)
    except OverflowError:
        return INF if value > 0 else -INF
