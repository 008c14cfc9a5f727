"""A test mode: every answer of the layers is checked against a fresh Z3, and the model against every condition."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import z3

from pessimal.expr import App, Expr, Leaf, holds, show
from pessimal.expr.node import children
from pessimal.expr.reals import Untranslatable
from pessimal.expr.smt import Translator
from pessimal.solve.base import Bounds, Literal, Solver, admits, satisfies
from pessimal.solve.path import PathSolver, Selection
from pessimal.trace import Side

EFFORT = 500_000
"""Z3's own count of work per check; what it does not settle within that is not checked."""


class WrongAnswer(AssertionError):
    """A layer said something that is not so."""


class AuditedSolver(PathSolver):
    """A path solver that believes nothing it says; for tests, since it asks Z3 once more per answer.

    ``unknown`` counts the questions that were left open, ``unchecked`` the answers that Z3 could not check.
    """

    __slots__ = ("unchecked", "unknown")

    def __init__(self, leaves: Sequence[Leaf], bounds: Bounds, back_end: Callable[[], Solver] | None = None) -> None:
        from pessimal.solve.z3 import Z3Solver

        super().__init__(leaves, bounds, back_end or Z3Solver)
        self.unknown = self.unchecked = 0

    def decide(self, condition: Expr, want: bool | None, probe_other: bool = False) -> int:
        """Decide as usual, then check the answer."""
        before = list(self.path)
        wanted = holds(condition, self.leaves) if want is None else want
        answer = super().decide(condition, want, probe_other)
        if bool(answer & 1) is not wanted:
            self._expect(Side(answer >> 1), before, (condition, wanted))
        self._check_model()
        return answer

    def select(self, conditions: Sequence[Expr], want: int | None, probe_others: bool = False) -> Selection:
        """Select as usual, then check the answer."""
        before = list(self.path)
        selection = super().select(conditions, want, probe_others)
        if want is not None and selection.taken != want:
            self._expect(Side(selection.sides[want]), before, (conditions[want], True))
        self._check_model()
        return selection

    def feasible(self, condition: Expr, want: bool = True) -> Side:
        """Ask as usual, then check the answer and that nothing has moved."""
        before = list(self.path), self.leaves
        side = super().feasible(condition, want)
        if (self.path, self.leaves) != before:
            raise WrongAnswer("a question has changed the path or the model")
        self._expect(side, self.path, (condition, want))
        return side

    def _expect(self, side: Side, path: Sequence[Literal], literal: Literal) -> None:
        if side is Side.UNKNOWN:
            self.unknown += 1
            return
        truth = feasible(path, literal, self._bounds)
        if truth is None:
            self.unchecked += 1
        elif truth is not (side is Side.FEASIBLE):
            raise WrongAnswer(f"claimed {side.name.lower()}: {show(literal[0])} is {literal[1]}")

    def _check_model(self) -> None:
        if not satisfies(self.leaves, self.path):
            raise WrongAnswer("the model does not satisfy the path condition")
        for value, (low, high) in zip(self.leaves, self._bounds, strict=True):
            if not admits((low, high), value, value):
                raise WrongAnswer(f"the model leaves the range {low}..{high} with {value}")


def feasible(path: Sequence[Literal], literal: Literal, bounds: Bounds) -> bool | None:
    """Whether conditions can hold together, by a Z3 that knows nothing else; None where that is not settled.

    Doubles are read as reals where they are only compared, which is exact, and as doubles where they are computed with.
    A solution counts if it is one by exact evaluation.
    """
    literals = [*path, literal]
    conditions = [condition for condition, _ in literals]
    translator = Translator(_computes_with_floats(conditions), bounds)
    solver = z3.SolverFor("QF_FPLRA") if translator.ieee else z3.Solver()
    solver.set("rlimit", EFFORT)
    try:
        for condition, want in literals:
            term = translator.condition(condition)
            solver.add(term if want else z3.Not(term), *translator.definitions())
        solver.add(*_ranges(translator, bounds))
    except (Untranslatable, z3.Z3Exception):
        return None
    status = solver.check()
    if status == z3.sat:
        return True if _is_confirmed(solver.model(), translator, literals, len(bounds)) else None
    is_proved = not any(translator.assumptions(condition) for condition in conditions)
    return False if status == z3.unsat and is_proved else None


def _computes_with_floats(conditions: Iterable[Expr]) -> bool:
    stack: list[Any] = list(conditions)
    seen: set[int] = set()
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen.add(id(node))
            if type(node) is App and any(_is_float(part) for part in (node, *node.args)):
                return True
            stack.extend(children(node))
    return False


def _is_float(node: Any) -> bool:
    return isinstance(node, float) or getattr(node, "sort", "") == "float"


def _ranges(translator: Translator, bounds: Bounds) -> Iterable[Any]:
    for index, var in translator.variables.items():
        low, high = bounds[index]
        if z3.is_fp(var):
            yield z3.Not(z3.Or(z3.fpIsNaN(var), z3.fpIsInf(var)))
        elif z3.is_real(var):
            low = -sys.float_info.max if low is None else low
            high = sys.float_info.max if high is None else high
        if low is not None:
            yield var >= translator.term(low if z3.is_int(var) else float(low))
        if high is not None:
            yield var <= translator.term(high if z3.is_int(var) else float(high))


def _is_confirmed(model: Any, translator: Translator, literals: Sequence[Literal], count: int) -> bool:
    from pessimal.solve.z3 import plain_number

    leaves: list[Any] = [0] * count
    for index, var in translator.variables.items():
        leaves[index] = plain_number(model.eval(var, model_completion=True))
    try:
        return None not in leaves and satisfies(leaves, literals)
    except (ArithmeticError, ValueError):
        return False
