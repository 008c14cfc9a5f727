"""The order of sums: what it forbids is impossible, and it forbids what follows from comparisons alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import App, Compare, Offset, holds
from pessimal.solve.audit import AuditedSolver, feasible
from pessimal.solve.path import PathSolver
from pessimal.solve.sums import Sums
from pessimal.trace import Side
from tests.expressions import LEAVES, OPS, orders, sums
from tests.profiles import examples

FREE = [(None, None)] * 6


def plus(a, b, const=0):
    return App("+", (Offset(a, const), Offset(b)), "int")


A, B, C = plus(0, 1), plus(2, 3), plus(4, 5)


def no_back_end():
    raise AssertionError("the order of the sums is enough")


@pytest.mark.parametrize(
    ("path", "extra"),
    [
        ([(Compare("<", A, B), True), (Compare("<", B, C), True)], (Compare("<", C, A), True)),
        ([(Compare("<=", A, B), True), (Compare("<=", B, C), True)], (Compare("<", C, A), True)),
        ([(Compare("<", A, B), True)], (Compare("==", A, B), True)),
        ([(Compare("==", A, B), True)], (Compare("==", B, A), False)),
        ([(Compare("==", A, B), False)], (Compare("==", B, A), True)),
        ([(Compare("==", A, B), False), (Compare("<", A, B), False)], (Compare("<=", A, B), True)),
        ([(Compare(">=", A, B), True), (Compare("!=", A, B), True)], (Compare("<=", A, B), True)),
        ([(Compare("!=", A, B), True)], (Compare(">=", plus(0, 1, 1), plus(2, 3, 1)), False)),
        ([(Compare(">", A, 5), True)], (Compare("<", plus(1, 0), 6), True)),
        ([], (Compare("<", A, plus(1, 0)), True)),
    ],
)
def test_what_comparisons_alone_exclude_is_forbidden(path, extra):
    is_forbidden = Sums().forbid(path, extra)
    assert is_forbidden == (not feasible(path, extra, FREE))


@pytest.mark.parametrize("op", ["<", "<=", ">", ">=", "==", "!="])
def test_what_follows_only_from_what_sums_are_made_of_is_not_known(op):
    path = [(Compare("<", Offset(0), Offset(2)), True), (Compare("<", Offset(1), Offset(3)), True)]
    assert not Sums().forbid(path, (Compare(op, A, B), False))


def test_floats_and_products_are_left_to_others():
    square = App("*", (Offset(0), Offset(0)), "int")
    assert not Sums().forbid([(Compare("<", square, 0.5), True)], (Compare(">", square, 1.5), True))


def test_a_sorted_row_of_sums_needs_no_back_end():
    solver = PathSolver([0, 0, 1, 1, 2, 2], FREE, no_back_end)
    for smaller, larger in ((A, B), (B, C)):
        assert solver.decide(Compare("<", smaller, larger), None) == 1
    assert solver.decide(Compare("<", C, A), True) == 2 * Side.INFEASIBLE
    assert solver.decide(Compare("<", A, C), None, probe_other=True) == 1 + 2 * Side.INFEASIBLE


terms = st.one_of(
    st.builds(plus, st.integers(0, 5), st.integers(0, 5), st.integers(-2, 2)),
    st.builds(Offset, st.integers(0, 5), st.integers(-2, 2)),
    st.integers(-3, 3),
)
comparisons = st.builds(Compare, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), terms, terms)


@examples(200)
@given(st.lists(st.tuples(comparisons, st.sampled_from([True, False, None]), st.booleans()), max_size=12))
def test_comparisons_of_sums_agree_with_z3(path):
    solver = AuditedSolver([0] * 6, FREE)
    for condition, want, both in path:
        solver.decide(condition, want, both)


SMALL = [(None, None)] * LEAVES


@examples(300)
@given(st.lists(st.tuples(sums | orders, sums | orders), max_size=8), st.lists(st.integers(-5, 5), min_size=LEAVES))
def test_what_is_forbidden_is_infeasible_for_z3(steps, model):
    path, order = [], Sums()
    for kept, asked in steps:
        path.append((kept, holds(kept, model)))
        for want in (True, False):
            if order.forbid(path, (asked, want)):
                assert not feasible(path, (asked, want), SMALL)
                assert holds(asked, model) is not want


@examples(100)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from(OPS)), min_size=1, max_size=8))
def test_orders_of_sums_without_common_parts_are_settled_completely(comparisons):
    """Sums of leaves of their own are free numbers, so that what z3 finds infeasible the order forbids.

    Not with disequalities on the path: those order nothing, though with "not larger" they mean "less".
    """
    rows = [plus(2 * i, 2 * i + 1) for i in range(4)]
    path, order, model = [], Sums(), [0, 1, 2, 0, 1, 1, 3, 1]
    for a, b, op in comparisons:
        asked = Compare(op, rows[a], rows[b])
        if op not in ("==", "!="):
            for want in (True, False):
                settled = feasible(path, (asked, want), [(None, None)] * 8)
                assert order.forbid(path, (asked, want)) is not settled
        taken = holds(asked, model)
        if op not in ("==", "!=") or taken is (op == "=="):
            path.append((asked, taken))
