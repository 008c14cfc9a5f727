"""Functions in expressions: total, translated as they are computed, and found by looking."""

import math

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import App, Compare, Evaluator, Offset, Var, show
from pessimal.expr.functions import REAL
from pessimal.expr.smt import Translator
from pessimal.solve import PathSolver
from tests.profiles import examples

QUARTER = App("/", (Offset(0), 4), "float")
TERMS = [
    App("floor", (QUARTER,), "int"),
    App("ceil", (QUARTER,), "int"),
    App("round", (QUARTER,), "int"),
    App("int", (QUARTER,), "int"),
    App("round", (Offset(0), -1), "int"),
    App("bit_length", (Offset(0),), "int"),
    App("bit_count", (Offset(0),), "int"),
    App("gcd", (Offset(0), 12), "int"),
    App("isqrt", (App("abs", (Offset(0),), "int"),), "int"),
    App("table", (Offset(0), -3, 1, 1, 2, 6, 24), "int"),
    App("**", (Offset(0), 11), "int"),
    App("floor", (App("//", (QUARTER, 1.5), "float"),), "int"),
    App("floor", (App("fmod", (QUARTER, 1.5), "float"),), "int"),
]


@examples(150)
@given(st.sampled_from(TERMS), st.integers(-50, 50))
def test_translated_functions_compute_what_python_computes(term, x):
    translator = Translator()
    solver = z3.Solver()
    result = z3.Int("result")
    solver.add(result == translator.term(term), translator.variable(0, "int") == x, *translator.definitions())
    solver.add(*translator.assumptions(Compare("==", term, 0)))
    assert solver.check() == z3.sat
    assert solver.model()[result].as_long() == Evaluator([x]).term(term)


@pytest.mark.parametrize("op", sorted(REAL))
def test_functions_are_total(op):
    for x in (-1e308, -1.0, -0.0, 0.0, 0.5, 1e308, math.inf):
        for args in ((x,), (x, -0.5)):
            try:
                assert isinstance(REAL[op](*args), float)
            except (TypeError, ValueError):
                continue  # not this number of arguments


def test_functions_are_shown_as_calls():
    assert show(App("sqrt", (Offset(0),), "float")) == "sqrt(x[0])"
    assert show(App("bit_length", (Offset(0),), "int")) == "x[0].bit_length()"
    assert show(App("table", (Offset(0), 2, 5, 7), "int")) == "(5, 7)[x[0] - 2]"


def no_back_end():
    raise AssertionError("what is monotone in one variable must not need a back-end")


@pytest.mark.parametrize(
    ("condition", "leaf", "bounds"),
    [
        (Compare("==", App("log2", (Offset(0),), "float"), 20.0), 1, (1, None)),
        (Compare(">", App("exp", (Var(0),), "float"), 1e6), 0.0, (None, 100.0)),
        (Compare("==", App("**", (Offset(0), 7), "int"), 77**7), 0, (None, None)),
        (Compare("==", App("round", (Var(0), 2), "float"), 7.77), 0.0, (0.0, 10.0)),
        (Compare("==", App("%", (Offset(0), 10), "int"), 7), 20, (20, 40)),
    ],
)
def test_one_variable_is_sought_within_its_range(condition, leaf, bounds):
    solver = PathSolver([leaf], [bounds], no_back_end)
    assert solver.decide(condition, True) & 1
    low, high = bounds
    assert (low is None or low <= solver.leaves[0]) and (high is None or solver.leaves[0] <= high)
