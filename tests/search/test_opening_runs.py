"""The runs before every search: which inputs they have, what they send, and that the search does not notice them."""

from __future__ import annotations

from time import monotonic
from typing import Any

import pytest

from pessimal.inputs import Domain
from pessimal.messages import FailureFound, OpeningRun, OpeningStarted
from pessimal.search.budget import Budget
from pessimal.search.opening_runs import OPENING_RUNS, Opening, inputs
from pessimal.search.session import SearchSession
from pessimal.testing import InProcess
from pessimal.trace import Outcome, Trace


class FrontEnd:
    """A target that costs what its input is; -1 is rejected and 3 does not end."""

    domains = (Domain.of("int"),)
    initial = (0,)

    def __init__(self) -> None:
        self.ran: list[int] = []

    def evaluate(self, leaves: list[int], seconds: float) -> Trace:
        self.ran.append(leaves[0])
        outcome = {-1: Outcome.REJECTED, 3: Outcome.TIMED_OUT}.get(leaves[0], Outcome.RETURNED)
        return Trace(leaves=leaves, outcome=outcome)

    def cost(self, trace: Trace, seconds: float) -> float:
        return float(trace.leaves[0])


def opened(front_end: Any, opened: int = 0) -> list[Any]:
    sent: list[Any] = []
    opening = Opening(front_end, seed=1, run_seconds=600.0, opened=opened, send=sent.append)
    opening.run(lambda: None)
    return sent


def test_the_simplest_input_comes_first_and_the_others_grow() -> None:
    domains = (Domain.of("int"), Domain.of("float"), Domain.of("bool"), Domain.of("int", low=5))
    first, *others = inputs((0, 0.0, 0, 5), domains, seed=3)
    assert first == [0, 0.0, 0, 5]
    assert len(others) == OPENING_RUNS - 1
    for power, leaves in enumerate(others, start=1):
        assert all(value in domain for value, domain in zip(leaves, domains, strict=True))
        assert max(abs(leaves[0]), abs(leaves[1]), leaves[3] - 5) <= 2**power
    assert [first, *others] == list(inputs((0, 0.0, 0, 5), domains, seed=3))


def test_each_run_is_sent_with_its_cost() -> None:
    front_end = FrontEnd()
    started, *runs = opened(front_end)
    assert (started, len(runs)) == (OpeningStarted(), OPENING_RUNS)
    assert all(isinstance(run, OpeningRun) for run in runs)
    ended = [(run.finding.leaves[0], run.finding.cost) for run in runs if run.finding and run.finding.ended]
    assert ended == [(value, value) for value in front_end.ran if value not in (-1, 3)]


def test_runs_that_were_made_before_are_not_repeated() -> None:
    whole, rest = FrontEnd(), FrontEnd()
    opened(whole)
    opened(rest, opened=4)
    assert rest.ran == whole.ran[4:]
    assert opened(FrontEnd(), opened=OPENING_RUNS) == []


TARGET = """
import os

def f(xs: list[int]) -> int:
    return sum(1 for x in xs if x > 0)

def dies(x: int) -> int:
    os._exit(3)

def dies_on_the_simplest(x: int) -> int:
    if x == 0:
        os._exit(3)
    return x
"""


def test_every_strategy_reports_an_input_even_if_it_runs_nothing(pessimal: Any, write: Any) -> None:
    file = write(TARGET)
    for strategy in ("exhaustive", "random", "climb", "fixed"):
        result = pessimal("stress", f"{file}:f", "--size", 3, "--strategy", strategy, "--paths", 1, "--json").json
        assert (result["replayed"], result["opening_runs"], result["paths"]) == (True, OPENING_RUNS, 1)


def test_inputs_that_kill_the_process_are_passed_over(pessimal: Any, write: Any) -> None:
    file = write(TARGET)
    result = pessimal("stress", f"{file}:dies_on_the_simplest", "--paths", 1, "--strategy", "fixed", "--json").json
    assert (result["outcome"], result["replayed"]) == ("returned", True)
    result = pessimal("stress", f"{file}:dies", "--paths", 1, "--strategy", "fixed", "--json").json
    assert (result["outcome"], result["input"], result["replayed"]) == ("crashed", {"x": 0}, True)


class Endless:
    """A strategy that is stopped in the middle of its work, and whose work turns that into another error."""

    name = "endless"

    def __init__(self, hides: bool) -> None:
        self.hides = hides

    def search(self, session: Any) -> None:
        try:
            session.stop()
        except BaseException:
            if self.hides:
                raise TypeError("argument 1") from None
            raise


def positive(x: int) -> bool:
    return x > 0


def test_a_search_can_be_stopped_anywhere() -> None:
    for hides in (False, True):
        session = SearchSession(
            InProcess(positive, 1), Budget(seconds=600.0), seed=0, run_seconds=600.0, send=lambda message: None
        )
        session.stop()  # nothing is being searched yet
        assert session.conduct(Endless(hides)) == "budget of 600s"
        assert session.was_stopped
        session.stop()


class Failing:
    name = "failing"

    def search(self, session: Any) -> None:
        raise ZeroDivisionError


def test_a_search_that_failed_cannot_be_stopped_any_more() -> None:
    session = SearchSession(
        InProcess(positive, 1), Budget(seconds=600.0), seed=0, run_seconds=600.0, send=lambda message: None
    )
    with pytest.raises(ZeroDivisionError):
        session.conduct(Failing())
    session.stop()
    assert not session.was_stopped


class Interrupted(InProcess):
    """Its first run takes a second for what is not the target's, and none of those of ``hangs`` ends."""

    def __init__(self, hangs: bool) -> None:
        super().__init__(positive, 1)
        self.hangs = hangs
        self.allowed: list[float] = []

    def evaluate(self, leaves: Any, seconds: float, recording: bool = False) -> Trace:
        self.allowed.append(seconds)
        began = monotonic()
        while len(self.allowed) == 1 and monotonic() - began < 1.1:
            pass
        trace = super().evaluate(leaves, seconds, recording)
        trace.seconds = 0.001
        trace.outcome = Outcome.TIMED_OUT if self.hangs else trace.outcome
        return trace


class Twice:
    name = "twice"

    def search(self, session: Any) -> None:
        session.evaluate([1])
        session.evaluate([2])


def test_what_is_done_for_a_run_meanwhile_is_neither_a_hang_nor_a_measure_of_later_ones() -> None:
    for hangs, budget in ((False, 600.0), (True, 1.5)):
        sent: list[Any] = []
        front_end = Interrupted(hangs)
        session = SearchSession(front_end, Budget(seconds=budget), seed=0, run_seconds=600.0, send=sent.append)
        session.conduct(Twice())
        assert not [message for message in sent if isinstance(message, FailureFound)]
        assert front_end.allowed[-1] <= 0.5  # a run that ended took a millisecond
