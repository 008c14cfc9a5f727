"""Sets of values as rows of ranges: exactly the values that satisfy a condition, and nothing but set theory."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import COMPARISONS, App, Compare, Junction, Not, Offset, Var, holds
from pessimal.solve.sets import EVERYTHING, MAX_DEPTH, closest, has, intersect, unary, union
from tests.profiles import examples

X, Y = Offset(0), Offset(1)
WINDOW = range(-25, 26)
OPS = sorted(COMPARISONS)

pairs = st.tuples(st.integers(-12, 12), st.integers(0, 6)).map(lambda pair: (pair[0], sum(pair)))
ends = st.sampled_from([(-math.inf, -8), (9, math.inf), (-math.inf, math.inf)])
rows = st.lists(pairs | pairs | pairs | ends, max_size=5).map(union)


def members(ranges):
    return {n for n in WINDOW if has(ranges, n)}


@examples(400)
@given(rows, rows)
def test_intersections_and_unions_are_those_of_sets(left, right):
    assert members(intersect(left, right)) == members(left) & members(right)
    assert members(union([*left, *right])) == members(left) | members(right)
    assert intersect(left, right) == intersect(right, left)
    assert intersect(left, EVERYTHING) == left
    assert intersect(left, ()) == ()


@examples(400)
@given(st.lists(pairs | ends, max_size=6))
def test_a_union_is_sorted_and_has_gaps_between_its_ranges(ranges):
    row = union(ranges)
    assert all(low <= high for low, high in row)
    assert all(first[1] + 1 < second[0] for first, second in pairwise(row))


@examples(400)
@given(rows, st.integers(-15, 15), st.sets(st.integers(-15, 15), max_size=10))
def test_the_closest_value_is_a_member_that_is_not_taken(ranges, wish, taken):
    found = closest(ranges, wish, taken)
    there = members(ranges) - taken
    if found is None:
        assert not there
    else:
        assert type(found) is int
        assert has(ranges, found) and found not in taken
        assert wish not in there or abs(found) <= abs(wish)


@pytest.mark.parametrize(
    ("ranges", "wish", "taken", "expected"),
    [
        ((), 0, set(), None),
        (((3, 5),), 4, set(), 4),
        (((3, 5),), 9, set(), 5),
        (((3, 5),), 9, {5, 4}, 3),
        (((3, 5),), 0, {3, 4, 5}, None),
        (((-math.inf, -3), (5, math.inf)), 0, set(), -3),
        (((5, math.inf),), 10**400, set(), 10**400),
        (((10**400, math.inf),), 0, {10**400}, 10**400 + 1),
        (((-math.inf, math.inf),), 7, {7}, 6),
    ],
)
def test_known_closest_values(ranges, wish, taken, expected):
    assert closest(ranges, wish, taken) == expected


terms = st.recursive(
    st.builds(Offset, st.just(0), st.integers(-4, 4)) | st.integers(-6, 6),
    lambda inner: (
        st.builds(lambda a, k: App("+", (a, k), "int"), inner, st.integers(-4, 4))
        | st.builds(
            lambda op, k, a, b: App("ite", (Compare(op, Offset(0), k), a, b), "int"),
            st.sampled_from(OPS),
            st.integers(-6, 6),
            inner,
            inner,
        )
    ),
    max_leaves=4,
)
comparisons = st.builds(Compare, st.sampled_from(OPS), terms, st.integers(-8, 8)) | st.builds(
    Compare, st.sampled_from(OPS), st.integers(-8, 8), terms
)
conditions = st.recursive(
    comparisons | st.booleans(),
    lambda inner: (
        st.builds(Not, inner)
        | st.builds(
            lambda op, parts: Junction(op, tuple(parts)),
            st.sampled_from(["and", "or"]),
            st.lists(inner, min_size=1, max_size=3),
        )
    ),
    max_leaves=5,
)


@examples(600)
@given(conditions, st.booleans())
def test_the_set_of_a_condition_is_where_it_holds(condition, want):
    known = unary(condition, want)
    there = {n for n in WINDOW if holds(condition, [n]) is want}
    if known is None:
        assert there in (set(), set(WINDOW))  # no variable takes part
    else:
        assert known.var == 0
        assert members(known.ranges) == there


@pytest.mark.parametrize(
    ("condition", "ranges"),
    [
        (Compare("<", X, 3), ((-math.inf, 2),)),
        (Compare("<=", Offset(0, 2), 3), ((-math.inf, 1),)),
        (Compare("<", 3, X), ((4, math.inf),)),
        (Compare("==", X, 10**400), ((10**400, 10**400),)),
        (Compare("!=", X, 0), ((-math.inf, -1), (1, math.inf))),
        (Junction("and", (Compare(">", X, 3), Compare("<", X, 3))), ()),
        (Junction("or", (Compare("==", X, 3), Compare("==", X, 4))), ((3, 4),)),
        (Compare("==", App("ite", (Compare("<", X, 5), 1, 2), "int"), 2), ((5, math.inf),)),
        (Compare("<", App("+", (X, 10), "int"), 3), ((-math.inf, -8),)),
    ],
)
def test_known_sets(condition, ranges):
    assert unary(condition, True) == (0, ranges)


def deep(depth):
    condition = Compare("<", X, 3)
    for _ in range(depth):
        condition = Not(condition)
    return condition


@pytest.mark.parametrize(
    "condition",
    [
        True,
        Compare("<", X, Y),
        Compare("<", X, 2.5),
        Compare("<", Var(0), 2),
        Junction("and", (Compare("<", X, 3), Compare("<", Y, 3))),
        Compare("<", App("*", (X, 2), "int"), 3),
        Compare("<", App("+", (X, Y), "int"), 3),
        Compare("<", App("ite", (Compare("<", X, Y), 1, 2), "int"), 3),
        deep(MAX_DEPTH + 2),
    ],
)
def test_what_is_not_a_matter_of_one_variable_has_no_set(condition):
    assert unary(condition, True) is None


def test_a_condition_of_bearable_depth_has_a_set():
    assert unary(deep(MAX_DEPTH), True) == (0, ((-math.inf, 2),))
