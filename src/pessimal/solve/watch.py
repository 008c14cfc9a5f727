"""Conditions that are no edges: kept beside the order solver, and mended by moving one variable.

A watched condition must stay true whenever one of its variables moves. For linear ones the interval that a variable
may move in is computed exactly; the others are evaluated.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from pessimal.expr import App, Compare, Evaluator, Expr, Leaf, variables
from pessimal.expr.linear import Linear
from pessimal.solve import value_search
from pessimal.solve.base import Bounds
from pessimal.solve.difference import GAP, Difference, nearest

MAX_TRIED = 12
"""How many variables of one condition are tried before a back-end is asked."""
MAX_SOUGHT = 3
"""The same for conditions that can only be evaluated, where each try takes some hundred evaluations."""
MAX_DEPTH = 50
"""Terms deeper than this are not evaluated again and again."""


class Watched:
    """A condition with the truth value that it must keep, and its linear form where it has one."""

    __slots__ = ("condition", "form", "want")

    def __init__(self, condition: Expr, want: bool, form: Linear | None) -> None:
        self.condition = condition
        self.want = want
        self.form = form


class Watch:
    """All watched conditions, found by the variables that they depend on."""

    __slots__ = ("_bounds", "_by_var", "_difference", "_evaluator")

    def __init__(self, difference: Difference, evaluator: Evaluator, bounds: Bounds) -> None:
        self._bounds = bounds
        self._difference = difference
        self._evaluator = evaluator
        self._by_var: dict[int, list[Watched]] = {}

    def __bool__(self) -> bool:
        return bool(self._by_var)

    def add(self, watched: Watched) -> None:
        """Keep the condition, which the model already satisfies."""
        for var in watched.form.coefficients if watched.form else variables(watched.condition):
            self._by_var.setdefault(var, []).append(watched)

    def intact(self, moved: Iterable[int]) -> bool:
        """Whether all conditions on the moved variables still hold."""
        return self.broken(moved) is None

    def broken(self, moved: Iterable[int]) -> Watched | None:
        """The first condition on the moved variables that holds no more."""
        seen: set[int] = set()
        for var in moved:
            for watched in self._by_var.get(var, ()):
                if id(watched) not in seen:
                    seen.add(id(watched))
                    if not self.satisfied(watched):
                        return watched
        return None

    def satisfied(self, watched: Watched) -> bool:
        """Whether one condition holds in the live model; one that cannot be evaluated there does not."""
        return self._evaluator.agrees(watched.condition, watched.want)

    def repair(self, wanted: Watched) -> bool:
        """Move one variable so that the wanted linear condition holds and nothing else breaks."""
        form = wanted.form
        if form is None:
            return False
        for var in list(form.coefficients)[:MAX_TRIED]:
            value = self._target(var, form)
            if value is None:
                continue
            mark = len(self._difference.trail)
            self._difference.put(var, value)
            self._evaluator.changed()
            if self.satisfied(wanted) and self.intact((var,)):
                return True
            self._difference.undo(mark)
            self._evaluator.changed()
        return False

    def search_value(self, wanted: Watched) -> bool:
        """Move one variable so that a comparison that is not linear holds and nothing else breaks."""
        condition = wanted.condition
        if type(condition) is not Compare or _depth(condition) > MAX_DEPTH:
            return False
        for var in sorted(variables(condition))[:MAX_SOUGHT]:
            value = self._sought(var, wanted, condition)
            if value is not None:
                self._difference.put(var, value)  # type: ignore[arg-type]
                self._evaluator.changed()
                return True
        return False

    def _sought(self, var: int, wanted: Watched, condition: Compare) -> Leaf | None:
        """A value of the variable that would do; the model is as before afterwards."""
        values: list[Leaf] = self._difference.values  # type: ignore[assignment]
        old, forbidden = values[var], self._difference.forbidden(var)

        def order(value: Leaf) -> int | None:
            values[var] = value
            self._evaluator.changed()
            try:
                return _order(self._evaluator.term(condition.left), self._evaluator.term(condition.right))
            except (ArithmeticError, ValueError):
                return None

        try:
            for value in value_search.candidates(order, self._samples(var, condition), old):
                values[var] = value
                self._evaluator.changed()
                if value not in forbidden and self.satisfied(wanted) and self.intact((var,)):
                    return value
            return None
        finally:
            values[var] = old
            self._evaluator.changed()

    def _samples(self, var: int, condition: Compare) -> list[Leaf]:
        """Values of a variable to look at: inside its range, some of them suggested by the condition's constants."""
        here: Leaf = self._difference.values[var]
        constants = [c for c in (condition.left, condition.right) if isinstance(c, int | float) and abs(c) < math.inf]
        if isinstance(here, float):
            low, high = self._bounds[var]
            return value_search.floats(here, low, high, [float(c) for c in constants if abs(c) <= value_search.LARGEST])
        return value_search.integers(here, *self._difference.interval(var), [int(c) for c in constants])

    def _target(self, var: int, form: Linear) -> int | None:
        """A value for the variable inside all its intervals, with room on both sides where there is some."""
        low, high = self._difference.interval(var)
        unequal = self._difference.forbidden(var)
        for other in (form, *(w.form for w in self._by_var.get(var, ()) if w.form is not None)):
            low, high = self._narrow(var, other, low, high, unequal)
            if low is not None and high is not None and low > high:
                return None
        return nearest(_wish(low, high, self._difference.values[var]), low, high, unequal)

    def _narrow(
        self, var: int, form: Linear, low: int | None, high: int | None, unequal: set[int]
    ) -> tuple[int | None, int | None]:
        """Intersect an interval with what one linear condition allows while the other variables stay."""
        values = self._difference.values
        k = form.coefficients[var]
        rest = form.const + sum(c * values[other] for other, c in form.coefficients.items() if other != var)
        if form.op == "!=":
            if rest % k == 0:
                unequal.add(-rest // k)
            return low, high
        if form.op == "==" and rest % k:
            return 1, 0
        # k * x + rest <= 0 bounds x from above for a positive k and from below for a negative one.
        if k > 0 or form.op == "==":
            bound = (-rest) // k
            high = bound if high is None else min(high, bound)
        if k < 0 or form.op == "==":
            bound = -(rest // k)
            low = bound if low is None else max(low, bound)
        return low, high


def _depth(condition: Compare) -> int:
    return max(side.depth if type(side) is App else 0 for side in (condition.left, condition.right))


def _order(left: Leaf, right: Leaf) -> int | None:
    """Which side is larger, as a sign; None for NaN."""
    return None if left != left or right != right else (left > right) - (left < right)


def _wish(low: int | None, high: int | None, old: int) -> int:
    if low is None and high is None:
        return old
    if high is None:
        assert low is not None
        return low + GAP
    return high - GAP if low is None else (low + high) >> 1
