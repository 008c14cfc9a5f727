"""Answering a question about a condition that was read: by our layers and a back-end, with every model judged."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from time import monotonic
from typing import Any, TypeAlias

from pessimal.conditions import Condition
from pessimal.expr import Evaluator
from pessimal.registry import SOLVERS
from pessimal.solve import Answer, PathSolver, Query, Solver, Status
from pessimal.solve.base import UNKNOWN
from pessimal.solve.narrowing.solver import IntervalSolver
from pessimal.solving.last_resort import settled_at_last
from pessimal.solving.plain_models import with_plain_integers
from pessimal.solving.question import Question, SolveResult

DEFAULT = "portfolio"
"""The solver that our own layers stand before; any other is asked alone."""
Settled: TypeAlias = tuple[bool | None, list[Any]]
"""Whether a condition can hold, None if that is open, and the values of its variables."""


def settle(question: Question, condition: Condition, seconds: float) -> SolveResult:
    """The answer to a question within some seconds; a model that the judge refuses is none."""
    deadline = monotonic() + seconds
    solver = _Remembering(_make(question))
    result = SolveResult(question.text, Status.UNKNOWN, solver=question.solver)
    verdict, leaves = _asked(question, condition, solver, deadline)
    if verdict is None and question.solver == DEFAULT and not (condition.is_over_reals or question.black_boxes):
        verdict, leaves = _asked_at_last(condition, leaves, solver, deadline)
    _fill(result, condition, verdict, leaves, solver.last)
    if solver.experience is not None:
        result.experience = solver.experience.to_json()
    return result


def _asked(question: Question, condition: Condition, solver: _Remembering, deadline: float) -> Settled:
    """What the solver says, behind our layers if it is the portfolio."""
    leaves = [variable.start() for variable in condition.variables]
    if question.solver == DEFAULT and _has_value(condition, leaves):
        path = PathSolver(leaves, condition.domains, lambda: solver, rng=Random(question.seed), deadline=deadline)
        verdict = path.assume(condition.expression, True)
        return verdict, path.leaves
    query = Query([], (condition.expression, True), condition.domains, leaves, Random(question.seed), deadline)
    return _verdict(query, solver.solve(query))


def _asked_at_last(condition: Condition, leaves: list[Any], solver: _Remembering, deadline: float) -> Settled:
    """What can still be said of a condition that is open."""
    query = Query([], (condition.expression, True), condition.domains, leaves, deadline=deadline)
    answer = settled_at_last(condition, query)
    if answer.status is not Status.UNKNOWN:
        solver.last = replace(answer, solver=IntervalSolver.name, samples=solver.last.samples)
    return _verdict(query, answer)


def _verdict(query: Query, answer: Answer) -> Settled:
    verdict = {Status.SAT: query.satisfied_by(answer.values) or None, Status.UNSAT: False}.get(answer.status)
    return verdict, [answer.values.get(leaf, value) for leaf, value in enumerate(query.model)]


def _fill(result: SolveResult, condition: Condition, verdict: bool | None, leaves: list[Any], last: Answer) -> None:
    result.samples = last.samples
    result.confidence = last.confidence if verdict is None else None
    if verdict is None:
        return
    result.solver = last.solver or (result.solver if last is not UNKNOWN else "layers")
    if verdict is False:
        result.status = Status.UNKNOWN if condition.is_over_reals or condition.is_limited else Status.UNSAT
        return
    model = condition.named(leaves)
    if condition.judge(model):
        result.status, result.model = Status.SAT, with_plain_integers(condition, model)


def _has_value(condition: Condition, leaves: list[Any]) -> bool:
    """Whether the condition is true or false of an input; a black box may have no value there."""
    try:
        Evaluator(leaves).condition(condition.expression)
    except (ArithmeticError, ValueError):
        return False
    return True


def _make(question: Question) -> Solver:
    """The solver, with those of the options that it takes."""
    options: Mapping[str, Any] = question.options
    parameters = inspect.signature(SOLVERS.get(question.solver)).parameters.values()
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        options = {name: options[name] for name in options if name in {one.name for one in parameters}}
    given = dict(options)
    if question.solver == DEFAULT and question.experience is not None:
        from pessimal.solve.learning.experience import Experience

        given["experience"] = Experience.from_json(question.experience)
    solver: Solver = SOLVERS.make(question.solver, given)
    return solver


class _Remembering:
    """Passes questions on and keeps the last answer, of which a path only keeps the values."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self.name = solver.name
        self.experience: Any = getattr(solver, "experience", None)
        self.last = UNKNOWN

    def solve(self, query: Query) -> Answer:
        """The answer of the solver."""
        self.last = self._solver.solve(query)
        return self.last
