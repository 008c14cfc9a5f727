"""Between what integer terms lie when their leaves lie in their domains.

Translations that are only exact for small numbers ask here whether the numbers are small.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from pessimal.expr.bits import VECTORS
from pessimal.expr.node import App, Leaf, Offset, bottom_up

Interval: TypeAlias = tuple[int, int]
MAX_SHIFT = 1024
"""Shifts to the left by more bits than this are not followed."""


class Intervals:
    """The intervals of terms over leaves with given domains; each term is looked at once."""

    def __init__(self, bounds: Sequence[tuple[Leaf | None, Leaf | None]] = ()) -> None:
        self._bounds = bounds
        self._known: dict[int, tuple[App, Interval | None]] = {}

    def of(self, term: Any) -> Interval | None:
        """The least and the largest value that an integer term may have; None where nothing is known of one of them."""
        if type(term) is int:
            return term, term
        if type(term) is Offset:
            return self._leaf(term)
        if type(term) is not App:
            return None
        for node in bottom_up(term, self._known):
            self._known[id(node)] = node, self._operation(node)
        return self._known[id(term)][1]

    def _leaf(self, term: Offset) -> Interval | None:
        low, high = self._bounds[term.var] if term.var < len(self._bounds) else (None, None)
        if not isinstance(low, int) or not isinstance(high, int):
            return None
        return low + term.const, high + term.const

    def _operation(self, node: App) -> Interval | None:
        if node.op in VECTORS:
            return 0, (1 << int(node.sort[2:])) - 1
        if node.op == "signed":
            limit = 1 << (node.args[0] - 1)
            return -limit, limit - 1
        args = node.args[1:] if node.op == "ite" else node.args
        intervals = [self._known[id(arg)][1] if type(arg) is App else self.of(arg) for arg in args]
        rule = RULES.get(node.op)
        known = [interval for interval in intervals if interval is not None]
        return rule(*known) if rule is not None and len(known) == len(intervals) else None


def _hull(*intervals: Interval) -> Interval:
    return min(low for low, _ in intervals), max(high for _, high in intervals)


def _product(a: Interval, b: Interval) -> Interval:
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _bits(a: Interval, b: Interval) -> Interval:
    """Bit operations stay within the two's complement width of their operands; without signs they have none."""
    size = max((end if end >= 0 else ~end).bit_length() for end in (*a, *b))
    return (0 if a[0] >= 0 and b[0] >= 0 else -(1 << size)), (1 << size) - 1


def _quotient(a: Interval, b: Interval) -> Interval | None:
    if b[0] <= 0 <= b[1]:
        return None
    corners = [x // y for x in a for y in b]
    return min(corners), max(corners)


def _remainder(a: Interval, b: Interval) -> Interval | None:
    if b[0] <= 0 <= b[1]:
        return None
    return (0, b[1] - 1) if b[0] > 0 else (b[0] + 1, 0)


def _left(a: Interval, b: Interval) -> Interval | None:
    if b[0] < 0 or b[1] > MAX_SHIFT:
        return None
    return _product(a, (1 << b[0], 1 << b[1]))


def _right(a: Interval, b: Interval) -> Interval | None:
    return _hull(*[(x >> y, x >> y) for x in a for y in b]) if b[0] >= 0 else None


def _size(a: Interval) -> Interval:
    return (0 if a[0] <= 0 <= a[1] else min(abs(a[0]), abs(a[1]))), max(abs(a[0]), abs(a[1]))


def _table(index: Interval, low: Interval, *entries: Interval) -> Interval:
    return _hull(*entries)


RULES: dict[str, Callable[..., Interval | None]] = {
    "+": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "-": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "*": _product,
    "//": _quotient,
    "%": _remainder,
    "neg": lambda a: (-a[1], -a[0]),
    "abs": _size,
    "~": lambda a: (~a[1], ~a[0]),
    "&": _bits,
    "|": _bits,
    "^": _bits,
    "<<": _left,
    ">>": _right,
    "bit_length": lambda a: (0, max(abs(a[0]), abs(a[1])).bit_length()),
    "bit_count": lambda a: (0, max(abs(a[0]), abs(a[1])).bit_length()),
    "ite": _hull,
    "table": _table,
    "marked": _hull,
}
