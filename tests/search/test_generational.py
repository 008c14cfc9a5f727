"""generational: single branches of the best runs are flipped, none twice, also from inputs that others found."""

import json

import pytest

from pessimal.search.generational import Generational
from pessimal.testing import check_strategy
from tests.search.watching import halves, watched
from tests.subjects import bst
from tests.subjects.insertion_sort import insertion_sort


def test_it_keeps_the_contract():
    check_strategy(Generational)


def gated(x: int, y: int) -> int:
    """Only one input in millions passes the first gate."""
    if x == 73_914:
        if y == 2 * x + 5:
            for _ in range(9):
                if y > x:
                    x += 1
            return 3
        return 2
    return 1


def test_gates_are_passed_one_by_one():
    session = watched(gated, 5, Generational(), 50)
    assert session.best.cost == 11
    assert session.counters.runs <= 25


def test_all_paths_of_a_small_tree_are_run_once():
    session = watched(insertion_sort, 4, Generational(), 500)
    completed = [bytes(trace.decisions) for trace in session.traces if trace.outcome.value == "returned"]
    assert len(set(completed)) == len(completed) == 24
    assert session.best.cost == 6
    assert session.stopped == "nothing left to try"
    assert session.proof is None  # it may forget runs, and so claims nothing


def test_inputs_of_others_are_flipped_too():
    strategy = Generational()
    strategy.adopt([9, 7, 5, 3, 1, 0], 15)
    session = watched(insertion_sort, 6, strategy, 3)
    assert session.best.cost == 15
    assert session.counters.found_run <= 3


@pytest.mark.parametrize("parts", [2, 3, 7])
def test_parts_have_all_paths_together_and_few_in_common(parts):
    found = []
    for part in range(parts):
        strategy = Generational()
        strategy.take_part(part, parts)
        session = watched(insertion_sort, 5, strategy, 500)
        assert session.stopped == "nothing left to try"
        found.append({bytes(trace.decisions) for trace in session.traces if trace.outcome.value == "returned"})
    assert len(set().union(*found)) == 120
    assert sum(map(len, found)) < 1.5 * 120 + 30 * parts


@pytest.mark.parametrize("after", [1, 2, 17, 90])
def test_a_search_goes_on_where_it_was(after):
    whole, joined = halves(bst.build, 8, Generational, after, 120)
    assert joined.paths == whole.paths
    states = [json.dumps(session.strategy.state()) for session in (whole, joined)]
    assert states[0] == states[1]
