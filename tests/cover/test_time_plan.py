"""How a budget is shared: writing gets the time that it is going to need on this machine, within limits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.covering.time_plan import (
    CASE_SECONDS,
    LEAST_WRITING,
    LONGEST_REFINING,
    MOST_WRITING,
    PROCESSES,
    Observed,
    TimePlan,
    Watch,
)
from pessimal.covering.turns import DRAW_SECONDS, FIRST_DRAWS, FLIP_SECONDS, MOST_DRAWS, Turns


def plan(whole=60.0, start=0.5, writes=True):
    return TimePlan(whole, 1000.0, start, writes)


def test_writing_gets_what_processes_and_cases_are_going_to_take():
    seen = Observed(opened=2.0, cases=100, slowdown=1.5)
    assert plan().writing(seen) == 0.5 + PROCESSES * 2.0 + CASE_SECONDS * 100 * 1.5
    assert plan(writes=False).writing(seen) == 0.0


def test_a_quiet_machine_leaves_most_of_the_time_to_the_search():
    assert plan().writing(Observed()) == LEAST_WRITING * 60
    assert plan(whole=600.0).refining(Observed()) == LONGEST_REFINING


@given(st.floats(0.5, 1000), st.floats(0, 100), st.floats(0, 1000), st.integers(0, 10_000), st.floats(1, 100))
def test_the_search_always_has_a_part_and_ends_in_time(whole, start, opened, cases, slowdown):
    seen = Observed(opened, cases, slowdown)
    ends = plan(whole, start).search_ends_at(seen)
    assert ends <= 1000.0 - LEAST_WRITING * whole
    assert ends >= 1000.0 - whole * (MOST_WRITING + 0.24) - 1e-6
    assert ends <= plan(whole, start).search_ends_at(Observed())


def test_a_watch_knows_how_long_opening_took():
    watch = Watch()
    assert watch.observed(3).opened == 0.0
    watch.opened()
    seen = watch.observed(3)
    assert seen.opened > 0.0
    assert seen.cases == 3
    assert seen.slowdown >= 1.0


def test_flips_that_find_nothing_wait_only_while_drawing_finds():
    turns = Turns()
    assert turns.draw_seconds == FIRST_DRAWS * DRAW_SECONDS
    for _ in range(5):
        turns.took(drawn=3, flipped=0, flip_seconds=FLIP_SECONDS)
    assert turns.draw_seconds == MOST_DRAWS * DRAW_SECONDS
    turns.took(drawn=3, flipped=1, flip_seconds=FLIP_SECONDS)
    assert turns.draw_seconds == DRAW_SECONDS
    turns.took(drawn=3, flipped=0, flip_seconds=FLIP_SECONDS)
    assert turns.draw_seconds == 2 * DRAW_SECONDS
    turns.took(drawn=0, flipped=0, flip_seconds=FLIP_SECONDS)
    assert turns.draw_seconds == pytest.approx(DRAW_SECONDS)


def test_flips_that_take_long_owe_drawing_its_share():
    turns = Turns()
    turns.took(drawn=0, flipped=0, flip_seconds=4.0)
    assert turns.draw_seconds == pytest.approx(6.0)
    turns.took(drawn=0, flipped=2, flip_seconds=4.0)
    assert turns.draw_seconds == DRAW_SECONDS
