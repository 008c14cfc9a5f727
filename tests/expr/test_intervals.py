"""Intervals of terms: every value lies inside, the ends of exact rules are reached, and what is open stays open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import App, Compare, Evaluator, Offset, Var
from pessimal.expr.intervals import Intervals
from tests.profiles import examples

X, Y = Offset(0), Offset(1)
UNARY = ["neg", "abs", "~", "bit_length", "bit_count", "marked"]
BINARY = ["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"]

leaves = st.builds(Offset, st.integers(0, 1), st.integers(-3, 3)) | st.integers(-9, 9)
terms = st.recursive(
    leaves,
    lambda inner: (
        st.builds(lambda op, a: App(op, (a,), "int"), st.sampled_from(UNARY), inner)
        | st.builds(lambda op, a, b: App(op, (a, b), "int"), st.sampled_from(BINARY), inner, inner)
        | st.builds(lambda a, b, c: App("ite", (Compare("<", a, b), b, c), "int"), inner, inner, inner)
        | st.builds(lambda a, b, c: App("table", (a, -1, b, c, 7), "int"), inner, inner, inner)
    ),
    max_leaves=4,
)
ends = st.tuples(st.integers(-20, 20), st.integers(0, 40)).map(lambda pair: (pair[0], sum(pair)))


@examples(400)
@given(terms, ends, ends, st.data())
def test_values_lie_in_the_interval(term, first, second, data):
    interval = Intervals([first, second]).of(term)
    values = [data.draw(st.integers(*first)), data.draw(st.integers(*second))]
    try:
        value = Evaluator(values).term(term)
    except (ZeroDivisionError, ValueError):
        value = None
    if interval is None or value is None:
        assert operations(term) & {"//", "%", "<<", ">>"}
    else:
        assert interval[0] <= value <= interval[1]


def operations(term):
    if not isinstance(term, App):
        return set()
    inner = [arg.left if isinstance(arg, Compare) else arg for arg in term.args]
    return {term.op}.union(*map(operations, inner))


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (7, (7, 7)),
        (Offset(0, 5), (3, 9)),
        (App("+", (X, Y), "int"), (-2, 14)),
        (App("-", (X, Y), "int"), (-12, 4)),
        (App("*", (X, Y), "int"), (-20, 40)),
        (App("neg", (X,), "int"), (-4, 2)),
        (App("abs", (X,), "int"), (0, 4)),
        (App("abs", (Offset(0, -10),), "int"), (6, 12)),
        (App("~", (X,), "int"), (-5, 1)),
        (App("//", (X, 3), "int"), (-1, 1)),
        (App("//", (Y, -3), "int"), (-4, 0)),
        (App("%", (X, 3), "int"), (0, 2)),
        (App("%", (X, -3), "int"), (-2, 0)),
        (App("&", (Y, 6), "int"), (0, 15)),
        (App("^", (X, 6), "int"), (-8, 7)),
        (App("<<", (X, 3), "int"), (-16, 32)),
        (App(">>", (Y, 1), "int"), (0, 5)),
        (App("ite", (Compare("<", X, Y), 100, X), "int"), (-2, 100)),
        (App("table", (X, 0, 3, 1, 4), "int"), (1, 4)),
        (App("+", (App("*", (X, X), "int"), Y), "int"), (-8, 26)),
    ],
)
def test_known_intervals(term, expected):
    assert Intervals([(-2, 4), (0, 10)]).of(term) == expected


@pytest.mark.parametrize(
    "term",
    [
        Offset(2),
        Offset(3),
        Var(0),
        2.5,
        App("+", (X, Offset(2)), "int"),
        App("//", (X, Y), "int"),
        App("%", (Y, X), "int"),
        App("<<", (1, App("-", (X, 3), "int")), "int"),
        App("<<", (1, App("*", (Y, 1000), "int")), "int"),
        App("floor", (Var(0),), "int"),
        App("gcd", (X, Y), "int"),
    ],
)
def test_what_may_be_anything_has_no_interval(term):
    assert Intervals([(-2, 4), (0, 10), (0, None)]).of(term) is None


def test_without_domains_only_constants_have_an_interval():
    assert Intervals().of(X) is None
    assert Intervals().of(App("*", (6, 7), "int")) == (42, 42)


def test_float_domains_are_no_integer_intervals():
    assert Intervals([(0.0, 1.0)]).of(X) is None


def test_a_deep_term_is_followed_without_recursion():
    total = X
    for _ in range(5000):
        total = App("+", (total, 1), "int")
    assert Intervals([(0, 1)]).of(total) == (5000, 5001)
