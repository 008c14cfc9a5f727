"""Wide inputs: the few leaves that a goal depends on are found, and walks change only these."""

from random import Random

import numpy as np
import pytest

from pessimal.inputs import Domain
from pessimal.learn.agent_file import shipped
from pessimal.search.agent.columns import Columns
from pessimal.search.agent.narrowing import MOST_LEAVES, Narrowed, depended_on
from pessimal.search.agent.searching import AgentWalks

BYTE = Domain.of("int", "byte", 0, 255)
WANTED = {17: 201, 333: 42, 590: 250}


class Safe:
    """A lock of 600 leaves: each of three tests is passed by one leaf, one after the other."""

    def __init__(self, seed=0):
        self.domains = [BYTE] * 600
        self.rng = Random(seed)
        self.evaluations = 0
        self.goals = [0, 1, 2]
        self.nearest = {}
        self.missing = set(self.goals)

    def active(self):
        return sorted(self.missing)[:1]

    def parts(self, inputs, goals):
        self.evaluations += len(inputs)
        found = [self._part(leaves, goal) for leaves, goal in zip(inputs, goals.tolist(), strict=True)]
        return np.array([level for level, _ in found]), np.array([distance for _, distance in found])

    def _part(self, leaves, goal):
        for passed, (at, value) in enumerate(list(WANTED.items())[: goal + 1]):
            if leaves[at] != value:
                found = goal - passed, float(abs(leaves[at] - value))
                self.nearest[goal] = min(self.nearest.get(goal, (9, 0.0, leaves)), (*found, leaves))
                return found
        self.missing.discard(goal)
        self.nearest[goal + 1] = (0, 255.0, leaves)
        return 0, 0.0

    def nearest_input(self, goal):
        return self.nearest.get(goal, (0, 0.0, [0] * 600))[2]

    def fitness(self, inputs):
        self.parts(inputs, np.full(len(inputs), self.goals[-1]))
        return [0.0] * len(inputs)

    def measure(self, words, goals):
        return self.parts(words.tolist(), goals)


@pytest.mark.parametrize("goal", [0, 2])
def test_the_leaf_that_matters_is_found_by_halving(goal):
    safe = Safe()
    columns, base = Columns(safe.domains), np.zeros(600, np.int64)
    for at, value in list(WANTED.items())[:goal]:
        base[at] = value
    leaves = depended_on(safe, columns, base, goal, np.random.default_rng(0))
    assert set(leaves.tolist()) <= set(WANTED)
    assert list(WANTED)[goal] in leaves
    assert safe.evaluations < 100


def test_where_nothing_matters_any_leaves_may_change():
    safe = Safe()
    safe.measure = lambda words, goals: (np.ones(len(words), np.int64), np.ones(len(words)))
    leaves = depended_on(safe, Columns(safe.domains), np.zeros(600, np.int64), 0, np.random.default_rng(1))
    assert len(set(leaves.tolist())) == MOST_LEAVES


def test_a_narrowed_arena_changes_nothing_else():
    safe, base = Safe(), np.full(600, 7)
    narrowed = Narrowed(safe, base, np.array([17, 590]))
    assert narrowed.domains == [BYTE, BYTE]
    levels, distances = narrowed.measure(np.array([[201, 0], [200, 0]]), np.array([0, 0]))
    assert (levels.tolist(), distances.tolist()) == ([0, 0], [0.0, 1.0])
    assert base.tolist() == [7] * 600


@pytest.mark.parametrize("seed", range(3))
def test_walks_pass_tests_that_depend_on_single_leaves_of_many(seed):
    safe = Safe(seed)
    for _ in AgentWalks(shipped()).steps(safe):
        if not safe.missing or safe.evaluations > 2000:
            break
    assert not safe.missing
