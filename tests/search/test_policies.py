"""Searches by a policy alone: a coin at every branch, or one decision for each site."""

from types import SimpleNamespace

import pytest

import pessimal
from pessimal.errors import UsageError
from pessimal.search.fixed import Fixed
from pessimal.search.random import Random
from pessimal.strategy import SearchOver
from tests.subjects.insertion_sort import insertion_sort


def stairs(x: int) -> int:
    steps = 0
    if x > 10:
        steps += 1
    if x > 20:
        steps += 1
    if x < 5:
        steps += 10
    return steps


LINE = stairs.__code__.co_firstlineno


def paths(target, **options):
    return pessimal.explore(target, **options).paths


@pytest.mark.parametrize(("default", "cost"), [("true", 45), (True, 45), ("false", 9), (False, 9), ("input", 9)])
def test_a_fixed_decision_has_one_path(default, cost):
    result = pessimal.stress(insertion_sort, size=10, strategy="fixed", cost="branches", options={"default": default})
    assert result.cost["value"] == cost
    assert result.effort.paths == 1
    assert result.proof is None
    assert result.witness.difference is None


def test_fixed_takes_what_is_feasible_where_its_wish_is_not():
    result = pessimal.stress(stairs, size=30, strategy="fixed", options={"default": "true"})
    assert result.input["x"] > 20
    assert result.witness.returned == "2"
    assert result.effort.infeasible == 1


@pytest.mark.parametrize(
    ("sites", "returned"),
    [
        ({}, "0"),
        ({f"{LINE + 2}": True}, "1"),
        ({f"test_policies.py:{LINE + 2}": True}, "1"),
        ({f"test_policies.py:{LINE + 2}": "true", f"{LINE + 4}": "t"}, "2"),
        ({"tests/search/test_policies.py:stairs:x > 20": "1"}, "0"),
        ({"tests/search/test_policies.py:stairs:x < 5": "true"}, "10"),
        ({f"{LINE + 6}": True}, "10"),
        ({f"{LINE + 2}": "input", f"{LINE + 4}": "input", f"{LINE + 6}": "input"}, "10"),
        ({"nowhere.py:1": True}, "0"),
    ],
)
def test_a_site_is_named_by_its_line_its_file_or_its_identity(sites, returned):
    (path,) = paths(stairs, strategy="fixed", options={"default": False, **sites})
    assert path.returned == returned


@pytest.mark.parametrize("options", [{"default": "maybe"}, {"default": 2}, {"12": None}])
def test_a_direction_that_is_none_is_refused(options):
    with pytest.raises(UsageError, match="true, false or input"):
        Fixed(**options)


@pytest.mark.parametrize(("bias", "cost"), [(1, 15), (1.0, 15), (0, 5)])
def test_a_coin_with_one_side_is_a_fixed_decision(bias, cost):
    result = pessimal.stress(
        insertion_sort, size=6, strategy="random", cost="branches", options={"bias": bias}, paths=5
    )
    assert result.cost["value"] == cost
    assert result.effort.paths == 5


@pytest.mark.parametrize("bias", [-0.1, 2, float("nan"), "x", None])
def test_a_bias_that_is_no_probability_is_refused(bias):
    with pytest.raises(UsageError, match="between 0 and 1"):
        Random(bias=bias)


def test_random_runs_as_many_paths_as_it_may_and_lists_each_once():
    result = pessimal.explore(insertion_sort, size=4, strategy="random", paths=40)
    assert result.effort.paths == 40
    assert result.effort.stopped == "40 paths"
    assert result.exhausted is False
    assert len({tuple(path.input["xs"]) for path in result.paths}) == len(result.paths) > 5
    assert all(path.difference is None for path in result.paths)


def test_random_keeps_the_best_of_its_paths():
    report = pessimal.explore(insertion_sort, size=6, strategy="random", paths=30, seed=7)
    best = pessimal.stress(insertion_sort, size=6, strategy="random", cost="branches", paths=30, seed=7)
    assert best.cost["value"] == max(path.cost for path in report.paths)


def test_paths_follow_from_the_seed():
    def inputs(seed):
        return [path.input for path in paths(insertion_sort, size=5, strategy="random", paths=10, seed=seed)]

    assert inputs(1) == inputs(1)
    assert inputs(1) != inputs(2)


class Coins:
    """A session that notes what coins are tossed."""

    def __init__(self, rng, runs):
        self.rng = rng
        self.runs = runs
        self.tossed = []

    def run(self, policy):
        if not self.runs:
            raise SearchOver
        self.runs -= 1
        self.tossed.append([policy.choose(SimpleNamespace(arity=2)) for _ in range(20)])


def test_a_resumed_random_search_tosses_the_coins_that_were_left():
    import random

    def tossed(strategy, runs):
        session = Coins(random.Random(3), runs)
        with pytest.raises(SearchOver):
            strategy.search(session)
        return session.tossed

    whole = tossed(Random(), 6)
    first = Random()
    start = tossed(first, 2)
    second = Random()
    second.restore(first.state())
    assert start + tossed(second, 4) == whole
