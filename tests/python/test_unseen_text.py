"""Everyday text, bytes and floats: both outcomes are reached, and what the solver says of sets and orders is true."""

import inspect
import itertools
import math
import random
from contextlib import suppress

import pytest

from pessimal.expr import App, Compare, Junction, Not, Offset, Var, holds
from pessimal.expr.evaluate import COMPARE, Evaluator
from pessimal.expr.monotone import comparison
from pessimal.runs import Request
from pessimal.search.sweep import Sweep
from pessimal.solve import PathSolver
from pessimal.solve.sets import has, unary
from pessimal.solve.z3 import UNKNOWN, Z3Solver
from pessimal.trace import Outcome, Side
from tests.python import unseen_programs
from tests.python.exploring import Collector, Enough, native

PROGRAMS = [
    function
    for _, function in inspect.getmembers(unseen_programs, inspect.isfunction)
    if function.__module__ == unseen_programs.__name__
]


RARE = {"parsed_range"}
SIZES = {"hexadecimal": 4, "base_64": 4, "checksum": 4, "shown_as_hexadecimal": 4}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_both_outcomes_are_reached(program):
    found = Collector(program, size=SIZES.get(program.__name__, 3), paths=120 if program.__name__ in RARE else 50)
    with suppress(Enough):
        Sweep().search(found)
    outcomes = set()
    for trace in found.traces:
        outcome, result = native(program, found.inputs, trace.leaves)
        assert outcome is trace.outcome is Outcome.RETURNED
        outcomes.add(result)
        again = found.symbolic.run(Request(start=trace.leaves))
        assert [(b.site, b.taken) for b in again.branches] == [(b.site, b.taken) for b in trace.branches]
    assert outcomes == {0, 1}


CONSTANTS = [1, 2, 3, -1, -7, 10, 100, 0.1, 0.5, -2.5, 1e10, 3.3, 1e300, -1e-300, 0]


def _chain(chance, base):
    term = base
    for _ in range(chance.randint(1, 4)):
        constant = chance.choice(CONSTANTS)
        op = chance.choice(["+", "-", "*", "/", "neg", "float", "int", "floor", "ceil", "round", "to cents"])
        is_float = term.sort == "float"
        if op in ("int", "floor", "ceil", "round"):
            term = App(op, (term,), "int") if is_float else term
        elif op == "to cents":
            term = App("round", (term, 2), "float") if is_float else term
        elif op in ("neg", "float"):
            term = App(op, (term,), "float" if op == "float" else term.sort)
        elif op == "/" and constant:
            term = App("/", (term, constant), "float")
        elif op != "/":
            args = (constant, term) if chance.random() < 0.4 else (term, constant)
            term = App(op, args, "float" if is_float or isinstance(constant, float) else "int")
    return term


@pytest.mark.parametrize("seed", range(2))
def test_a_comparison_of_a_chain_is_the_same_comparison_of_its_base(seed):
    chance = random.Random(seed)
    for _ in range(300):
        base = Var(0) if chance.random() < 0.5 else Offset(0, chance.randint(-2, 2))
        x = chance.choice([0, 1, -1, chance.randint(-100, 100), chance.randint(-(10**6), 10**6)])
        if base.sort == "float":
            x = chance.choice([float(x), chance.uniform(-100, 100), x / 10, -0.0, 5e-324, 1e308])
        term, op, bound = _chain(chance, base), chance.choice(list(COMPARE)), chance.choice(CONSTANTS)
        with suppress(OverflowError):
            value = Evaluator([x]).term(term)
            bound = value if math.isfinite(value) and chance.random() < 0.5 else bound
        condition = comparison(op, term, bound)
        near = [x, x + 1, x - 1]
        if base.sort == "float":
            near += [math.nextafter(x, math.inf), math.nextafter(x, -math.inf)]
        for y in near:
            with suppress(OverflowError):
                assert COMPARE[op](Evaluator([y]).term(term), bound) == holds(condition, [y])


def test_what_never_holds_stays_a_condition_of_the_base():
    condition = comparison("==", App("/", (Offset(0), 2), "float"), 0.3)
    assert type(condition) is Compare
    assert not any(holds(condition, [n]) for n in range(-3, 4))


def _condition(chance, variables, depth=0):
    pick = chance.random()
    if depth > 2 or pick < 0.5:
        var = chance.choice(variables)
        term = Offset(var, chance.randint(-2, 2))
        if chance.random() < 0.3:
            test = Compare("<", Offset(var), chance.randint(-3, 3))
            term = App("+", (App("ite", (test, term, Offset(var, 5)), "int"), 1), "int")
        pair = (term, chance.randint(-6, 6))
        return Compare(chance.choice(list(COMPARE)), *(pair if chance.random() < 0.5 else pair[::-1]))
    if pick < 0.6:
        return Not(_condition(chance, variables, depth + 1))
    parts = tuple(_condition(chance, variables, depth + 1) for _ in range(chance.randint(2, 3)))
    return Junction(chance.choice(["and", "or"]), parts)


def test_the_set_of_a_condition_is_where_it_holds():
    chance = random.Random(1)
    for _ in range(300):
        condition, want = _condition(chance, [0]), chance.random() < 0.5
        known = unary(condition, want)
        assert known is not None
        for value in range(-15, 16):
            assert has(known.ranges, value) == (holds(condition, [value]) is want)


def _sum(chance):
    parts = [App("*", (Offset(var), chance.choice([1, 2, 3, 10, -4])), "int") for var in range(3)]
    total = App("+", (App("+", tuple(parts[:2]), "int"), parts[2]), "int")
    return Compare(chance.choice(["==", "<=", ">", "!="]), total, chance.randint(-30, 60))


BOUNDS = [(-4, 4)] * 3


class NoBackEnd:
    name = "none"

    def solve(self, query):
        return UNKNOWN


@pytest.mark.parametrize("back_end", [NoBackEnd, Z3Solver], ids=["alone", "with Z3"])
@pytest.mark.parametrize("seed", range(2))
def test_what_the_solver_says_is_true(seed, back_end):
    chance = random.Random(seed)
    inputs = list(itertools.product(range(-4, 5), repeat=3))
    answered = 0
    for _ in range(60):
        solver = PathSolver([0, 1, 2], BOUNDS, back_end)
        left = inputs
        for _ in range(6):
            condition = _sum(chance) if chance.random() < 0.3 else _condition(chance, [0, 1, 2])
            answer = solver.decide(condition, chance.random() < 0.5, probe_other=True)
            taken, side = bool(answer & 1), answer >> 1
            there = [leaves for leaves in left if holds(condition, leaves) is not taken]
            if side in (Side.FEASIBLE, Side.INFEASIBLE):
                assert bool(there) is (side == Side.FEASIBLE)
                answered += 1
            left = [leaves for leaves in left if holds(condition, leaves) is taken]
            assert tuple(solver.leaves) in left
    assert answered > 250
