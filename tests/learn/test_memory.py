"""The replay memory: unique, oldest first, and as arrays."""

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from pessimal.learn.memory import Experience, Memory
from pessimal.learn.states import Raw

STEP = st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(-1, 1))
STATE = st.lists(STEP, min_size=1, max_size=2).map(tuple)
EXPERIENCE = st.builds(Experience, STATE, st.integers(0, 1), st.sampled_from([1.0, -20.0]), st.none() | STATE)


def numbered(number):
    return Experience(((number, 0, -1),), 1, 1.0, None)


def test_experiences_are_unique():
    memory = Memory(10)
    assert memory.add([numbered(1), numbered(2), numbered(1)]) == 2
    assert memory.add([numbered(2), numbered(3)]) == 1
    assert len(memory) == 3
    assert memory.add([numbered(3)._replace(reward=-20.0), numbered(3)._replace(action=0)]) == 2


def test_the_oldest_go_first():
    memory = Memory(3)
    memory.add(map(numbered, range(5)))
    assert memory.to_json() == [list(numbered(number)) for number in (2, 3, 4)]
    memory.add([numbered(2), numbered(9)])  # what is known does not become younger
    assert memory.to_json() == [list(numbered(number)) for number in (3, 4, 9)]


@given(st.lists(EXPERIENCE, max_size=30), st.integers(1, 12))
def test_it_holds_the_last_of_what_was_new(experiences, capacity):
    memory = Memory(capacity)
    assert memory.add(experiences) == len(set(experiences))
    assert memory.to_json() == [list(item) for item in dict.fromkeys(experiences)][-capacity:]


@given(st.lists(EXPERIENCE, max_size=9))
def test_json(experiences):
    memory, again = Memory(9), Memory(9)
    memory.add(experiences)
    again.restore(json.loads(json.dumps(memory.to_json())))
    assert again.to_json() == memory.to_json()
    assert again.add(experiences) == 0
    for one, other in zip(memory.arrays(Raw(), 2), again.arrays(Raw(), 2), strict=True):
        assert_array_equal(one, other)


def test_arrays_are_padded_with_zeros():
    memory = Memory(3)
    state, following = ((0, 4, -1),), ((0, 4, 1), (1, 5, -1))
    memory.add([Experience(state, 1, 1.0, following), Experience(following, 0, -20.0, None)])
    states, actions, rewards, after, goes_on = memory.arrays(Raw(), 2)
    nothing = [[0, 0, 0], [0, 0, 0]]
    assert states.tolist() == [[[0, 0, 0], [1, 5, -1]], [[1, 5, 1], [2, 6, -1]], nothing]
    assert after.tolist() == [[[1, 5, 1], [2, 6, -1]], nothing, nothing]
    assert (actions.tolist(), rewards.tolist(), goes_on.tolist()) == ([1, 0, 0], [1, -20, 0], [1, 0, 0])
    assert actions.dtype == np.int32


def test_an_empty_memory_has_arrays_too():
    assert [len(column) for column in Memory(4).arrays(Raw(), 2)] == [4] * 5
