"""Approach level and normalised distance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.errors import UsageError
from pessimal.search.goals.fitness import NORMALISATIONS, Fitness
from pessimal.search.goals.many import selected

FIRST = [(0, 2), (0, 2), (2, 2), (2, 2), (4, 2), (4, 2)]
PARENTS = {2: frozenset({1}), 4: frozenset({3})}
"""Three tests, each inside of the true side of the one before."""


def test_levels_count_the_tests_that_were_missed():
    fitness = Fitness(FIRST, PARENTS)
    rows = np.array(
        [
            [0.0, 3.0, np.inf, np.inf, np.inf, np.inf],
            [2.0, 0.0, 0.0, 1.0, np.inf, np.inf],
            [2.0, 0.0, 5.0, 0.0, 4.0, 0.0],
        ]
    )
    assert fitness.levels(5) == [[5], [3], [1]]
    assert fitness.of(rows, 5).tolist() == [2.75, 1.5, 0.0]


@pytest.mark.parametrize("name", NORMALISATIONS)
@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_normalised_distances_keep_their_order(name, one, other):
    low, high = sorted((one, other))
    normalised = NORMALISATIONS[name](np.array([0.0, low, high]))
    assert normalised[0] == 0.0
    assert normalised[1] <= normalised[2] <= 1.0


def test_an_unknown_normalisation_is_refused():
    with pytest.raises(UsageError, match="normalisation must be ratio, exponential, logarithmic, but is 'cubic'"):
        Fitness(FIRST, PARENTS, "cubic")


def test_the_best_of_each_goal_is_kept_and_dominated_inputs_go_first():
    values = np.array([[0.9, 0.1], [0.1, 0.9], [0.5, 0.5], [0.95, 0.95]])
    assert set(selected(values, 3)) == {0, 1, 2}


@given(
    st.lists(st.lists(st.sampled_from([0.0, 1.0, 7.5, float("inf")]), min_size=6, max_size=6), min_size=1),
    st.integers(0, 5),
)
def test_level_and_distance_are_the_parts_of_the_fitness(rows, goal):
    owners = [(slot - slot % 2, 2) for slot in range(6)]
    fitness = Fitness(owners, {2: frozenset({1}), 4: frozenset({3, 1})})
    levels, distances = fitness.parts(np.array(rows), np.full(len(rows), goal))
    whole = fitness.of(np.array(rows), goal)
    unreached = levels == len(fitness.levels(goal))
    expected = np.where(unreached, levels, levels + distances / (distances + 1.0))
    assert whole.tolist() == pytest.approx(expected.tolist())
