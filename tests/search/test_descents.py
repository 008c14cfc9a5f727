"""Strategies of ``stress`` that descend by the distances of concrete Python runs, and what they leave to others."""

import pytest

from pessimal.errors import UsageError
from pessimal.search.agent_search import AgentSearch
from pessimal.search.budget import Budget
from pessimal.search.goals.flips import Flips, Observer
from pessimal.search.session import SearchSession
from pessimal.testing import InProcess
from pessimal.trace import Outcome


def locked(number: int) -> int:
    if number * 2 == 15_554:
        while number > 7_700:
            number -= 1
    return number


def _session(front_end, paths):
    budget = Budget(seconds=None, paths=paths)
    return SearchSession(front_end, budget, seed=0, run_seconds=10.0, send=lambda message: None)


def conducted(strategy, paths):
    """The session of a search for the largest number of branches."""
    session = _session(InProcess(locked, 4), paths)
    session.conduct(strategy)
    return session


@pytest.mark.parametrize("strategy", [AgentSearch, Flips])
def test_an_equality_is_passed_by_its_distance(strategy):
    best = conducted(strategy(), 700).best
    assert best.leaves[0] == 7777
    assert best.cost == 79


def test_the_same_seed_runs_the_same_inputs():
    one, other = (conducted(AgentSearch(), 60) for _ in range(2))
    assert one.best == other.best
    assert one.counters.paths == other.counters.paths == 60


def test_a_run_with_distances_is_judged_by_its_own_cost():
    session = conducted(AgentSearch(), 5)
    front_end = InProcess(locked, 4)
    trace = front_end.approach([7777], 10.0)
    assert trace.outcome is Outcome.RETURNED
    assert [site.text for site in trace.sites][:2] == ["number * 2 == 15554", "number > 7700"]
    assert front_end.evaluate([7777], 10.0).costs["branches"] == 79
    assert session.best.cost == 1


def test_a_model_that_cannot_be_read_is_one_line():
    with pytest.raises(UsageError, match=r"nowhere\.json cannot be read"):
        AgentSearch(load="nowhere.json")


def test_where_nothing_is_measured_runs_are_symbolic():
    space = {}
    exec("def hidden(number: int) -> int:\n    return 1 if number > 5000 else 0\n", space)
    hidden = space["hidden"]
    hidden.__module__ = __name__
    session = _session(InProcess(hidden, 4), 50)
    observer = Observer(session)
    assert observer.run([7]).distances(0) == (0.0, 4994.0)
    assert observer.run([7]).conditions[0] is not None


def test_practice_measures_no_distances():
    session = conducted(AgentSearch(), 5)
    assert session.at(2).approach([1]) is None
