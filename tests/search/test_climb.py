"""Climb: finds known worst cases within a number of runs, repeatably, and goes on where it stopped."""

import json
import random
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.cost import BRANCHES
from pessimal.errors import UsageError
from pessimal.inputs import Domain
from pessimal.python.concrete import Concrete
from pessimal.search.climb import ACCEPTED, ANNEALED, CONSIDERED, MOVES, Climb, columns
from pessimal.strategy import SearchOver
from tests.profiles import thorough
from tests.subjects import bst, dijkstra, insertion_sort, quicksort


def cost_of(target):
    def decode(maker):
        return ([maker.integer(i) for i in range(len(maker.leaves))],), {}

    concrete = Concrete(target, decode, BRANCHES, timeout=SearchOver)
    return lambda leaves: concrete.run(leaves, show_returned=False).costs[BRANCHES.name]


class Session:
    """Evaluates until a number of runs is spent or a goal is met, and remembers all."""

    def __init__(self, evaluate, domains, seed=0, runs=1000, goal=inf, initial=None):
        self.domains = domains
        self.initial = [domain.initial for domain in domains] if initial is None else initial
        self.rng = random.Random(seed)
        self.tried = []
        self.best = -inf
        self._evaluate = evaluate
        self._runs = runs
        self._goal = goal

    def evaluate(self, leaves):
        if self.best >= self._goal or len(self.tried) >= self._runs:
            raise SearchOver
        self.tried.append(list(leaves))
        cost = self._evaluate(leaves)
        self.best = max(self.best, cost)
        return cost


def search(session, climb=None):
    with pytest.raises(SearchOver):
        (climb or Climb()).search(session)
    return session


def whole(n, low=None, high=None):
    return [Domain.of("int", low=low, high=high)] * n


@pytest.mark.parametrize("seed", [0, *thorough(range(1, 5))])
def test_insertion_sort_of_ten(seed):
    session = search(Session(cost_of(insertion_sort.insertion_sort), whole(10), seed, runs=1500, goal=45))
    assert session.best == 45


@pytest.mark.parametrize("seed", [0, *thorough(range(1, 3))])
def test_insertion_sort_of_fifty(seed):
    session = search(Session(cost_of(insertion_sort.insertion_sort), whole(50), seed, runs=5000, goal=1225))
    assert session.best == 1225


@pytest.mark.parametrize("target", [quicksort.quicksort, bst.build])
@pytest.mark.parametrize("seed", [0, *thorough(range(1, 3))])
def test_degenerate_trees_from_an_input_that_is_balanced(target, seed):
    shuffled = random.Random(99).sample(range(20), 20)
    session = search(Session(cost_of(target), whole(20), seed, runs=8000, goal=190, initial=shuffled))
    assert session.best == 190


@pytest.mark.parametrize("seed", [0, *thorough(range(1, 3))])
def test_dijkstra_on_four_nodes(seed):
    session = search(Session(cost_of(dijkstra.shortest_path), whole(12), seed, runs=5000, goal=29))
    assert session.best == 29


def test_small_ranges_are_kept_and_still_climbed():
    session = search(Session(cost_of(insertion_sort.insertion_sort), whole(8, 0, 9), runs=3000, goal=28))
    assert session.best == 28
    assert all(0 <= leaf <= 9 for leaves in session.tried for leaf in leaves)


def test_the_first_run_is_the_given_input():
    assert search(Session(sum, whole(3), initial=[5, 6, 7])).tried[0] == [5, 6, 7]


@pytest.mark.parametrize(("offered", "is_taken"), [(1_000_000.0, True), (31.0, False)])
def test_an_input_of_another_strategy_is_taken_over_only_if_it_is_far_better(offered, is_taken):
    climb, marked = Climb(), [1_000, 2_000, 3_000]
    climb.adopt(marked, offered)
    session = search(Session(lambda leaves: sum(leaf % 10 for leaf in leaves), whole(3), runs=CONSIDERED + 100), climb)
    changed = [sum(a != b for a, b in zip(leaves, marked, strict=True)) for leaves in session.tried]
    assert all(number == 3 for number in changed[:CONSIDERED])
    assert (min(changed[CONSIDERED:]) < 3) is is_taken


def test_equal_seeds_try_the_same_inputs_and_others_do_not():
    runs = [
        search(Session(cost_of(insertion_sort.insertion_sort), whole(6), seed, runs=300)).tried for seed in (1, 1, 2)
    ]
    assert runs[0] == runs[1] != runs[2]


def test_no_run_is_wasted_on_the_input_that_is_kept():
    session = search(Session(lambda leaves: leaves == [0, 0], [Domain.of("bool")] * 2, runs=100))
    assert session.tried.count([0, 0]) == 1


