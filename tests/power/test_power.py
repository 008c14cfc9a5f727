"""Power: known worst cases are found within a number of runs, for several seeds. Counted work, never seconds."""

from math import inf

import pytest

from pessimal.messages import BestFound
from pessimal.search.budget import Budget
from pessimal.search.climb import Climb
from pessimal.search.exhaustive import Exhaustive
from pessimal.search.fixed import Fixed
from pessimal.search.random import Random
from pessimal.search.session import SearchSession
from pessimal.strategy import SearchOver
from pessimal.testing import InProcess
from tests.profiles import thorough
from tests.subjects import bst, bubble_sort, dijkstra, heappush, insertion_sort, quicksort, selection_sort

SEEDS = [0, *thorough((1, 2))]


def worst(function, size, strategy, seed, runs, goal=inf):
    """The largest cost that a strategy finds within so many runs."""
    messages = []

    def send(message):
        messages.append(message)
        if isinstance(message, BestFound) and message.finding.cost >= goal:
            raise SearchOver("the goal is reached")

    session = SearchSession(InProcess(function, size), Budget(None, paths=runs), seed=seed, run_seconds=60.0, send=send)
    session.conduct(strategy)
    return session.best.cost, session


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("function", "size", "goal", "runs"),
    [
        (insertion_sort.insertion_sort, 20, 190, 5_000),
        (insertion_sort.insertion_sort, 50, 1225, 5_000),
        (bst.build, 30, 435, 5_000),
        (quicksort.quicksort, 20, 190, 8_000),
        (bubble_sort.bubble_sort, 12, 66, 5_000),
        (heappush.push_all, 20, 54, 5_000),
        (dijkstra.shortest_path, 12, 29, 5_000),
    ],
)
def test_climb_finds_the_known_worst_case(function, size, goal, runs, seed):
    assert worst(function, size, Climb(), seed, runs, goal)[0] == goal


@pytest.mark.parametrize("seed", SEEDS)
def test_climb_finds_the_best_known_path_of_dijkstra_with_five_nodes(seed):
    assert worst(dijkstra.shortest_path, 20, Climb(), seed, 60_000, goal=72)[0] == 72


@pytest.mark.parametrize(
    ("function", "size"),
    [(insertion_sort.insertion_sort, 100), (bst.build, 60), (selection_sort.selection_sort, 40)],
)
def test_one_fixed_path_is_the_worst_case(function, size):
    cost, session = worst(function, size, Fixed(), 0, runs=1)
    assert cost == size * (size - 1) // 2
    assert session.counters.paths == 1
    assert session.counters.solver_calls == 0


@pytest.mark.parametrize(
    ("module", "function", "size"),
    [
        (insertion_sort, "insertion_sort", 6),
        (bst, "build", 6),
        (heappush, "push_all", 7),
        (dijkstra, "shortest_path", 6),
    ],
)
def test_exhaustive_proves_the_closed_forms(module, function, size):
    cost, session = worst(getattr(module, function), size, Exhaustive(), 0, runs=5_000)
    assert session.proof == "tree exhausted"
    assert cost == module.longest(size)
    assert session.counters.paths == module.paths(size)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_paths_find_small_worst_cases(seed):
    assert worst(insertion_sort.insertion_sort, 5, Random(), seed, 2_000, goal=10)[0] == 10
