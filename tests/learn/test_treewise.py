"""Our own rules: which path they select, what they learn from, and when they end."""

import json
import random

import pytest

from pessimal.learn.rules import TreeRules
from pessimal.learn.treewise import TreewiseLearner
from pessimal.testing import InProcess
from pessimal.trace import Outcome
from pessimal.tree import Kinds
from tests.search.watching import Watched, stepped
from tests.subjects import bst
from tests.subjects.insertion_sort import insertion_sort


def ours(seed=0, **rules):
    return TreewiseLearner(TreeRules(**rules), Kinds(), seed)


def ran(target, size, count, *, seed=0, front=InProcess, **rules):
    session = Watched(target, size, None, front=front)
    return stepped(ours(seed, **rules), session, count), session


def test_every_path_is_new_and_the_last_one_proves():
    learner, session = ran(insertion_sort, 4, None)
    assert len(session.paths) == len(set(session.paths)) == 24
    assert learner.tree.is_exhausted
    assert session.proof == "tree exhausted"


def test_without_forks_paths_may_repeat_and_the_end_is_the_same():
    _, session = ran(insertion_sort, 3, None, mode="basic")
    assert set(session.paths) == set(ran(insertion_sort, 3, None)[1].paths)
    assert session.proof == "tree exhausted"


def ladder(xs: list[int]) -> int:
    """True goes on, false ends: only one sequence of decisions is long."""
    count = 0
    for x in xs:
        if x <= 0:
            return count
        count += 1
    return count


@pytest.mark.parametrize("size", [12, 30])
def test_practice_pays_off_at_the_first_path(size):
    learner, _ = ran(ladder, 5, None)
    learner.start_new_size()
    session = Watched(ladder, size, None)
    stepped(learner, session, 1)
    assert session.best.cost == size


def test_the_tree_is_forgotten_after_practice():
    learner, _ = ran(bst.build, 4, None)
    assert learner.tree.is_exhausted
    learner.start_new_size()
    assert len(learner.tree) == 0
    assert not learner.tree.is_exhausted


def values(xs: list[int]) -> int:
    """Values are made concrete, and there are more of them than the search runs."""
    count = 0
    for x in xs:
        count += len(range(x % 7)) > 2
        if x > 2:
            count += 1
    return count


def test_values_made_concrete_end_without_a_proof():
    learner, session = ran(values, 2, 200)
    assert learner.tree.is_done
    assert session.proof is None
    assert len(session.traces) < 200


def test_a_target_that_never_ends_well_ends_the_search():
    class Crashing(InProcess):
        def run(self, request, seconds):
            trace = super().run(request, seconds)
            trace.outcome = Outcome.CRASHED
            return trace

    learner, session = ran(ladder, 3, 50, front=Crashing)
    assert learner.tree.is_done
    assert session.proof is None
    nothing, session = ran(lambda: None, 1, 50, front=Crashing)
    assert nothing.tree.is_done
    assert len(session.traces) == 1


def test_paths_that_are_rejected_do_not_draw_the_search():
    class Picky(InProcess):
        """Rejects all that is longest."""

        def run(self, request, seconds):
            trace = super().run(request, seconds)
            if trace.length == self.size:
                trace.outcome = Outcome.REJECTED
            return trace

        def evaluate(self, leaves, seconds, recording=False):
            trace = super().evaluate(leaves, seconds, recording)
            if trace.costs["branches"] == self.size:
                trace.outcome = Outcome.REJECTED
            return trace

    learner, session = ran(ladder, 6, None, front=Picky)
    assert learner.tree.is_exhausted
    assert max(learner.tree.best[:2]) == session.best.cost == 5


def test_a_target_that_is_not_deterministic_is_not_proved():
    coin = random.Random(3)

    def fickle(x: int, y: int) -> int:
        """Sometimes there is a second branch."""
        if x > 0 and coin.random() < 0.5:
            return 1 if y > 0 else 2
        return 0

    learner, session = ran(fickle, 1, 40, mode="basic")
    assert not learner.tree.is_complete
    assert session.proof is None


@pytest.mark.parametrize("after", [1, 6, 13])
def test_it_goes_on_after_json_with_the_same_paths(after):
    whole, all_paths = ran(bst.build, 4, 20)
    learner, session = ran(bst.build, 4, after)
    other = ours()
    other.restore(json.loads(json.dumps(learner.to_json())))
    stepped(other, session, 20 - after)
    assert session.paths == all_paths.paths
    assert json.dumps(other.to_json()) == json.dumps(whole.to_json())


def test_it_goes_on_after_practice_with_the_same_paths():
    def practised():
        learner, _ = ran(bst.build, 3, None, practice_epochs=5)
        learner.start_new_size()
        return learner

    sessions = [Watched(bst.build, 5, None) for _ in range(2)]
    stepped(practised(), sessions[0], 12)
    other = ours(practice_epochs=5)
    other.restore(json.loads(json.dumps(practised().to_json())))
    stepped(other, sessions[1], 12)
    assert sessions[0].paths == sessions[1].paths


def test_the_model_includes_training_examples_of_the_tree():
    learner, _ = ran(bst.build, 3, None, practice_epochs=2)
    model = json.loads(json.dumps(learner.model_to_json()))
    assert set(model) == {"network", "examples"}
    assert learner.to_json()["examples"] == []
    assert [len(item) > 0 for item in model["examples"]] == [True]
    other = ours(seed=1)
    other.restore_model(model)
    assert other.model_to_json() == learner.model_to_json()
    assert len(other.tree) == 0


def test_there_can_be_more_training_examples_than_memory():
    learner = ours(memory=16, batch=2, practice_epochs=2)
    for _ in range(6):
        stepped_session(learner, 3)
        learner.start_new_size()
    assert stepped_session(learner, 4).proof == "tree exhausted"


def stepped_session(learner, size):
    session = Watched(insertion_sort, size, None)
    stepped(learner, session, None)
    return session


def test_the_smallest_memory_is_enough():
    learner, session = ran(insertion_sort, 3, None, memory=16, batch=2, practice_epochs=2)
    learner.start_new_size()
    assert session.proof == "tree exhausted"
