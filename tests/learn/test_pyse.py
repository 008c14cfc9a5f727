"""The paper's rules, as Algorithms 1 and 2 and equation (2) say them."""

import json
from itertools import pairwise
from random import Random

import pytest

from pessimal.learn.pyse import PyseLearner
from pessimal.learn.rules import PaperRules
from pessimal.testing import InProcess
from pessimal.trace import Outcome
from pessimal.tree import Kinds
from tests.search.watching import Watched, stepped
from tests.subjects.insertion_sort import insertion_sort


def paper(seed=0, **rules):
    return PyseLearner(PaperRules(**rules), Kinds(), seed)


def ran(target, size, count, *, seed=0, front=InProcess, epochs=1, **rules):
    """The learner and its traces after so many runs."""
    session = Watched(target, size, None, front=front)
    return stepped(paper(seed, epochs=epochs, **rules), session, count), session


def memory(learner):
    return learner.to_json()["memory"]


def contradicts(x: int) -> int:
    """The second test can only be true where the first was."""
    if x > 5:
        return 1
    return 2 if x > 7 else 3


def three(x: int, y: int, z: int) -> int:
    """Three independent tests, at three sites."""
    return (1 if x > 0 else 0) + (2 if y > 0 else 0) + (4 if z > 0 else 0)


def one(x: int) -> int:
    """One test."""
    return 1 if x > 0 else 0


def test_a_run_as_experiences():
    learner, session = ran(three, 1, 1)
    (trace,) = session.traces
    a, b, c = trace.decisions
    states = (
        ((0, 0, -1),),
        ((0, 0, a), (1, 1, -1)),
        ((0, 0, a), (1, 1, b), (2, 2, -1)),
    )
    assert memory(learner) == [
        [states[0], a, 1.0, states[1]],
        [states[1], b, 1.0, states[2]],
        [states[2], c, 1.0, None],
    ]


@pytest.mark.parametrize("length", [0, 1, 3])
def test_the_history_is_as_long_as_asked_for(length):
    learner, session = ran(insertion_sort, 5, 6, length=length)
    longest = max(len(trace.decisions) for trace in session.traces)
    assert max(len(state) for state, *_ in memory(learner)) == min(length + 1, longest)
    for state, _, _, next_state in memory(learner):
        positions = [position for position, _, _ in state]
        assert positions == list(range(max(0, positions[-1] - length), positions[-1] + 1))
        assert [action for _, _, action in state].index(-1) == len(state) - 1
        assert next_state is None or next_state[-1][0] == positions[-1] + 1


def test_a_decision_that_is_infeasible_is_penalised_and_ends_the_run():
    learner, session = ran(contradicts, 1, None, penalty=-7)
    (infeasible,) = [trace for trace in session.traces if trace.outcome is Outcome.INFEASIBLE]
    assert list(infeasible.decisions) == [0, 0]  # it wanted true at the second
    ends = {(len(state), action): reward for state, action, reward, next_state in memory(learner) if next_state is None}
    assert ends == {(1, 1): 1.0, (2, 0): 1.0, (2, 1): -7.0}


def test_an_exhausted_tree_is_a_proof():
    learner, session = ran(contradicts, 1, None)
    assert learner.tree.is_exhausted
    assert session.proof == "tree exhausted"
    assert len(session.traces) == 3  # the infeasible one was run, as in the paper


def test_penalties_reach_the_network():
    learner, _ = ran(contradicts, 1, 3, memory=64, epochs=30)
    before = learner.network.weights
    bad = ((0, 0, 0), (1, 1, -1))
    for _ in range(15):
        learner._learn()
    assert any((before[name] != array).any() for name, array in learner.network.weights.items())
    assert not learner._is_true_better(bad)
    assert not learner._is_true_better(((0, 0, -1),))  # one more branch is worth more than none


def test_experiences_are_unique_and_the_oldest_go():
    learner, session = ran(insertion_sort, 4, 25, mode="basic")
    found = [json.dumps(item) for item in memory(learner)]
    assert len(found) == len(set(found)) < sum(len(trace) for trace in session.traces)
    small, _ = ran(insertion_sort, 4, 10, memory=5)
    assert len(memory(small)) == 5
    json.dumps(small.to_json())


def test_every_run_is_new_while_there_is_something_new():
    learner, session = ran(insertion_sort, 4, None, epsilon=1)
    assert learner.tree.is_exhausted
    seen = [(bytes(trace.decisions), trace.outcome) for trace in session.traces]
    assert len(seen) == len(set(seen)) >= 24


def test_without_the_path_finder_runs_repeat():
    _, session = ran(insertion_sort, 4, 25, mode="basic", rate=0)
    assert len(set(session.paths)) < 25


def test_with_epsilon_zero_every_run_takes_the_greedy_path():
    """A virtual execution follows the run, where everything is seen: no prefix, and the same path again."""
    learner, session = ran(three, 1, 4, epsilon=0, rate=0)
    assert len(set(session.paths)) == 1
    assert learner._unique_prefix(Random(0)) == b""


