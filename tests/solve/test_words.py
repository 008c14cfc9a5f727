"""Machine words: exact where all numbers fit, and then their proofs count; black boxes are nowhere seen through."""

import itertools
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import App, BlackBox, Compare, Junction, Offset, Var, holds
from pessimal.expr import bits as b
from pessimal.solve import PathSolver, Query, Status
from pessimal.solve.base import UNKNOWN, UNSAT
from pessimal.solve.sums import Sums
from pessimal.solve.words import MAX_CONDITIONS, WordSolver, has_bits
from pessimal.solve.z3 import Z3Solver
from pessimal.trace import Side
from tests.expr.vectors import conditions
from tests.profiles import examples
from tests.solve.toys import Ignorant

X, Y, Z = Offset(0), Offset(1), Offset(2)
BYTE = (0, 255)
V8, W8 = b.vector(8, X), b.vector(8, Y)


def ask(extra, domains, path=(), model=None):
    model = [low or 0 for low, _ in domains] if model is None else model
    query = Query(list(path), (extra, True), domains, model)
    answer = WordSolver().solve(query)
    return Status.UNKNOWN if answer.status is Status.SAT and not query.satisfied_by(answer.values) else answer.status


def equal(term, value):
    return Compare("==", term, value)


@pytest.mark.parametrize(
    ("condition", "domains", "expected"),
    [
        (equal(App("^", (X, 0x1234), "int"), 0x4321), [(None, None)], Status.SAT),
        (equal(App("&", (X, 0xF0), "int"), 0x0F), [BYTE], Status.UNSAT),
        (equal(App("&", (X, 0xF0), "int"), 0x0F), [(None, None)], Status.UNKNOWN),
        (equal(App("&", (X, 0xF0), "int"), 0x0F), [(0, None)], Status.UNKNOWN),
        (equal(App("|", (X, 1), "int"), -(1 << 62)), [(-(1 << 63), (1 << 63) - 1)], Status.UNSAT),
        (equal(App("*", (X, X), "int"), 1 << 64), [(0, 1 << 33)], Status.UNKNOWN),
        (equal(App("*", (X, X), "int"), 3), [(0, 1 << 30)], Status.UNSAT),
        (equal(App("|", (X, 1), "int"), 1 << 63), [(0, (1 << 64) - 1)], Status.UNSAT),
        (equal(App("^", (X, 5), "int"), 1 << 63), [(0, (1 << 64) - 1)], Status.SAT),
        (equal(App("<<", (X, 62), "int"), 0), [(1, 8)], Status.UNKNOWN),
        (equal(App("<<", (X, 40), "int"), 5), [(1, 8)], Status.UNSAT),
        (equal(App(">>", (X, 100), "int"), 1), [BYTE], Status.UNSAT),
        (equal(App(">>", (X, 100), "int"), -1), [(-9, 9)], Status.SAT),
        (equal(App("//", (X, 8), "int"), 31), [BYTE], Status.SAT),
        (equal(App("%", (X, 8), "int"), 8), [BYTE], Status.UNSAT),
        (equal(App("//", (X, 7), "int"), 31), [BYTE], Status.SAT),
        (equal(App("//", (X, 7), "int"), -2), [(-7, 9)], Status.UNSAT),
        (equal(App("//", (X, 7), "int"), -2), [(-8, -8)], Status.SAT),
        (equal(App("%", (X, 7), "int"), 6), [(-1, -1)], Status.SAT),
        (equal(App("%", (X, 7), "int"), -1), [(-99, 99)], Status.UNSAT),
        (equal(App("//", (X, -7), "int"), 31), [BYTE], Status.UNKNOWN),
        (equal(App("abs", (X,), "int"), -1), [(-9, 9)], Status.UNSAT),
        (equal(App("~", (X,), "int"), 0), [BYTE], Status.UNSAT),
        (equal(App("ite", (Compare("<", X, 5), X, App("neg", (X,), "int")), "int"), -5), [BYTE], Status.SAT),
        (equal(App("+", (Var(0), 1.0), "float"), 2.0), [(0.0, 1.0)], Status.UNKNOWN),
        (equal(X, 1 << 70), [BYTE], Status.UNKNOWN),
        (Compare("<", V8, W8), [(3, 3), (-253, 4)], Status.SAT),
        (b.compare("==", b.vector(64, X), -1), [(-9, 9)], Status.SAT),
        (b.compare("==", b.vector(64, X), -1), [(0, 9)], Status.UNSAT),
        (b.compare("<", b.vector(128, X), 1 << 127), [(-9, -1)], Status.UNSAT),
        (b.compare("<", b.vector(128, X), 0, is_signed=True), [(-9, -1)], Status.SAT),
        (b.compare(">", b.vector(128, X), 0, is_signed=True), [(-9, -1)], Status.UNKNOWN),
        (Compare("<", b.vector(64, X), X), [(0, 9)], Status.UNKNOWN),
        (Compare("<", b.vector(63, X), X), [(0, 9)], Status.UNSAT),
        (Compare("==", V8, 256), [BYTE], Status.UNSAT),
        (Compare("==", V8, -1), [BYTE], Status.UNSAT),
        (True, [BYTE], Status.SAT),
        (False, [BYTE], Status.UNSAT),
    ],
)
def test_known_answers(condition, domains, expected):
    assert ask(condition, domains) == expected


