"""Expressions over columns of samples: each has the value, or the lack of one, that scalar evaluation gives it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import App, BlackBox, Compare, Evaluator, Junction, Not, Offset, Var, bits
from pessimal.expr.batch import Batch
from tests.expressions import LEAVES, conditions

X, Y = Offset(0), Offset(1)
U, V = Var(0), Var(1)
BINARY = ["+", "-", "*", "//", "%", "&", "|", "^"]
integer_terms = st.recursive(
    st.sampled_from([X, Y, Offset(1, 3)]) | st.integers(-5, 5) | st.sampled_from([2**40, -(2**61)]),
    lambda inner: (
        st.builds(lambda op, a, b: App(op, (a, b), "int"), st.sampled_from(BINARY), inner, inner)
        | st.builds(lambda op, a: App(op, (a,), "int"), st.sampled_from(["neg", "abs", "~"]), inner)
        | st.builds(lambda a, k: App(">>", (a, k), "int"), inner, st.integers(0, 70))
        | st.builds(lambda a, k: App("<<", (a, k), "int"), inner, st.integers(0, 70))
    ),
    max_leaves=6,
)
integers = st.lists(st.tuples(st.integers(-9, 9), st.integers(-(2**40), 2**40)), min_size=1, max_size=8)
floats = st.lists(st.tuples(*[st.floats(-1e6, 1e6)] * 2), min_size=1, max_size=8)


def columns(rows, dtype):
    return {place: np.array([row[place] for row in rows], dtype=dtype) for place in range(len(rows[0]))}


def values(node, rows, dtype=np.int64):
    batch = Batch()
    slot = batch.slot(node)
    column, missing = batch.run(columns(rows, dtype))[slot]
    column = np.broadcast_to(column, len(rows))
    missing = np.zeros(len(rows), bool) if missing is None else np.broadcast_to(missing, len(rows))
    return [None if gone else _plain(value) for value, gone in zip(column, missing, strict=True)]


def _plain(value):
    return value.item() if isinstance(value, np.generic) else value


def scalar(node, row):
    try:
        return Evaluator(row).term(node)
    except (ArithmeticError, ValueError):
        return None


@given(integer_terms, integers)
def test_integers_are_exact_however_large_they_become(term, rows):
    if isinstance(term, int):
        return
    assert values(term, rows) == [scalar(term, list(row)) for row in rows]


@given(conditions, st.lists(st.tuples(*[st.integers(-9, 9)] * LEAVES), min_size=1, max_size=6))
def test_conditions_have_the_truth_value_of_each_sample(condition, rows):
    assert values(condition, rows) == [Evaluator(row).condition(condition) for row in rows]


@pytest.mark.parametrize("op", ["+", "-", "*", "/"])
@given(rows=floats)
def test_arithmetic_of_doubles_is_exact(op, rows):
    term = App(op, (App("+", (U, 0.5), "float"), V), "float")
    assert values(term, rows, np.float64) == [scalar(term, row) for row in rows]


@pytest.mark.parametrize("name", ["sin", "cos", "tan", "exp", "log", "sqrt", "atan", "asin", "acosh", "gamma", "erf"])
@given(rows=floats)
def test_functions_agree_with_python_up_to_rounding(name, rows):
    for got, expected in zip(
        values(App(name, (U,), "float"), rows, np.float64),
        [scalar(App(name, (U,), "float"), row) for row in rows],
        strict=True,
    ):
        assert (math.isnan(got) and math.isnan(expected)) or got == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("width", [8, 32, 64])
@pytest.mark.parametrize("op", ["bvadd", "bvmul", "bvxor", "bvudiv", "bvshl", "bvashr"])
def test_bit_vectors_wrap_around_at_their_width(op, width):
    term = bits.signed(bits.apply(op, bits.vector(width, X), bits.vector(width, Y)))
    rows = [(-1, 7), (2**31, 2**31 - 1), (255, 3), (12345678901, 0), (5, 70)]
    assert values(term, rows) == [scalar(term, row) for row in rows]


@pytest.mark.parametrize("digits", [0, 2, 3])
def test_rounding_to_decimals_is_pythons(digits):
    term = App("round", (U, digits), "float")
    rows = [(2.675, 0.0), (0.5, 0.0), (-1.0005, 0.0), (1e17, 0.0)]
    assert values(term, rows, np.float64) == [scalar(term, row) for row in rows]


def test_a_sample_without_a_value_does_not_disturb_the_others():
    term = App("//", (10, X), "int")
    assert values(term, [(3, 0), (0, 0), (-3, 0)]) == [3, None, -4]
    power = App("**", (X, Y), "int")
    assert values(power, [(2, 3), (0, -1), (7, 30)]) == [8, None, 7**30]


def test_a_table_may_have_many_entries():
    term = App("table", (X, 0, *range(100, 356)), "int")
    assert values(term, [(0, 0), (255, 0), (7, 0)]) == [100, 355, 107]


def test_black_boxes_are_called_for_each_sample():
    box = BlackBox("digits", lambda a: len(str(a)) if a >= 0 else 1 / 0)
    assert values(box(X), [(5, 0), (-1, 0), (1234, 0)]) == [1, None, 4]


def test_what_is_repeated_is_computed_once():
    square = App("*", (U, U), "float")
    again = App("*", (Var(0), Var(0)), "float")
    batch = Batch()
    batch.slot(Junction("and", (Compare(">", square, 1), Not(Compare(">", again, 4)))))
    assert batch.steps == 5  # one square, two comparisons, not, and
