"""Where solutions of some conditions can only be: intervals go up the terms and come down again, until nothing changes.

A comparison limits the values of its sides, an operation's value limits its arguments, and so on down to the leaves.
Where nothing is left of an interval, the conditions have no solution in the box: that is a proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pessimal.expr import App, Compare, Expr, Not, Offset, Var
from pessimal.expr.blackbox import CALL
from pessimal.expr.node import NEGATED
from pessimal.solve.base import Literal
from pessimal.solve.narrowing import backward, forward
from pessimal.solve.narrowing.interval import INF, Interval, above, added, as_double, below, fitted, hull, meet

Box = dict[int, Interval]
"""An interval for each variable."""

ROUNDS = 12
STEPS = 3000
"""How many operations are looked at from above for one condition: shared ones are met again and again."""
PARTS = 10
"""A round that takes less than one of so many parts from every interval is the last."""
SIDES = {"<": 1, "<=": 1, ">": -1, ">=": -1}


class Nothing(Exception):
    """Nothing is left: there is no solution in the box."""


def narrowed(literals: Sequence[Literal], box: Mapping[int, Interval], sorts: Mapping[int, str]) -> Box | None:
    """The part of a box in which all solutions lie; None if it has none."""
    now = dict(box)
    for _ in range(ROUNDS):
        before = dict(now)
        try:
            for condition, want in literals:
                _Pass(now, sorts).require(condition, want)
        except Nothing:
            return None
        if not any(_shrank(before[var], now[var]) for var in now):
            break
    return now


def value_in(term: Any, box: Mapping[int, Interval], sorts: Mapping[int, str]) -> Interval:
    """Between what the values of a term lie in a box."""
    return _Pass(dict(box), sorts).value(term)


def _shrank(before: Interval, now: Interval) -> bool:
    if before == now:
        return False
    widths = before.high - before.low, now.high - now.low
    return widths[0] == INF or not widths[1] * PARTS > widths[0] * (PARTS - 1)


class _Pass:
    """One way up and down of one condition, with the interval of each operation."""

    def __init__(self, box: Box, sorts: Mapping[int, str], steps: list[int] | None = None) -> None:
        self.box = box
        self._sorts = sorts
        self._steps = [STEPS] if steps is None else steps
        self._known: dict[int, tuple[App, Interval]] = {}

    def _copy(self) -> _Pass:
        return _Pass(dict(self.box), self._sorts, self._steps)

    def require(self, condition: Expr, want: bool) -> None:
        """Narrow the box to where a condition may have a truth value."""
        if isinstance(condition, bool):
            if condition is not want:
                raise Nothing
        elif isinstance(condition, Not):
            self.require(condition.part, not want)
        elif isinstance(condition, Compare):
            self._compare(condition, want)
        elif (condition.op == "and") is want:
            for part in condition.parts:
                self.require(part, want)
        else:
            self._any(condition.parts, want)

    def _any(self, parts: Iterable[Expr], want: bool) -> None:
        """One of several must hold: what is left for each, together."""
        boxes = []
        for part in parts:
            one = self._copy()
            try:
                one.require(part, want)
            except Nothing:
                continue
            boxes.append(one.box)
        if not boxes:
            raise Nothing
        for var in self.box:
            self.box[var] = hull(*(one[var] for one in boxes))
        self._known.clear()

    def _compare(self, condition: Compare, want: bool) -> None:
        left, right = self.value(condition.left), self.value(condition.right)
        op = condition.op
        if condition.left is condition.right and not left.may_be_nan:
            if (op in ("==", "<=", ">=")) is not want:
                raise Nothing
            return
        if not want:
            if left.may_be_nan or right.may_be_nan:
                return
            op = NEGATED[op]
        if op == "!=":
            if not (left.may_be_nan or right.may_be_nan):
                self._apart(condition, left, right)
            return
        left, right = left._replace(may_be_nan=False), right._replace(may_be_nan=False)
        limits = _limits(op, left, right, _sort(condition.left), _sort(condition.right))
        self._narrow(condition.left, limits[0])
        self._narrow(condition.right, limits[1])

    def _apart(self, condition: Compare, left: Interval, right: Interval) -> None:
        for term, here, other in ((condition.left, left, right), (condition.right, right, left)):
            if other.is_point and other.low in here[:2]:
                strict = ("<" if other.low == here.high else ">") if not here.is_point else None
                if strict is None:
                    raise Nothing
                limits = _limits(strict, here, other, _sort(term), "")
                self._narrow(term, limits[0])

    def value(self, term: Any) -> Interval:
        """The interval of a term; a condition is 0 or 1."""
        if isinstance(term, Offset):
            here = self.box[term.var]
            return Interval(added(here.low, term.const), added(here.high, term.const))
        if isinstance(term, Var):
            return self.box[term.var]
        if isinstance(term, App):
            known = self._known.get(id(term))
            if known is None:
                known = term, forward.value_of(term, self._arguments(term))
                self._known[id(term)] = known
            return known[1]
        if isinstance(term, int | float) and not isinstance(term, bool):
            return Interval(INF, -INF, True) if term != term else Interval(term, term)
        return Interval(0, 1)

    def _arguments(self, term: App) -> list[Interval]:
        return [self.value(arg) for arg in term.args]

    def _may_be(self, condition: Expr, want: bool) -> bool:
        try:
            self._copy().require(condition, want)
        except Nothing:
            return False
        return True

    def _narrow(self, term: Any, limit: Interval) -> None:
        """Make a term lie in an interval too: its arguments, down to the leaves."""
        if isinstance(term, Offset | Var):
            const = term.const if isinstance(term, Offset) else 0
            limit = Interval(added(limit.low, -const), added(limit.high, -const))
            self.box[term.var] = self._left(meet(self.box[term.var], fitted(limit, self._sorts[term.var])))
            return
        if not isinstance(term, App):
            value = self.value(term)
            self._left(meet(value, limit))
            return
        self._steps[0] -= 1
        if self._steps[0] < 0 or term.op == CALL:  # the value of a call may be of any sort
            return
        before = self.value(term)
        now = self._left(meet(before._replace(may_be_nan=False), fitted(limit, term.sort)))
        self._known[id(term)] = term, now
        if term.op == "ite":
            self._case(term, now)
            return
        args = self._arguments(term)
        if not any(arg.is_empty for arg in args):
            for arg, inner in zip(term.args, backward.arguments_of(term, now, args), strict=False):
                if not isinstance(arg, int | float):
                    self._narrow(arg, inner)

    def _case(self, term: App, now: Interval) -> None:
        """Of two alternatives, one of which the value or the condition excludes, the other is the value."""
        test, then, other = term.args
        may_be_then, may_be_other = (
            self._may_be(test, want) and not meet(self.value(part), now).is_empty
            for want, part in ((True, then), (False, other))
        )
        if not (may_be_then or may_be_other):
            raise Nothing
        if may_be_then != may_be_other:
            self.require(test, may_be_then)
            self._narrow(then if may_be_then else other, now)

    def _left(self, interval: Interval) -> Interval:
        if interval.is_empty:
            raise Nothing
        return interval


def _sort(term: Any) -> str:
    if isinstance(term, int | float):
        return "float" if isinstance(term, float) else "int"
    return "float" if term.sort == "float" else "int"


def _limits(op: str, left: Interval, right: Interval, *sorts: str) -> tuple[Interval, Interval]:
    """What a comparison leaves of its sides."""
    if left.is_empty or right.is_empty:
        raise Nothing
    if op == "==":
        both = meet(left, right)
        if both.is_empty:
            raise Nothing
        return both, both
    if SIDES[op] < 0:
        other, one = _limits({">": "<", ">=": "<="}[op], right, left, *reversed(sorts))
        return one, other
    is_strict = op == "<"
    most = _step(right.high, sorts[0], -1) if is_strict else right.high
    least = _step(left.low, sorts[1], 1) if is_strict else left.low
    return Interval(left.low, min(left.high, most)), Interval(max(right.low, least), right.high)


def _step(end: Any, sort: str, direction: int) -> Any:
    """The next number of a sort beyond an end; an end that is no number of the sort is beyond itself."""
    if sort == "float":
        double = as_double(end)
        if double != end:
            return end
        return above(double, 1) if direction > 0 else below(double, 1)
    return int(end) + direction if abs(end) != INF and end == int(end) else end
