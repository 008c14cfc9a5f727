"""The conformance check that authors of solvers run on their own classes; our own tests run it on ours.

from pessimal.solve.conformance import check_solver

def test_my_solver():
    check_solver(MySolver)
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import monotonic

from pessimal.conformance import expect
from pessimal.expr import show
from pessimal.solve.base import Answer, Literal, Query, Solver, Status
from pessimal.solve.known_queries import CASES, Case

Make = Callable[[], Solver]


def check_solver(make: Make) -> None:
    """Check that a solver keeps the contract of :class:`pessimal.solve.Solver`; it may always answer unknown."""
    _check_shape(make())
    for case in CASES:
        first, second = _settle(make(), case), _settle(make(), case)
        expect(first == second, f"{case.name}: the same query and seed must give the same answer")
        _settle(make(), case, deadline=monotonic() - 1)
        _check_growing(make, case)


def _check_shape(solver: Solver) -> None:
    expect(isinstance(solver, Solver), "a solver needs a name and solve(query)")
    expect(bool(solver.name) and solver.name == solver.name.lower(), "the name must be a lower-case word")


def _settle(solver: Solver, case: Case, deadline: float | None = None) -> Answer:
    """The answer to a case, which must be true."""
    answer = _ask(solver, case, list(case.path), case.extra, deadline)
    claim = f"{case.name}: {_text(case.extra)}"
    if answer.status is Status.SAT:
        expect(case.is_satisfiable, f"{claim} is said to be sat, but it is unsat")
    expect(not (answer.status is Status.UNSAT and case.is_satisfiable), f"{claim} is said to be unsat, but it is sat")
    return answer


def _ask(solver: Solver, case: Case, path: list[Literal], extra: Literal, deadline: float | None = None) -> Answer:
    """An answer in the right shape, whose values satisfy the query if it has any."""
    query = Query(path, extra, case.domains, list(case.model), Random(0), deadline)
    length = len(path)
    answer = solver.solve(query)
    claim = f"{case.name}: {_text(extra)}"
    expect(isinstance(answer, Answer), f"{claim}: solve() must return an Answer, not {answer!r}")
    is_left_alone = len(path) == length and list(query.model) == list(case.model)
    expect(is_left_alone, f"{claim}: solve() must not change the query")
    if answer.status is Status.SAT:
        expect(query.satisfied_by(answer.values), f"{claim} is said to be sat, but not by {dict(answer.values)}")
    return answer


def _check_growing(make: Make, case: Case) -> None:
    """One solver along a growing path must not contradict a fresh one anywhere."""
    kept, path = make(), list[Literal]()
    for literal in (*case.path, case.extra):
        for asked in (literal, (literal[0], not literal[1])):
            first, second = _ask(kept, case, path, asked).status, _ask(make(), case, list(path), asked).status
            is_agreed = first is second or Status.UNKNOWN in (first, second)
            place = f"{case.name}: {_text(asked)} after {len(path)} conditions"
            expect(is_agreed, f"{place} is {second} for a fresh solver, but {first} for one that was asked before")
        path.append(literal)


def _text(literal: Literal) -> str:
    condition, want = literal
    return show(condition) if want else f"not {show(condition)}"
