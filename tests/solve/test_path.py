"""The layers together: exact answers and a model that is always true to the path."""

import itertools
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import App, Compare, Junction, Offset, Var, holds
from pessimal.solve import PathSolver
from pessimal.solve.audit import AuditedSolver
from pessimal.solve.base import admits
from pessimal.solve.path import satisfies
from pessimal.solve.z3 import Z3Solver
from pessimal.trace import Side
from tests.expressions import LEAVES, OPS, conditions, orders
from tests.profiles import examples
from tests.solve.toys import BruteForce, Ignorant

FREE = [(None, None)] * LEAVES
ranges = st.sampled_from([(None, None), (None, None), (0, 5), (None, 3), (-2, None), (0, 1)])
steps = st.lists(st.tuples(conditions, st.sampled_from([True, False, None]), st.booleans()), max_size=10)


def start(bounds):
    return [0 if low is None else max(low, 0) for low, _ in bounds]


@examples(160)
@given(st.lists(ranges, min_size=LEAVES, max_size=LEAVES), steps)
def test_every_answer_agrees_with_z3(bounds, path):
    solver = AuditedSolver(start(bounds), bounds)
    for condition, want, both in path:
        solver.decide(condition, want, both)
    assert (solver.unknown, solver.unchecked) == (0, 0)


@examples(120)
@given(st.lists(st.tuples(orders, st.booleans(), st.booleans()), max_size=25))
def test_orders_agree_with_z3_over_long_paths(path):
    solver = AuditedSolver([0] * LEAVES, FREE)
    for condition, want, both in path:
        solver.decide(condition, want, both)
    assert (solver.unknown, solver.unchecked) == (0, 0)


SMALL = [(-2, 2), (0, 3), (-1, 1), (0, 0)]
INPUTS = list(itertools.product(*(range(low, high + 1) for low, high in SMALL)))


@pytest.mark.parametrize("back_end", [Ignorant, BruteForce, Z3Solver])
def test_every_answer_agrees_with_trying_all_inputs(back_end):
    """With a back-end that knows nothing the layers are on their own; with one that knows all nothing is left open."""
    seen = dict.fromkeys(Side, 0)

    @examples(480)
    @given(st.sampled_from(INPUTS), steps)
    def check(model, path):
        solver, left = PathSolver(model, SMALL, back_end), INPUTS
        for condition, want, _ in path:
            answer = solver.decide(condition, want, probe_other=True)
            taken, side = bool(answer & 1), Side(answer >> 1)
            there = any(holds(condition, leaves) is not taken for leaves in left)
            assert side is Side.UNKNOWN or (side is Side.FEASIBLE) is there
            assert want is None or taken is want or side is not Side.FEASIBLE
            left = [leaves for leaves in left if holds(condition, leaves) is taken]
            assert tuple(solver.leaves) in left
            seen[side] += 1

    check()
    assert min(seen[Side.FEASIBLE], seen[Side.INFEASIBLE]) > 20
    assert seen[Side.UNTRIED] == 0
    assert (seen[Side.UNKNOWN] > 0) is (back_end is Ignorant)


FLOATS = [(-1.0, 1.0), (-1.0, 1.0), (-2, 2)]
VALUES = [-1.0, -0.5, -0.1, -0.0, 0.0, 5e-324, 0.1, 0.2, 0.30000000000000004, 0.5, 1.0]
MIXED = list(itertools.product(VALUES, VALUES, range(-2, 3)))
leaf = st.sampled_from([Var(0), Var(1), Offset(2), Offset(2, 1)])
constant = st.sampled_from([0.5, 0.1, -0.0, 0, 1, 2.5, math.inf, -math.inf, math.nan])
computed = st.builds(
    lambda op, a, b: App(op, (a, b), "float"),
    st.sampled_from("+-*"),
    st.sampled_from([Var(0), Var(1)]),
    leaf | constant,
)
mixed = st.builds(Compare, st.sampled_from(OPS), leaf | leaf | constant | computed, leaf | constant)
mixed_conditions = mixed | st.builds(
    lambda op, *parts: Junction(op, parts), st.sampled_from(["and", "or"]), mixed, mixed
)
mixed_paths = st.lists(st.tuples(mixed_conditions, st.sampled_from([True, False, None])), max_size=4)


@pytest.mark.parametrize("back_end", [Ignorant, lambda: Z3Solver(20_000)], ids=["alone", "z3"])
def test_floats_and_integers_together_agree_with_trying_many_inputs(back_end):
    """What is found is exact, in range and of the right types; what is infeasible is not among many inputs."""
    seen = dict.fromkeys(Side, 0)

    @examples(240)
    @given(st.sampled_from(MIXED), mixed_paths)
    def check(model, path):
        solver, left = PathSolver(model, FLOATS, back_end), MIXED
        for condition, want in path:
            answer = solver.decide(condition, want, probe_other=True)
            taken, side = bool(answer & 1), Side(answer >> 1)
            assert side is not Side.INFEASIBLE or not any(holds(condition, leaves) is not taken for leaves in left)
            left = [leaves for leaves in left if holds(condition, leaves) is taken]
            assert satisfies(solver.leaves, solver.path)
            assert all(admits(*pair, pair[1]) for pair in zip(FLOATS, solver.leaves, strict=True))
            assert list(map(type, solver.leaves)) == [float, float, int]
            seen[side] += 1

    check()
    assert seen[Side.FEASIBLE] > 10
    assert seen[Side.INFEASIBLE] > 10


