"""Solves a question by one of its equations of integers, and puts each solution of that into the question.

That there is no solution is a proof where all solutions of the equation are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pessimal.expr import Leaf
from pessimal.expr.blackbox import CALL, is_opaque
from pessimal.solve.base import UNKNOWN, UNSAT, Answer, Query, Status
from pessimal.solve.components import relevant
from pessimal.solve.equations.conics import conic_of, solutions
from pessimal.solve.equations.polynomial import Polynomial, equations_of, variables_of
from pessimal.solve.equations.roots import roots_of
from pessimal.solve.kinds import features_of
from pessimal.solve.narrowing.solver import IntervalSolver

SAMPLES = 750
"""How many solutions of equations are put into the question."""
BOXES = 60
"""How far the other variables are looked for by intervals, for each solution of an equation."""
MAX_VARIABLES = 4
MAX_EQUATIONS = 3
MAX_CONDITIONS = 60


class Solved(NamedTuple):
    """Solutions of an equation, as values of its variables, and whether there are no others."""

    points: Iterable[Mapping[int, int]]
    are_all: bool


class EquationSolver:
    """Looks for solutions of single equations, and for one of them that satisfies all other conditions as well."""

    name = "equations"

    def __init__(self, samples: int = SAMPLES) -> None:
        self._samples = samples

    def solve(self, query: Query) -> Answer:
        """Settle the question by the first equation that does."""
        literals, moved = relevant(query)
        if len(literals) > MAX_CONDITIONS or query.seconds_left() <= 0:
            return UNKNOWN
        is_sealed = CALL in features_of(literals).operations and any(is_opaque(one) for one, _ in literals)
        trial = _Trial(query, moved, min(self._samples, 4 * self._samples - query.evaluated))
        equations = [one for one in equations_of(literals) if len(variables_of(one)) <= MAX_VARIABLES]
        for equation in equations[:MAX_EQUATIONS]:
            for solved in _solved(equation, query):
                found = trial.of(solved)
                if found.status is Status.SAT or (found.status is Status.UNSAT and not is_sealed):
                    return replace(found, samples=trial.samples)
        return Answer(Status.UNKNOWN, solver=self.name, samples=trial.samples)


def _solved(equation: Polynomial, query: Query) -> Iterator[Solved]:
    """What is known of an equation, by each of the methods."""
    if not all(var < 0 or isinstance(query.model[var], int) for var in variables_of(equation)):
        return
    if (conic := conic_of(equation)) is not None:
        pairs = solutions(conic)
        yield Solved(({conic.x: x, conic.y: y} for x, y in pairs.found), pairs.are_all)
    for roots in roots_of(equation, query.domains):
        points = (dict(zip(roots.variables, point, strict=True)) for point in roots.points)
        yield Solved(points, roots.are_all)


class _Trial:
    """Puts values of some variables into a question, as often as it may."""

    def __init__(self, query: Query, moved: set[int], most: int) -> None:
        self._query = query
        self._moved = moved
        self._most = most
        self.samples = 0

    def of(self, solved: Solved) -> Answer:
        """Sat if a solution of an equation satisfies the question, unsat if none of all does."""
        are_all = solved.are_all
        for point in solved.points:
            if self.samples >= self._most or self._query.seconds_left() <= 0:
                return UNKNOWN
            answer = self._with({var: value for var, value in point.items() if var >= 0})
            if answer.status is Status.SAT:
                return answer
            are_all = are_all and answer.status is Status.UNSAT
        return replace(UNSAT, solver=EquationSolver.name) if are_all else UNKNOWN

    def _with(self, values: Mapping[int, Leaf]) -> Answer:
        """The question with the values of some variables given."""
        if not all(_is_inside(self._query.domains[var], value) for var, value in values.items()):
            return UNSAT
        self.samples += 1
        if self._moved <= values.keys():
            is_solution = self._query.satisfied_by(values)
            return Answer(Status.SAT, values, solver=EquationSolver.name) if is_solution else UNSAT
        domains: Sequence[tuple[Leaf | None, Leaf | None]] = [
            (values[var], values[var]) if var in values else domain for var, domain in enumerate(self._query.domains)
        ]
        query = replace(self._query, domains=domains, evaluated=0)
        answer = IntervalSolver(BOXES, max(self._most - self.samples, 1)).solve(query)
        self.samples += answer.samples
        return replace(answer, solver=EquationSolver.name, domains=())


def _is_inside(domain: tuple[Leaf | None, Leaf | None], value: Leaf) -> bool:
    low, high = domain
    return (low is None or low <= value) and (high is None or value <= high)
