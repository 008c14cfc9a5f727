"""Interval propagation: it never loses a solution, and proves that there is none where no sample could."""

import math
from itertools import product, starmap
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.conditions import Variable, read_python
from pessimal.conditions.functions import names_for_python
from pessimal.expr import App, Compare, Var
from pessimal.expr.functions import REAL
from pessimal.solve import Query, Status
from pessimal.solve.conformance import check_solver
from pessimal.solve.narrowing.interval import Interval
from pessimal.solve.narrowing.narrowing import value_in
from pessimal.solve.narrowing.solver import IntervalSolver
from tests.expressions import LEAVES, conditions
from tests.profiles import examples

FUNCTIONS = (
    *("sin", "cos", "tan", "atan", "tanh", "exp", "sqrt", "log", "log2", "log10", "asin", "acos", "sinh", "cosh"),
    *(
        "asinh",
        "atanh",
        "cbrt",
        "expm1",
        "log1p",
        "exp2",
        "erf",
        "gamma",
        "lgamma",
        "abs",
        "floor",
        "ceil",
        "int",
        "round",
    ),
)
BINARY = ("({} + {})", "({} - {})", "({} * {})", "({} / {})", "({} // {})", "({} % {})", "hypot({}, {})")
MORE = ("min({}, {})", "max({}, {})", "fmod({}, {})", "atan2({}, {})", "({0} if {0} < {1} else {1})")
POWERS = ("2", "3", "0.5", "-1", "-2", "1.5", "5")


def term(rng, names, depth):
    if depth == 0:
        return rng.choice([*names, *names, "0.5", "2", "-3", "1e10", "0.1"])
    one = term(rng, names, depth - 1)
    kind = rng.randrange(4)
    if kind == 0:
        return f"{rng.choice(FUNCTIONS)}({one})"
    if kind == 1:
        return f"({one}) ** {rng.choice(POWERS)}"
    return rng.choice(BINARY + MORE).format(one, term(rng, names, depth - 1))


def comparison(rng, text, value):
    room = abs(value) * 10 ** rng.uniform(-17, 0)
    return rng.choice((f"{text} == {value!r}", f"{text} >= {value!r}", f"{text} < {value + room + 1e-300!r}"))


def around_a_point(rng):
    """A condition that holds at a point, and the point."""
    kinds = {name: rng.choice(("float", "float", "int")) for name in "abc"[: rng.randint(1, 3)]}
    wide = 10.0 ** rng.uniform(-200, 200)
    point = {
        name: rng.randint(-50, 50) if kind == "int" else rng.choice((rng.uniform(-9, 9), 0.0, -wide, wide))
        for name, kind in kinds.items()
    }
    parts = []
    for _ in range(rng.randint(1, 3)):
        text = term(rng, list(kinds), rng.randint(1, 3))
        try:
            value = eval(text, names_for_python(), dict(point))
        except (ArithmeticError, ValueError, TypeError):
            continue
        if not isinstance(value, complex) and math.isfinite(value):
            parts.append(comparison(rng, text, value))
    return " and ".join(parts) or "True", kinds, point


@examples(200)
@given(st.integers(0, 10**9))
def test_a_solution_is_never_lost(seed):
    text, kinds, point = around_a_point(Random(seed))
    variables = [Variable(name, kind) for name, kind in kinds.items()]
    condition = read_python(text, variables)
    leaves = [variable.start() for variable in variables]
    query = Query([], (condition.expression, True), condition.domains, leaves)
    solution = dict(enumerate(point.values()))
    if not condition.judge(point) or not query.satisfied_by(solution):
        return  # a constant was rounded on the way to its text and back
    answer = IntervalSolver().solve(query)
    assert answer.status is not Status.UNSAT
    assert answer.status is not Status.SAT or query.satisfied_by(answer.values)
    for leaf, (low, high) in enumerate(answer.domains):
        assert (low is None or low <= solution[leaf]) and (high is None or solution[leaf] <= high)


