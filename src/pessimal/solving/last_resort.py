"""What is tried for a condition that the portfolio leaves open: every point of a small domain, and more boxes.

Neither samples: a point that Python finds true is a solution, and where there is no other point there is a proof.
"""

from __future__ import annotations

from itertools import product
from math import prod

from pessimal.conditions import Condition
from pessimal.solve import Answer, Query, Status
from pessimal.solve.base import UNKNOWN, UNSAT, Bounds
from pessimal.solve.narrowing.solver import IntervalSolver

BOXES = 10_000
"""How many boxes intervals look at, many times as many as within the portfolio."""
POINTS = 50_000
"""Domains of integers with at most so many points are tried completely."""
AT_ONCE = 256
"""After so many points the time is looked at."""


def settled_at_last(condition: Condition, query: Query) -> Answer:
    """The answer to a condition that calls no black box; unknown if it is still open, or the time is up."""
    if query.seconds_left() <= 0:
        return UNKNOWN
    answer = _by_trying(condition, query, query.domains)
    if answer.status is not Status.UNKNOWN:
        return answer
    answer = IntervalSolver(BOXES, samples=0).solve(query)
    if answer.status is Status.UNSAT or not answer.domains:
        return answer
    return _by_trying(condition, query, answer.domains)


def _by_trying(condition: Condition, query: Query, domains: Bounds) -> Answer:
    ranges = _ranges(query, domains)
    if ranges is None or condition.is_limited:
        return UNKNOWN
    for number, point in enumerate(product(*ranges)):
        if number % AT_ONCE == 0 and query.seconds_left() <= 0:
            return UNKNOWN
        if condition.judge(condition.named(point)):
            return Answer(Status.SAT, dict(enumerate(point)))
    return UNSAT


def _ranges(query: Query, domains: Bounds) -> list[range] | None:
    """The values of each variable; None where one is no integer, or there are too many."""
    ranges: list[range] = []
    for (low, high), value in zip(domains, query.model, strict=True):
        if isinstance(value, float) or low is None or high is None:
            return None
        ranges.append(range(int(low), int(high) + 1))
    is_small = prod(one.stop - one.start for one in ranges) <= POINTS
    return ranges if is_small else None
