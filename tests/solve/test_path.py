"""The layers together: exact answers and a model that is always true to the path."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import App, Compare, Junction, Offset, Var
from pessimal.solve import PathSolver
from pessimal.solve.audit import AuditedSolver, WrongAnswer, feasible
from pessimal.solve.moves import Moves
from pessimal.solve.path import satisfies
from pessimal.solve.z3 import Z3Solver
from pessimal.trace import Side
from tests.expressions import LEAVES, conditions, orders
from tests.profiles import examples

FREE = [(None, None)] * LEAVES
ranges = st.sampled_from([(None, None), (None, None), (0, 5), (None, 3), (-2, None), (0, 1)])
steps = st.lists(st.tuples(conditions, st.sampled_from([True, False, None]), st.booleans()), max_size=10)


def start(bounds):
    return [0 if low is None else max(low, 0) for low, _ in bounds]


@examples(200)
@given(st.lists(ranges, min_size=LEAVES, max_size=LEAVES), steps)
def test_every_answer_agrees_with_z3(bounds, path):
    solver = AuditedSolver(start(bounds), bounds)
    for condition, want, both in path:
        solver.decide(condition, want, both)


@examples(100)
@given(st.lists(st.tuples(orders, st.booleans(), st.booleans()), max_size=25))
def test_orders_agree_with_z3_over_long_paths(path):
    solver = AuditedSolver([0] * LEAVES, FREE)
    for condition, want, both in path:
        solver.decide(condition, want, both)


def test_the_audit_catches_a_wrong_answer(monkeypatch):
    monkeypatch.setattr(Moves, "move", lambda self, condition, want: False)
    solver = AuditedSolver([0, 0], [(None, None)] * 2)
    with pytest.raises(WrongAnswer, match="claimed infeasible"):
        solver.decide(Compare("==", Offset(0), Offset(1, 3)), True)


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
    """0.1 + x == 0.3 has no solution in doubles near 0.2 by luck of reals alone: the model must hold in IEEE."""
    bounds = [(None, None)]
    solver = PathSolver([0.0], bounds, Z3Solver)
    answer = solver.decide(Compare("==", App("+", (Var(0), 0.1), "float"), 0.3), True)
    if answer & 1:
        assert solver.leaves[0] + 0.1 == 0.3
    else:
        assert answer >> 1 in (Side.UNKNOWN, Side.INFEASIBLE)


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


def test_feasible_reads_bounds():
    literal = (Compare(">", Offset(0), 3), True)
    assert feasible([], literal, [(None, None)])
    assert not feasible([], literal, [(None, 3)])
