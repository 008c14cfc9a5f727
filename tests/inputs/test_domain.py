import math
import random
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.errors import InputError
from pessimal.inputs import Domain

SEEDS = st.integers(0, 2**32)


def test_kinds_have_their_own_bounds_and_start():
    assert Domain.of("int", "x") == Domain("int", None, None, 0, "x")
    assert Domain.of("bool", "b") == Domain("bool", 0, 1, 0, "b")
    assert Domain.of("char", "c") == Domain("char", 0, 0x10FFFF, ord("a"), "c")
    assert Domain.of("byte", "b") == Domain("byte", 0, 255, 0, "b")
    assert Domain.of("choice", "c", 0, 3) == Domain("choice", 0, 3, 0, "c")
    assert Domain.of("float", "f") == Domain("float", None, None, 0.0, "f")
    assert type(Domain.of("float").initial) is float


@pytest.mark.parametrize(
    ("low", "high", "initial"), [(5, 9, 5), (-9, -5, -5), (-1, 1, 0), (None, -3, -3), (7, None, 7)]
)
def test_the_start_is_the_value_nearest_to_zero(low, high, initial):
    assert Domain.of("int", "", low, high).initial == initial


def test_an_empty_range_is_refused():
    with pytest.raises(InputError, match=r"the range 3\.\.2 of xs\[0\] is empty: put the smaller bound first"):
        Domain.of("int", "xs[0]", 3, 2)


@pytest.mark.parametrize(
    ("domain", "value", "clipped"),
    [
        (Domain.of("int", "", 0, 9), 12, 9),
        (Domain.of("int", "", 0, 9), -1, 0),
        (Domain.of("int"), 10**30, 10**30),
        (Domain.of("float", "", 0, 1), 7, 1.0),
        (Domain.of("float", "", 0, 1), math.nan, 0.0),
        (Domain.of("float"), math.inf, sys.float_info.max),
        pytest.param(Domain.of("float"), -(10**400), -sys.float_info.max, id="huge int"),
    ],
)
def test_clip_gives_the_nearest_value(domain, value, clipped):
    assert domain.clip(value) == clipped
    assert domain.clip(value) in domain


def test_ints_beyond_any_float_are_contained():
    assert 10**400 in Domain.of("int")


@pytest.mark.parametrize("value", [10, -1, 0.5, "a", math.nan, None])
def test_foreign_values_are_not_contained(value):
    assert value not in Domain.of("int", "", 0, 9)


@pytest.mark.parametrize("value", [1, math.nan, math.inf, 2.5])
def test_foreign_floats_are_not_contained(value):
    assert value not in Domain.of("float", "", 0, 2)


@given(SEEDS, st.none() | st.integers(), st.none() | st.integers(0))
def test_samples_of_ints_lie_in_the_range(seed, low, width):
    high = None if width is None else (low or 0) + width
    domain = Domain.of("int", "", low, high)
    assert domain.sample(random.Random(seed)) in domain


@given(SEEDS, st.floats(allow_nan=False, allow_infinity=False) | st.none(), st.floats(0, 1e300) | st.none())
def test_samples_of_floats_lie_in_the_range(seed, low, width):
    high = None if width is None else min((low or 0.0) + width, sys.float_info.max)
    domain = Domain.of("float", "", low, high)
    assert domain.sample(random.Random(seed)) in domain


@given(SEEDS, st.integers(0, 0x10FFFF), st.integers(0, 0x10FFFF))
def test_samples_of_characters_lie_in_the_range(seed, one, other):
    domain = Domain.of("char", "", min(one, other), max(one, other))
    assert domain.sample(random.Random(seed)) in domain


def test_the_same_seed_gives_the_same_samples():
    domain = Domain.of("float")
    first, second = random.Random(3), random.Random(3)
    assert [domain.sample(first) for _ in range(20)] == [domain.sample(second) for _ in range(20)]


def test_samples_of_a_small_range_reach_all_of_it():
    rng, domain = random.Random(0), Domain.of("int", "", -1, 2)
    assert {domain.sample(rng) for _ in range(200)} == {-1, 0, 1, 2}


def test_spread_counts_through_the_values_and_carries_the_rest():
    domain = Domain.of("int", "", -1, 1)
    found = [domain.spread(ordinal) for ordinal in range(5)]
    assert [(part.initial, rest) for part, rest in found] == [(0, 0), (1, 0), (-1, 0), (0, 1), (1, 1)]


@pytest.mark.parametrize(
    "domain",
    [
        Domain.of("int"),
        Domain.of("int", "", 5),
        Domain.of("int", "", None, -5),
        Domain.of("char"),
        Domain.of("float"),
        Domain.of("float", "", 0, 1),
        Domain.of("float", "", 1e300),
        Domain.of("float", "", None, 0),
        Domain.of("float", "", -1, 0),
    ],
)
def test_spread_starts_at_distinct_values_of_the_domain(domain):
    starts = [domain.spread(ordinal)[0].initial for ordinal in range(50)]
    assert len(set(starts)) == 50
    assert all(start in domain for start in starts)


def test_spread_of_a_single_value_carries_everything():
    domain = Domain.of("float", "", 2, 2)
    assert domain.spread(7) == (domain, 7)