@pytest.mark.parametrize("stop", [1, 2, 50, 333])
@pytest.mark.parametrize("patience", [5, 3000])
def test_a_resumed_search_goes_on_as_if_it_had_not_stopped(stop, patience):
    evaluate = cost_of(insertion_sort.insertion_sort)
    whole_run = search(Session(evaluate, whole(6), seed=4, runs=600), Climb(patience=patience))
    climb = Climb(patience=patience)
    first = search(Session(evaluate, whole(6), seed=4, runs=stop), climb)
    state = json.loads(json.dumps(climb.state()))
    resumed = Climb(patience=patience)
    resumed.restore(state)
    second = search(Session(evaluate, whole(6), seed=4, runs=600 - stop), resumed)
    assert first.tried + second.tried == whole_run.tried


@pytest.mark.parametrize(("runs", "is_given_up"), [(50 + ANNEALED * 50, False), (1 + 50 + ANNEALED * 50, True)])
def test_it_starts_anew_when_patience_is_at_an_end(runs, is_given_up):
    climb = Climb(patience=10)
    search(Session(lambda leaves: not any(leaves), whole(5), runs=runs), climb)
    assert (climb._current is None) == is_given_up


@pytest.mark.parametrize("loss", [0.25, 1, 2, 1000])
def test_an_input_that_is_stuck_is_annealed(loss):
    """Of the inputs with a smaller cost a fixed share is accepted, whatever the cost is counted in."""
    climb = Climb(patience=10)
    climb._current, climb._cost, climb._best_cost = [0], 100.0, 100.0
    climb._anneal_or_give_up(10)
    accepted = []
    for _ in range(8000):
        climb._current, climb._cost = [0], 100.0
        climb._judge([1], 100.0 - loss)
        accepted.append(climb._current == [1])
    assert ACCEPTED / 2 < sum(accepted[4000:]) / 4000 < 2 * ACCEPTED


def test_a_run_that_did_not_end_is_never_accepted():
    climb = Climb(patience=10)
    climb._current, climb._cost, climb._best_cost = [0], 100.0, 100.0
    climb._anneal_or_give_up(1)
    for _ in range(200):
        climb._judge([1], -inf)
    assert climb._current == [0]


def test_an_input_that_is_worse_than_the_best_is_given_up_at_once():
    """The climb of the second start ends where a plateau is lower; it is not annealed there."""
    climb = Climb(patience=10)
    climb._best_cost, climb._cost, climb._current, climb._stale = 5.0, 4.0, [1], 9
    climb._judge([2], 3.0)
    assert climb._current is None and not climb._annealing


def test_a_rejected_start_gives_way_to_the_best_input():
    def admits_near(leaves):
        return float(leaves[0]) if 100 <= leaves[0] <= 140 else -inf

    session = search(Session(admits_near, whole(1), initial=[100], runs=3000, goal=140), Climb(patience=20))
    assert session.best == 140


def test_some_climbs_keep_to_numbers_that_are_not_negative_and_others_do_not():
    seen = []

    def flat(leaves):
        seen.append(min(leaves))
        return 0.0

    search(Session(flat, whole(3), initial=[0, 0, 0], runs=4000), Climb(patience=5))
    assert min(seen) < 0
    assert sum(low >= 0 for low in seen) > len(seen) / 2


def test_what_only_negative_numbers_reach_is_found():
    session = search(Session(lambda leaves: -float(leaves[0]), whole(2), runs=4000, goal=500), Climb(patience=20))
    assert session.best >= 500


def test_nothing_to_change_ends_the_search_after_one_run():
    session = Session(len, [Domain.of("int", low=3, high=3)])
    Climb().search(session)
    assert session.tried == [[3]]


def test_leaves_of_different_domains_do_not_mix():
    domains = [Domain.of("int", low=0, high=9), Domain.of("char"), Domain.of("int", low=0, high=9), Domain.of("bool")]
    assert [column.positions for column in columns(domains)] == [[0, 2], [1], [0, 2], [3]]
    tried = search(Session(lambda leaves: 0, domains, runs=500)).tried
    assert all(leaf in domain for leaves in tried for leaf, domain in zip(leaves, domains, strict=True))


DOMAINS = (
    *(Domain.of("int"), Domain.of("int", low=-3, high=3), Domain.of("int", low=5), Domain.of("bool")),
    *(Domain.of("float"), Domain.of("float", low=0.0, high=1.0), Domain.of("char"), Domain.of("byte")),
)


@given(st.sampled_from(MOVES), st.sampled_from(DOMAINS), st.integers(1, 8), st.integers())
def test_a_move_stays_in_the_domain_and_keeps_the_number_of_leaves(move, domain, n, seed):
    rng = random.Random(seed)
    leaves = [domain.sample(rng) for _ in range(n)]
    for column in columns([domain] * n):
        move(leaves, column, rng)
    assert len(leaves) == n
    assert all(leaf in domain for leaf in leaves)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"patience": 0}, "patience must be at least 1, but is 0"),
        ({"chain": 1}, "chain must be at least 0 and less than 1, but is 1"),
        ({"chain": -0.1}, "chain must be at least 0 and less than 1, but is -0.1"),
    ],
)
def test_parameters_out_of_range_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        Climb(**options)
