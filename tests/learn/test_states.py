"""What a network reads of a branch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.learn.states import SLOTS, Kindwise, Raw, encode, steps_before

STEPS = [(0, 4, 1), (1, 5, 0), (2, 4, 0)]


@pytest.mark.parametrize(
    ("position", "length", "past"),
    [(0, 2, []), (1, 2, STEPS[:1]), (3, 2, STEPS[1:]), (3, 3, STEPS), (3, 9, STEPS), (3, 0, [])],
)
def test_the_last_steps_are_told_from_the_earliest_on_and_no_others(position, length, past):
    asked = []
    assert steps_before(position, length, lambda i: asked.append(i) or STEPS[i]) == tuple(past)
    assert [STEPS[i] for i in asked] == past


def test_figure_four_of_the_paper():
    """Position, site and action of the last branches; the action of the current one is -1."""
    state = [(4, 1, 1), (5, 0, 0), (6, 1, -1)]
    assert encode(Raw(), [state], 3).tolist() == [[[5, 2, 1], [6, 1, 0], [7, 2, -1]]]


def test_before_the_start_there_is_nothing():
    assert encode(Raw(), [[(0, 0, -1)], []], 3).tolist() == [
        [[0, 0, 0], [0, 0, 0], [1, 1, -1]],
        [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
    ]


def test_the_latest_branches_are_kept():
    assert encode(Raw(), [[(0, 0, 1), (1, 0, -1)]], 1).tolist() == [[[2, 1, -1]]]


@pytest.mark.parametrize(("action", "value"), [(0, -1), (1, 1), (-1, 0)])
@pytest.mark.parametrize("kind", [0, 5, SLOTS - 1])
def test_a_slot_for_each_kind(kind, action, value):
    (((first, *slots),),) = encode(Kindwise(), [[(7, kind, action)]], 1).tolist()
    assert first == value
    assert slots == [float(slot == kind) for slot in range(SLOTS)]


@given(st.integers(0, 99), st.integers(0, 99), st.integers(0, 5 * SLOTS), st.integers(-1, 1))
def test_positions_do_not_matter_to_ours_and_many_kinds_share_slots(one, other, kind, action):
    first, second = encode(Kindwise(), [[(one, kind, action)], [(other, kind % SLOTS, action)]], 2).tolist()
    assert first == second
