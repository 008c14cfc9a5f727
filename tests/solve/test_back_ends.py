"""Back-ends behind the path solver: what they are asked, what of their answers is believed, and how they are found."""

import math
from importlib.metadata import EntryPoint, EntryPoints
from random import Random
from time import monotonic

import pytest

from pessimal import registry
from pessimal.errors import UnknownNameError, UsageError
from pessimal.expr import App, Compare, Offset, Var
from pessimal.registry import SOLVERS
from pessimal.solve import Answer, PathSolver, Portfolio, Query, Solver, Status
from pessimal.solve.base import UNKNOWN, UNSAT, Statistics, admits
from pessimal.solve.z3 import Z3Solver
from pessimal.trace import Side

PRODUCT = Compare("==", App("*", (Offset(0), Offset(1)), "int"), 6)
"""From zero and zero no single move makes it true, so that the back-end is asked."""


class Scripted:
    """Gives its answers one after the other and keeps what it was asked."""

    name = "scripted"

    def __init__(self, *answers):
        self.answers = list(answers)
        self.queries = []

    def solve(self, query):
        self.queries.append(query)
        return self.answers.pop(0)


def path_solver(back_end, bounds=((0, 9), (0, 9)), leaves=(0, 0), **options):
    return PathSolver(leaves, bounds, lambda: back_end, **options)


def sat(values):
    return Answer(Status.SAT, values)


@pytest.mark.parametrize(
    ("status", "values", "confidence", "message"),
    [
        (Status.UNSAT, {0: 1}, None, "only a satisfiable question has values"),
        (Status.UNKNOWN, {0: 1}, None, "only a satisfiable question has values"),
        (Status.SAT, {}, 0.5, "only an unknown answer has a confidence, not sat"),
        (Status.UNSAT, {}, 0.5, "only an unknown answer has a confidence, not unsat"),
        (Status.UNKNOWN, {}, 1.5, "between 0 and 1, not 1.5"),
        (Status.UNKNOWN, {}, -0.1, "between 0 and 1, not -0.1"),
        (Status.UNKNOWN, {}, math.nan, "between 0 and 1, not nan"),
    ],
)
def test_an_answer_that_contradicts_itself_cannot_be_made(status, values, confidence, message):
    with pytest.raises(ValueError, match=message):
        Answer(status, values, confidence)


@pytest.mark.parametrize("confidence", [None, 0.0, 0.25, 1.0])
def test_an_unknown_answer_may_have_a_confidence(confidence):
    assert Answer(Status.UNKNOWN, confidence=confidence).confidence == confidence


@pytest.mark.parametrize(
    ("domain", "old", "value", "expected"),
    [
        ((None, None), 0, 10**400, True),
        ((0, 5), 0, 5, True),
        ((0, 5), 0, 6, False),
        ((0, 5), 0, -1, False),
        ((3, 3), 3, 3, True),
        ((None, None), 0, 1.0, False),
        ((None, None), 0, True, False),
        ((None, None), 0.0, 1, False),
        ((None, None), 0.0, -0.0, True),
        ((0.0, 1.0), 0.0, -0.0, True),
        ((0.0, 1.0), 0.0, 1.0000000000000002, False),
        ((None, None), 0.0, math.nan, False),
        ((None, None), 0.0, math.inf, False),
        ((0, None), 0.0, 1e308, True),
    ],
)
def test_a_leaf_admits_values_of_its_type_and_range(domain, old, value, expected):
    assert admits(domain, old, value) is expected


def test_a_query_tells_whether_values_satisfy_it():
    query = Query([(Compare("<", Offset(0), Offset(1)), True)], (PRODUCT, True), [(0, 9), (0, 9)], [0, 1])
    assert query.satisfied_by({0: 2, 1: 3})
    assert query.satisfied_by({1: 6, 0: 1})
    assert not query.satisfied_by({})
    assert not query.satisfied_by({0: 3, 1: 2})
    assert not query.satisfied_by({0: -3, 1: -2})
    assert not query.satisfied_by({-1: 3, 0: 2})
    assert not query.satisfied_by({0: 2, 1: 3, 2: 0})
    division = Compare("==", App("//", (6, Offset(0)), "int"), 6)
    assert not Query([], (division, True), [(0, 9)], [1]).satisfied_by({0: 0})


def test_the_time_that_is_left_ends_at_the_deadline():
    literal = (PRODUCT, True)
    assert Query([], literal, [], []).seconds_left() == math.inf
    assert Query([], literal, [], [], deadline=monotonic() - 1).seconds_left() < 0
    assert 0 < Query([], literal, [], [], deadline=monotonic() + 1000).seconds_left() <= 1000


