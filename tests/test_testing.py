"""The conformance checks: our own strategies pass them, and each way to break the contract is caught."""

import pytest

from pessimal.search.climb import Climb
from pessimal.search.exhaustive import Exhaustive
from pessimal.search.fixed import Fixed
from pessimal.search.random import Random
from pessimal.strategy import SearchOver
from pessimal.testing import ConformanceError, check_strategy


@pytest.mark.parametrize("strategy", [Climb, Exhaustive, Fixed, Random])
def test_our_strategies_keep_the_contract(strategy):
    check_strategy(strategy)


class Honest:
    """The smallest strategy: run the initial input until the budget ends."""

    name = "honest"

    def search(self, session):
        while True:
            session.run()


def test_a_minimal_strategy_keeps_the_contract():
    check_strategy(Honest)


class Nameless:
    name = ""

    def search(self, session):
        session.run()


class Idle:
    name = "idle"

    def search(self, session):
        pass


class Liar(Honest):
    name = "liar"

    def search(self, session):
        session.run()
        session.claim("I said so")


class Deaf(Honest):
    name = "deaf"

    def search(self, session):
        for _ in range(100):
            try:
                session.run()
            except SearchOver:
                session.counters.paths += 1


class Moody(Honest):
    name = "moody"
    runs = 0

    def search(self, session):
        Moody.runs += 1
        while True:
            session.evaluate([Moody.runs, 3, 2, 1])


@pytest.mark.parametrize(
    ("strategy", "complaint"),
    [
        (Nameless, "name"),
        (Idle, "at least once"),
        (Liar, "claims a proof"),
        (Deaf, "SearchOver"),
        (Moody, "same seed"),
    ],
)
def test_a_broken_strategy_is_caught(strategy, complaint):
    with pytest.raises(ConformanceError, match=complaint):
        check_strategy(strategy)


class Amnesiac(Random):
    """Says that it can resume but starts elsewhere."""

    name = "amnesiac"

    def restore(self, state):
        self._done = 10_000


def test_a_strategy_that_resumes_elsewhere_is_caught():
    with pytest.raises(ConformanceError, match="restore"):
        check_strategy(lambda: Amnesiac(bias=0.3))
