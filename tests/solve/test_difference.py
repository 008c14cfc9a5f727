"""The order solver: its model satisfies every edge, what it calls infeasible is, and every step can be undone."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.solve.difference import GAP, Difference, nearest
from tests.profiles import examples

COUNT = 3
HIGH = 3
INPUTS = list(itertools.product(range(HIGH + 1), repeat=COUNT))


def bounded():
    """Variables between 0 and 3, all 0, so that every input can be tried."""
    solver = Difference([0] * COUNT)
    for var in range(COUNT):
        solver.add(var, solver.zero, HIGH)
        solver.add(solver.zero, var, 0)
    return solver


def state(solver):
    return list(solver.values), [dict(row) for row in solver.below], [dict(row) for row in solver.above]


def value(leaves, var):
    return leaves[var] if var < COUNT else 0


def true(kind, u, v, c, leaves):
    gap = value(leaves, u) - value(leaves, v)
    return gap <= c if kind == "<=" else gap != c


variables = st.integers(0, COUNT)  # the last one is the constant zero
steps = st.lists(st.tuples(st.sampled_from(["<=", "!="]), variables, variables, st.integers(-4, 4)), max_size=12)


@examples(500)
@given(steps)
def test_verdicts_agree_with_trying_all_inputs(asked):
    solver, kept = bounded(), []
    for kind, u, v, c in asked:
        before = state(solver)
        verdict = solver.tighten(u, v, c) if kind == "<=" else solver.separate(u, v, c)
        there = any(all(true(*step, leaves) for step in [*kept, (kind, u, v, c)]) for leaves in INPUTS)
        assert verdict is None or verdict is there
        if verdict:
            kept.append((kind, u, v, c))
            if kind == "!=":
                solver.add_unequal(u, v, c)
            solver.trail.clear()
        else:
            solver.undo(0)
            assert state(solver) == before
        leaves = solver.values[:COUNT]
        assert solver.values[solver.zero] == 0
        assert tuple(leaves) in INPUTS
        assert all(true(*step, leaves) for step in kept)
        assert solver.consistent(range(COUNT))


@examples(300)
@given(st.lists(st.tuples(variables, variables, st.integers(-4, 4)), max_size=15))
def test_orders_alone_are_settled_completely(edges):
    """Without disequalities there is nothing that the solver does not know."""
    solver, kept = bounded(), []
    for edge in edges:
        there = any(all(true("<=", *step, leaves) for step in [*kept, edge]) for leaves in INPUTS)
        assert solver.tighten(*edge) is there
        if there:
            kept.append(edge)
            solver.trail.clear()
        else:
            solver.undo(0)


@examples(300)
@given(steps, st.integers(0, 6), st.booleans())
def test_steps_are_taken_back_to_any_mark(asked, place, releases):
    """To undo restores values and edges; to release restores the edges and keeps the values."""
    solver, mark, before = bounded(), 0, None
    for number, (kind, u, v, c) in enumerate(asked):
        if number == place:
            mark, before = len(solver.trail), state(solver)
        solver.tighten(u, v, c) if kind == "<=" else solver.separate(u, v, c)
    before = before or state(solver)
    mark = mark if len(asked) > place else len(solver.trail)
    values = list(solver.values)
    moved = set(solver.moved(mark))
    if releases:
        solver.release(mark)
        assert state(solver) == (values, *before[1:])
        assert set(solver.moved(mark)) == moved
    solver.undo(mark)
    assert state(solver) == before
    assert {var for var in range(COUNT) if values[var] != before[0][var]} <= moved


def test_a_variable_is_moved_into_the_gap_between_its_neighbours():
    solver = Difference([0, 10, 20])
    solver.add(0, 1, -1)
    solver.add(1, 2, -1)
    assert solver.tighten(1, solver.zero, 4) is True
    assert solver.values == [0, 2, 20, 0]
    assert solver.moved(0) == [1]


def test_a_variable_without_neighbours_is_moved_far_away():
    solver = Difference([0, 0])
    assert solver.tighten(0, 1, -1) is True
    assert solver.values == [-1 - GAP, 0, 0]
    solver = Difference([0, 0])
    solver.add(solver.zero, 0, 0)
    assert solver.tighten(0, 1, -1) is True
    assert solver.values == [0, 1 + GAP, 0]


def test_changes_are_propagated_where_there_is_no_gap():
    solver = Difference([0, 1, 2])
    for low, high in ((0, 1), (1, 2)):
        solver.add(low, high, -1)
        solver.add(high, low, 1)
    assert solver.tighten(2, solver.zero, 0) is True
    assert solver.values == [-2, -1, 0, 0]


def test_what_hangs_on_zero_is_shifted_and_zero_stays():
    """Lowering the last one drags the constant along, so that all others are raised instead."""
    solver = Difference([5, 5])
    solver.add(solver.zero, 0, -5)
    solver.add(0, 1, 0)
    solver.add(1, 0, 0)
    solver.add(1, solver.zero, 9)
    assert solver.tighten(solver.zero, 1, -7) is True
    assert solver.values[2] == 0
    assert solver.values[0] == solver.values[1]
    assert 7 <= solver.values[0] <= 9


def test_a_negative_cycle_is_infeasible_and_one_of_weight_zero_is_not():
    solver = Difference([0, 1, 2])
    for u, v, c in ((0, 1, -1), (1, 2, -1)):
        assert solver.tighten(u, v, c) is True
    assert solver.tighten(2, 0, 1) is False
    solver.undo(0)
    for u, v, c in ((0, 1, -1), (1, 2, -1), (2, 0, 2)):
        assert solver.tighten(u, v, c) is True


def test_a_variable_compared_with_itself():
    solver = Difference([7])
    assert solver.separate(0, 0, 0) is False
    assert solver.tighten(0, 0, 0) is True
    assert solver.tighten(0, 0, -1) is False
    assert solver.separate(0, 0, 0) is False
    assert solver.separate(0, 0, 1) is True


def test_equal_bounds_leave_no_choice():
    solver = Difference([4])
    solver.add(0, solver.zero, 4)
    solver.add(solver.zero, 0, -4)
    assert solver.interval(0) == (4, 4)
    assert solver.separate(0, solver.zero, 4) is False
    assert solver.tighten(0, solver.zero, 3) is False
    solver.undo(0)
    assert solver.tighten(solver.zero, 0, -4) is True


def test_a_tighter_edge_replaces_a_looser_one_and_not_the_other_way_round():
    solver = Difference([0, 0])
    solver.add(0, 1, 5)
    solver.add(0, 1, 3)
    solver.add(0, 1, 9)
    assert (solver.below[1][0], solver.above[0][1]) == (3, 3)
    assert solver.tighten(0, 1, 7) is True
    assert solver.below[1][0] == 3
    assert solver.trail == []


def test_numbers_of_any_size():
    large = 10**400
    solver = Difference([0, 0])
    assert solver.tighten(solver.zero, 0, -large) is True
    assert solver.tighten(0, 1, -large) is True
    assert solver.values[0] >= large
    assert solver.values[1] >= solver.values[0] + large
    assert solver.tighten(1, solver.zero, 2 * large - 1) is False


def test_disequalities_are_looked_up_from_both_sides():
    solver = Difference([0, 5])
    solver.add_unequal(0, 1, -3)
    solver.add_unequal(0, solver.zero, 7)
    assert solver.forbidden(0) == {2, 7}
    assert solver.forbidden(1) == {3}
    assert solver.excluded(0) == {7}
    assert solver.excluded(1) == set()
    assert solver.excludes(0, 1, -3) and solver.excludes(1, 0, 3)
    assert not solver.excludes(0, 1, 3) and not solver.excludes(1, solver.zero, 0)


@pytest.mark.parametrize(
    ("values", "expected"),
    [([1, 2], True), ([2, 2], False), ([0, 3], False), ([0, 1], False), ([1, 6], False), ([-1, 4], False)],
)
def test_values_from_outside_are_checked_against_all_that_is_known(values, expected):
    """x < y <= 5, x >= 0, y - x is not 3, and y is not 1."""
    solver = Difference(values)
    solver.add(0, 1, -1)
    solver.add(1, solver.zero, 5)
    solver.add(solver.zero, 0, 0)
    solver.add_unequal(1, 0, 3)
    solver.add_unequal(1, solver.zero, 1)
    assert solver.consistent([0, 1]) is expected


def test_disequalities_in_the_way_are_not_a_proof():
    """Three different numbers in 0..1 do not exist, but no edge says so."""
    solver = Difference([0, 1, 0])
    for var in range(3):
        solver.add(var, solver.zero, 1)
        solver.add(solver.zero, var, 0)
    solver.add_unequal(0, 1, 0)
    solver.add_unequal(1, 2, 0)
    assert solver.separate(0, 2, 0) is None


def test_a_new_variable_lies_beyond_zero():
    solver = Difference([])
    first, second = solver.extend(), solver.extend()
    assert (solver.zero, first, second) == (0, 1, 2)
    assert solver.tighten(first, second, -1) is True
    assert solver.tighten(second, first, -1) is False


@examples(400)
@given(
    st.integers(-20, 20),
    st.none() | st.integers(-10, 10),
    st.none() | st.integers(-10, 10),
    st.sets(st.integers(-12, 12), max_size=12),
)
def test_the_nearest_value_is_the_nearest(wish, low, high, taken):
    found = nearest(wish, low, high, taken)
    row = [n for n in range(-60, 61) if (low is None or n >= low) and (high is None or n <= high) and n not in taken]
    clipped = min(max(wish, -60 if low is None else low), 60 if high is None else high)
    if (low is not None and high is not None and low > high) or not row:
        assert found is None
    else:
        assert found in row
        assert abs(found - clipped) == min(abs(n - clipped) for n in row)
