"""All points of a box that has few of them: where every one was tried, nothing is left to be found."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pessimal.expr import Leaf
from pessimal.solve.narrowing.interval import INF, Interval
from pessimal.solve.narrowing.narrowing import Box


def all_values(box: Box, sorts: Mapping[int, str], most: int) -> dict[int, Sequence[Leaf]] | None:
    """The values of each variable of a box, zeros with both signs; None if it has more points than ``most``."""
    found: dict[int, Sequence[Leaf]] = {}
    for var, interval in box.items():
        values = _doubles(interval, most) if sorts[var] == "float" else _integers(interval, most)
        if values is None or len(values) > most:
            return None
        found[var] = values
        most //= max(len(values), 1)
    return found


def _integers(interval: Interval, most: int) -> Sequence[Leaf] | None:
    if max(abs(interval.low), abs(interval.high)) == INF or interval.high - interval.low >= most:
        return None
    return range(int(interval.low), int(interval.high) + 1)


def _doubles(interval: Interval, most: int) -> Sequence[Leaf] | None:
    value, found = float(interval.low), list[Leaf]()
    while value <= interval.high:
        if len(found) >= most:
            return None
        found += [0.0, -0.0] if value == 0 else [value]
        value = math.nextafter(value, INF)
    return found
