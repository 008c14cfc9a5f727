"""Small solvers for tests: one that tries every input, and some that break the contract in one way each."""

import itertools
import math

from pessimal.solve import Answer, Status
from pessimal.solve.base import UNKNOWN, UNSAT


class BruteForce:
    """Tries every input of small integer domains, and so settles whatever can be evaluated."""

    name = "brute-force"

    def __init__(self, most=5000):
        self._most = most

    def solve(self, query):
        if any(low is None or high is None or isinstance(old, float) for (low, high), old in pairs(query)):
            return UNKNOWN
        rows = [range(low, high + 1) for low, high in query.domains]
        if math.prod(map(len, rows)) > self._most:
            return UNKNOWN
        for leaves in itertools.product(*rows):
            if query.satisfied_by(dict(enumerate(leaves))):
                return Answer(Status.SAT, dict(enumerate(leaves)))
        return UNSAT


def pairs(query):
    return zip(query.domains, query.model, strict=True)


class Toy(BruteForce):
    """Right but for what a subclass does to its answers."""

    name = "toy"

    def solve(self, query):
        return self.spoil(super().solve(query), query)


class Ignorant(Toy):
    """Never knows, which is allowed."""

    def spoil(self, answer, query):
        return Answer(Status.UNKNOWN, confidence=query.rng.random())


class Pessimist(Toy):
    """Says that what it does not know is impossible."""

    def spoil(self, answer, query):
        return UNSAT if answer.status is Status.UNKNOWN else answer


class Optimist(Toy):
    """Says that everything is possible as it is."""

    def spoil(self, answer, query):
        return Answer(Status.SAT)


class Boaster(Toy):
    """Says sat with values of other leaves than there are."""

    def spoil(self, answer, query):
        return Answer(Status.SAT, {len(query.model): 0})


class Flaky(Toy):
    """Answers another time than the first what it pleases."""

    asked = 0

    def spoil(self, answer, query):
        Flaky.asked += 1
        return answer if Flaky.asked % 2 else UNKNOWN


class Clinging(Toy):
    """Keeps the literals in question as if they were part of the path."""

    def __init__(self):
        super().__init__()
        self._kept = []

    def spoil(self, answer, query):
        self._kept.append(query.extra)
        if any((condition, not want) in self._kept for condition, want in self._kept):
            return UNSAT
        return answer


class Meddling(Toy):
    """Leaves the path longer than it was."""

    def spoil(self, answer, query):
        query.path.append(query.extra)
        return answer


class Bare(Toy):
    """Answers with a bare status."""

    def spoil(self, answer, query):
        return answer.status


class Shouting(Toy):
    name = "TOY"

    def spoil(self, answer, query):
        return answer


class Nameless:
    def solve(self, query):
        return UNKNOWN
