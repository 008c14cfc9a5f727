"""Functions that often do not end are drawn seldom, so that they leave time for the others."""

from pessimal.python.cover.hangs import FREE_SECONDS, MOST_LOST, Hangs
from pessimal.python.cover.runner import ScenarioRun
from pessimal.scenario import Name, Plain, Scenario, Step
from pessimal.trace import Outcome


def calling(*names):
    return Scenario(tuple(Step("call", Name("m", name), "", (Plain(1),)) for name in names))


def hung(results, seconds):
    return ScenarioRun(Outcome.TIMED_OUT, results=results, seconds=seconds)


def test_the_step_that_hung_is_expensive_and_no_other():
    hangs = Hangs()
    hangs.add(calling("makes", "loops"), hung([1], 2 * FREE_SECONDS))
    assert hangs.is_expensive(calling("loops"))
    assert hangs.is_expensive(calling("makes", "loops"))
    assert not hangs.is_expensive(calling("makes", "other"))


def test_what_hung_is_drawn_again_when_others_have_had_their_time():
    hangs = Hangs()
    hangs.add(calling("loops"), hung([], 2 * FREE_SECONDS))
    hangs.add(calling("other"), ScenarioRun(Outcome.RETURNED, results=[1], seconds=3 * FREE_SECONDS / MOST_LOST))
    assert not hangs.is_expensive(calling("loops"))


def test_a_first_hang_costs_nothing():
    hangs = Hangs()
    hangs.add(calling("loops"), hung([], FREE_SECONDS / 2))
    assert not hangs.is_expensive(calling("loops"))
