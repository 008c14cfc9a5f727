"""Conditions: what arrays and general solvers make of the events of a path, judged by running the target."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pessimal.expr import App, Compare, Junction, Not, Offset, Var
from pessimal.inputs import Domain
from pessimal.solve import PathSolver, satisfies
from pessimal.solve.z3 import Z3Solver
from pessimal.synthesis.arrays.system import Unsupported
from pessimal.synthesis.condition import Condition
from pessimal.synthesis.expand import EventRows, Expansion
from pessimal.synthesis.points import BRANCH, LET, NUMBER, SHIFTED, TERM, VARIABLE, Constant, Point
from pessimal.synthesis.proposal import condition_of
from pessimal.synthesis.terms import NoModel
from pessimal.trace import Site, Trace
from tests.profiles import examples
from tests.search.watching import Watched
from tests.subjects import bst, bubble_sort, dijkstra_matrix, insertion_sort, quicksort, shapes

HERE = Site("here.py", "f", 3, 4, "a > b")
INT, BOOL, CHAR, FLOAT = (Domain.of(kind) for kind in ("int", "bool", "char", "float"))


def path(*literals, assumed=()):
    """A trace that took these directions at these conditions."""
    conditions, decisions = zip(*literals, strict=True) if literals else ((), ())
    return Trace([HERE] * len(conditions), list(conditions), bytearray(decisions), assumed=list(assumed))


def solved(*literals, domains=(INT,) * 4, assumed=()):
    return condition_of(path(*literals, assumed=assumed), domains).solve()


def less(a, b):
    return Compare("<", Offset(a), Offset(b))


# What is solved as arrays.


def test_nothing_leaves_everything_where_it_starts():
    assert solved(domains=(INT, BOOL, CHAR, FLOAT)) == [0, 0, ord("a"), 0.0]


def test_orders_differences_and_constants():
    assert solved((less(0, 1), 1), (less(2, 1), 0), (Compare("==", Offset(3), 5), 1)) == [0, 1, 1, 5]
    assert solved((Compare(">=", Offset(0, -3), Offset(1)), 1), (Compare("!=", Offset(2), 0), 1)) == [3, 0, 1, 0]
    assert solved((Compare("<", 4, Offset(0)), 1), (Compare("<", Offset(1), -4), 1)) == [5, -5, 0, 0]


def test_characters_start_at_a():
    found = solved((Compare("!=", Offset(0), ord("a")), 1), (less(0, 1), 1), domains=(CHAR,) * 3)
    assert found == [ord("b"), ord("c"), ord("a")]


def test_domains_are_kept():
    assert solved((less(1, 0), 1), domains=(Domain.of("int", low=10, high=11), Domain.of("int", low=10))) == [11, 10]
    with pytest.raises(NoModel, match="contradicts itself"):
        solved((less(0, 1), 1), (less(1, 2), 1), domains=(BOOL,) * 3)


def test_floats_are_whole_numbers_where_these_do():
    found = solved((Compare("<", Var(0), Var(1)), 1), (Compare("<=", Var(2), 2.0), 0), domains=(FLOAT,) * 3)
    assert found == [0.0, 1.0, 3.0]
    assert all(type(value) is float for value in found)


@pytest.mark.parametrize(
    "literals",
    [
        [(Compare("<", Var(0), 0.5), 1)],
        [(Compare("<", Var(0), 1.0), 1), (Compare(">", Var(0), 0.0), 1)],
        [(Compare("<", Var(0), 1e300), 0)],
        [(Compare("<", Offset(1, 3), 1e300), 0)],
        [(Compare("<", Var(0), float("inf")), 1)],
    ],
)
def test_floats_that_whole_numbers_do_not_satisfy_are_left_to_others(literals):
    with pytest.raises(Unsupported):
        solved(*literals, domains=(FLOAT,) * 2)


@pytest.mark.parametrize("bounds", [(0.25, 0.75), (-1e300, 1e300), (1e300, 2e300), (None, -1e300)])
@pytest.mark.parametrize("kind", ["float", "int"])
def test_ranges_beyond_arrays(bounds, kind):
    whole = [None if bound is None else int(bound) for bound in bounds]
    domain = Domain.of(kind, low=bounds[0], high=bounds[1]) if kind == "float" else Domain.of(kind, "", *whole)
    try:
        (found,) = solved(domains=(domain,))
    except Unsupported:
        return
    assert found in domain


def test_preconditions_hold_too():
    assert solved((less(0, 1), 1), assumed=[Compare(">", Offset(0), 7)]) == [8, 9, 0, 0]


def test_sums():
    total = App("+", (Offset(0), Offset(1)), "int")
    found = solved((Compare("<", total, Offset(2)), 1), (Compare(">", total, 4), 1))
    assert 4 < found[0] + found[1] < found[2]


def test_other_terms_are_left_to_others():
    with pytest.raises(Unsupported, match=r"operator \*"):
        solved((Compare("<", App("*", (Offset(0), Offset(1)), "int"), 3), 1))


@pytest.mark.parametrize(
    ("condition", "taken"), [(True, 1), (False, 0), (None, 0), (None, 1), (Compare("<", 3, 4), 1), (Not(True), 0)]
)
def test_constants_that_are_so(condition, taken):
    assert solved((condition, taken)) == [0] * 4


@pytest.mark.parametrize(("condition", "taken"), [(True, 0), (False, 1), (Compare("<", 3, 4), 0), (Not(False), 0)])
def test_constants_that_are_not(condition, taken):
    with pytest.raises(NoModel, match="contradicts itself"):
        solved((condition, taken))


def test_contradictions_are_refused():
    with pytest.raises(NoModel, match="contradicts itself"):
        solved((less(0, 1), 1), (less(1, 0), 1))


# Choices between conditions.


def either(*parts):
    return Junction("or", parts)


def both(*parts):
    return Junction("and", parts)


CHOICES = {
    "met by chance": [(either(less(0, 1), Compare("==", Offset(2), 0)), 1)],
    "first": [(either(less(0, 1), less(2, 3)), 1)],
    "second, since the first cannot be": [(less(1, 0), 1), (either(less(0, 1), less(2, 3)), 1)],
    "negated conjunction": [(both(Compare("==", Offset(0), 0), Compare("==", Offset(1), 0)), 0)],
    "conjunctions in it": [(either(both(less(0, 1), less(1, 2)), less(2, 1)), 1)],
    "negation in it": [(Not(both(Not(less(0, 1)), Not(less(1, 2)))), 1)],
    "several": [(either(less(0, 1), less(1, 0)), 1), (either(less(2, 3), less(3, 2)), 1)],
}


@pytest.mark.parametrize("name", CHOICES)
def test_choices_between_conditions(name):
    literals = CHOICES[name]
    assert satisfies(solved(*literals), [(condition, bool(taken)) for condition, taken in literals])


def test_choices_within_choices_are_left_to_others():
    nested = either(less(0, 1), both(either(less(1, 2), less(2, 3)), less(3, 0)))
    with pytest.raises(Unsupported, match="alternatives within alternatives"):
        solved((nested, 1))


def test_a_choice_that_nothing_found_satisfies_is_left_to_others():
    literals = [(less(1, 0), 1), (less(3, 2), 1), (either(less(0, 1), less(2, 3)), 1)]
    with pytest.raises(Unsupported, match="alternatives between which it does not decide"):
        solved(*literals)


# What events speak of must be there.


def made(*blocks, domains=(INT,) * 3, absolute=False):
    """A condition of blocks of point and rows; events are in the order in which they are given."""
    rows, position = {}, 0
    for point, numbers in blocks:
        rows[point] = EventRows(np.array(numbers, np.int64), np.arange(position, position + len(numbers)))
        position += len(numbers)
    return Condition(Expansion(position, rows), domains, absolute=absolute)


def at_here(shape, taken=1):
    return Point(BRANCH, HERE.id, taken, shape)


TOTAL = Point(LET, "", 1, ("+", "int", VARIABLE, VARIABLE))


@pytest.mark.parametrize("number", [-1, 3, 10**6])
@pytest.mark.parametrize("shape", [("<", VARIABLE, NUMBER), ("<", NUMBER, VARIABLE)])
def test_an_element_that_the_input_does_not_have_is_refused(number, shape):
    row = (number, 0) if shape[1] == VARIABLE else (0, number)
    condition = made((at_here(shape), [row]))
    for ask in (condition.solve, lambda: list(condition.literals())):
        with pytest.raises(NoModel, match="an element that the input does not have"):
            ask()


@pytest.mark.parametrize(("absolute", "numbers"), [(False, (0, 2, 9, -1)), (True, (1, -1, 7))])
def test_a_term_that_is_not_there_is_refused(absolute, numbers):
    for number in numbers:
        condition = made((TOTAL, [(0, 1)]), (at_here(("<", TERM, NUMBER)), [(number, 5)]), absolute=absolute)
        for ask in (condition.solve, lambda asked=condition: list(asked.literals())):
            with pytest.raises(NoModel, match="a term that is not defined"):
                ask()


def test_a_term_that_is_defined_later_is_refused():
    condition = made((at_here(("<", TERM, NUMBER)), [(0, 5)]), (TOTAL, [(0, 1)]), absolute=True)
    with pytest.raises(NoModel, match="a term that is not defined"):
        condition.solve()


def test_blocks_without_rows_demand_nothing():
    condition = made((at_here(("<", VARIABLE, VARIABLE)), np.empty((0, 2))), (at_here(("<", NUMBER, NUMBER)), [(1, 2)]))
    assert condition.solve() == [0, 0, 0]
    assert (condition.branches, condition.conditions) == (1, 1)


def test_counts():
    total = App("+", (Offset(0), Offset(1)), "int")
    trace = path((Compare("<", total, 4), 1), (less(0, 1), 1), assumed=[less(2, 3)])
    trace.choices = {1}
    condition = condition_of(trace, (INT,) * 4)
    assert (condition.branches, condition.conditions) == (1, 3)


def test_literals_are_the_conditions_in_order():
    shifted, constant = at_here(("<", SHIFTED, VARIABLE)), at_here(Constant(True), 0)
    condition = made((shifted, [(0, 2, 1)]), (constant, [()]), (at_here(("==", VARIABLE, Constant(2.5)), 0), [(2,)]))
    (first, wanted), second, (third, unwanted) = condition.literals()
    assert (first.op, first.left.var, first.left.const, first.right.var, wanted) == ("<", 0, 2, 1, True)
    assert second == (True, False)
    assert (third.op, third.left.var, third.right, unwanted) == ("==", 2, 2.5, False)


# Paths of programs.


def mixed(xs: list[int]) -> int:
    """Sums, differences, disequalities and disjunctions."""
    count = 0
    for i in range(1, len(xs)):
        if xs[i] + xs[i - 1] > 3:
            count += 1
        elif xs[i] - 2 != xs[0]:
            count += 2
        if max(xs[i], xs[i - 1]) > count:
            count += 1
    return count


def reals(xs: list[float]) -> int:
    """Floats are compared with each other and with whole and other numbers."""
    return sum((xs[i] < xs[i - 1]) + (xs[i] > 2.0) + (xs[i] <= 0.25) for i in range(1, len(xs)))


def letters(text: str) -> int:
    """Characters are compared with each other and with some that are known."""
    return sum((a == "x") + (a < b) for a, b in pairwise(text))


TARGETS = [
    insertion_sort.insertion_sort,
    bubble_sort.bubble_sort,
    quicksort.quicksort,
    bst.build,
    shapes.is_wave,
    shapes.ties,
    shapes.valley,
    mixed,
    reals,
    letters,
    dijkstra_matrix.shortest,
]
SIZES = {dijkstra_matrix.shortest: 3}


def opened(target):
    """A session of its own for each test: its time begins now."""
    return Watched(target, SIZES.get(target, 5), None)


def values(domain):
    if domain.kind == "float":
        return st.sampled_from([-1.5, 0.0, 0.25, 1.0, 2.0, 2.5, 7.0])
    return st.integers(97, 122) if domain.kind == "char" else st.integers(-4, 6)


@examples(150)
@given(st.sampled_from(TARGETS), st.data())
def test_a_path_is_taken_again_by_what_its_condition_gives(target, data):
    session = opened(target)
    leaves = [data.draw(values(domain)) for domain in session.domains]
    trace = session.run(start=leaves)
    condition = condition_of(trace, session.domains)
    assert condition.branches == trace.length
    try:
        found = condition.solve()
    except Unsupported:
        assume(False)
    again = session.run(start=found)
    assert again.decisions == trace.decisions
    assert again.leaves == found
    assert all(value in domain for value, domain in zip(found, session.domains, strict=True))


@examples(100)
@given(st.sampled_from(TARGETS), st.data())
def test_literals_are_the_path_condition(target, data):
    session = opened(target)
    leaves, other = ([data.draw(values(domain)) for domain in session.domains] for _ in range(2))
    trace = session.run(start=leaves)
    literals = list(condition_of(trace, session.domains).literals())
    assert len(literals) == len(trace.path_condition)
    for model in (leaves, other):
        ours = [satisfies(model, [literal]) for literal in literals]
        assert ours == [satisfies(model, [literal]) for literal in trace.path_condition]


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.__name__)
def test_a_general_solver_finds_the_path_by_its_literals(target):
    session = opened(target)
    start = [domain.clip(7 - 3 * n % 5 + domain.initial) for n, domain in enumerate(session.domains)]
    trace = session.run(start=start)
    bounds = [(domain.low, domain.high) for domain in session.domains]
    solver = PathSolver(session.initial, bounds, Z3Solver)
    assert all(solver.assume(condition, want) for condition, want in condition_of(trace, session.domains).literals())
    assert session.run(start=solver.leaves).decisions == trace.decisions
