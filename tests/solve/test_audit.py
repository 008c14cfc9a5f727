"""The audit: it agrees with trying all inputs, and no layer gets away with a lie."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import App, BlackBox, Compare, Offset, Var, holds
from pessimal.solve import Answer, Status
from pessimal.solve.audit import AuditedSolver, WrongAnswer, feasible
from pessimal.solve.base import UNSAT
from pessimal.solve.moves import Moves
from pessimal.solve.z3 import Z3Solver
from pessimal.trace import Side
from tests.expr.vectors import conditions as vector_conditions
from tests.expressions import conditions
from tests.profiles import examples
from tests.proof.library_programs import doubles
from tests.solve.test_path import FLOATS, MIXED, mixed_conditions, mixed_paths
from tests.solve.toys import Ignorant

FREE = [(None, None)] * 2
EQUAL = Compare("==", Offset(0), Offset(1, 3))
PRODUCT = Compare("==", App("*", (Offset(0), Offset(1)), "int"), 6)
NONE = Compare("==", App("*", (Offset(0), Offset(0)), "int"), 7)
SMALL = [(-2, 2), (0, 3), (-1, 1), (0, 0)]
INPUTS = list(itertools.product(*(range(low, high + 1) for low, high in SMALL)))


def lying(monkeypatch, verdict):
    monkeypatch.setattr(Moves, "move", lambda self, condition, want: verdict)


def test_what_is_wrongly_called_infeasible_is_caught(monkeypatch):
    lying(monkeypatch, False)
    solver = AuditedSolver([0, 0], FREE)
    with pytest.raises(WrongAnswer, match="claimed infeasible"):
        solver.decide(EQUAL, True)
    with pytest.raises(WrongAnswer, match="claimed infeasible"):
        AuditedSolver([0, 0], FREE).decide(EQUAL, None, probe_other=True)
    with pytest.raises(WrongAnswer, match="claimed infeasible"):
        AuditedSolver([0, 0], FREE).select([EQUAL, Compare("!=", Offset(0), Offset(1, 3))], 0)


def test_what_is_wrongly_called_feasible_is_caught(monkeypatch):
    lying(monkeypatch, True)
    with pytest.raises(WrongAnswer, match="claimed feasible"):
        AuditedSolver([0, 0], [(0, 2)] * 2).feasible(EQUAL)
    with pytest.raises(WrongAnswer, match="does not satisfy the path condition"):
        AuditedSolver([0, 0], FREE).decide(EQUAL, True)


def test_a_back_end_that_lies_is_caught():
    class Denier(Ignorant):
        def solve(self, query):
            return UNSAT

    with pytest.raises(WrongAnswer, match="claimed infeasible"):
        AuditedSolver([0, 0], [(0, 9)] * 2, Denier).decide(PRODUCT, True)
    with pytest.raises(WrongAnswer, match="claimed infeasible"):
        total = Compare("==", App("+", (Var(0), Var(1)), "float"), 12.0)
        AuditedSolver([0.0, 0.0], [(0.0, 9.0)] * 2, Denier).decide(total, True)


def test_a_model_outside_of_its_range_is_caught():
    solver = AuditedSolver([0, 0], [(0, 9)] * 2)
    solver._values[0] = 10
    with pytest.raises(WrongAnswer, match=r"leaves the range 0\.\.9 with 10"):
        solver.decide(Compare("<", Offset(1), 5), None)


def test_a_question_that_moves_the_model_is_caught(monkeypatch):
    def move(self, condition, want):
        self._difference.values[0] = 3
        return True

    monkeypatch.setattr(Moves, "move", move)
    with pytest.raises(WrongAnswer, match="changed the path or the model"):
        AuditedSolver([0, 0], FREE).feasible(EQUAL)


def test_open_questions_and_unchecked_answers_are_counted():
    box = BlackBox("box", lambda a: a % 3)
    solver = AuditedSolver([0, 0], [(0, 9)] * 2)
    assert solver.decide(Compare("==", box(Offset(0)), 1), True) == 1
    assert solver.feasible(Compare("==", box(Offset(1)), 2)) is Side.FEASIBLE
    assert (solver.unknown, solver.unchecked) == (0, 1)
    assert solver.feasible(Compare("==", box(Offset(1)), 5)) is Side.UNKNOWN
    assert (solver.unknown, solver.unchecked) == (1, 1)


@examples(120)
@given(st.lists(st.tuples(conditions | vector_conditions(), st.booleans()), min_size=1, max_size=3))
def test_integers_are_settled_as_trying_all_inputs_does(literals):
    there = any(all(holds(condition, leaves) is want for condition, want in literals) for leaves in INPUTS)
    assert feasible(literals[:-1], literals[-1], SMALL) is there


def test_floats_are_settled_as_far_as_trying_many_inputs_tells():
    seen = dict.fromkeys((True, False, None), 0)

    @examples(120)
    @given(st.lists(st.tuples(mixed_conditions, st.booleans()), min_size=1, max_size=2))
    def check(literals):
        truth = feasible(literals[:-1], literals[-1], FLOATS)
        there = any(all(holds(condition, leaves) is want for condition, want in literals) for leaves in MIXED)
        assert not (there and truth is False)
        seen[truth] += 1

    check()
    assert min(seen[True], seen[False]) > 5


@examples(30)
@given(st.sampled_from(MIXED), mixed_paths)
def test_answers_about_floats_pass_the_audit(model, path):
    solver = AuditedSolver(model, FLOATS, lambda: Z3Solver(20_000))
    for condition, want in path[:3]:
        solver.decide(condition, want, probe_other=True)


@pytest.mark.parametrize(
    ("condition", "bounds", "expected"),
    [
        (Compare(">", Offset(0), 3), [(None, None)], True),
        (Compare(">", Offset(0), 3), [(None, 3)], False),
        (Compare("<", Var(0), 0.0), [(-0.0, None)], False),
        (Compare("==", Var(0), 5e-324), [(0.0, 1.0)], True),
        (Compare(">", Var(0), 1.7976931348623157e308), [(None, None)], False),
        (Compare("==", Var(0), math.inf), [(None, None)], False),
        (Compare("==", App("+", (Var(0), 1.0), "float"), 1.0), [(1e-20, 1e-20)], True),
        (Compare("==", App("+", (Var(0), 0.2), "float"), 0.3), [(0.1, 0.1)], False),
        (Compare("<", Offset(0), App("floor", (App("/", (Offset(0), 1), "float"),), "int")), [(0, 9)], None),
        (Compare("==", App("**", (Offset(0), Offset(0)), "int"), 4), [(0, 9)], None),
    ],
)
def test_known_truths(condition, bounds, expected):
    assert feasible([], (condition, True), bounds) is expected


def test_an_answer_with_values_is_adopted_under_audit():
    class Finder(Ignorant):
        def solve(self, query):
            return Answer(Status.SAT, {0: 2, 1: 3})

    solver = AuditedSolver([0, 0], [(0, 9)] * 2, Finder)
    assert solver.decide(PRODUCT, True) == 1
    assert solver.leaves == [2, 3]


LARGE = [(2**53 - 2, 2**53 + 3), (2.0**53 - 2, 2.0**53 + 4), (-2, 2), (-5e-324, 5e-324)]
LARGE_INPUTS = [
    [n, x, m, y]
    for n in range(LARGE[0][0], LARGE[0][1] + 1)
    for x in doubles(*LARGE[1])
    for m in range(-2, 3)
    for y in doubles(*LARGE[3])
]


@st.composite
def large_conditions(draw):
    """Comparisons of integers beyond the exact doubles with doubles, computed ones too."""
    term = st.sampled_from(
        [
            *(Offset(0), Offset(2), Offset(0, 1), Var(1), Var(3), 2**53 + 1, 9007199254740994.0, 0.5, 0, -1),
            *(App("float", (Offset(0),), "float"), App("+", (Var(1), Offset(2)), "float")),
            *(
                App("*", (Offset(2), 0.5), "float"),
                App("/", (Offset(0), 3), "float"),
                App("/", (Offset(2), 2), "float"),
            ),
            *(
                App("neg", (Var(3),), "float"),
                App("copysign", (1.0, Var(3)), "float"),
                App("-", (Var(1), 1.0), "float"),
            ),
            App("*", (Offset(0), Offset(2)), "int"),
        ]
    )
    op = draw(st.sampled_from(["<", "<=", ">", ">=", "==", "!="]))
    return Compare(op, draw(term), draw(term)), draw(st.booleans())


def is_there(literals):
    return any(all(holds(condition, leaves) is want for condition, want in literals) for leaves in LARGE_INPUTS)


@examples(30)
@given(st.lists(large_conditions(), min_size=1, max_size=2))
def test_large_integers_and_floats_are_settled_as_trying_all_inputs_does(literals):
    assert feasible(literals[:-1], literals[-1], LARGE) in (is_there(literals), None)


@examples(30)
@given(st.sampled_from(LARGE_INPUTS), st.lists(large_conditions(), min_size=1, max_size=2))
def test_answers_about_large_integers_and_floats_hold_for_all_inputs(model, literals):
    solver = AuditedSolver(model, LARGE, lambda: Z3Solver(20_000))
    for condition, want in literals:
        side = solver.feasible(condition, want)
        if side is not Side.UNKNOWN:
            assert (side is Side.FEASIBLE) is is_there([*solver.path, (condition, want)])
        solver.decide(condition, want)
