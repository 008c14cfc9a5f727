"""The replay memory: experiences are distinct, the oldest are dropped first, and they become padded arrays."""

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from pessimal.learn.memory import Experience, ReplayMemory
from pessimal.learn.states import PaperEncoding

STEP = st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(-1, 1))
STATE = st.lists(STEP, min_size=1, max_size=2).map(tuple)
EXPERIENCE = st.builds(Experience, STATE, st.integers(0, 1), st.sampled_from([1.0, -20.0]), st.none() | STATE)


def numbered(number):
    return Experience(((number, 0, -1),), 1, 1.0, None)


def test_experiences_are_unique():
    memory = ReplayMemory(10)
    assert memory.add([numbered(1), numbered(2), numbered(1)]) == 2
    assert memory.add([numbered(2), numbered(3)]) == 1
    assert len(memory) == 3
    assert memory.add([numbered(3)._replace(reward=-20.0), numbered(3)._replace(action=0)]) == 2


def test_the_oldest_are_dropped_first():
    memory = ReplayMemory(3)
    memory.add(map(numbered, range(5)))
    assert memory.to_json() == [list(numbered(number)) for number in (2, 3, 4)]
    memory.add([numbered(2), numbered(9)])  # adding a known experience does not refresh it
    assert memory.to_json() == [list(numbered(number)) for number in (3, 4, 9)]


@given(st.lists(EXPERIENCE, max_size=30), st.integers(1, 12))
def test_it_holds_the_latest_distinct_experiences(experiences, capacity):
    memory = ReplayMemory(capacity)
    assert memory.add(experiences) == len(set(experiences))
    assert memory.to_json() == [list(item) for item in dict.fromkeys(experiences)][-capacity:]


@given(st.lists(EXPERIENCE, max_size=9))
def test_json(experiences):
    memory, again = ReplayMemory(9), ReplayMemory(9)
    memory.add(experiences)
    again.restore(json.loads(json.dumps(memory.to_json())))
    assert again.to_json() == memory.to_json()
    assert again.add(experiences) == 0
    for one, other in zip(memory.arrays(PaperEncoding(), 2), again.arrays(PaperEncoding(), 2), strict=True):
        assert_array_equal(one, other)


def test_arrays_are_padded_with_zeros():
    memory = ReplayMemory(3)
    state, next_state = ((0, 4, -1),), ((0, 4, 1), (1, 5, -1))
    memory.add([Experience(state, 1, 1.0, next_state), Experience(next_state, 0, -20.0, None)])
    states, actions, rewards, after, continues = memory.arrays(PaperEncoding(), 2)
    nothing = [[0, 0, 0], [0, 0, 0]]
    assert states.tolist() == [[[0, 0, 0], [1, 5, -1]], [[1, 5, 1], [2, 6, -1]], nothing]
    assert after.tolist() == [[[1, 5, 1], [2, 6, -1]], nothing, nothing]
    assert (actions.tolist(), rewards.tolist(), continues.tolist()) == ([1, 0, 0], [1, -20, 0], [1, 0, 0])
    assert actions.dtype == np.int32


def test_an_empty_memory_has_arrays_too():
    assert [len(column) for column in ReplayMemory(4).arrays(PaperEncoding(), 2)] == [4] * 5