def test_only_what_bears_on_a_question_is_read():
    """A condition without translation elsewhere is not in the way, nor are leaves changed that have no part in it."""
    elsewhere = (equal(App("//", (Y, 7), "int"), 0), True)
    answer = WordSolver().solve(Query([elsewhere], (equal(App("^", (X, 1), "int"), 9), True), [BYTE] * 2, [0, 0]))
    assert dict(answer.values) == {0: 8}


def test_what_has_no_translation_on_the_path_proves_nothing_wrong():
    seventh = (equal(App("//", (X, 7), "int"), 3), True)
    assert ask(equal(App("^", (X, 1), "int"), 22), [BYTE], [seventh], [21]) == Status.SAT
    assert ask(equal(App("&", (X, 6), "int"), 1), [BYTE], [seventh], [21]) == Status.UNSAT


def test_a_solver_of_words_reads_a_growing_path():
    solver, path = WordSolver(), []
    low = equal(App("&", (X, 1), "int"), 1)
    assert solver.solve(Query(path, (low, True), [BYTE], [0])).status is Status.SAT
    path.append((low, True))
    assert solver.solve(Query(path, (low, False), [BYTE], [1])) == UNSAT
    even = equal(App("%", (X, 2), "int"), 0)
    assert solver.solve(Query(path, (even, True), [BYTE], [1])) == UNSAT
    assert solver.solve(Query(path, (even, False), [BYTE], [1])).status is Status.SAT


def test_long_paths_and_late_questions_are_unknown():
    question = (equal(App("&", (X, 1), "int"), 1), True)
    path = [(Compare("!=", X, -number), True) for number in range(1, MAX_CONDITIONS + 2)]
    assert WordSolver().solve(Query(path, question, [BYTE], [0])) == UNKNOWN
    assert WordSolver().solve(Query(path[:5], question, [BYTE], [0])).status is Status.SAT
    assert WordSolver().solve(Query(path[:5], question, [BYTE], [0], deadline=monotonic() - 1)) == UNKNOWN


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (Compare("<", X, Y), False),
        (equal(App("+", (X, Y), "int"), 1), False),
        (equal(App("+", (App("|", (X, Y), "int"), 1), "int"), 1), True),
        (Junction("or", (Compare("<", X, Y), b.compare("<", V8, W8))), True),
        (equal(App("ite", (b.compare("<", V8, W8), 1, 2), "int"), 1), True),
    ],
)
def test_bit_operations_are_noticed(condition, expected):
    assert has_bits([condition]) is expected


SMALL = [(-3, 3), (0, 4), (-1, 0)]
INPUTS = list(itertools.product(*(range(low, high + 1) for low, high in SMALL)))


