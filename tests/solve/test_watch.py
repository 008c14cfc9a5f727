"""Watched conditions: one variable is moved inside all its intervals, and nothing that must hold breaks."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import App, Compare, Evaluator, Offset, Var, holds
from pessimal.expr.linear import linear
from pessimal.solve.difference import Difference
from pessimal.solve.watch import MAX_DEPTH, Watch, Watched
from tests.expressions import OPS
from tests.profiles import examples

X, Y, Z = Offset(0), Offset(1), Offset(2)
COUNT, LOW, HIGH = 3, -3, 4
INPUTS = list(itertools.product(range(LOW, HIGH + 1), repeat=COUNT))
BOUNDS = [(LOW, HIGH)] * COUNT


def watch(values=(0, 0, 0), bounds=BOUNDS):
    difference = Difference(list(values))
    for var, (low, high) in enumerate(bounds):
        if isinstance(values[var], int):
            difference.add(var, difference.zero, high)
            difference.add(difference.zero, var, -low)
    return Watch(difference, Evaluator(difference.values), bounds), difference


def watched(condition, want=True):
    return Watched(condition, want, linear(condition, want))


def total(*factors):
    term = App("*", (X, factors[0]), "int")
    for var, factor in enumerate(factors[1:], 1):
        term = App("+", (term, App("*", (Offset(var), factor), "int")), "int")
    return term


factors = st.sampled_from([-3, -1, 1, 2, 5])
totals = st.builds(total, factors, factors, factors)
sums = st.builds(Compare, st.sampled_from(OPS), totals, st.integers(-9, 9))


@examples(500)
@given(st.lists(sums, max_size=3), sums, st.booleans(), st.sampled_from(INPUTS))
def test_a_repair_makes_the_sum_right_and_breaks_nothing(kept, condition, want, start):
    layer, difference = watch(start)
    literals = [(other, holds(other, start)) for other in kept]
    for other, truth in literals:
        layer.add(watched(other, truth))
    moved = layer.repair(watched(condition, want))
    leaves = tuple(difference.values[:COUNT])
    assert leaves in INPUTS
    assert all(holds(other, leaves) is truth for other, truth in literals)
    if moved:
        assert holds(condition, leaves) is want
        assert sum(now != before for now, before in zip(leaves, start, strict=True)) <= 1
    else:
        assert leaves == start
        # No single variable can be moved so that everything holds: that is what a back-end is then asked for.
        for var, number in itertools.product(range(COUNT), range(LOW, HIGH + 1)):
            other = [*start[:var], number, *start[var + 1 :]]
            assert not (holds(condition, other) is want and all(holds(c, other) is t for c, t in literals))


def test_a_repair_respects_edges_and_disequalities():
    layer, difference = watch((0, 0, 0))
    difference.add(0, 1, 1)  # x <= y + 1
    difference.add_unequal(0, difference.zero, 1)
    difference.add_unequal(1, difference.zero, 4)
    assert layer.repair(watched(Compare("==", total(1, 0, 0), 1))) is False
    assert layer.repair(watched(Compare("==", total(0, 1, 1), 4))) is True
    assert difference.values[:COUNT] == [0, 0, 4]


def test_a_value_with_room_on_both_sides_is_taken():
    layer, difference = watch((0,), [(0, 100)])
    assert layer.repair(watched(Compare(">=", App("*", (X, 2), "int"), 20))) is True
    assert difference.values[0] == 55


def test_only_sums_are_repaired():
    layer, _ = watch()
    square = Compare("==", App("*", (X, X), "int"), 4)
    assert layer.repair(Watched(square, True, None)) is False


def test_what_is_watched_is_found_by_its_variables():
    layer, difference = watch((1, 1, 1))
    assert not layer
    layer.add(watched(Compare("<=", total(1, 1, 0), 2)))
    layer.add(watched(Compare("==", App("*", (Y, Z), "int"), 1)))
    assert layer
    assert layer.intact([0, 1, 2])
    difference.put(1, 2)
    layer._evaluator.changed()
    assert not layer.intact([0]) and not layer.intact([1]) and not layer.intact([2])
    difference.put(1, 1)
    difference.put(2, 2)
    layer._evaluator.changed()
    assert layer.intact([0])
    assert not layer.intact([1]) and not layer.intact([2])
    broken = layer.broken([2])
    assert broken is not None and broken.form is None


def test_a_condition_without_a_value_is_broken():
    layer, difference = watch((1, 0, 0))
    layer.add(watched(Compare("<", App("//", (6, X), "int"), 9)))
    assert layer.intact([0])
    difference.put(0, 0)
    layer._evaluator.changed()
    assert not layer.intact([0])


POWER = App("*", (X, App("*", (X, X), "int")), "int")


@pytest.mark.parametrize(
    ("condition", "want", "found"),
    [
        (Compare("==", POWER, 27), True, [3]),
        (Compare("==", POWER, 26), True, None),
        (Compare("==", POWER, 0), False, [-1, 1]),
        (Compare(">", POWER, 60), True, [4]),
        (Compare("==", App("%", (X, 5), "int"), 3), True, [3, -2]),
    ],
)
def test_a_value_is_searched_for_by_evaluation(condition, want, found):
    layer, difference = watch((0, 0, 0))
    assert layer.search_value(Watched(condition, want, None)) is (found is not None)
    assert difference.values[0] in (found or [0])
    assert difference.values[1:COUNT] == [0, 0]


def test_a_value_that_is_searched_for_breaks_nothing():
    layer, difference = watch((0, 0, 0))
    difference.add_unequal(0, difference.zero, 3)
    layer.add(watched(Compare("<", App("*", (X, Y), "int"), 5)))
    assert layer.search_value(Watched(Compare("==", POWER, 27), True, None)) is False
    assert difference.values[:COUNT] == [0, 0, 0]


def test_floats_are_searched_for_within_their_range():
    bounds = [(-2.0, 1.5)]
    layer, difference = watch((0.0,), bounds)
    square = App("*", (Var(0), Var(0)), "float")
    assert layer.search_value(Watched(Compare("==", square, 4.0), True, None)) is True
    assert difference.values[0] == -2.0
    assert layer.search_value(Watched(Compare(">", square, 4.0), True, None)) is False
    assert layer.search_value(Watched(Compare("==", square, math.inf), True, None)) is False
    assert layer.search_value(Watched(Compare("<", square, math.nan), True, None)) is False


def test_deep_terms_and_other_conditions_are_not_searched():
    layer, _ = watch()
    term = POWER
    for _ in range(MAX_DEPTH + 1):
        term = App("+", (term, 0), "int")
    assert layer.search_value(Watched(Compare("==", term, 27), True, None)) is False
    assert layer.search_value(Watched(True, False, None)) is False
