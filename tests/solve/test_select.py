"""Decisions among several outcomes, and the question which of them are open."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import App, Compare, Junction, Not, Offset, holds, negation
from pessimal.solve import Answer, PathSolver, Status, satisfies
from pessimal.solve.base import UNKNOWN
from pessimal.solve.z3 import Z3Solver
from pessimal.trace import Side
from tests.expressions import conditions
from tests.profiles import examples
from tests.solve.toys import Ignorant

X, Y = Offset(0), Offset(1)
U, F, NO, N = Side.UNTRIED, Side.FEASIBLE, Side.INFEASIBLE, Side.UNKNOWN


def switch(term, labels):
    """One outcome per label, and one for the rest."""
    cases = [Compare("==", term, label) for label in labels]
    return [*cases, Junction("and", tuple(Not(case) for case in cases))]


def no_back_end():
    raise AssertionError("a switch over one variable must not need a back-end")


def test_a_switch_takes_the_wanted_outcome_and_tells_which_others_are_open():
    solver = PathSolver([0], [(0, 3)], no_back_end)
    outcomes = switch(X, [0, 2, 7])
    assert solver.select(outcomes, None, probe_others=True) == (0, bytes([F, F, NO, F]), {})
    assert solver.path == [(outcomes[0], True)]
    solver = PathSolver([0], [(0, 3)], no_back_end)
    assert solver.select(outcomes, 3, probe_others=True) == (3, bytes([F, F, NO, F]), {})
    assert solver.leaves[0] in (1, 3)
    assert solver.select(outcomes, 1, probe_others=True) == (3, bytes([NO, NO, NO, F]), {})


def test_without_probing_only_what_was_tried_is_known():
    solver = PathSolver([0], [(0, 3)], no_back_end)
    outcomes = switch(X, [0, 2, 7])
    assert solver.select(outcomes, None).sides == bytes([F, U, U, U])
    solver = PathSolver([0], [(0, 3)], no_back_end)
    assert solver.select(outcomes, 2) == (0, bytes([F, U, NO, U]), {})
    assert solver.path == [(outcomes[0], True)]
    assert solver.leaves == [0]


def test_the_model_stays_where_it_is_if_the_wanted_outcome_is_not_had():
    solver = PathSolver([1, 2], [(0, 9)] * 2, Ignorant)
    product = App("*", (X, App("*", (Y, Y), "int")), "int")
    outcomes = [Compare("<", product, 500), Compare("==", product, 500), Compare(">", product, 500)]
    selection = solver.select(outcomes, 1, probe_others=True)
    assert selection.taken == 0
    assert selection.sides[:2] == bytes([F, N])
    assert set(selection.confidences) == {i for i, side in enumerate(selection.sides) if side == N}
    assert all(0 <= confidence <= 1 for confidence in selection.confidences.values())
    assert solver.leaves == [1, 2]


@pytest.mark.parametrize(("answer", "expected"), [(UNKNOWN, {}), (Answer(Status.UNKNOWN, confidence=0.25), {1: 0.25})])
def test_the_confidence_of_each_unknown_outcome_is_told(answer, expected):
    class Doubtful:
        name = "doubtful"

        def solve(self, query):
            return answer

    solver = PathSolver([0, 0], [(0, 9)] * 2, Doubtful)
    product = App("*", (X, Y), "int")
    outcomes = [Compare("!=", product, 6), Compare("==", product, 6)]
    assert solver.select(outcomes, 0, probe_others=True) == (0, bytes([F, N]), expected)


@pytest.mark.parametrize("outcomes", [[Compare("<", X, 0)], [Compare("<", X, 5), Compare("<", X, 6)], []])
def test_outcomes_that_are_not_a_partition_are_refused(outcomes):
    solver = PathSolver([0], [(None, None)], no_back_end)
    with pytest.raises(ValueError, match=r"exactly one of . outcomes must hold"):
        solver.select(outcomes, None)
    assert solver.path == []


@pytest.mark.parametrize("want", [-1, 2])
def test_an_outcome_that_does_not_exist_is_refused(want):
    solver = PathSolver([0], [(None, None)], no_back_end)
    with pytest.raises(ValueError, match=f"there is no outcome {want} of 2"):
        solver.select([Compare("<", X, 0), Compare(">=", X, 0)], want)


def test_a_computed_jump_is_followed_through_all_its_targets():
    """A table of addresses by the low bits of the input: each target is reached, and then the others are closed."""
    target = App("table", (App("%", (X, 4), "int"), 0, 100, 200, 100, 300), "int")
    outcomes = [Compare("==", target, address) for address in (100, 200, 300)]
    for want, last in enumerate((100, 200, 300)):
        solver = PathSolver([0], [(0, 1000)], Z3Solver)
        assert solver.select(outcomes, want).taken == want
        assert (100, 200, 100, 300)[solver.leaves[0] % 4] == last
        others = [side for outcome, side in enumerate(solver.select(outcomes, None, True).sides) if outcome != want]
        assert others == [NO, NO]


SMALL = [(-2, 2)] * 4
INPUTS = list(itertools.product(range(-2, 3), repeat=4))


@examples(60)
@given(
    conditions, st.sampled_from(INPUTS), st.sampled_from([None, 0, 1]), st.booleans(), st.lists(conditions, max_size=3)
)
def test_two_outcomes_are_one_branch(condition, model, want, probe, before):
    """A decision with the outcomes "false" and "true" is the same as a branch."""
    first, second = (PathSolver(model, SMALL, Z3Solver) for _ in range(2))
    for other in before:
        assert first.decide(other, None) == second.decide(other, None)
    answer = first.decide(condition, None if want is None else bool(want), probe)
    taken, side = answer & 1, answer >> 1
    selection = second.select([negation(condition), condition], want, probe)
    assert (selection.taken, selection.sides[1 - taken], selection.sides[taken]) == (taken, side, Side.FEASIBLE)


@examples(60)
@given(
    st.lists(
        st.tuples(conditions, conditions, st.sampled_from([None, 0, 1, 2, 3]), st.booleans()), min_size=1, max_size=3
    ),
    st.sampled_from(INPUTS),
)
def test_every_side_is_true_of_all_inputs(decisions, model):
    """Four outcomes of two conditions each, checked by trying all inputs."""
    solver, left, settled = PathSolver(model, SMALL, Z3Solver), INPUTS, 0
    for a, b, want, probe in decisions:
        outcomes = [Junction("and", (p, q)) for p in (a, negation(a)) for q in (b, negation(b))]
        selection = solver.select(outcomes, want, probe)
        there = [any(holds(outcome, leaves) for leaves in left) for outcome in outcomes]
        assert all(side in (U, N) or (side == F) is there[i] for i, side in enumerate(selection.sides))
        assert U not in selection.sides or not probe
        assert want is None or selection.taken == want or selection.sides[want] in (NO, N)
        left = [leaves for leaves in left if holds(outcomes[selection.taken], leaves)]
        assert tuple(solver.leaves) in left
        settled += sum(side in (F, NO) for side in selection.sides)
    assert settled >= len(decisions)
    assert satisfies(solver.leaves, solver.path)


@examples(60)
@given(conditions, st.booleans(), st.lists(conditions, max_size=3), st.sampled_from(INPUTS))
def test_to_ask_what_is_feasible_changes_nothing(condition, want, before, model):
    solver, left = PathSolver(model, SMALL, Z3Solver), INPUTS
    for other in before:
        taken = solver.decide(other, None) & 1
        left = [leaves for leaves in left if holds(other, leaves) == taken]
    path, leaves = list(solver.path), solver.leaves
    side = solver.feasible(condition, want)
    assert (solver.path, solver.leaves) == (path, leaves)
    assert side is N or (side is F) is any(holds(condition, leaves) is want for leaves in left)
    assert solver.feasible(condition, want) is side