@examples(120)
@given(conditions(), st.lists(conditions(), max_size=2), st.sampled_from(INPUTS))
def test_vectors_over_small_domains_are_settled_as_trying_all_inputs_does(condition, before, model):
    """The reading is exact, so that nothing is left open; and so does Z3 as a back-end."""
    path = [(other, holds(other, model)) for other in before]
    there = any(holds(condition, leaves) and all(holds(c, leaves) is w for c, w in path) for leaves in INPUTS)
    expected = Status.SAT if there else Status.UNSAT
    assert ask(condition, SMALL, path, model) is expected
    assert Z3Solver().solve(Query(path, (condition, True), SMALL, model)).status is expected


@examples(40)
@given(conditions(), st.lists(st.integers(-(10**6), 10**6), min_size=3, max_size=3))
def test_what_has_a_solution_without_bounds_is_never_said_to_have_none(condition, leaves):
    free = [(None, None)] * 3
    query = Query([], (condition, holds(condition, leaves)), free, [0, 0, 0])
    answer = Z3Solver(500_000).solve(query)
    assert answer.status is not Status.UNSAT
    assert answer == UNKNOWN or query.satisfied_by(answer.values)


# Black boxes


MIX = BlackBox("mix", lambda a, c: (a * 7 + c * 3) % 5)
EVEN = BlackBox("even", lambda a: int(a % 2 == 0))
CALLS = [
    equal(MIX(X, Y), 3),
    Compare("<", MIX(X, Y), 0),
    Compare("<", MIX(X, Y), MIX(X, Y)),
    Compare("!=", EVEN(X), EVEN(Offset(0, 2))),
    equal(App("+", (MIX(X, Y), Z), "int"), 7),
    Compare(">", App("*", (EVEN(Y), 10), "int"), Z),
    b.compare("<", b.apply("bvadd", b.vector(8, MIX(X, Z)), V8), 3),
    equal(App("ite", (equal(EVEN(X), 1), Y, Z), "int"), 4),
]


@examples(60)
@given(st.lists(st.sampled_from(CALLS) | conditions(), min_size=1, max_size=3), st.sampled_from(INPUTS), st.booleans())
def test_nothing_is_infeasible_because_of_a_black_box(asked, model, with_z3):
    solver, left = PathSolver(model, SMALL, Z3Solver if with_z3 else Ignorant), INPUTS
    for condition in asked:
        answer = solver.decide(condition, None, probe_other=True)
        taken, side = bool(answer & 1), Side(answer >> 1)
        there = any(holds(condition, leaves) is not taken for leaves in left)
        assert side is Side.UNKNOWN or (side is Side.FEASIBLE) is there
        left = [leaves for leaves in left if holds(condition, leaves) is taken]
        assert tuple(solver.leaves) in left


@pytest.mark.parametrize("condition", CALLS)
def test_the_layers_leave_a_black_box_alone(condition):
    """Neither is its order known, nor is a call equal to another that looks the same."""
    for want in (True, False):
        assert not Sums().forbid([(condition, not want)], (condition, want))
        assert Z3Solver().solve(Query([], (condition, want), [(None, None)] * 3, [0, 0, 0])) == UNKNOWN
        assert WordSolver().solve(Query([], (condition, want), [(None, None)] * 3, [0, 0, 0])) == UNKNOWN


def test_a_value_of_a_black_box_is_found_by_looking():
    solver = PathSolver([0], [(0, 1000)], Ignorant)
    square = BlackBox("square", lambda a: a * a)
    assert solver.decide(equal(square(X), 625), True) == 1
    assert solver.leaves == [25]
    assert solver.decide(equal(square(X), 626), True) == 2 * Side.UNKNOWN


def test_a_black_box_without_a_value_is_no_solution():
    solver = PathSolver([5], [(0, 9)], Ignorant)
    inverse = BlackBox("inverse", lambda a: 10 // a)
    assert solver.decide(Compare("<", inverse(X), 2), True) == 1
    assert solver.leaves[0] > 5
    assert solver.feasible(Compare(">", inverse(X), 10)) is Side.UNKNOWN
