"""WISE: the published numbers of paths, exactly, and what is learnt where the published text leaves it open."""

import pytest

import pessimal
from pessimal.errors import UsageError
from pessimal.search.wise import Wise
from pessimal.testing import check_strategy
from tests.search.guided import broken_off, searched
from tests.subjects import boyer_moore, bst, dijkstra, heappush, insertion_sort, pairwise2, tsp

ONE_PATH = [
    (insertion_sort.insertion_sort, insertion_sort.longest),
    (heappush.push_all, heappush.longest),
    (bst.build, bst.longest),
    (pairwise2.score, lambda n: 3 * n),
]


def test_it_keeps_the_contract():
    check_strategy(Wise)


@pytest.mark.parametrize(("size", "cost", "paths"), [(6, 5, 7), (12, 29, 518)])
def test_dijkstra(size, cost, paths):
    result = pessimal.stress(
        dijkstra.shortest_path_dijkstar,
        size=size,
        strategy="wise",
        cost="branches",
        options={"train": "6,12"},
        stop_after=None,
    )
    assert (result.effort.paths, result.cost["value"]) == (paths, cost)
    assert result.proof is None
    assert result.witness.replayed


@pytest.mark.parametrize(("size", "cost", "paths"), [(3, 4, 8), (6, 12, 728)])
def test_the_travelling_salesman_is_left_free_and_so_proved(size, cost, paths):
    found, best, session = searched(tsp.tour, size, Wise(train=[3, 6]))
    assert (found, best) == (paths, cost)
    assert session.proof == "tree exhausted"


@pytest.mark.parametrize(("size", "cost", "paths"), [(3, 3, 4), (10, 9, 40), (20, 18, 1093)])
def test_grep_as_pyse_reads_it(size, cost, paths):
    result = pessimal.stress(
        boyer_moore.search,
        size=size,
        strategy="wise",
        cost="branches",
        options={"train": (3, 4)},
        pyse_compatible=True,
        stop_after=None,
    )
    assert (result.effort.paths, result.cost["value"]) == (paths, cost)


@pytest.mark.parametrize("size", [3, 4, 5, 10, 20])
def test_grep_that_cannot_see(size):
    paths, cost, _ = searched(boyer_moore.search_unseen, size, Wise(train="3,4"))
    assert (paths, cost) == (boyer_moore.paths_unseen(size), boyer_moore.longest_unseen(size))


@pytest.mark.parametrize(("target", "longest"), ONE_PATH)
@pytest.mark.parametrize("size", [3, 4, 5, 10, 20, 30])
def test_one_path_is_enough(target, longest, size):
    paths, cost, session = searched(target, size, Wise(train="3,4"))
    assert (paths, cost) == (1, longest(size))
    assert session.proof is None


@pytest.mark.parametrize(("target", "longest"), ONE_PATH)
def test_the_sizes_to_learn_at_need_not_be_named(target, longest):
    strategy = Wise()
    paths, cost, _ = searched(target, 40, strategy)
    assert (paths, cost) == (1, longest(40))
    training = strategy.report()["training"]
    assert len(training) == 2
    assert all(lesson["exhausted"] for lesson in training)
    assert [lesson["cost"] for lesson in training] == [longest(lesson["size"]) for lesson in training]


def test_it_tells_what_it_learnt():
    strategy = Wise(train=[3, 4])
    searched(insertion_sort.insertion_sort, 5, strategy)
    assert strategy.report() == {
        "training": [
            {"size": 3, "cost": 3, "paths": 6, "exhausted": True},
            {"size": 4, "cost": 6, "paths": 24, "exhausted": True},
        ],
        "history": 0,
        "context": False,
        "keys": {"all": 1, "unresolved": 0},
        "choices": {"resolved": 10, "unresolved": 0, "new": 0},
        "policy": ["tests/subjects/insertion_sort.py:insertion_sort:result[j] > x: true"],
    }


@pytest.mark.parametrize("strategy", [Wise(train=[0, 1]), Wise(train_paths=1)])
def test_where_nothing_can_be_learnt_the_search_is_exhaustive_and_says_so(strategy):
    paths, cost, session = searched(insertion_sort.insertion_sort, 4, strategy)
    assert (paths, cost, session.proof) == (24, 6, "tree exhausted")
    assert strategy.report()["note"] == "no rule could be learned at a smaller size: the search is exhaustive"
    assert strategy.report()["choices"]["resolved"] == 0


def test_what_is_odd_is_in_the_text_of_the_result(pessimal, subject):
    target = subject("insertion_sort:insertion_sort")
    command = ["stress", target, "--size", 4, "--strategy", "wise", "-q"]
    lines = pessimal(*command, "--set", "train=1").out.splitlines()
    assert lines[-2] == "  note      no rule could be learned at a smaller size: the search is exhaustive"
    assert lines[-1].startswith("  stopped   nothing left to try")
    assert "  note " not in pessimal(*command, "--set", "train=3").out


def test_the_smallest_size_has_nothing_below_it():
    assert searched(insertion_sort.insertion_sort, 2, Wise())[:2] == (2, 1)


def test_named_sizes_are_learnt_from_as_far_as_the_paths_last():
    strategy = Wise(train=[5], train_paths=20)
    searched(insertion_sort.insertion_sort, 5, strategy)
    assert strategy.report()["training"][0]["paths"] == 20
    assert not strategy.report()["training"][0]["exhausted"]


def test_a_test_that_training_has_not_seen_is_searched_both_ways():
    def climbs(xs: list[int]) -> int:
        """Worst if all is true; three elements have a test of their own."""
        count = 1 if len(xs) > 2 and xs[0] <= 5 else 0
        for x in xs[:2]:
            if x > 5:
                count += 1 if x > 6 else 0
        return count

    paths, cost, session = searched(climbs, 3, Wise(train=[1, 2]))
    assert (paths, session.proof) == (2, None)  # the new test both ways; then all is forced
    assert cost == 5


@pytest.mark.parametrize("after", [1, 5, 17, 30, 31, 60])
def test_a_search_goes_on_in_the_middle_of_training_or_of_the_guided_search(after):
    paths, cost, _ = searched(boyer_moore.search_unseen, 10, Wise(train="3,6"))
    session, strategy = broken_off(boyer_moore.search_unseen, 10, lambda: Wise(train="3,6"), after)
    whole = Wise(train="3,6")
    searched(boyer_moore.search_unseen, 10, whole)
    assert (session.counters.paths, session.best.cost) == (paths, cost)
    assert strategy.report() == whole.report()


@pytest.mark.parametrize("train", ["", "3,x", "-1", [], [3.0], [True], {"3": 4}])
def test_sizes_that_are_none(train):
    with pytest.raises(UsageError, match="train must be a list of sizes such as 3,4, but is"):
        Wise(train=train)


@pytest.mark.parametrize("paths", [0, -1, 1.5, "many", True])
def test_a_number_of_paths_that_is_none(paths):
    with pytest.raises(UsageError, match="train_paths must be a whole number of at least 1, but is"):
        Wise(train_paths=paths)