def test_the_back_end_is_told_everything():
    back_end, rng = Scripted(UNKNOWN, UNKNOWN), Random(5)
    solver = path_solver(back_end, leaves=(0, 1), rng=rng, deadline=12345.0)
    order = Compare("<", Offset(0), Offset(1))
    assert solver.decide(order, True) == 1
    assert solver.decide(PRODUCT, True) == 2 * Side.UNKNOWN
    (query,) = back_end.queries
    assert query.extra == (PRODUCT, True)
    assert query.path[0] == (order, True)
    assert query.domains == ((0, 9), (0, 9))
    assert list(query.model) == [0, 1]
    assert query.rng is rng
    assert query.deadline == 12345.0


def test_a_true_model_is_adopted_and_a_probe_leaves_the_model_as_it_is():
    solver = path_solver(Scripted(sat({0: 2, 1: 3}), sat({0: 1, 1: 6})))
    assert solver.feasible(PRODUCT) is Side.FEASIBLE
    assert (solver.leaves, solver.path) == ([0, 0], [])
    assert solver.decide(PRODUCT, True) == 1
    assert solver.leaves == [1, 6]


LIES = [
    {},
    {0: 2},
    {0: -2, 1: -3},
    {0: 1, 1: 6, 2: 0},
    {-1: 1},
    {0: 2.0, 1: 3},
    {0: True, 1: 6},
    {0: 3, 1: 2},
]


@pytest.mark.parametrize("lie", LIES, ids=str)
def test_a_model_that_is_not_one_is_unknown(lie):
    solver = path_solver(Scripted(sat(lie), sat(lie), sat({0: 2, 1: 3})), leaves=(0, 1))
    assert solver.decide(Compare("<", Offset(0), Offset(1)), True) == 1
    assert solver.feasible(PRODUCT) is Side.UNKNOWN
    assert solver.leaves == [0, 1]
    assert solver.statistics.refuted == 1
    assert solver.decide(PRODUCT, True) == 2 * Side.UNKNOWN
    assert (solver.leaves, solver.statistics.refuted) == ([0, 1], 2)


@pytest.mark.parametrize(
    ("values", "is_true"),
    [
        ({0: 0.75, 1: 8.0}, True),
        ({0: 2.0, 1: 3.0}, False),
        ({0: 0.5, 1: 12.0}, False),
        ({0: 1, 1: 6.0}, False),
        ({0: 1.0, 1: math.nan}, False),
        ({0: 1.0, 1: math.inf}, False),
        ({0: 0.1, 1: 60.0}, False),
    ],
    ids=str,
)
def test_a_float_that_breaks_the_path_or_its_range_is_unknown(values, is_true):
    solver = path_solver(Scripted(sat(values)), bounds=((0.0, 9.0),) * 2, leaves=(0.0, 0.0))
    assert solver.decide(Compare("<=", Var(0), 1.0), None) == 1
    product = Compare("==", App("*", (Var(0), Var(1)), "float"), 6.0)
    assert solver.decide(product, True) == (1 if is_true else 2 * Side.UNKNOWN)
    assert solver.leaves == ([0.75, 8.0] if is_true else [0.0, 0.0])


@pytest.mark.parametrize("watched", [True, False])
def test_a_model_that_breaks_a_watched_condition_is_unknown(watched):
    """A sum of three variables is no edge: it is found by the variables that the back-end changes."""
    total = App("+", (App("+", (Offset(0), Offset(1)), "int"), Offset(2)), "int")
    solver = path_solver(Scripted(sat({0: 2, 1: 3})), bounds=[(0, 9)] * 3, leaves=(0, 0, 0))
    if watched:
        assert solver.decide(Compare("<=", total, 4), None) == 1
    assert solver.decide(PRODUCT, True) == (2 * Side.UNKNOWN if watched else 1)


def test_a_model_that_breaks_a_disequality_is_unknown():
    solver = path_solver(Scripted(sat({0: 2, 1: 3}), sat({0: 3, 1: 2})))
    assert solver.decide(Compare("!=", Offset(0), 2), None) == 1
    assert solver.decide(PRODUCT, True) == 2 * Side.UNKNOWN


def test_the_confidence_of_an_unknown_side_is_kept():
    solver = path_solver(Scripted(Answer(Status.UNKNOWN, confidence=0.75), UNKNOWN))
    assert solver.feasible(PRODUCT) is Side.UNKNOWN
    assert solver.confidence == 0.75
    assert solver.decide(PRODUCT, True) == 2 * Side.UNKNOWN
    assert solver.confidence is None


def test_statistics_are_added_up():
    first, second = Statistics(1, 0.5, 2, 3, 4, 5), Statistics(10, 0.25, 20, 30, 40, 50)
    first.add(second)
    assert first == Statistics(11, 0.75, 22, 33, 44, 55)


def test_a_proof_of_a_back_end_is_infeasible():
    solver = path_solver(Scripted(UNSAT))
    assert solver.decide(PRODUCT, True) == 2 * Side.INFEASIBLE


# The portfolio


def question(deadline=None, **options):
    return Query([], (PRODUCT, True), [(0, 9)] * 2, [0, 0], deadline=deadline, **options)


