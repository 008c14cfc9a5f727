"""Moving the model to where a condition holds, with our own means, and keeping what was committed.

The order solver moves one variable or propagates; one variable of a sum is moved; one value of what can only be
evaluated is looked for. False means that the edges and sets of the path forbid the condition, which is a proof; None
means that a back-end must be asked.
"""

from __future__ import annotations

from pessimal.expr import Compare, Evaluator, Expr, Junction, Not
from pessimal.expr.linear import Linear, linear
from pessimal.solve.base import Bounds, Statistics
from pessimal.solve.difference import Difference
from pessimal.solve.domains import MAX_REPAIRS, Domains
from pessimal.solve.watch import Watch, Watched

MAX_SEARCHES = 4
"""How often one decision looks for a number by evaluation before a back-end is asked."""


class Moves:
    """The layers that own no model of their own: each moves the variables of the order solver."""

    __slots__ = ("_difference", "_domains", "_evaluator", "_searches", "_statistics", "_zero", "most_searches", "watch")

    def __init__(self, difference: Difference, evaluator: Evaluator, bounds: Bounds, statistics: Statistics) -> None:
        self._difference = difference
        self._evaluator = evaluator
        self._zero = difference.zero
        self._domains = Domains(difference, evaluator)
        self._statistics = statistics
        self._searches = 0
        self.most_searches = MAX_SEARCHES
        self.watch = Watch(difference, evaluator, bounds)

    def move(self, condition: Expr, want: bool) -> bool | None:
        """Move the model to where the condition holds, with our own means; edges made on the way are given back."""
        self._searches = 0
        verdict = self._enforce(condition, want)
        if verdict:
            self._difference.release(0)
            self._evaluator.changed()
            verdict = self._repair_all(condition, want)
            if verdict:
                return True
        self._difference.undo(0)
        self._evaluator.changed()
        return verdict

    def _repair_all(self, condition: Expr, want: bool) -> bool | None:
        """After a move, mend what it broke; False: what is wanted and what broke exclude each other."""
        wanted = None
        for _ in range(MAX_REPAIRS):
            broken = self.watch.broken(self._difference.moved(0))
            if broken is None:
                return self._evaluator.agrees(condition, want) or None
            wanted = self._domains.wanted(condition, want) if wanted is None else wanted
            verdict = self._domains.repair(
                broken.condition, broken.want, wanted, lambda: self._evaluator.agrees(condition, want)
            )
            if not verdict:
                return verdict
        return None

    def _enforce(self, condition: Expr, want: bool) -> bool | None:
        """Make a condition hold by pressing on its parts; False only where the edges forbid it."""
        if type(condition) is Not:
            return self._enforce(condition.part, not want)
        verdict = self._domains.enforce(condition, want)
        if verdict is not None:
            self._statistics.ordered += 1
            return verdict
        if type(condition) is Junction:
            if (condition.op == "and") is want:
                return self._enforce_all(condition.parts, want)
            return self._enforce_any(condition.parts, want)
        if type(condition) is not Compare:
            return bool(condition) is want
        form = linear(condition, want)
        if form is None:
            return self._search_value(condition, want)
        edge = _edge(form, self._zero)
        if edge is None:
            return self._repair(condition, want, form)
        if isinstance(edge, bool):
            return edge
        self._statistics.ordered += 1
        return self._enforce_edge(*edge, form.op)

    def _enforce_edge(self, u: int, v: int, c: int, op: str) -> bool | None:
        if op == "!=":
            return self._difference.separate(u, v, c)
        if op == "==" and self._difference.excludes(u, v, c):
            return False
        verdict = self._difference.tighten(u, v, c)
        if verdict and op == "==":
            return self._difference.tighten(v, u, -c)
        return verdict

    def _enforce_all(self, parts: tuple[Expr, ...], want: bool) -> bool | None:
        result: bool | None = True
        for part in parts:
            verdict = self._enforce(part, want)
            if verdict is False:
                return False
            result = result and verdict
        return result

    def _enforce_any(self, parts: tuple[Expr, ...], want: bool) -> bool | None:
        if any(self._evaluator.agrees(part, want) for part in parts):
            return True
        result: bool | None = False
        for part in parts:
            mark = len(self._difference.trail)
            verdict = self._enforce(part, want)
            if verdict:
                self._difference.release(mark)
                self._evaluator.changed()
                return True
            self._difference.undo(mark)
            self._evaluator.changed()
            if verdict is None:
                result = None
        return result

    def _repair(self, condition: Expr, want: bool, form: Linear) -> bool | None:
        if not form.coefficients:
            return _constant(form)
        self._evaluator.changed()
        if self._evaluator.agrees(condition, want) or self.watch.repair(Watched(condition, want, form)):
            self._statistics.repaired += 1
            return True
        mark = len(self._difference.trail)
        verdict = self._domains.balance(form)
        if not verdict:
            self._difference.undo(mark)
            self._evaluator.changed()
        return verdict

    def _search_value(self, condition: Compare, want: bool) -> bool | None:
        """Look for a number that makes a comparison hold which is not linear; not to find one proves nothing."""
        self._evaluator.changed()
        if self._evaluator.agrees(condition, want):
            return True
        self._searches += 1
        if self._searches <= self.most_searches and self.watch.search_value(Watched(condition, want, None)):
            self._statistics.repaired += 1
            return True
        return None

    def keep(self, condition: Expr, want: bool) -> None:
        """Keep a condition that the model satisfies: as edges where it is made of them, watched otherwise."""
        if type(condition) is Not:
            self.keep(condition.part, not want)
        elif type(condition) is Junction and (condition.op == "and") is want:
            for part in condition.parts:
                self.keep(part, want)
        elif type(condition) is Compare:
            self._keep_comparison(condition, want)
        elif not isinstance(condition, bool):
            self._domains.keep(condition, want)
            self.watch.add(Watched(condition, want, None))

    def _keep_comparison(self, condition: Compare, want: bool) -> None:
        form = linear(condition, want)
        edge = None if form is None else _edge(form, self._zero)
        if form is None or edge is None:
            if form is None:
                self._domains.keep(condition, want)
            if form is None or form.coefficients:
                self.watch.add(Watched(condition, want, form))
        elif not isinstance(edge, bool):
            u, v, c = edge
            if form.op == "!=":
                self._difference.add_unequal(u, v, c)
            else:
                self._difference.add(u, v, c)
                if form.op == "==":
                    self._difference.add(v, u, -c)


def _edge(form: Linear, zero: int) -> tuple[int, int, int] | bool | None:
    """The difference ``x_u - x_v`` related to ``c`` that a linear form is; False: it never holds, None: it is a sum."""
    terms = list(form.coefficients.items())
    if len(terms) == 2:
        (u, ku), (v, kv) = terms
        if ku == -kv and abs(ku) == 1:
            return (u, v, -form.const) if ku == 1 else (v, u, -form.const)
        return None
    if len(terms) != 1:
        return None
    ((var, k),) = terms
    if form.op == "<=":
        return (var, zero, (-form.const) // k) if k > 0 else (zero, var, form.const // k)
    if form.const % k:
        return False if form.op == "==" else None
    return var, zero, -form.const // k


def _constant(form: Linear) -> bool:
    if form.op == "<=":
        return form.const <= 0
    return (form.const == 0) is (form.op == "==")