def test_the_prefix_leads_to_an_outcome_that_no_run_took():
    learner, session = ran(three, 1, 3, epsilon=1)
    tree = learner.tree
    for seed in range(50):
        *known, last = learner._unique_prefix(Random(seed))
        node = 0
        for turn in known:
            assert tree.count[tree.first[node] + turn] > 0
            node = tree.child[tree.first[node] + turn]
        assert tree.count[tree.first[node] + last] == 0
        assert bytes((*known, last)) not in {path[: len(known) + 1] for path in session.paths}


def test_there_is_no_prefix_when_the_tree_is_exhausted():
    learner, _ = ran(three, 1, None, epsilon=1)
    assert learner.tree.is_exhausted
    assert all(learner._unique_prefix(Random(seed)) == b"" for seed in range(20))


def test_epsilon_is_doubled_half_way():
    """One branch, its greedy side seen: two trials find the other with 1 - 0.9 * 0.8, not with 1 - 0.9 * 0.9."""
    learner, _ = ran(one, 1, 1, epsilon=0, rate=0)
    chosen = PyseLearner(PaperRules(epsilon=0.2, trials=2), learner.kinds, 0)
    chosen.use_tree(learner.tree)
    found = sum(chosen._unique_prefix(Random(seed)) != b"" for seed in range(3000))
    assert found / 3000 == pytest.approx(0.28, abs=0.03)


def test_epsilon_is_at_most_one():
    """With an epsilon of one every decision is random, even when epsilon is doubled."""
    learner, _ = ran(one, 1, 1, epsilon=0, rate=0)
    chosen = PyseLearner(PaperRules(epsilon=1, trials=1), learner.kinds, 0)
    chosen.use_tree(learner.tree)
    found = sum(chosen._unique_prefix(Random(seed)) != b"" for seed in range(3000))
    assert found / 3000 == pytest.approx(0.5, abs=0.03)


class Dearer(InProcess):
    """A front-end whose cost is not the number of branches."""

    def cost(self, trace, seconds):
        return 10.0 * trace.length + 5


def test_other_costs_are_rewards_at_the_end():
    learner, session = ran(three, 1, None, front=Dearer, epsilon=1)
    assert learner.tree.is_exhausted
    assert {reward for *_, reward, next_state in memory(learner) if next_state is not None} == {0.0}
    assert {reward for *_, reward, next_state in memory(learner) if next_state is None} == {35.0}
    assert session.best.cost == 35


def test_other_costs_are_rewards_at_the_end_of_feasible_runs_only():
    learner, session = ran(contradicts, 1, None, front=Dearer)
    first = session.traces[0]
    assert first.outcome is Outcome.RETURNED
    ends = {(len(state), action): reward for state, action, reward, next_state in memory(learner) if next_state is None}
    assert ends == {(1, 1): 15.0, (2, 0): 25.0, (2, 1): -20.0}
    assert {reward for *_, reward, next_state in memory(learner) if next_state is not None} == {0.0}


def settles(x: int, y: int) -> int:
    """Before the only branch a value is made concrete, which is a choice and not a branch."""
    picked = "ab"[x % 2]
    return 1 if y > 0 else len(picked)


def test_choices_are_not_branches_and_earn_nothing():
    learner, session = ran(settles, 1, 2)
    for trace in session.traces:
        assert trace.choices
    rewards = {state[-1][0]: reward for state, _, reward, _ in memory(learner)}
    assert [rewards[position] for position in sorted(rewards)] == [
        float(position not in session.traces[0].choices) for position in sorted(rewards)
    ]
    assert not learner.tree.is_exhausted


def test_kinds_are_numbered_in_the_order_of_a_run():
    learner, session = ran(settles, 1, 1)
    (trace,) = session.traces
    kinds = [learner.kinds.number(*row) for row in zip(trace.sites, trace.conditions, strict=True)]
    assert 0 in trace.choices
    assert kinds == sorted(kinds)


def test_practice_keeps_the_network_and_nothing_else():
    learner, _ = ran(insertion_sort, 3, 5)
    weights = learner.network.weights
    learner.start_new_size()
    assert memory(learner) == []
    assert len(learner.tree) == 0
    assert learner.network.weights is weights


def test_the_model_is_the_network():
    learner, _ = ran(insertion_sort, 3, 5)
    model = json.loads(json.dumps(learner.model_to_json()))
    assert set(model) == {"network"}
    other = paper(seed=1)
    other.restore_model(model)
    assert other.network.to_json() == learner.network.to_json()
    assert (memory(other), len(other.tree)) == ([], 0)


def test_it_goes_on_after_json_with_the_same_paths():
    whole, _ = ran(insertion_sort, 4, 14)
    learner, session = ran(insertion_sort, 4, 7)
    other = paper(0, epochs=1)
    other.restore(json.loads(json.dumps(learner.to_json())))
    stepped(other, session, 7)
    assert json.dumps(other.to_json()) == json.dumps(whole.to_json())


def test_the_same_seed_makes_the_same_runs_and_others_make_others():
    runs = [ran(insertion_sort, 5, 10, seed=seed)[1].paths for seed in (0, 0, 1, 2)]
    assert runs[0] == runs[1]
    assert any(before != after for before, after in pairwise(runs[1:]))