def no_back_end():
    raise AssertionError("order conditions must not need a back-end")


def test_pure_orders_never_need_a_back_end():
    n = 40
    rng = random.Random(7)
    solver = PathSolver([0] * n, [(None, None)] * n, no_back_end)
    for _ in range(3000):
        a, b = rng.sample(range(n), 2)
        op = rng.choice(["<", "<=", ">", ">=", "=="])
        solver.decide(Compare(op, Offset(a), Offset(b)), op == "==" or rng.random() < 0.5)
    assert satisfies(solver.leaves, solver.path)


def test_a_cycle_of_strict_orders_is_infeasible():
    solver = PathSolver([0, 0, 0], [(None, None)] * 3, no_back_end)
    assert solver.decide(Compare("<", Offset(0), Offset(1)), True) & 1
    assert solver.decide(Compare("<", Offset(1), Offset(2)), True) & 1
    answer = solver.decide(Compare("<", Offset(2), Offset(0)), True)
    assert not answer & 1
    assert answer >> 1 == Side.INFEASIBLE


def test_distinct_values_in_a_small_range_run_out():
    """Three variables in 0..1 cannot differ pairwise: a case for the back-end, since no order says it."""
    bounds = [(0, 1)] * 3
    solver = PathSolver([0, 0, 0], bounds, Z3Solver)
    pairs = list(itertools.combinations(range(3), 2))
    answers = [solver.decide(Compare("!=", Offset(a), Offset(b)), True) for a, b in pairs]
    assert [answer & 1 for answer in answers] == [1, 1, 0]
    assert answers[2] >> 1 == Side.INFEASIBLE


def test_text_equality_is_one_condition_with_all_its_characters():
    bounds = [(0, 0x10FFFF)] * 3
    solver = PathSolver([97, 97, 97], bounds, no_back_end)
    word = Junction("and", tuple(Compare("==", Offset(i), ord(c)) for i, c in enumerate("xyz")))
    assert solver.decide(word, True) & 1
    assert "".join(map(chr, solver.leaves)) == "xyz"
    assert solver.decide(Compare("!=", Offset(1), ord("y")), True) >> 1 == Side.INFEASIBLE


def test_bounds_and_float_constants_are_exact():
    solver = PathSolver([0], [(None, None)], no_back_end)
    assert solver.decide(Compare("<", Offset(0), 2.5), True) & 1
    assert solver.decide(Compare(">", Offset(0), 1.5), True) & 1
    assert solver.leaves == [2]
    assert solver.decide(Compare("<", Offset(0), float("inf")), False) >> 1 == Side.INFEASIBLE
    assert solver.decide(Compare("==", Offset(0), 2.5), True) >> 1 == Side.INFEASIBLE


def test_a_sum_is_repaired_or_refused_exactly():
    bounds = [(0, None)] * 3
    solver = PathSolver([0, 0, 0], bounds, Z3Solver)
    total = App("+", (App("+", (Offset(0), Offset(1)), "int"), Offset(2)), "int")
    assert solver.decide(Compare("==", total, 10), True) & 1
    assert sum(solver.leaves) == 10
    assert solver.decide(Compare(">", Offset(1), 10), True) >> 1 == Side.INFEASIBLE


def test_floats_are_checked_exactly():
    """0.1 + x == 0.3 is not solved by 0.2, which reals suggest: the model must hold in doubles."""
    assert 0.2 + 0.1 != 0.3
    for back_end in (Z3Solver, Ignorant):
        solver = PathSolver([0.0], [(None, None)], back_end)
        assert solver.decide(Compare("==", App("+", (Var(0), 0.1), "float"), 0.3), True) == 1
        assert solver.leaves[0] + 0.1 == 0.3


@pytest.mark.parametrize("back_end", [Z3Solver, lambda: Z3Solver(20_000), Ignorant])
def test_what_only_reals_can_be_is_never_taken(back_end):
    """One real number times 2.9 is 0.1, but no double is that number."""
    bounds = [(0.03448275862068965, 0.03448275862068966)]
    solver = PathSolver([bounds[0][0]], bounds, back_end)
    answer = solver.decide(Compare("==", App("*", (Var(0), 2.9), "float"), 0.1), True)
    assert answer in (2 * Side.UNKNOWN, 2 * Side.INFEASIBLE)
    assert solver.leaves == [bounds[0][0]]


