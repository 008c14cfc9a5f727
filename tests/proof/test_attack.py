"""The attack on a claim: it finds what is wrong with a tree that is incomplete, and stays within its time."""

import json
from math import inf

import pytest

from pessimal.inputs import Domain
from pessimal.messages import Snapshot
from pessimal.runs import Request
from pessimal.search.attack import Attack, extremes
from pessimal.search.budget import Budget
from pessimal.search.claimed_paths import ClaimedPaths
from pessimal.search.exhaustive import Exhaustive
from pessimal.search.session import SearchSession
from pessimal.testing import InProcess


def three(x: int, y: int) -> int:
    if x > 1000:
        return 2 if y > x else 1
    return 0


def fails(x: int) -> int:
    if x > 7:
        raise ValueError(x)
    return x


def front_end(function=three):
    return InProcess(function, 1)


def claimed(front, inputs):
    """The tree that has the paths of these inputs alone."""
    paths = ClaimedPaths()
    for leaves in inputs:
        trace = front.run(Request(start=leaves), 1.0)
        paths.add(trace)
        paths.note_cost(front.cost(trace, 1.0), leaves)
    return paths


def attacked(front, paths, seconds_left=lambda: inf):
    attack = Attack(front, paths, seed=0, run_seconds=10.0, seconds_left=seconds_left)
    return attack, attack.report(0.0)


WHOLE = [[0, 0], [1001, 0], [1001, 1002]]


def test_a_whole_tree_withstands():
    attack, report = attacked(front_end(), claimed(front_end(), WHOLE))
    assert report.withdrawn is None
    assert report.compared == 1
    assert report.runs > 50
    assert attack.counterexample is None


def test_an_input_that_costs_more_is_found():
    attack, report = attacked(front_end(), claimed(front_end(), WHOLE[:1]))
    assert report.withdrawn == "an input costs 2, more than 1"
    assert attack.counterexample.leaves[0] > 1000
    assert report.call == f"three({attack.counterexample.leaves[0]}, {attack.counterexample.leaves[1]})"


def test_a_path_that_is_missing_is_found():
    _, report = attacked(front_end(), claimed(front_end(), WHOLE[:2]))
    assert report.withdrawn == "an input takes a path that is not in the tree"


def test_a_path_is_not_missed_where_paths_are_not_remembered():
    paths = claimed(front_end(), WHOLE[:2])
    paths.is_complete = False
    assert attacked(front_end(), paths)[1].withdrawn is None


def test_all_paths_that_end_in_an_exception_are_compared():
    paths = claimed(front_end(fails), [[0], [8]])
    assert paths.raised == [[8]]
    assert attacked(front_end(fails), paths)[1].compared == 2


def test_a_counted_run_that_is_not_the_native_one_refutes():
    front = front_end(fails)
    front.differs_natively = lambda leaves, seconds: "returned 1" if list(leaves) == [8] else None
    _, report = attacked(front, claimed(front, [[0], [8]]))
    assert report.withdrawn == "counted and native runs differ: returned 1"
    assert report.call == "fails(8)"


def test_what_is_not_compared_for_want_of_time_is_not_proved():
    _, report = attacked(front_end(fails), claimed(front_end(fails), [[0], [8]]), seconds_left=lambda: 0.0)
    assert report.withdrawn == "2 of its paths were not compared with native runs, for want of time"
    assert report.call is None


def test_paths_are_remembered_in_a_snapshot():
    front = front_end()
    paths = claimed(front, WHOLE)
    again = ClaimedPaths.from_json(json.loads(json.dumps(paths.to_json())))
    assert again.to_json() == paths.to_json()
    for leaves in WHOLE:
        assert front.run(Request(start=leaves), 1.0) in again
    assert len(again) == 3


class Impatient(Exhaustive):
    """Claims after the first path what only the whole tree shows."""

    def search(self, session):
        session.run()
        session.claim("tree exhausted")


@pytest.mark.parametrize("strategy", [Impatient, Exhaustive])
def test_a_session_withdraws_a_refuted_claim_and_keeps_what_refuted_it(strategy):
    session = SearchSession(
        front_end(), Budget(), seed=0, run_seconds=10.0, send=lambda message: None, snapshot=Snapshot()
    )
    session.conduct(strategy())
    assert (session.proof is None) is (strategy is Impatient)
    assert session.best.cost == 2
    assert (session.claimed_maximum, session.attack.withdrawn) == (
        (1, "an input costs 2, more than 1") if strategy is Impatient else (2, None)
    )


def test_extreme_values_lie_in_the_domain():
    assert extremes(Domain.of("bool")) and set(extremes(Domain.of("bool"))) <= {0, 1}
    assert {2**53 + 1, -(10**400), 0} <= set(extremes(Domain.of("int")))
    assert [str(value) for value in extremes(Domain.of("float", low=0.0, high=0.0))].count("-0.0") == 1


@pytest.mark.parametrize(
    ("difference", "withdrawn"),
    [
        ("returned 2 with counted values, but natively returned 1", True),
        ("timed out with counted values", False),
    ],
)
def test_with_little_time_left_a_difference_still_counts_unless_the_time_made_it(difference, withdrawn, monkeypatch):
    front = front_end()
    paths = claimed(front, WHOLE)
    monkeypatch.setattr(front, "differs_natively", lambda leaves, seconds: difference)
    _, report = attacked(front, paths, seconds_left=lambda: 5.0)
    assert (report.withdrawn is not None) is withdrawn
