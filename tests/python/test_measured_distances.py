"""Distances of recorded concrete runs: how far each test was from coming out the other way."""

from operator import gt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.python.counted import (
    BranchCounter,
    CountedBytes,
    CountedFloat,
    CountedInt,
    CountedStr,
    distance,
    measuring,
)
from pessimal.python.counted.measuring import apart
from pessimal.python.counted.truth import Compared
from tests.profiles import examples

SITE = object()


def measured(tests):
    """The truth and the distance of each test that a function makes."""
    counter = BranchCounter()
    counter.start(lambda frame: SITE)
    with measuring():
        tests()
    counter.stop()
    found = [None if item is None else distance(item) for item in counter.comparisons]
    return list(zip(map(bool, counter.directions), found, strict=True))


def tested(*values):
    def tests():
        for value in values:
            assert value() or True

    return measured(tests)


@pytest.mark.parametrize(
    ("compare", "truth", "wanted"),
    [
        (lambda: CountedInt(3) < 10, True, 8.0),
        (lambda: CountedInt(30) < 10, False, 21.0),
        (lambda: gt(10, CountedInt(30)), False, 21.0),
        (lambda: CountedInt(3) == 10, False, 8.0),
        (lambda: CountedInt(3) == 3, True, 1.0),
        (lambda: CountedInt(3) != 10, True, 8.0),
        (lambda: CountedFloat(0.5) >= 2.0, False, 2.5),
        (lambda: CountedInt(3) < float("inf"), None, None),
        (lambda: CountedStr("abc") == "abd", False, 2.0),
        (lambda: CountedStr("ab") == "abc", False, 257.0),
        (lambda: CountedStr("xbcde").startswith("abc"), False, 24.0),
        (lambda: CountedStr("axyz").endswith("xyy"), False, 2.0),
        (lambda: "bd" in CountedStr("aabc"), False, 2.0),
        (lambda: CountedBytes(b"\x05") == b"\x09", False, 5.0),
    ],
)
def test_known_distances(compare, truth, wanted):
    expected = [] if truth is None else [(truth, wanted)]
    assert tested(compare) == expected


def test_a_number_as_it_is_is_compared_with_zero():
    assert tested(lambda: CountedInt(7), lambda: not CountedInt(0)) == [(True, 8.0), (False, 1.0)]


def test_a_test_of_an_earlier_comparison_has_no_distance_of_another():
    def tests():
        earlier, later = CountedInt(1) < 5, CountedInt(9) < 5
        assert earlier
        assert not later

    assert measured(tests) == [(True, None), (False, None)]


def test_nothing_is_measured_outside():
    before = CountedInt.__lt__
    with measuring():
        assert CountedInt.__lt__ is not before
    assert CountedInt.__lt__ is before


@given(st.integers(), st.integers(), st.sampled_from(["<", "<=", ">", ">=", "==", "!="]))
@examples(400)
def test_a_distance_is_never_less_than_the_change_that_flips(left, right, symbol):
    holds = {
        "<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right, "==": left == right,
        "!=": left != right,
    }  # fmt: skip
    found = distance(Compared(holds[symbol], symbol, left, right))
    assert found >= 1.0
    assert found == pytest.approx(abs(left - right) + 1.0) or holds["=="] or found == 1.0


@given(st.text(max_size=6), st.text(max_size=6))
def test_texts_are_apart_by_nothing_only_if_they_are_equal(one, other):
    assert (apart(one, other) == 0) is (one == other)
    assert apart(one, other) == apart(other, one)
