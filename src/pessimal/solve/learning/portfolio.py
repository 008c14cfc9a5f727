"""The default back-end: intervals, equations, Z3, samplers and Z3 on IEEE doubles, in the order that has paid.

Z3's solution over the reals, where exact evaluation refutes it, is where the samplers start, and they look only where
intervals have left something. What samplers come near to is no proof of anything: only the others say unsat.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import prod
from time import monotonic
from typing import Any

from pessimal.solve.base import UNKNOWN, Answer, Query, Solver, Status
from pessimal.solve.components import independent
from pessimal.solve.extras import has_bitwuzla
from pessimal.solve.kinds import OPERATIONS, Features, Kind, features_of, kind_of
from pessimal.solve.learning import SAMPLES
from pessimal.solve.learning.experience import Experience
from pessimal.solve.narrowing.solver import ONE_IN, IntervalSolver

FLOAT_EFFORT = 1_000_000
"""Z3's own count of work for a question about floats, which is an eighth of what it may take alone."""
MAX_PRODUCTS = 2
"""With more products and quotients than this, questions about doubles are not asked of Z3: they take seconds each."""

FRUGAL = ("intervals", "equations")
"""Who needs only one in so many samples, but none at all is too few."""
NARROWED = ("equations", "sampling")
"""Who looks only where intervals have left something."""


