"""Expressions as JSON and back: the same to the letter, shared parts once, and what is wrong is told."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import App, BlackBox, Compare, Evaluator, Junction, Not, Offset, Var, holds, show
from pessimal.expr.bits import apply, compare, vector
from pessimal.expr.json import from_json, to_json
from tests.expr.vectors import vector_conditions
from tests.expressions import LEAVES, conditions
from tests.profiles import examples

vectors = st.lists(st.integers(-6, 6), min_size=LEAVES, max_size=LEAVES)


def through_text(expressions, functions=None):
    return from_json(json.loads(json.dumps(to_json(expressions), allow_nan=False)), functions)


@examples(100)
@given(st.lists(conditions | vector_conditions, max_size=4), vectors)
def test_conditions_come_back_as_they_were(asked, leaves):
    back = through_text(asked)
    assert list(map(show, back)) == list(map(show, asked))
    assert [holds(condition, leaves) for condition in back] == [holds(condition, leaves) for condition in asked]
    assert to_json(back) == to_json(asked)


@pytest.mark.parametrize(
    "term",
    [
        0,
        -(10**400),
        True,
        False,
        Offset(3, -7),
        Var(2),
        App("sqrt", (Var(0),), "float"),
        App("ite", (Compare("<", Var(0), 0.5), 1, Offset(0)), "int"),
        App("table", (Offset(0), 2, 5, 7), "int"),
        Not(Junction("or", (Compare("!=", Offset(0), 1), True))),
        compare("<=", apply("bvmul", vector(8, Offset(0)), 3), -1, is_signed=True),
    ],
    ids=lambda term: show(term)[:40],
)
def test_every_kind_of_node(term):
    (back,) = through_text([term])
    assert type(back) is type(term)
    assert show(back) == show(term)
    assert getattr(back, "sort", None) == getattr(term, "sort", None)


@pytest.mark.parametrize("value", [0.0, -0.0, 0.1, 5e-324, 1.7976931348623157e308, math.inf, -math.inf, math.nan])
def test_floats_are_kept_to_the_last_bit(value):
    (back,) = through_text([value])
    assert back == value or (math.isnan(back) and math.isnan(value))
    assert math.copysign(1, back) == math.copysign(1, value)


def test_what_is_shared_is_written_once_and_deep_terms_need_no_recursion():
    total = Offset(0)
    for _ in range(5000):
        total = App("+", (total, total), "int")
    data = to_json([total, Compare("<", total, 5)])
    assert len(data["nodes"]) == 5003
    back, condition = from_json(data)
    assert condition.left is back
    assert Evaluator([1]).term(back) == 2**5000


def test_a_black_box_is_written_by_its_name():
    box = BlackBox("checksum", lambda a, b: (a * 31 + b) % 97)
    term = box(Offset(0), 4)
    assert ["function", "checksum"] in to_json([term])["nodes"]
    (back,) = through_text([term], {"checksum": lambda a, b: a + b})
    assert Evaluator([5]).term(back) == 9
    with pytest.raises(ValueError, match="unknown name 'checksum'"):
        through_text([term])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "these are not expressions"),
        ({"nodes": [5], "roots": []}, "these are not expressions"),
        ({"nodes": [["int", 1]], "roots": [1]}, "refers to number 1 of 1"),
        ({"nodes": [["int", 1]], "roots": [-1]}, "refers to number -1 of 1"),
        ({"nodes": [["not", [0]]], "roots": [0]}, "refers to number 0 of 0"),
        ({"nodes": [["int", 1], ["app", "explode", "int", [0]]], "roots": [1]}, "unknown name 'explode'"),
        ({"nodes": [["int", 1], ["app", "neg", "complex", [0]]], "roots": [1]}, "'complex' is not a sort"),
        ({"nodes": [["int", 1], ["compare", "=", [0, 0]]], "roots": [1]}, "unknown name '='"),
        ({"nodes": [["int", 1], ["compare", "<", [0]]], "roots": [1]}, "not enough values"),
        ({"nodes": [["bool", True], ["junction", "xor", [0]]], "roots": [1]}, "unknown name 'xor'"),
        ({"nodes": [["int", "1"]], "roots": [0]}, "'1' is not an integer"),
        ({"nodes": [["leaf", 0, 1.5]], "roots": [0]}, "1.5 is not an integer"),
        ({"nodes": [["text", "a"]], "roots": [0]}, "'a' is not an integer"),
        ({"nodes": [["text", 1]], "roots": [0]}, "'text' is not a kind of expression"),
        ({"nodes": [["float", "much"]], "roots": [0]}, "hex"),
    ],
)
def test_what_is_not_an_expression_is_refused(data, message):
    with pytest.raises(ValueError, match=message):
        from_json(data)


def test_what_is_not_an_expression_is_not_written():
    with pytest.raises(ValueError, match="'text' is not part of an expression"):
        to_json([Compare("==", Offset(0), "text")])
