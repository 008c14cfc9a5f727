"""Expressions: exact evaluation, distances, linear forms, translation."""

import math

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import App, Compare, Evaluator, Junction, Not, Offset, Var, distances, holds, show, variables
from pessimal.expr.linear import linear
from pessimal.expr.reals import Untranslatable
from pessimal.expr.smt import Translator
from tests.expressions import LEAVES, conditions, linear_terms, sums
from tests.profiles import examples

vectors = st.lists(st.integers(-6, 6), min_size=LEAVES, max_size=LEAVES)


def test_a_deep_accumulator_is_evaluated_and_translated_without_recursion():
    total = Offset(0)
    for _ in range(5000):
        total = App("+", (total, Offset(1)), "int")
    assert Evaluator([1, 2]).term(total) == 10_001
    assert z3.is_int(Translator().term(total))
    assert variables(total) == {0, 1}


def test_memoised_values_follow_the_model():
    model = [1, 2]
    evaluator = Evaluator(model)
    term = App("*", (Offset(0), Offset(1, 1)), "int")
    assert evaluator.term(term) == 3
    model[0] = 10
    evaluator.changed()
    assert evaluator.term(term) == 30


@examples(200)
@given(conditions, vectors)
def test_exactly_one_distance_is_zero(condition, leaves):
    to_false, to_true = distances(condition, leaves)
    assert (to_true == 0) is holds(condition, leaves)
    assert (to_false == 0) is not holds(condition, leaves)


@examples(200)
@given(conditions, vectors)
def test_the_text_of_a_condition_is_python_that_says_the_same(condition, leaves):
    assert eval(show(condition), {"x": leaves}) is holds(condition, leaves)


def test_leaves_are_called_by_their_names():
    total = App("+", (Offset(0), App("neg", (Offset(1, -2),), "int")), "int")
    assert show(Compare("<=", total, 7), ["a", "b"]) == "((a + (-(b - 2))) <= 7)"
    assert show(App("ite", (Compare("<", Var(0), 0.5), 1, 0), "int")) == "(1 if (x[0] < 0.5) else 0)"


@pytest.mark.parametrize(
    ("condition", "leaves", "expected"),
    [
        (Compare("<", Offset(0), 10), [14], (0.0, 5.0)),
        (Compare("==", Offset(0), 10), [14], (0.0, 5.0)),
        (Compare("!=", Offset(0), 10), [14], (5.0, 0.0)),
        (Junction("and", (Compare("==", Offset(0), 1), Compare("==", Offset(1), 1))), [3, 4], (0.0, 7.0)),
        (Junction("or", (Compare("==", Offset(0), 1), Compare("==", Offset(1), 1))), [3, 4], (0.0, 3.0)),
        (Not(Compare("<", Offset(0), 10)), [14], (5.0, 0.0)),
        (Compare("<", Var(0), math.nan), [1.0], (0.0, math.inf)),
    ],
)
def test_known_distances(condition, leaves, expected):
    assert distances(condition, leaves) == expected


@examples(300)
@given(sums, st.booleans(), vectors)
def test_the_linear_form_says_the_same(condition, want, leaves):
    form = linear(condition, want)
    value = sum(k * leaves[var] for var, k in form.coefficients.items()) + form.const
    said = {"<=": value <= 0, "==": value == 0, "!=": value != 0}[form.op]
    assert said is (holds(condition, leaves) is want)


@examples(300)
@given(
    linear_terms,
    st.sampled_from(["<", "<=", ">", ">=", "==", "!="]),
    st.sampled_from([2.5, -1.0, 0.0, 3.0, math.inf, -math.inf, math.nan]),
    st.booleans(),
    st.booleans(),
    vectors,
)
def test_the_linear_form_with_a_float_constant_says_the_same(term, op, bound, flipped, want, leaves):
    condition = Compare(op, bound, term) if flipped else Compare(op, term, bound)
    form = linear(condition, want)
    if form is None:
        return
    value = sum(k * leaves[var] for var, k in form.coefficients.items()) + form.const
    said = {"<=": value <= 0, "==": value == 0, "!=": value != 0}[form.op]
    assert said is (holds(condition, leaves) is want)


@examples(150)
@given(
    st.sampled_from(["+", "-", "*", "//", "%", "**", "neg", "abs", "<<", ">>", "&", "|", "^"]),
    st.integers(-9, 9),
    st.integers(-9, 9),
)
def test_translated_operations_compute_what_python_computes(op, a, b):
    if op in ("//", "%") and b == 0:
        return
    b = {
        "**": abs(b) % 5,
        "<<": abs(b) % 5,
        ">>": abs(b) % 5,
    }.get(op, b)
    args = (Offset(0),) if op in ("neg", "abs") else (Offset(0), b)
    node = App(op, args, "int")
    translator = Translator()
    solver = z3.Solver()
    result = z3.Int("result")
    solver.add(result == translator.term(node), translator.variable(0, "int") == a)
    solver.add(*translator.assumptions(Compare("==", node, 0)))
    assert solver.check() == z3.sat
    assert solver.model()[result].as_long() == Evaluator([a]).term(node)


def test_an_operation_without_counterpart_is_refused():
    with pytest.raises(Untranslatable):
        Translator().term(App("**", (Offset(0), Offset(1)), "int"))


@pytest.mark.parametrize("op", ["<", "<=", ">", ">=", "==", "!="])
@pytest.mark.parametrize("ieee", [True, False])
def test_comparisons_of_constants_are_those_of_python(op, ieee):
    numbers = [0, 1, 2**53 + 1, 0.0, -0.0, 0.5, 2.0**53, math.inf, -math.inf, math.nan]
    for left in numbers:
        for right in numbers:
            condition = Compare(op, left, right)
            assert z3.is_true(Translator(ieee).condition(condition)) is holds(condition, [])
