"""Conditions on one integer variable as the set of values that satisfy them: rows of closed ranges.

Classes of characters are such conditions. Their sets are intersected exactly, which answers at once what would
otherwise be a question to a back-end about every entry of a table.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from pessimal.expr import App, Compare, Expr, Junction, Not, Offset, Term
from pessimal.expr.node import NEGATED

Range = tuple[float, float]
Ranges = tuple[Range, ...]

EVERYTHING: Ranges = ((-math.inf, math.inf),)
MAX_DEPTH = 40
"""Deeper terms than this are not looked into."""
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


class Unary(NamedTuple):
    """The values of a variable that satisfy a condition."""

    var: int
    ranges: Ranges


class _NotUnary(Exception):
    """More than one variable takes part, or an operation whose values are not a few ranges."""


def unary(condition: Expr, want: bool) -> Unary | None:
    """The set that makes a condition true or false; None where it is not a matter of one variable and few ranges."""
    found: set[int] = set()
    try:
        ranges = _of_condition(condition, want, found, 0)
    except _NotUnary:
        return None
    return Unary(found.pop(), ranges) if found else None


def _of_condition(node: Expr, want: bool, found: set[int], depth: int) -> Ranges:
    if depth > MAX_DEPTH:
        raise _NotUnary
    if type(node) is Compare:
        return _of_comparison(node, want, found, depth)
    if type(node) is Not:
        return _of_condition(node.part, not want, found, depth + 1)
    if type(node) is Junction:
        sets = [_of_condition(part, want, found, depth + 1) for part in node.parts]
        if (node.op == "and") is not want:
            return union([item for ranges in sets for item in ranges])
        result = sets[0]
        for ranges in sets[1:]:
            result = intersect(result, ranges)
        return result
    return EVERYTHING if bool(node) is want else ()


def _of_comparison(node: Compare, want: bool, found: set[int], depth: int) -> Ranges:
    op = node.op if want else NEGATED[node.op]
    if type(node.right) is int:
        return _of_term(node.left, op, node.right, found, depth)
    if type(node.left) is int:
        return _of_term(node.right, _MIRRORED[op], node.left, found, depth)
    raise _NotUnary


def _of_term(term: Term | Expr, op: str, bound: int, found: set[int], depth: int) -> Ranges:
    """The values of the variable for which a term compares with a constant."""
    if type(term) is Offset:
        found.add(term.var)
        if len(found) > 1:
            raise _NotUnary
        return _compared(op, bound - term.const)
    if type(term) is int:
        return EVERYTHING if any(low <= term <= high for low, high in _compared(op, bound)) else ()
    if type(term) is not App or depth > MAX_DEPTH:
        raise _NotUnary
    if term.op == "ite":
        test, then, other = term.args
        yes = intersect(_of_condition(test, True, found, depth + 1), _of_term(then, op, bound, found, depth + 1))
        no = intersect(_of_condition(test, False, found, depth + 1), _of_term(other, op, bound, found, depth + 1))
        return union([*yes, *no])
    if term.op == "+" and type(term.args[1]) is int:
        return _of_term(term.args[0], op, bound - term.args[1], found, depth + 1)
    raise _NotUnary


def _compared(op: str, bound: int) -> Ranges:
    below, above = (-math.inf, bound - 1), (bound + 1, math.inf)
    if op == "==":
        return ((bound, bound),)
    if op == "!=":
        return below, above
    if op in ("<", "<="):
        return (below if op == "<" else (-math.inf, bound),)
    return (above if op == ">" else (bound, math.inf),)


def union(ranges: list[Range]) -> Ranges:
    """All that lies in one of some ranges, in order."""
    merged: list[Range] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)


def intersect(left: Ranges, right: Ranges) -> Ranges:
    """What lies in both of two rows of ranges."""
    result: list[Range] = []
    i = j = 0
    while i < len(left) and j < len(right):
        low, high = max(left[i][0], right[j][0]), min(left[i][1], right[j][1])
        if low <= high:
            result.append((low, high))
        if left[i][1] < right[j][1]:
            i += 1
        else:
            j += 1
    return tuple(result)


def has(ranges: Ranges, value: int) -> bool:
    """Whether a value lies in the ranges."""
    return any(low <= value <= high for low, high in ranges)


def closest(ranges: Ranges, wish: int, taken: set[int]) -> int | None:
    """Of the values closest to a wish in each range and not taken, the smallest: small numbers are ordinary ones."""
    best: int | None = None
    for low, high in ranges:
        start: Any = min(max(wish, low), high)
        for step in (1, -1) if start == low else (-1, 1):
            value = start
            while value in taken and low <= value <= high:
                value += step
            if low <= value <= high:
                best = int(value) if best is None or abs(value) < abs(best) else best
                break
    return best
