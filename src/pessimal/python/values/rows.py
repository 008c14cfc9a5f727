"""Rows of codes: the terms and conditions that symbolic text and bytes are made of."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from pessimal.expr import App, Compare, Evaluator, Expr, Offset, Term, conjunction, disjunction, negation
from pessimal.expr.node import variables
from pessimal.inputs.domain import LAST_CHARACTER
from pessimal.python import current
from pessimal.python.deciding import decide

Row: TypeAlias = tuple[Term, ...]
Range: TypeAlias = tuple[int, int]
Ranges: TypeAlias = tuple[Range, ...]

LAST_ASCII = 127
EXPANDED = 16
"""Nested alternatives up to this depth are compared one by one, which the order solver can answer."""
FLAT = 4
"""Up to this many ranges are one disjunction; more are halved, so that reading one takes few comparisons."""


def is_plain(codes: Iterable[Term]) -> bool:
    """Whether no position is symbolic."""
    return all(type(code) is int for code in codes)


def bounds(code: Term, top: int = LAST_CHARACTER) -> Range:
    """Between which codes a symbolic one is known to lie, by its domain and by what the path decided of it alone."""
    if type(code) is int:
        return code, code
    low, high = 0, top
    if type(code) is Offset:
        solver = current.execution.solver
        above = solver._below[solver._zero].get(code.var)
        below = solver._below[code.var].get(solver._zero)
        if above is not None:
            high = min(high, above + code.const)
        if below is not None:
            low = max(low, code.const - below)
    elif type(code) is App and code.op == "ite" and code.depth <= EXPANDED:
        (low1, high1), (low2, high2) = (bounds(part, top) for part in code.args[1:])
        low, high = min(low1, low2), min(top, max(high1, high2))
    return low, max(low, high)


def ascii_only(codes: Iterable[Term]) -> bool:
    """Whether all symbolic codes are ASCII, decided as one choice; known bounds need none."""
    unknown: list[Expr] = [
        Compare("<=", code, LAST_ASCII) for code in codes if type(code) is not int and bounds(code)[1] > LAST_ASCII
    ]
    return decide(conjunction(unknown))


def either(test: Expr, then: Term, other: Term) -> Term:
    """The code that is one or the other by a condition."""
    if isinstance(test, bool):
        return then if test else other
    if then is other or (type(then) is int and type(other) is int and then == other):
        return then
    return App("ite", (test, then, other), "int")


def shifted(code: Term, by: int) -> Term:
    """A code plus a constant."""
    if by == 0 or isinstance(code, int):
        return code if by == 0 else code + by  # type: ignore[operator]
    return Offset(code.var, code.const + by) if type(code) is Offset else App("+", (code, by), "int")


def apply(op: str, code: Term, by: int) -> Term:
    """A code divided by a constant, or what remains."""
    if isinstance(code, int):
        return code // by if op == "//" else code % by
    return App(op, (code, by), "int")


def same(a: Term, b: Term) -> Expr:
    """The condition that two codes are equal."""
    if a is b:
        return True
    if type(a) is int:
        a, b = b, a
    if type(a) is int:
        return a == b
    if type(b) is int and type(a) is App and a.op == "ite" and a.depth <= EXPANDED:
        known = _origins(a, b)
        if known is not None:
            return known
        test, then, other = a.args
        return disjunction([conjunction([test, same(then, b)]), conjunction([negation(test), same(other, b)])])
    return Compare("==", a, b)


def _origins(code: App, value: int) -> Expr | None:
    """The condition that a code made from one variable has a value, as the few values of the variable that give it.

    Each alternative is the variable plus a constant, so that it gives the value in one case at most.
    """
    leaves: set[tuple[int, int]] = set()
    stack: list[Term] = [code]
    while stack:
        item = stack.pop()
        if type(item) is App and item.op == "ite":
            stack.extend(item.args[1:])
        elif type(item) is Offset:
            leaves.add((item.var, item.const))
        else:
            return None
    if len({var for var, _ in leaves}) != 1 or len(variables(code)) != 1:
        return None
    var = next(iter(leaves))[0]
    found = sorted({value - const for _, const in leaves})
    kept = [origin for origin in found if Evaluator({var: origin}).term(code) == value]  # type: ignore[arg-type]
    return disjunction([Compare("==", Offset(var), origin) for origin in kept])


def equal(left: Sequence[Term], right: Sequence[Term]) -> Expr:
    """The condition that two rows of codes are the same."""
    if len(left) != len(right):
        return False
    return conjunction([same(a, b) for a, b in zip(left, right, strict=True)])


def less(left: Sequence[Term], right: Sequence[Term], or_equal: bool) -> Expr:
    """Lexicographic order, built from the last position to the first."""
    common = min(len(left), len(right))
    result: Expr = len(left) <= len(right) if or_equal else len(left) < len(right)
    for a, b in zip(reversed(left[:common]), reversed(right[:common]), strict=True):
        smaller: Expr = a < b if type(a) is int and type(b) is int else Compare("<", a, b)
        result = disjunction([smaller, conjunction([same(a, b), result])])
    return result


def part_of(part: Sequence[Term], whole: Sequence[Term]) -> Expr:
    """The condition that a row occurs within another."""
    if len(part) == 1:
        return one_of(part[0], whole)
    size = len(part)
    return disjunction([equal(whole[i : i + size], part) for i in range(len(whole) - size + 1)])


def one_of(code: Term, options: Sequence[Term]) -> Expr:
    """The condition that a code is among others, which are few ranges where they are many neighbours."""
    plain = ranges_of(option for option in options if type(option) is int)
    return disjunction([within(code, plain), *(same(code, option) for option in options if type(option) is not int)])


def ranges_of(codes: Iterable[int]) -> Ranges:
    """The ranges that plain codes make up, in order."""
    found: list[list[int]] = []
    for code in sorted(set(codes)):
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return tuple((low, high) for low, high in found)


def within(code: Term, ranges: Ranges, top: int = LAST_CHARACTER) -> Expr:
    """The condition that a code lies in one of some ordered ranges; ``top`` is a bound that the caller knows."""
    if type(code) is int:
        index = bisect_right(ranges, (code, LAST_CHARACTER + 1)) - 1
        return index >= 0 and code <= ranges[index][1]
    low, high = bounds(code, top)
    return _within(code, tuple(r for r in ranges if r[0] <= high and r[1] >= low), low, high)


def _within(code: Term, ranges: Ranges, low: int, high: int) -> Expr:
    if len(ranges) <= FLAT:
        return disjunction([_between(code, r, low, high) for r in ranges])
    middle = len(ranges) // 2
    edge = ranges[middle][0]
    lower, upper = _within(code, ranges[:middle], low, edge - 1), _within(code, ranges[middle:], edge, high)
    return disjunction(
        [conjunction([Compare("<", code, edge), lower]), conjunction([Compare(">=", code, edge), upper])]
    )


def _between(code: Term, limits: Range, low: int, high: int) -> Expr:
    """One range, without the sides that the code's own bounds settle."""
    first, last = limits
    if first == last:
        return same(code, first)
    parts: list[Expr] = []
    if first > low:
        parts.append(Compare(">=", code, first))
    if last < high:
        parts.append(Compare("<=", code, last))
    return conjunction(parts)
