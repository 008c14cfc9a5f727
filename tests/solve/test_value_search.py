"""Looking for one number: what is in range is tried, what is monotone is found to the last bit."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.solve.value_search import EVERY, LARGEST, candidates, floats, integers
from tests.profiles import examples


def order_of(function):
    """The order of a function's value and zero, as a search sees it."""

    def order(value):
        try:
            result = function(value)
        except (ArithmeticError, ValueError):
            return None
        return None if result != result else (result > 0) - (result < 0)

    return order


def first(function, samples, here, holds):
    return next((value for value in candidates(order_of(function), samples, here) if holds(value)), None)


@examples(400)
@given(st.integers(-(10**18), 10**18), st.integers(1, 9), st.integers(-50, 50))
def test_the_integer_root_of_a_rising_function_is_found(root, slope, here):
    def function(x):
        return slope * (x - root)

    assert first(function, integers(here, None, None, []), here, lambda x: function(x) == 0) == root


@examples(300)
@given(st.floats(1e-15, 1e300) | st.floats(-1e300, -1e-15) | st.just(0.0), st.floats(-100, 100))
def test_the_place_where_a_condition_turns_true_is_found_to_the_last_bit(edge, here):
    """The least double that is not below an edge, for a function that is nowhere zero."""

    def function(x):
        return 1.0 if x >= edge else -1.0

    found = [x for x in candidates(order_of(function), floats(here, None, None, []), here) if x >= edge]
    assert min(found) == edge


@examples(300)
@given(st.integers(-30, 30), st.integers(0, EVERY - 1), st.integers(-40, 40))
def test_a_small_range_is_tried_completely_and_near_ones_first(low, size, here):
    samples = integers(here, low, low + size, [])
    assert samples == list(range(low, low + size + 1))
    tried = list(candidates(lambda value: 1, samples, here))
    assert sorted(tried) == samples
    assert [abs(value - here) for value in tried] == sorted(abs(value - here) for value in tried)


@examples(400)
@given(
    st.integers(-(10**30), 10**30),
    st.none() | st.integers(-(10**30), 10**30),
    st.none() | st.integers(-(10**30), 10**30),
    st.lists(st.integers(), max_size=3),
)
def test_integers_to_try_lie_in_the_range_and_rise(here, low, high, more):
    samples = integers(here, low, high, more)
    assert samples == sorted(set(samples))
    assert all((low is None or value >= low) and (high is None or value <= high) for value in samples)
    inside = [n for n in (*more, here) if (low is None or n >= low) and (high is None or n <= high)]
    assert set(inside) <= set(samples)
    if low is not None and high is not None and low <= high:
        assert {low, high} <= set(samples)


@examples(300)
@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(-1e9, 1e9), st.floats(0, 1e9))
def test_floats_to_try_are_finite_and_lie_in_the_range(here, low, size):
    for ends in ((None, None), (low, None), (None, low), (low, low + size)):
        samples = floats(here, *ends, [])
        least, most = (-LARGEST if ends[0] is None else ends[0]), (LARGEST if ends[1] is None else ends[1])
        assert samples == sorted(samples)
        assert all(math.isfinite(value) and least <= value <= most for value in samples)
        assert least in samples and most in samples


def test_equal_bounds_leave_one_value_and_an_empty_range_none():
    assert integers(0, 5, 5, [7]) == [5]
    assert integers(0, 6, 5, [7]) == []
    assert floats(0.0, 0.5, 0.5, [7.0]) == [0.5]
    assert floats(0.0, 1.0, 0.0, [0.5]) == []


def test_what_cannot_be_evaluated_is_left_out():
    """A pole is no place where the order changes; beside it the root is found all the same."""

    def function(x):
        return 1 / x - 0.25

    assert first(function, floats(1.0, None, None, []), 1.0, lambda x: x != 0 and function(x) == 0) == 4.0
    assert list(candidates(lambda value: None, [1, 2, 3], 2)) == [2, 1, 3]


@pytest.mark.parametrize("value", [-0.0, 0.0])
def test_both_zeros_are_one_place(value):
    assert first(lambda x: x, floats(value, -1.0, 1.0, []), value, lambda x: x == 0) == 0


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: x * x * x - 1e21, 1e7),
        (lambda x: math.exp(x) - math.exp(37.0), 37.0),
        (lambda x: 1e-15 - x, 1e-15),
        (lambda x: x + 1.5, -1.5),
        (lambda x: math.log(x), 1.0),
    ],
)
def test_known_roots_of_doubles(function, expected):
    found = first(function, floats(0.25, None, None, []), 0.25, lambda x: order_of(function)(x) == 0)
    assert found == pytest.approx(expected, rel=1e-12)