class LearningPortfolio:
    """Asks its members in the order of its experience; the first that settles the question is believed.

    Members are made when they are first asked, since many questions need one of them only.
    """

    name = "portfolio"

    def __init__(self, experience: Experience | None = None, **options: Any) -> None:
        self.experience = experience or Experience()
        self._options = options
        self._members: dict[str, Solver] = {}
        self._parts: dict[int, LearningPortfolio] = {}
        if options:
            self.member("sampling")  # so that a wrong option shows at once

    @classmethod
    def for_search(cls) -> Callable[[], LearningPortfolio]:
        """Makes solvers that share their experience: one for each run of a search.

        What they import is imported now, since a run of the target may not.
        """
        for name, make in _MAKERS.items():
            if name != "words" or has_bitwuzla():
                make({})
        return partial(cls, Experience())

    def solve(self, query: Query) -> Answer:
        """The first answer that settles the question; otherwise unknown, with the samplers' confidence.

        Parts that share no variable are questions of their own, which divide the samples and the time.
        """
        parts = independent(query)
        return self._settled(query) if len(parts) == 1 else self._in_parts(query, parts)

    def _in_parts(self, query: Query, parts: list[Query]) -> Answer:
        """Easy parts first: what they do not need is left for the others."""
        whole = Answer(Status.SAT)
        for left, part in zip(range(len(parts), 0, -1), sorted(parts, key=_hardness), strict=True):
            answer = self._with_samples(whole.samples, left)._settled(_until(part, 1 / left))
            if answer.status is Status.UNSAT:
                return replace(answer, samples=whole.samples + answer.samples)
            whole = _with_part(whole, answer)
        is_right = whole.status is not Status.SAT or query.satisfied_by(whole.values)
        return whole if is_right else replace(UNKNOWN, samples=whole.samples)

    def _with_samples(self, used: int, parts: int) -> LearningPortfolio:
        """The same portfolio for one of the parts that are left, with its part of the samples that are."""
        if "samples" not in self._options:
            return self
        samples = max((self._options["samples"] - used) // parts, 1)
        if samples not in self._parts:
            self._parts[samples] = LearningPortfolio(self.experience, **{**self._options, "samples": samples})
        return self._parts[samples]

    def _settled(self, query: Query) -> Answer:
        features = features_of([query.extra])
        kind, unsettled, narrower = kind_of(features), UNKNOWN, query
        waiting = self.experience.order(kind, self.members(features, kind, query))
        while waiting:
            name = waiting.pop(0)
            asked = narrower if name in NARROWED else query
            if name == "sampling":
                asked = replace(asked, evaluated=asked.evaluated + self._reserved(waiting))
            answer = self.member(name).solve(_with_share(asked, name))
            is_settled = answer.status is Status.UNSAT or (
                answer.status is Status.SAT and query.satisfied_by(answer.values)
            )
            self.experience.note(kind, name, is_settled)
            if is_settled:
                samples = answer.samples + unsettled.samples
                return replace(answer, solver=answer.solver or name, samples=samples)
            unsettled = _combined(unsettled, answer)
            query, narrower = (replace(one, evaluated=unsettled.samples) for one in (query, narrower))
            if answer.domains:
                narrower = replace(narrower, domains=answer.domains)
            if name == "z3" and answer.near:
                narrower = replace(narrower, hints=(answer.near,))
                waiting = ["sampling", *(other for other in waiting if other != "sampling")]
        return unsettled

    def _reserved(self, waiting: list[str]) -> int:
        """How many samples are left for those who are asked later."""
        return sum(self._options.get("samples", SAMPLES) // ONE_IN for name in waiting if name in FRUGAL)

    def members(self, features: Features, kind: Kind, query: Query) -> list[str]:
        """The names of those that a question is asked of."""
        names = ["intervals", "z3", "sampling"]
        if features.equalities and features.operations & {"*", "**"}:
            names.insert(1, "equations")
        if kind.operations == "bits" and has_bitwuzla():
            names.insert(0, "words")
        is_meant = kind.has_floats and kind.operations in ("linear", "products")
        if is_meant and features_of([*query.path, query.extra]).products <= MAX_PRODUCTS:
            names.append("doubles")
        return names

    def member(self, name: str) -> Solver:
        """A member by its name."""
        if name not in self._members:
            self._members[name] = _MAKERS[name](self._options)
        return self._members[name]


def _numbers(options: dict[str, Any]) -> Solver:
    from pessimal.solve.z3 import Z3Solver  # Z3 and NumPy take a while to load, and many questions need one of them

    return Z3Solver(float_effort=FLOAT_EFFORT, readings=("numbers",))


def _words(options: dict[str, Any]) -> Solver:
    from pessimal.solve.bitwuzla import BitwuzlaSolver

    return BitwuzlaSolver(readings=("words",))


def _doubles(options: dict[str, Any]) -> Solver:
    if has_bitwuzla():
        from pessimal.solve.bitwuzla import BitwuzlaSolver

        return BitwuzlaSolver(readings=("doubles",))
    from pessimal.solve.z3 import Z3Solver

    return Z3Solver(float_effort=FLOAT_EFFORT, readings=("doubles",))


def _intervals(options: dict[str, Any]) -> Solver:
    samples = options.get("samples")
    return IntervalSolver() if samples is None else IntervalSolver(samples=samples // ONE_IN)


def _equations(options: dict[str, Any]) -> Solver:
    from pessimal.solve.equations.solver import EquationSolver

    samples = options.get("samples")
    return EquationSolver() if samples is None else EquationSolver(samples=samples // ONE_IN)


def _sampling(options: dict[str, Any]) -> Solver:
    from pessimal.solve.learning.solver import SamplingSolver

    return SamplingSolver(**options)


_MAKERS: dict[str, Callable[[dict[str, Any]], Solver]] = {
    "intervals": _intervals,
    "equations": _equations,
    "z3": _numbers,
    "sampling": _sampling,
    "doubles": _doubles,
    "words": _words,
}


def _combined(before: Answer, answer: Answer) -> Answer:
    """What two members that settled nothing say together."""
    confidence = before.confidence if answer.confidence is None else answer.confidence
    return Answer(Status.UNKNOWN, confidence=confidence, solver="portfolio", samples=before.samples + answer.samples)


def _hardness(part: Query) -> tuple[int, int]:
    features = features_of([part.extra])
    return OPERATIONS.index(kind_of(features).operations), features.variables


def _with_part(whole: Answer, part: Answer) -> Answer:
    """The answer to some parts together with that to another one: all of them must be satisfiable."""
    samples, solver = whole.samples + part.samples, part.solver
    if whole.solver not in ("", solver):
        solver = "portfolio"
    if Status.UNKNOWN not in (whole.status, part.status):
        return Answer(Status.SAT, {**whole.values, **part.values}, solver=solver, samples=samples)
    chances = [one.confidence for one in (whole, part) if one.status is Status.UNKNOWN]
    known = [chance for chance in chances if chance is not None]
    confidence = prod(known) if len(known) == len(chances) else None
    return Answer(Status.UNKNOWN, confidence=confidence, solver="portfolio", samples=samples)


def _with_share(query: Query, name: str) -> Query:
    """The query with a part of the time that is left, so that some is left for the others and the run that asks."""
    return _until(query, _SHARES[name])


def _until(query: Query, share: float) -> Query:
    if query.deadline is None:
        return query
    return replace(query, deadline=monotonic() + query.seconds_left() * share)


_SHARES = {"intervals": 0.3, "equations": 0.3, "z3": 0.4, "sampling": 0.6, "doubles": 0.25, "words": 0.3}
