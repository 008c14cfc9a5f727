"""What a model was worth: an estimate from flips that the plain order made in its place."""

from math import sqrt

from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

from pessimal.search.model_worth import ModelWorth


def counted(model, plain):
    """The worth after the flips of the plain order and then those of the model, given what each has found."""
    worth = ModelWorth()
    for found in plain:
        worth.count(is_compared=True, found=found)
    for found in sorted(model):
        worth.count(is_compared=False, found=found)
    return worth


def test_what_the_plain_order_finds_tells_how_many_flips_it_would_have_needed():
    worth = counted([5] * 40 + [0] * 20, [1] * 10 + [0] * 9)
    mean, spread = 11 / 20, sqrt((11 / 20 - (11 / 20) ** 2) / 20)
    about, least, most = worth.without
    assert about == approx(200 / mean)
    assert least == approx(200 / (mean + 1.645 * spread))
    assert most == approx(200 / (mean - 1.645 * spread))
    known = worth.to_json()
    assert (known["flips"], known["without"], known["saved"], known["saved_between"]) == (60, 364, 304, [213, 485])
    assert "without it 273 to 545: about 304 solver queries saved (an estimate)" in str(worth)


def test_a_model_that_is_worse_than_the_plain_order_has_lost_queries():
    worth = counted([1] * 9 + [0] * 91, [1] * 8)
    assert worth.to_json()["saved"] == 9 - 100
    assert "about 91 solver queries lost" in str(worth)


def test_a_difference_that_chance_explains_is_not_called_one():
    worth = counted([1] * 5 + [0] * 5, [3, 0, 0, 0, 1, 0])
    low, high = worth.to_json()["saved_between"]
    assert low < 0 < high
    assert "cannot be told from 6 compared flips" in str(worth)


def test_flips_after_the_last_find_say_nothing_about_the_model():
    worth = counted([2] * 20, [0] * 9 + [1])
    before = worth.to_json()
    for number in range(500):
        worth.count(is_compared=number % 10 == 0, found=0)
    after = worth.to_json()
    assert (after["saved"], after["saved_between"]) == (before["saved"], before["saved_between"])
    assert (after["idle_flips"], after["idle_compared"]) == (450, 50)
    assert str(worth).startswith("470 flips with it found 40 outcomes, the last after 20;")


def test_a_plain_order_that_finds_nothing_gives_a_finite_estimate():
    about, least, most = counted([1] * 3, [0] * 9).without
    assert (about, most) == (30, 300)
    assert 0 < least < about


def test_few_flips_of_the_plain_order_give_no_estimate():
    worth = counted([1] * 20, [1] * 4)
    assert worth.to_json()["saved"] is None
    assert "too few were compared" in str(worth)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 50)), max_size=60))
def test_all_flips_are_counted_and_the_bounds_hold_the_estimate(flips):
    worth = ModelWorth()
    for is_compared, found in flips:
        worth.count(is_compared=is_compared, found=found)
    assert worth.flips + worth.compared + worth.idle_flips + worth.idle_compared == len(flips)
    assert worth.found + worth.compared_found == sum(found for _, found in flips)
    if worth.without is not None:
        about, least, most = worth.without
        assert 0 <= least <= about <= most


def test_the_counts_of_lanes_are_added():
    parts = counted([1], [0, 3]), counted([0, 0], [2])
    assert ModelWorth.total(parts) == ModelWorth(1, 1, 3, 5, 13, 2, 0)
    assert ModelWorth.total(parts).to_json()["compared"] == 3