def test_a_sum_of_floats_that_rounds_is_found_where_reals_see_nothing():
    solver = PathSolver([1e-20], [(0.0, 1e-20)], Z3Solver)
    assert solver.decide(Compare(">", Var(0), 0.0), None) == 1
    assert solver.decide(Compare("==", App("+", (Var(0), 1.0), "float"), 1.0), None) == 1
    assert solver.decide(Compare("<", Var(0), 1e-30), True) == 1
    assert 0 < solver.leaves[0] < 1e-30


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_both_zeros_are_equal_and_copysign_tells_them_apart(zero):
    solver = PathSolver([zero], [(-1.0, 1.0)], Ignorant)
    assert solver.decide(Compare("==", Var(0), 0.0), None) == 1
    assert solver.decide(Compare("<", Var(0), -0.0), None) == 0
    sign = App("copysign", (1.0, Var(0)), "float")
    assert solver.decide(Compare("<", sign, 0.0), None) == (math.copysign(1, zero) < 0)
    assert math.copysign(1, solver.leaves[0]) == math.copysign(1, zero)


def test_nothing_compares_with_not_a_number():
    solver = PathSolver([0.0, 0], [(None, None)] * 2, Z3Solver)
    for term in (Var(0), Offset(1)):
        for op in OPS:
            condition = Compare(op, term, math.nan)
            assert solver.decide(condition, None, probe_other=True) == (op == "!=") + 2 * Side.INFEASIBLE


def test_integers_of_any_size():
    large = 10**40
    solver = PathSolver([0, 0], [(None, None)] * 2, no_back_end)
    assert solver.decide(Compare(">", Offset(0), large), True) == 1
    assert solver.decide(Compare(">", Offset(1), Offset(0, large)), True) == 1
    assert solver.decide(Compare("<", Offset(1), 2 * large), True) == 2 * Side.INFEASIBLE
    assert solver.leaves[1] > 2 * large


def test_equal_bounds_settle_everything():
    solver = PathSolver([7, 7], [(7, 7)] * 2, no_back_end)
    for condition in (Compare("<", Offset(0), 8), Compare("==", Offset(0), Offset(1)), Compare("!=", Offset(0), 6)):
        assert solver.decide(condition, None, probe_other=True) == 1 + 2 * Side.INFEASIBLE
        assert solver.decide(condition, False) == 1 + 2 * Side.INFEASIBLE


def test_what_is_assumed_is_kept_or_refused():
    solver = PathSolver([0], [(0, 9)], Ignorant)
    assert solver.assume(Compare(">", Offset(0), 4), True) is True
    assert solver.leaves[0] > 4
    assert solver.assume(Compare("<", Offset(0), 3), True) is False
    square = App("*", (Offset(0), Offset(0)), "int")
    assert solver.assume(Compare("==", square, 7), True) is None
    assert satisfies(solver.leaves, solver.path)


def test_a_constant_condition_has_one_outcome():
    solver = PathSolver([0], [(0, 9)], no_back_end)
    assert solver.decide(True, None, probe_other=True) == 1 + 2 * Side.INFEASIBLE
    assert solver.decide(False, True) == 2 * Side.INFEASIBLE
    assert solver.decide(Compare("<", 1, 2), False) == 1 + 2 * Side.INFEASIBLE


def test_float_orders_are_settled_both_ways():
    bounds = [(0.0, 1.0)] * 2
    solver = PathSolver([0.0, 0.0], bounds, Z3Solver)
    assert solver.decide(Compare("<", Var(0), Var(1)), True) & 1
    assert 0 <= solver.leaves[0] < solver.leaves[1] <= 1
    assert solver.decide(Compare(">", Var(0), 1.5), True) >> 1 == Side.INFEASIBLE


def test_what_cannot_be_translated_is_unknown_and_not_infeasible():
    bounds = [(None, None)] * 2
    solver = PathSolver([1, 2], bounds, Z3Solver)
    power = App("**", (Offset(0), Offset(1)), "int")
    answer = solver.decide(Compare("==", power, 12345), True)
    assert answer == 0 + 2 * Side.UNKNOWN


def test_bit_operations_are_solved_within_a_machine_word_and_proved_only_without_them():
    bounds = [(None, None)]
    solver = PathSolver([0], bounds, Z3Solver)
    assert solver.decide(Compare("==", App("^", (Offset(0), 0x1234), "int"), 0x4321), True) & 1
    assert solver.leaves == [0x1234 ^ 0x4321]
    for mask, impossible, side in ((0xF0, 0x0F, Side.UNKNOWN), (0x0F, 0xF0, Side.INFEASIBLE)):
        fresh = PathSolver([0], bounds, Z3Solver)
        assert fresh.decide(Compare("==", App("&", (Offset(0), mask), "int"), impossible), True) >> 1 == side
