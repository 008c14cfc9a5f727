"""A solver made of others, asked in turn: the first that settles a question is believed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from time import monotonic

from pessimal.solve.base import UNKNOWN, Answer, Query, Solver, Status


class Portfolio:
    """Asks its members in order; what each leaves of its share of the time is for those after it.

    If none settles the question, the answer is unknown with the largest confidence that one of them has.
    """

    name = "portfolio"

    def __init__(self, members: Iterable[Solver]) -> None:
        self._members = tuple(members)
        if not self._members:
            raise ValueError("a portfolio needs at least one solver")

    def solve(self, query: Query) -> Answer:
        """The first answer that settles the question; a model that is wrong settles nothing."""
        best = UNKNOWN
        for place, member in enumerate(self._members):
            answer = member.solve(_with_share(query, len(self._members) - place))
            if answer.status is Status.UNSAT or (answer.status is Status.SAT and query.satisfied_by(answer.values)):
                return answer
            best = max(best, answer, key=_confidence)
        return best


def _confidence(answer: Answer) -> float:
    return -1.0 if answer.confidence is None else answer.confidence


def _with_share(query: Query, members: int) -> Query:
    """The query with an equal part of the time that is left."""
    if query.deadline is None or members == 1:
        return query
    return replace(query, deadline=monotonic() + query.seconds_left() / members)
