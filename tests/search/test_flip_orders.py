"""The plain order of flips, and how often it chooses beside a model."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.learn.known import Known
from pessimal.search.flip_orders import BEST_FIRST, OrderShares, plainly
from pessimal.search.flip_queue import Flip, FlippedRun

REACHED = Known(is_reached=True, is_wanted=True, tries=0, infeasible=0, value=0.0, position=0, idle=0)


def run(value):
    return FlippedRun(b"\0\0\0", [], ["a", "b", "c"], bound=0, value=value)


def test_outcomes_that_were_not_reached_come_first_then_those_that_are_wanted():
    flips = [Flip(run(9), position, 1) for position in range(3)]
    known = {0: REACHED._replace(is_wanted=False, is_reached=False), 1: REACHED, 2: REACHED._replace(is_reached=False)}
    chosen = []
    for left in ([0, 1, 2], [0, 1], [0]):
        asked = [flips[index] for index in left]
        chosen.append(left[plainly(asked, lambda flip: known[flip.position], Random(0))])
    assert chosen == [2, 1, 0]


def test_the_run_that_has_reached_most_is_flipped_most_often():
    runs = [run(1), run(7), run(3)]
    flips = [Flip(item, position, 1) for item in runs for position in range(3)]
    rng = Random(3)
    counts = Counter(flips[plainly(flips, lambda flip: REACHED, rng)].run.value for _ in range(600))
    assert abs(counts[7] / 600 - (BEST_FIRST + (1 - BEST_FIRST) / 3)) < 0.08
    assert counts[1] > 30
    assert counts[3] > 30


def after(model, plain, rounds=20):
    shares = OrderShares()
    for _ in range(rounds):
        shares.note(is_plain=False, found=model)
        shares.note(is_plain=True, found=plain)
    return shares.plain(0.1)


def test_the_order_that_finds_more_chooses_more_often():
    assert after(5, 0) == 0.1
    assert after(0, 5) == 0.9
    assert after(1, 1) < 0.7


def test_a_model_is_trusted_at_first_and_what_is_long_ago_is_forgotten():
    assert OrderShares().plain(0.1) == pytest.approx(0.2)
    shares = OrderShares()
    for _ in range(10):
        shares.note(is_plain=False, found=30)
    trusted = shares.plain(0.1)
    for _ in range(60):
        shares.note(is_plain=False, found=0)
    assert trusted == 0.1
    assert shares.plain(0.1) > 0.7


def test_the_plain_order_can_be_left_out():
    shares = OrderShares()
    for _ in range(60):
        shares.note(is_plain=False, found=0)
    assert shares.plain(0.0) == 0.0


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 500))), st.floats(0, 1))
def test_shares_keep_to_their_least_and_to_what_was_kept(notes, least):
    shares = OrderShares()
    for is_plain, found in notes:
        shares.note(is_plain=is_plain, found=found)
    assert OrderShares(shares.to_json()).plain(least) == pytest.approx(shares.plain(least))
    assert min(least, 1 - least) <= max(shares.plain(least), least) <= 1
