"""Leaves as words: nothing is lost, and no move leaves its domain."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.inputs import Domain
from pessimal.search.agent.columns import Columns

INTEGERS = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(st.tuples(INTEGERS, st.floats(allow_nan=False)), min_size=1, max_size=5))
def test_inputs_come_back_as_they_were(rows):
    columns = Columns([Domain.of("int"), Domain.of("float", special=True)])
    assert columns.decoded(columns.encoded(rows)) == [list(row) for row in rows]


@given(INTEGERS, INTEGERS, INTEGERS, st.floats(-1e300, 1e300))
def test_a_move_stays_in_its_domain(low, high, value, step):
    low, high = sorted((low, high))
    columns = Columns([Domain.of("int", low=low, high=high)])
    words = columns.encoded([[min(max(value, low), high)]])
    (moved,) = columns.decoded(columns.moved(words, np.array([[step]])))
    assert low <= moved[0] <= high


@given(INTEGERS, st.integers(-(2**50), 2**50))
def test_whole_steps_are_exact(value, step):
    columns = Columns([Domain.of("int")])
    (moved,) = columns.decoded(columns.moved(columns.encoded([[value]]), np.array([[float(step)]])))
    wanted = value + step
    assert moved[0] == wanted or abs(wanted) > 2**63 - 2**11


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_floats_move_as_floats(value, step):
    columns = Columns([Domain.of("float", low=-1e6, high=1e6)])
    (moved,) = columns.decoded(columns.moved(columns.encoded([[value]]), np.array([[step]])))
    assert moved[0] == pytest.approx(min(max(value + step, -1e6), 1e6))


def test_small_ranges_are_drawn_evenly():
    columns = Columns([Domain.of("int", low=-128, high=128)])
    drawn = columns.drawn(25_700, np.random.default_rng(0))[:, 0]
    counts = np.bincount(drawn + 128, minlength=257)
    assert counts.min() > 50 and counts.max() < 150


@given(st.integers(-(2**70), 2**70), st.integers(-(2**70), 2**70), st.integers(0, 2**32))
def test_what_is_drawn_lies_in_its_domain(low, high, seed):
    low, high = sorted((max(low, -(2**63)), min(high, 2**63 - 1))) if low <= high else (-(2**63), 2**63 - 1)
    columns = Columns([Domain.of("int", low=low, high=high), Domain.of("int", low=0, high=1)])
    for whole, bit in columns.decoded(columns.drawn(20, np.random.default_rng(seed))):
        assert low <= whole <= high and bit in (0, 1)


def test_wide_ranges_are_drawn_small_and_large():
    columns = Columns([Domain.of("int"), Domain.of("float")])
    drawn = [abs(leaves[0]) for leaves in columns.decoded(columns.drawn(400, np.random.default_rng(0)))]
    assert sum(value <= 1000 for value in drawn) > 200  # as their domains draw them: mostly small
    assert sum(value > 2**60 for value in drawn) > 20
