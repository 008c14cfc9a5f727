"""The order of sums: what it forbids is impossible, and it forbids what follows from comparisons alone."""

import itertools
import random

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


@examples(160)
@given(st.lists(st.tuples(comparisons, st.sampled_from([True, False, None]), st.booleans()), max_size=12))
def test_comparisons_of_sums_agree_with_z3(path):
    solver = AuditedSolver([0] * 6, FREE)
    for condition, want, both in path:
        solver.decide(condition, want, both)
    assert (solver.unknown, solver.unchecked) == (0, 0)


SMALL = [(None, None)] * LEAVES
INPUTS = list(itertools.product(range(-2, 3), repeat=LEAVES))


def test_what_is_forbidden_is_infeasible_for_z3():
    """Both where the model goes and where it does not; only what is impossible may be forbidden."""
    forbidden = 0

    @examples(600)
    @given(st.lists(st.tuples(sums | orders, sums | orders), max_size=8), st.lists(st.integers(-5, 5), min_size=LEAVES))
    def check(steps, model):
        nonlocal forbidden
        path, order = [], Sums()
        for kept, asked in steps:
            path.append((kept, holds(kept, model)))
            assert not order.forbid(path, (asked, holds(asked, model)))
            if order.forbid(path, (asked, not holds(asked, model))):
                forbidden += 1
                assert feasible(path, (asked, not holds(asked, model)), SMALL) is False

    check()
    assert forbidden > 20


def test_what_is_forbidden_is_not_found_by_trying_inputs():
    """The same without Z3: a row of sums that are compared again and again, with constants beside them."""
    rng = random.Random(11)
    forbidden = allowed = 0
    for _ in range(100):
        rows = [plus(*rng.sample(range(4), 2), const=rng.randint(-1, 1)) for _ in range(3)]
        model, path, order, left = rng.choice(INPUTS), [], Sums(), INPUTS
        for _ in range(6):
            asked = Compare(rng.choice(OPS), *rng.choices(rows, k=2))
            other = not holds(asked, model)
            there = [leaves for leaves in left if holds(asked, leaves) is other]
            is_forbidden = order.forbid(path, (asked, other))
            assert not (is_forbidden and there)
            forbidden += is_forbidden
            allowed += bool(there)
            path.append((asked, not other))
            left = [leaves for leaves in left if holds(asked, leaves) is not other]
    assert forbidden > 100
    assert allowed > 100


def test_orders_of_sums_without_common_parts_are_settled_completely():
    """Sums of leaves of their own are free numbers, so that what z3 finds infeasible the order forbids.

    Not with disequalities on the path: those order nothing, though with "not larger" they mean "less".
    """
    rows = [plus(2 * i, 2 * i + 1) for i in range(4)]
    settled = dict.fromkeys((True, False), 0)

    @examples(240)
    @given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from(OPS)), min_size=1, max_size=8))
    def check(comparisons):
        path, order, model = [], Sums(), [0, 1, 2, 0, 1, 1, 3, 1]
        for a, b, op in comparisons:
            asked = Compare(op, rows[a], rows[b])
            for want in (True, False) if op not in ("==", "!=") else ():
                truth = feasible(path, (asked, want), [(None, None)] * 8)
                assert order.forbid(path, (asked, want)) is not truth
                settled[truth] += 1
            taken = holds(asked, model)
            if op not in ("==", "!=") or taken is (op == "=="):
                path.append((asked, taken))

    check()
    assert min(settled.values()) > 20


def test_large_constants_and_equal_sums_are_exact():
    large = 10**30
    path = [(Compare("<=", A, plus(2, 3, large)), True)]
    assert Sums().forbid(path, (Compare(">", plus(1, 0, -large), B), True))
    assert not Sums().forbid(path, (Compare(">=", plus(1, 0, -large), B), True))
    assert Sums().forbid([], (Compare("!=", plus(0, 1, large), plus(1, 0, large)), True))
    assert not Sums().forbid([], (Compare("==", plus(0, 1, large), plus(1, 0, large)), True))


def test_bounds_of_a_sum_are_an_order_too():
    path = [(Compare(">=", A, 3), True), (Compare("<=", A, 5), True)]
    order = Sums()
    assert order.forbid(path, (Compare("==", A, 6), True))
    assert order.forbid(path, (Compare("<", A, 3), True))
    assert not order.forbid(path, (Compare("==", A, 4), True))
    path += [(Compare("!=", A, 3), True), (Compare("!=", A, 5), True)]
    assert order.forbid(path, (Compare("==", A, 3), True))
    assert order.forbid(path, (Compare("!=", A, 4), True))
    assert not order.forbid(path, (Compare("==", A, 4), True))
