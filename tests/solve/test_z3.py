"""Z3 as a back-end: what it proves is so, what it finds is exact, and where it must not say unsat."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import App, Compare, Junction, Not, Offset, Var, holds
from pessimal.solve import Answer, Query, Status
from pessimal.solve.base import UNKNOWN, UNSAT
from pessimal.solve.z3 import Z3Solver
from tests.expressions import conditions
from tests.profiles import examples

X, Y = Offset(0), Offset(1)
LARGE = 1 << 53
EFFORT = 500_000


def ask(extra, domains, path=(), model=None, effort=EFFORT):
    model = [0 if low is None else low for low, _ in domains] if model is None else model
    return Z3Solver(effort).solve(Query(list(path), (extra, True), domains, model))


@pytest.mark.parametrize(
    ("condition", "domains"),
    [
        (Compare(">", Y, App("+", (Var(0), 1.0), "float")), [(float(LARGE), float(LARGE)), (LARGE, LARGE + 1)]),
        (Compare("!=", Y, App("*", (Var(0), 1.0), "float")), [(float(LARGE), float(LARGE)), (LARGE + 1, LARGE + 1)]),
        (Compare("<", App("/", (X, Y), "float"), 1.0), [(LARGE, LARGE), (LARGE + 1, LARGE + 1)]),
    ],
)
def test_rounding_of_large_integers_proves_nothing(condition, domains):
    """Python compares integers with floats exactly and rounds only the quotient; Z3's doubles round each integer."""
    truth = holds(condition, [domains[0][0], domains[1][1]])
    expected = (Status.SAT, Status.UNKNOWN) if truth else (Status.UNSAT, Status.UNKNOWN)
    assert ask(condition, domains).status in expected


@pytest.mark.parametrize("large", [float(LARGE), 3.0])
def test_small_integers_are_compared_with_floats_exactly(large):
    """That no integer is between a float and itself is proved where integers are as small as doubles are exact."""
    twice = App("+", (Var(0), Var(0)), "float")
    between = Junction("and", (Compare("<", twice, Y), Compare("<", Y, twice)))
    assert ask(between, [(0.0, large), (0, 100)]) == UNSAT


def test_a_division_by_zero_is_not_a_solution():
    """Z3 gives a division by zero any value; Python gives it none."""
    assert ask(Compare("==", App("//", (6, X), "int"), 100), [(0, 0)]).status is Status.UNKNOWN
    assert ask(Compare("==", App("%", (6, X), "int"), 6), [(0, 0)]).status is Status.UNKNOWN
    assert ask(Compare("==", App("isqrt", (X,), "int"), 5), [(-9, -1)]).status is Status.UNKNOWN


@pytest.mark.parametrize("shift", [-1, 5000])
@pytest.mark.parametrize("op", ["<<", ">>"])
def test_a_shift_that_is_not_written_out_is_unknown(op, shift):
    assert ask(Compare("==", App(op, (X, shift), "int"), 77), [(0, None)]) == UNKNOWN


def test_bit_operations_are_proved_where_the_operands_fit_a_word():
    condition = Compare("==", App("&", (X, 0xF0), "int"), 0x0F)
    assert ask(condition, [(0, 255)]) == UNSAT
    assert ask(condition, [(0, None)]) == UNKNOWN
    assert ask(condition, [(0, 1 << 70)]) == UNSAT  # in words of 128 bits
    assert ask(condition, [(0, 1 << 200)]) == UNKNOWN


def test_doubles_do_not_depend_on_what_was_asked_before():
    question = Compare("==", App("+", (Var(0), 1.0), "float"), 1.0)
    path = [(Compare(">", Var(0), 0.0), True)]
    first = ask(question, [(0.0, 1e-20)], path, [1e-20])
    assert first.status is Status.SAT
    for number in range(3):
        ask(Compare("==", App("*", (Var(number), 3.0), "float"), 0.75), [(0.0, 1.0)] * 3)
        assert ask(question, [(0.0, 1e-20)], path, [1e-20]) == first


@pytest.mark.parametrize("value", [0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0.1])
def test_doubles_are_read_to_the_last_bit(value):
    twin = App("+", (Var(0), 0.0), "float")
    answer = ask(Compare("==", App("-", (twin, value), "float"), 0.0), [(-abs(value), abs(value))])
    assert answer.status is Status.SAT
    assert answer.values[0] == value


def test_what_has_nothing_to_do_with_a_question_stays_where_it_is():
    path = [(Compare("<", Offset(2), Offset(3)), True)]
    answer = ask(Compare("==", App("*", (X, Y), "int"), 6), [(1, 9)] * 4, path, [1, 1, 1, 2])
    assert answer.status is Status.SAT
    assert set(answer.values) == {0, 1}


def test_conditions_without_translation_prove_nothing_and_their_models_are_checked():
    """The path says that 2 ** x is 8; Z3 has no words for it, so that its model is confirmed by evaluation alone."""
    power = Compare("==", App("**", (2, X), "int"), 8)
    domains, model, path = [(0, 9)] * 2, [3, 0], [(power, True)]
    assert ask(Compare("==", App("*", (X, Y), "int"), 6), domains, path, model).status in (Status.SAT, Status.UNKNOWN)
    assert ask(Compare(">", X, 3), domains, path, model).status is Status.UNKNOWN
    assert ask(Compare(">", X, 9), domains, path, model) == UNSAT


SMALL = [(-2, 2), (0, 3), (-1, 1), (0, 0)]
INPUTS = list(itertools.product(*(range(low, high + 1) for low, high in SMALL)))
hard = st.sampled_from(
    [
        Compare("==", App("*", (X, Y), "int"), 2),
        Compare("<", App("%", (X, 3), "int"), Offset(2)),
        Compare("==", App("//", (Y, 2), "int"), X),
        Compare("==", App("&", (Y, 1), "int"), App("abs", (X,), "int")),
        Compare(">", App("^", (X, Y), "int"), Offset(2, 2)),
        Compare("!=", App("ite", (Compare("<", X, Y), X, Offset(2)), "int"), 0),
        Compare("==", App("/", (X, 2), "float"), 0.5),
        Compare("<", App("**", (X, 3), "int"), App("<<", (Y, 2), "int")),
    ]
)


def test_answers_agree_with_trying_all_inputs():
    """Along a path that the model follows, one solver is asked for both sides of each condition."""
    seen = dict.fromkeys(Status, 0)

    @examples(200)
    @given(st.lists(conditions | hard | st.builds(Not, hard), min_size=1, max_size=4), st.sampled_from(INPUTS))
    def check(asked, model):
        solver, path, left = Z3Solver(EFFORT), [], INPUTS
        for condition in asked:
            for want in (True, False):
                query = Query(path, (condition, want), SMALL, model)
                answer = solver.solve(query)
                there = any(holds(condition, leaves) is want for leaves in left)
                assert answer.status is Status.UNKNOWN or (answer.status is Status.SAT) is there
                assert answer.status is not Status.SAT or query.satisfied_by(answer.values)
                seen[answer.status] += 1
            path.append((condition, holds(condition, model)))
            left = [leaves for leaves in left if holds(condition, leaves) is path[-1][1]]

    check()
    assert min(seen[Status.SAT], seen[Status.UNSAT]) > 20


def test_an_answer_is_made_of_plain_numbers():
    answer = ask(Compare("==", App("*", (X, Y), "int"), 6), [(0, 9)] * 2)
    assert isinstance(answer, Answer)
    assert all(type(value) is int for value in answer.values.values())
