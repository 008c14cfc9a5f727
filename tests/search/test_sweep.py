"""The sweep: the same tree and the same proof as exhaustive search, with rare directions first."""

import json
from contextlib import suppress

import pytest

import pessimal
from pessimal.inputs import Inputs
from pessimal.python.symbolic import Symbolic
from pessimal.runs import Request
from pessimal.search.sweep import Sweep
from pessimal.strategy import SearchOver
from pessimal.testing import check_strategy
from tests.subjects import insertion_sort


def test_it_keeps_the_contract_of_strategies():
    check_strategy(Sweep)


@pytest.mark.parametrize("size", [3, 4])
def test_it_finds_what_exhaustive_search_finds(size):
    swept, listed = (
        pessimal.explore(insertion_sort.insertion_sort, size=size, strategy=name) for name in ("sweep", "exhaustive")
    )
    assert swept.exhausted
    assert listed.exhausted
    assert sorted(str(path.input) for path in swept.paths) == sorted(str(path.input) for path in listed.paths)


def rare(s: str) -> int:
    for c in s:
        if c.isdigit():
            continue
        if c == "x":
            return len(s)
    return 0


def test_rare_directions_come_before_many_of_one_kind():
    result = pessimal.explore(rare, paths=40)
    assert len({path.returned for path in result.paths}) > 3


def test_lengths_grow_from_nothing_up_to_the_size():
    result = pessimal.explore(lambda_of_length, paths=30)
    assert sorted(len(path.input["s"]) for path in result.paths) == list(range(11))
    assert result.exhausted


def lambda_of_length(s: str) -> int:
    return len(s)


def test_a_size_fixes_the_length():
    result = pessimal.explore(lambda_of_length, size=4)
    assert [len(path.input["s"]) for path in result.paths] == [4]


def test_what_is_left_to_run_survives_as_json():
    strategy = Sweep()
    strategy.restore(json.loads(json.dumps(strategy.state())))
    assert strategy.state() == Sweep().state()


class OneRun:
    """A session with a budget of one run."""

    def __init__(self, function, size):
        self._symbolic = Symbolic(function, Inputs.of(function, size))
        self._spent = False

    def run(self, policy=None, start=None, *, probe_other=False, known_prefix=0, avoid=None):
        if self._spent:
            raise SearchOver
        self._spent = True
        return self._symbolic.run(Request(policy, start, probe_other, avoid=avoid))

    def count_infeasible(self, leaves):
        pass


def asks_often(xs: list[int]) -> int:
    return sum(1 for x in xs if x > 0)


def test_the_forks_of_a_long_path_share_it():
    strategy = Sweep()
    with suppress(SearchOver):
        strategy.search(OneRun(asks_often, 200))
    assert len(json.dumps(strategy.state())) < 200 * 200
