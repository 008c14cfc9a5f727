"""How a branch is encoded for the network."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.learn.states import KIND_FEATURES, KindEncoding, PaperEncoding, encode, steps_before

STEPS = [(0, 4, 1), (1, 5, 0), (2, 4, 0)]


@pytest.mark.parametrize(
    ("position", "length", "past"),
    [(0, 2, []), (1, 2, STEPS[:1]), (3, 2, STEPS[1:]), (3, 3, STEPS), (3, 9, STEPS), (3, 0, [])],
)
def test_steps_before_gives_the_last_steps_in_order_and_asks_for_no_others(position, length, past):
    asked = []
    assert steps_before(position, length, lambda i: asked.append(i) or STEPS[i]) == tuple(past)
    assert [STEPS[i] for i in asked] == past


def test_figure_four_of_the_paper():
    """Position, site and action of the last branches; the action of the current one is -1."""
    state = [(4, 1, 1), (5, 0, 0), (6, 1, -1)]
    assert encode(PaperEncoding(), [state], 3).tolist() == [[[5, 2, 1], [6, 1, 0], [7, 2, -1]]]


def test_missing_steps_before_the_first_are_zeros():
    assert encode(PaperEncoding(), [[(0, 0, -1)], []], 3).tolist() == [
        [[0, 0, 0], [0, 0, 0], [1, 1, -1]],
        [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
    ]


def test_the_latest_branches_are_kept():
    assert encode(PaperEncoding(), [[(0, 0, 1), (1, 0, -1)]], 1).tolist() == [[[2, 1, -1]]]


@pytest.mark.parametrize(("action", "value"), [(0, -1), (1, 1), (-1, 0)])
@pytest.mark.parametrize("kind", [0, 5, KIND_FEATURES - 1])
def test_each_kind_has_a_feature_of_its_own(kind, action, value):
    (((first, *features),),) = encode(KindEncoding(), [[(7, kind, action)]], 1).tolist()
    assert first == value
    assert features == [float(feature == kind) for feature in range(KIND_FEATURES)]


@given(st.integers(0, 99), st.integers(0, 99), st.integers(0, 5 * KIND_FEATURES), st.integers(-1, 1))
def test_our_encoding_ignores_positions_and_many_kinds_share_features(one, other, kind, action):
    first, second = encode(KindEncoding(), [[(one, kind, action)], [(other, kind % KIND_FEATURES, action)]], 2).tolist()
    assert first == second
