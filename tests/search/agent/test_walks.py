"""Walks by moves on functions whose distances are known: what is possible, what is kept, what is learned."""

import numpy as np
import pytest

from pessimal.errors import UsageError
from pessimal.inputs import Domain
from pessimal.learn.agent_file import Agent, shipped
from pessimal.learn.layers import new_layers
from pessimal.search.agent.columns import Columns
from pessimal.search.agent.move_walks import FEATURES, LARGEST_FEATURE, MoveWalks
from pessimal.search.agent.moves import COUNT, OF_A_LEAF, OF_ALL
from pessimal.search.agent.policies import best_moves, check_fits
from pessimal.search.agent.unit_walks import UnitWalks

ONE = np.array([0])


class Line:
    """Goal 0 is reached where 3 * a + 0 * b is 600; its distance is how far that is away."""

    def __init__(self, kind="int"):
        self.domains = [Domain.of(kind, name, -1000, 1000) for name in "ab"]
        self.goals = [0]
        self.evaluations = 0

    def measure(self, words, goals):
        self.evaluations += len(words)
        values = Columns(self.domains).values(words)
        return np.zeros(len(words), np.int64), np.abs(3 * values[:, 0] - 600)


def walk_from(arena, leaves):
    walks = MoveWalks(arena, 1, np.random.default_rng(0))
    words = walks.columns.encoded([leaves])
    walks.place(ONE, ONE, words, *arena.measure(words, ONE))
    return walks


def make(walks, leaf, move):
    walks.step(np.array([leaf]), np.array([OF_A_LEAF.index(move)]), ONE)
    return walks.columns.decoded(walks.words)[0]


def test_a_slope_leads_to_the_goal_of_a_linear_condition():
    walks = walk_from(Line(), [10, 7])
    assert not walks.possible()[0, 0, OF_A_LEAF.index("extrapolate")]
    assert make(walks, 0, "up") == [11, 7]
    assert make(walks, 0, "extrapolate") == [200, 7]
    assert walks.is_covered[0]


def test_the_better_input_is_kept_and_a_failed_move_is_not_repeated():
    walks = walk_from(Line(), [10, 7])
    assert make(walks, 0, "down") == [10, 7]
    assert not walks.possible()[0, 0, OF_A_LEAF.index("down")]
    make(walks, 0, "up")
    assert walks.possible()[0, 0, OF_A_LEAF.index("down")]  # another input, where it was not tried


def test_moves_that_lead_to_the_same_input_are_tried_once():
    walks = walk_from(Line(), [200, 7])
    walks.distances[:] = 1.0
    walks._propose(ONE)
    make(walks, 0, "up")
    assert not walks.possible()[0, 0, OF_A_LEAF.index("add distance")]


def test_a_leaf_without_effect_is_known_as_such():
    walks = walk_from(Line(), [10, 7])
    make(walks, 1, "up")
    make(walks, 0, "up")
    seen = walks.features()[0]
    assert seen[0, 7:9].tolist() == [1, 0] and seen[1, 7:9].tolist() == [0, 1]


def test_steps_double_and_go_half_back():
    walks = walk_from(Line("float"), [10.0, 7.0])
    assert make(walks, 0, "up") == [11, 7]
    assert make(walks, 0, "twice") == [13, 7]
    assert make(walks, 0, "twice") == [17, 7]
    make(walks, 0, "add two distances")
    assert make(walks, 0, "draw") != [17, 7] or walks.distances[0] == abs(3 * 17 - 600)


def test_a_restart_is_taken_even_if_it_is_worse():
    walks = walk_from(Line(), [199, 7])
    walks.step(np.array([2]), np.array([OF_ALL.index("draw all")]), ONE)
    assert walks.columns.decoded(walks.words)[0] != [199, 7]


def test_all_leaves_are_mirrored_and_rotated():
    arena = Line()
    arena.measure = lambda words, goals: (np.zeros(len(words), np.int64), 5000 - words[:, 0].astype(float))
    walks = walk_from(arena, [-5, 9])
    walks.step(np.array([2]), np.array([OF_ALL.index("mirror all")]), ONE)
    assert walks.columns.decoded(walks.words)[0] == [5, -9]
    walks = walk_from(arena, [-5, 9])
    walks.step(np.array([2]), np.array([OF_ALL.index("rotate")]), ONE)
    assert walks.columns.decoded(walks.words)[0] == [9, -5]


def test_features_are_finite_and_bounded():
    rng = np.random.default_rng(0)
    walks = MoveWalks(Line(), 20, rng)
    walks.restart(np.arange(20), np.zeros(20, np.int64))
    weights = new_layers([FEATURES, 8, COUNT], rng)
    for _ in range(40):
        seen, actions = best_moves(weights, walks, np.arange(20), 0.5, rng)
        assert seen.shape == (20, 3, FEATURES)
        assert seen.min() >= 0 and seen.max() <= LARGEST_FEATURE
        rows, moves = actions // COUNT, actions % COUNT
        assert walks.possible()[np.arange(20), rows, moves].all()
        walks.step(rows, moves, np.arange(20))


def test_the_shipped_agent_needs_few_evaluations_for_a_linear_condition():
    arena, rng = Line(), np.random.default_rng(1)
    walks = MoveWalks(arena, 30, rng)
    walks.restart(np.arange(30), np.zeros(30, np.int64))
    for _ in range(60):
        going = np.flatnonzero(~walks.is_covered)
        if len(going):
            _, actions = best_moves(shipped().weights, walks, going, 0.02, rng)
            walks.step(actions // COUNT, actions % COUNT, going)
    assert walks.is_covered.all()
    assert walks.steps.mean() < 20  # of 2001 inputs one is right


def test_an_agent_for_other_observations_is_refused():
    rng = np.random.default_rng(0)
    agent = Agent("qtip", [600, 16, 6], new_layers([600, 16, 6], rng))
    with pytest.raises(UsageError, match="600 inputs and 6 outputs, but 600 and 4"):
        check_fits(agent, UnitWalks(Line(), 1, rng))
    with pytest.raises(UsageError, match="train another one"):
        check_fits(agent, MoveWalks(Line(), 1, rng))
