"""The portfolio that follows one path: the live model, and the layers that keep it true to the path condition.

At a branch the cheapest layer that can answer does: the model already agrees; the order solver moves one variable or
propagates; one variable of a sum is moved; the order of whole sums forbids it; a back-end is asked. Every layer is
exact where it says infeasible, and the model satisfies every committed condition at every moment, so that it is an
input that drives the target here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

from pessimal.expr import Compare, Evaluator, Expr, Junction, Leaf, Not, Offset, holds
from pessimal.expr.linear import Linear, linear
from pessimal.solve.base import Answer, Bounds, Literal, Solver, Statistics, Status
from pessimal.solve.difference import Difference
from pessimal.solve.domains import MAX_REPAIRS, Domains
from pessimal.solve.sums import Sums
from pessimal.solve.watch import Watch, Watched
from pessimal.trace import Side

MAX_SEARCHES = 4
"""How often one decision looks for a number by evaluation before a back-end is asked."""


class PathSolver:
    """Decides branches in order along one path and owns the model that satisfies them.

    ``decide`` answers with ``taken + 2 * side``: the direction that is taken, and what is known of the other one.
    """

    __slots__ = (
        "_back_end",
        "_below",
        "_difference",
        "_domains",
        "_evaluator",
        "_make_back_end",
        "_searches",
        "_sums",
        "_values",
        "_watch",
        "_zero",
        "path",
        "statistics",
    )

    def __init__(self, leaves: Sequence[Leaf], bounds: Bounds, back_end: Callable[[], Solver]) -> None:
        self._difference = difference = Difference(list(leaves))
        self._values = difference.values
        self._below = difference.below
        self._zero = difference.zero
        self._evaluator = Evaluator(difference.values)
        self._watch = Watch(difference, self._evaluator, bounds)
        self._searches = 0
        self._sums = Sums()
        self._domains = Domains(difference, self._evaluator)
        self._make_back_end = back_end
        self._back_end: Solver | None = None
        self.path: list[Literal] = []
        self.statistics = Statistics()
        for var, (low, high) in enumerate(bounds):
            self._bound(var, low, high)

    def _bound(self, var: int, low: Leaf | None, high: Leaf | None) -> None:
        if isinstance(self._values[var], float):
            return  # a float's range is kept by the back-end and by the exact check of its model
        if high is not None:
            self._difference.add(var, self._zero, int(high))
        if low is not None:
            self._difference.add(self._zero, var, -int(low))

    @property
    def leaves(self) -> list[Leaf]:
        """The input that satisfies everything committed so far."""
        return list(self._values[: self._zero])

    def value(self, term: object) -> Leaf | bool:
        """The value of a term in the live model."""
        result: Leaf | bool = self._evaluator.term(term)
        return result

    def decide(self, condition: Expr, want: bool | None, probe_other: bool = False) -> int:
        """Take a direction: the wanted one if it is feasible (None: the one that the model takes)."""
        if probe_other or type(condition) is not Compare or condition.op in ("==", "!="):
            return self._decide(condition, want, probe_other)
        left, right = condition.left, condition.right
        if type(left) is Offset:
            u, c = left.var, -left.const
        elif type(left) is int:
            u, c = self._zero, -left
        else:
            return self._decide(condition, want, probe_other)
        if type(right) is Offset:
            v = right.var
            c += right.const
        elif type(right) is int:
            v = self._zero
            c += right
        else:
            return self._decide(condition, want, probe_other)
        # The condition is x_u - x_v <= c, where > and >= change sides and strictness costs one.
        op = condition.op
        if op == "<":
            c -= 1
        elif op == ">":
            u, v, c = v, u, -c - 1
        elif op == ">=":
            u, v, c = v, u, -c
        values = self._values
        now = values[u] - values[v] <= c
        if want is None:
            want = now
        if not want:
            u, v, c = v, u, -c - 1
        self.path.append((condition, want))
        if now is want:
            self.statistics.agreed += 1
            below = self._below[v]
            old = below.get(u)
            if old is None or old > c:
                below[u] = c
                self._difference.above[u][v] = c
            return want
        difference = self._difference
        verdict = difference.tighten(u, v, c)
        self._evaluator.changed()
        if verdict and (not self._watch or self._watch.intact(difference.moved(0))):
            difference.trail.clear()
            self.statistics.ordered += 1
            return want
        difference.undo(0)
        self._evaluator.changed()
        self.path.pop()
        if verdict is False:
            self.statistics.ordered += 1
            return (not want) + 2 * Side.INFEASIBLE
        return self._decide(condition, want, probe_other)

    def assume(self, condition: Expr, want: bool) -> bool | None:
        """Commit a condition that the program does not test; False: it contradicts the path, None: unknown."""
        answer = self.decide(condition, want)
        if answer & 1 == want:
            return True
        return False if answer >> 1 == Side.INFEASIBLE else None

    def select(self, conditions: Sequence[Expr], want: int | None, probe_others: bool) -> tuple[int, bytes]:
        """Take one of several outcomes whose conditions exclude each other; what is known of each comes with it."""
        now = next(i for i, condition in enumerate(conditions) if self._evaluator.condition(condition))
        taken = now if want is None else want
        sides = bytearray(len(conditions))
        if probe_others:
            sides[:] = bytes(self.feasible(condition, True) for condition in conditions)
        answer = self.assume(conditions[taken], True)
        if answer is not True:
            sides[taken] = Side.INFEASIBLE if answer is False else Side.UNKNOWN
            taken = now
            self.assume(conditions[now], True)
        sides[taken] = Side.FEASIBLE
        return taken, bytes(sides)

    def feasible(self, condition: Expr, want: bool) -> Side:
        """Whether a direction is feasible, leaving the model as it is."""
        return self._probe(condition, want)

    def _decide(self, condition: Expr, want: bool | None, probe_other: bool) -> int:
        now = self._evaluator.condition(condition)
        if want is None:
            want = now
        side = Side.UNTRIED
        if probe_other:
            side = self._probe(condition, not want)
        if now is want:
            self.statistics.agreed += 1
            self._commit(condition, want)
            return want + 2 * side
        verdict = self._move(condition, want)
        if verdict is None:
            verdict = self._ask(condition, want, keep=True)
        if verdict:
            self._difference.trail.clear()
            self._commit(condition, want)
            return want + 2 * side
        self._commit(condition, now)
        return now + 2 * (Side.INFEASIBLE if verdict is False else Side.UNKNOWN)

    def _probe(self, condition: Expr, want: bool) -> Side:
        """Whether a direction is feasible, leaving the model as it is."""
        if self._evaluator.condition(condition) is want:
            return Side.FEASIBLE
        verdict = self._move(condition, want)
        self._difference.undo(0)
        self._evaluator.changed()
        if verdict is None:
            verdict = self._ask(condition, want, keep=False)
        if verdict is None:
            return Side.UNKNOWN
        return Side.FEASIBLE if verdict else Side.INFEASIBLE

    def _move(self, condition: Expr, want: bool) -> bool | None:
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
            broken = self._watch.broken(self._difference.moved(0))
            if broken is None:
                return _true(self._evaluator, (condition, want)) or None
            wanted = self._domains.wanted(condition, want) if wanted is None else wanted
            verdict = self._domains.repair(
                broken.condition, broken.want, wanted, lambda: _true(self._evaluator, (condition, want))
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
            self.statistics.ordered += 1
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
        u, v, c = edge
        self.statistics.ordered += 1
        if form.op == "!=":
            return self._difference.separate(u, v, c)
        verdict = self._difference.tighten(u, v, c)
        if verdict and form.op == "==":
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
        if any(_true(self._evaluator, (part, want)) for part in parts):
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
        if _true(self._evaluator, (condition, want)) or self._watch.repair(Watched(condition, want, form)):
            self.statistics.repaired += 1
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
        if _true(self._evaluator, (condition, want)):
            return True
        self._searches += 1
        if self._searches <= MAX_SEARCHES and self._watch.search_value(Watched(condition, want, None)):
            self.statistics.repaired += 1
            return True
        return None

    def _ask(self, condition: Expr, want: bool, keep: bool) -> bool | None:
        """Ask the back-end; its model is checked exactly before it replaces ours."""
        if self._sums.forbid(self.path, (condition, want)):
            self.statistics.ordered += 1
            return False
        if self._back_end is None:
            self._back_end = self._make_back_end()
        start = perf_counter()
        answer = self._back_end.solve(self.path, (condition, want), self._values)
        self.statistics.calls += 1
        self.statistics.seconds += perf_counter() - start
        if answer.status is not Status.SAT:
            return False if answer.status is Status.UNSAT else None
        return self._adopt(answer, (condition, want)) if keep else True

    def _adopt(self, answer: Answer, extra: Literal) -> bool | None:
        for var, value in answer.values.items():
            self._difference.put(var, value)  # type: ignore[arg-type]
        self._evaluator.changed()
        if all(_true(self._evaluator, literal) for literal in (*self.path, extra)):
            return True
        self._difference.undo(0)
        self._evaluator.changed()
        return None

    def _commit(self, condition: Expr, want: bool) -> None:
        """Keep a condition that the model satisfies: as edges where it is made of them, watched otherwise."""
        self.path.append((condition, want))
        self._keep(condition, want)

    def _keep(self, condition: Expr, want: bool) -> None:
        if type(condition) is Not:
            self._keep(condition.part, not want)
        elif type(condition) is Junction and (condition.op == "and") is want:
            for part in condition.parts:
                self._keep(part, want)
        elif type(condition) is Compare:
            self._keep_comparison(condition, want)
        elif not isinstance(condition, bool):
            self._domains.keep(condition, want)
            self._watch.add(Watched(condition, want, None))

    def _keep_comparison(self, condition: Compare, want: bool) -> None:
        form = linear(condition, want)
        edge = None if form is None else _edge(form, self._zero)
        if form is None or edge is None:
            if form is None:
                self._domains.keep(condition, want)
            if form is None or form.coefficients:
                self._watch.add(Watched(condition, want, form))
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


def _true(evaluator: Evaluator, literal: Literal) -> bool:
    try:
        return evaluator.condition(literal[0]) is literal[1]
    except (ArithmeticError, ValueError):
        return False


def satisfies(leaves: Sequence[Leaf], path: Sequence[Literal]) -> bool:
    """Whether an input satisfies a path condition, by exact evaluation."""
    return all(holds(condition, leaves) is want for condition, want in path)