def test_the_first_answer_that_settles_a_question_is_given():
    last = Scripted()
    for settled in (UNSAT, sat({0: 2, 1: 3})):
        assert Portfolio([Scripted(UNKNOWN), Scripted(settled), last]).solve(question()) is settled
    assert last.queries == []


def test_a_member_with_a_wrong_model_leaves_the_question_to_the_others():
    true = sat({0: 2, 1: 3})
    assert Portfolio([Scripted(sat({0: 2})), Scripted(true)]).solve(question()) is true
    assert Portfolio([Scripted(sat({0: 2}))]).solve(question()) == UNKNOWN


@pytest.mark.parametrize(
    ("confidences", "best"),
    [([None, None], None), ([0.25, 0.5], 0.5), ([0.5, 0.25], 0.5), ([None, 0.0], 0.0), ([0.0, None], 0.0)],
)
def test_the_best_confidence_of_the_members_is_kept(confidences, best):
    members = [Scripted(Answer(Status.UNKNOWN, confidence=confidence)) for confidence in confidences]
    assert Portfolio(members).solve(question()) == Answer(Status.UNKNOWN, confidence=best)


def test_members_share_the_time_that_is_left():
    members = [Scripted(UNKNOWN) for _ in range(3)]
    due = monotonic() + 3000
    Portfolio(members).solve(question(deadline=due))
    first, second, third = (member.queries[0].deadline for member in members)
    assert due - 2001 < first < second < third == due


def test_without_a_deadline_members_get_the_question_as_it_is():
    members = [Scripted(UNKNOWN), Scripted(UNKNOWN)]
    asked = question()
    Portfolio(members).solve(asked)
    assert [member.queries for member in members] == [[asked], [asked]]


def test_a_portfolio_needs_members():
    with pytest.raises(ValueError, match="at least one solver"):
        Portfolio([])


def test_a_portfolio_can_be_a_member_and_serve_a_path():
    inner = Portfolio([Scripted(UNKNOWN, UNKNOWN), Z3Solver()])
    solver = path_solver(Portfolio([Scripted(UNKNOWN, UNKNOWN), inner]))
    assert solver.decide(PRODUCT, True) == 1
    assert math.prod(solver.leaves) == 6


# Z3 and its deadline


def test_z3_does_not_start_after_the_deadline():
    assert Z3Solver().solve(question()).status is Status.SAT
    assert Z3Solver().solve(question(deadline=monotonic() - 1)) == UNKNOWN


def test_z3_does_not_start_on_words_after_the_deadline():
    bits = Compare("==", App("^", (Offset(0), 3), "int"), 5)
    query = Query([], (bits, True), [(0, 9)], [0], deadline=monotonic() - 1)
    assert Z3Solver().solve(query) == UNKNOWN
    assert Z3Solver().solve(Query([], (bits, True), [(0, 9)], [0])) == sat({0: 6})


def test_z3_gives_a_hard_question_up_at_the_deadline():
    """A sum of three cubes that is 42 took years of computers: what ends this is the deadline."""
    cubes = [App("**", (Offset(i), 3), "int") for i in range(3)]
    total = App("+", (App("+", (cubes[0], cubes[1]), "int"), cubes[2]), "int")
    query = Query([], (Compare("==", total, 42), True), [(None, None)] * 3, [0] * 3, deadline=monotonic() + 0.2)
    assert Z3Solver(effort=0).solve(query) == UNKNOWN


def test_a_deadline_of_one_question_does_not_hold_for_the_next():
    solver = Z3Solver()
    assert solver.solve(question(deadline=monotonic() - 1)) == UNKNOWN
    assert solver.solve(question()).status is Status.SAT


# By name


class Plugged(Scripted):
    """What a user's package brings."""

    def __init__(self, factor=2):
        super().__init__(sat({0: factor, 1: 6 // factor}))


@pytest.fixture
def plug_in(monkeypatch):
    points = [EntryPoint("plugged", f"{__name__}:Plugged", "pessimal.solvers")]
    monkeypatch.setattr(registry, "entry_points", lambda: EntryPoints(points))


def test_a_solver_is_plugged_in_by_an_entry_point(plug_in):
    assert SOLVERS.names() == ["plugged"]
    solver = PathSolver([0, 0], [(0, 9)] * 2, SOLVERS.get("plugged"))
    assert solver.decide(PRODUCT, True) == 1
    assert solver.leaves == [2, 3]
    solver = path_solver(SOLVERS.make("plugged", {"factor": 3}))
    assert solver.decide(PRODUCT, True) == 1
    assert solver.leaves == [3, 2]


def test_mistakes_with_names_are_told(plug_in):
    with pytest.raises(UnknownNameError, match="unknown solver 'pluged': did you mean 'plugged'"):
        SOLVERS.get("pluged")
    with pytest.raises(UsageError, match="solver 'plugged' does not take these options"):
        SOLVERS.make("plugged", {"colour": 1})


def test_z3_is_registered():
    assert SOLVERS.get("z3") is Z3Solver
    assert isinstance(SOLVERS.make("z3", {"effort": 1000}), Solver)
