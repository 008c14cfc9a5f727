"""A test mode: every answer of the layers is checked against a fresh Z3, and the model against every condition."""

from __future__ import annotations

import z3

from pessimal.expr import Expr, holds, show
from pessimal.expr.smt import Translator
from pessimal.solve.base import Bounds, Literal
from pessimal.solve.path import PathSolver, satisfies
from pessimal.trace import Side


class WrongAnswer(AssertionError):
    """A layer said something that is not so."""


class AuditedSolver(PathSolver):
    """A path solver that believes nothing it says; for tests, since it asks Z3 twice per branch."""

    __slots__ = ()

    def __init__(self, leaves: list[int], bounds: Bounds) -> None:
        from pessimal.solve.z3 import Z3Solver

        super().__init__(leaves, bounds, Z3Solver)

    def decide(self, condition: Expr, want: bool | None, probe_other: bool = False) -> int:
        """Decide as usual, then check the answer."""
        before = list(self.path)
        wanted = holds(condition, self.leaves) if want is None else want
        answer = super().decide(condition, want, probe_other)
        taken, side = bool(answer & 1), Side(answer >> 1)
        self._expect(taken == wanted, before, (condition, wanted))
        if probe_other and taken == wanted and side is not Side.UNTRIED:
            self._expect(side is Side.FEASIBLE, before, (condition, not wanted))
        self._check_model()
        return answer

    def _expect(self, claimed: bool, path: list[Literal], literal: Literal) -> None:
        if feasible(path, literal, self._bounds) is not claimed:
            claim = "feasible" if claimed else "infeasible"
            raise WrongAnswer(f"claimed {claim}: {show(literal[0])} is {literal[1]}")

    def _check_model(self) -> None:
        if not satisfies(self.leaves, self.path):
            raise WrongAnswer("the model does not satisfy the path condition")
        for value, (low, high) in zip(self.leaves, self._bounds, strict=True):
            if (low is not None and value < low) or (high is not None and value > high):
                raise WrongAnswer(f"the model leaves the range {low}..{high} with {value}")


def feasible(path: list[Literal], literal: Literal, bounds: Bounds) -> bool:
    """Whether conditions on integers can hold together, by a Z3 that knows nothing else."""
    translator = Translator()
    solver = z3.Solver()
    for condition, want in (*path, literal):
        term = translator.condition(condition)
        solver.add(term if want else z3.Not(term), *translator.definitions())
    for index, var in translator.variables.items():
        low, high = bounds[index]
        solver.add(*([var >= low] if low is not None else []), *([var <= high] if high is not None else []))
    return bool(solver.check() == z3.sat)
