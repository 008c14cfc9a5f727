"""Where a box is cut: across its widest interval, half way, or by magnitude where that is wide."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pessimal.expr import Leaf
from pessimal.solve.narrowing.interval import INF, LARGEST, Interval
from pessimal.solve.narrowing.narrowing import Box

MANY_BITS = 64
"""Integers with more bits than this are squared and not doubled on the way up."""


def halves_of(box: Box, sorts: Mapping[int, str]) -> list[Box]:
    """A box cut where it is widest for its size, what is next to zero last; nothing if it is one point."""
    wide = {var: _width(interval) for var, interval in box.items() if interval.low < interval.high}
    if not wide:
        return []
    var = max(wide, key=lambda one: wide[one])
    low, high, _ = box[var]
    is_float = sorts[var] == "float"
    cut = float_cut(float(low), float(high)) if is_float else _integer_cut(low, high)
    after = math.nextafter(cut, INF) if is_float else cut + 1
    halves = [Interval(after, high), Interval(low, cut)]
    halves.sort(key=lambda half: -min(abs(half.low), abs(half.high)))
    return [{**box, var: half} for half in halves]


def float_cut(low: float, high: float) -> float:
    """Half way, by magnitude where that is wide."""
    if low < 0:
        return 0.0 if high > 0 else -math.nextafter(float_cut(-high, -low), INF)
    floor = max(low, 1e-3 if high > 1 else high * 1e-12)
    cut = math.sqrt(floor) * math.sqrt(high) if high > 4 * floor else low + (high - low) / 2
    return min(max(cut, low), math.nextafter(high, -INF))


def _integer_cut(low: Leaf, high: Leaf) -> Leaf:
    if low == -INF:
        return -1 if high > -1 else -_further(-int(high))
    if high == INF:
        return 0 if low < 0 else _further(int(low))
    return (int(low) + int(high)) // 2


def _further(end: int) -> int:
    """Beyond an end without a limit on the other side."""
    return 2 * end + 1 if end.bit_length() < MANY_BITS else end * end


def _width(interval: Interval) -> float:
    """How wide an interval is, compared with its numbers."""
    low, high, _ = interval
    size = max(abs(low), abs(high))
    if size == INF:
        return INF
    return float(min(high - low, LARGEST)) / max(float(min(size, LARGEST)), 1e-3) if high - low < INF else 2.0