@given(conditions, st.booleans())
def test_on_small_domains_it_agrees_with_trying_all(condition, want):
    leaves = [0] * LEAVES
    query = Query([], (condition, want), [(-2, 2)] * LEAVES, leaves)
    answer = IntervalSolver().solve(query)
    if answer.status is Status.UNSAT:
        assert not any(query.satisfied_by(dict(enumerate(point))) for point in product(range(-2, 3), repeat=LEAVES))


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("x * x == 2.0", "unsat"),
        ("sin(x) > 1", "unsat"),
        ("exp(x) < 0", "unsat"),
        ("x ** 2 < 0", "unsat"),
        ("log(x) > 0 and x < 1", "unsat"),
        ("int(x * 100) == 29 and x == 0.29", "unsat"),
        ("x == 9007199254740993", "unsat"),
        ("n * 0.1 == 0.7", "unsat"),
        ("3 ** n == 12157665459056928800", "unsat"),
        ("min(x, n) > 5 and max(x, n) < 5", "unsat"),
        ("atan2(n + 0.01, x) > 3.14 and x > -1", "unsat"),
        ("gamma(x) < 0.88 and x > 0", "unsat"),
        ("gamma(x) < 0.886 and x > 0", "sat"),
        ("lgamma(x) < -0.13 and x > 0", "unsat"),
        ("tan(x) > 1e10 and abs(x) < 10", "sat"),
        ("tan(x) > 1 and 0 < x < 0.785", "unsat"),
        ("x == 0.0 and copysign(1.0, x) < 0", "sat"),
        ("1 / x > 1e300", "sat"),
        ("acos(x) < 1e-7 and x != 1", "sat"),
        ("3 ** n == 12157665459056928801", "sat"),
        ("x * 10 == inf and x < 1e308", "sat"),
        ("isnan(x * 1e200 * 1e200 - x * 1e200 * 1e200)", "sat"),
    ],
)
def test_what_it_settles(text, status):
    condition = read_python(text, [Variable("x", "float"), Variable("n", "int", 0, 100)])
    query = Query([], (condition.expression, True), condition.domains, [0.0, 0])
    answer = IntervalSolver().solve(query)
    assert answer.status == status
    assert status == "unsat" or query.satisfied_by(answer.values)


@examples(200)
@given(st.sampled_from(("tan", "gamma", "lgamma", "atan2")), st.lists(st.floats(-12, 12), min_size=4, max_size=4))
def test_functions_that_turn_stay_within_their_intervals(op, ends):
    """What each function gives anywhere in a box lies in what is said of the box."""
    count = 2 if op == "atan2" else 1
    boxes = [sorted(ends[2 * place : 2 * place + 2]) for place in range(count)]
    value = value_in(
        App(op, tuple(map(Var, range(count))), "float"),
        dict(enumerate(starmap(Interval, boxes))),
        {0: "float", 1: "float"},
    )
    for shares in product((0.0, 0.1, 0.37, 0.5, 0.8, 1.0), repeat=count):
        point = [low + share * (high - low) for share, (low, high) in zip(shares, boxes, strict=True)]
        found = REAL[op](*(min(one, high) for one, (_, high) in zip(point, boxes, strict=True)))
        assert found != found or value.has(found)


def test_a_term_that_no_value_satisfies_is_refuted_whatever_it_is_made_of():
    """The middle of two numbers is never a root of ten; boxes of both numbers would not show it."""
    middle = App("/", (App("+", (Var(0), Var(1)), "float"), 2), "float")
    rest = App("-", (10, App("*", (middle, middle), "float")), "float")
    query = Query([], (Compare("==", rest, 0.0), True), [(None, None)] * 2, [0.0, 0.0])
    assert IntervalSolver().solve(query).status is Status.UNSAT


def test_what_is_left_is_narrower():
    condition = read_python("sin(x) + x == 40.125 and x > 3", [Variable("x", "float")])
    answer = IntervalSolver(boxes=1).solve(Query([], (condition.expression, True), condition.domains, [0.0]))
    assert answer.status is Status.UNKNOWN
    assert answer.domains[0][0] > 39
    assert answer.domains[0][1] < 42


def test_it_keeps_the_contract_of_solvers():
    check_solver(IntervalSolver)
