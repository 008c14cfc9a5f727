"""A solver that tries every input, where there are few."""

from __future__ import annotations

from itertools import islice, product

from pessimal.expr import Leaf, variables
from pessimal.solve import Answer, Query, Status

MOST = 20_000


class Enumerate:
    """Settles questions whose leaves have few values together."""

    name = "enumerate"

    def solve(self, query: Query) -> Answer:
        """Try the values of all leaves that take part."""
        taking_part: set[int] = set()
        for condition, _ in (*query.path, query.extra):
            taking_part |= variables(condition)
        leaves = sorted(taking_part)
        ranges = [_values(*query.domains[leaf], query.model[leaf]) for leaf in leaves]
        if any(values is None for values in ranges):
            return Answer(Status.UNKNOWN)
        combinations = product(*(values for values in ranges if values is not None))
        tried = 0
        for values in islice(combinations, MOST):
            tried += 1
            found: dict[int, Leaf] = dict(zip(leaves, values, strict=True))
            if query.satisfied_by(found):
                return Answer(Status.SAT, found)
        return Answer(Status.UNSAT if tried < MOST else Status.UNKNOWN)


def _values(low: Leaf | None, high: Leaf | None, now: Leaf) -> range | None:
    if isinstance(now, float) or low is None or high is None:
        return None
    return range(int(low), int(high) + 1)
