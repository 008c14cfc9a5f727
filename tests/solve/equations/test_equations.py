"""Equations of integers: known solutions of classical ones, proofs by all solutions, and agreement with brute force."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.conditions import Variable, read_python
from pessimal.solve import Query, Status
from pessimal.solve.conformance import check_solver
from pessimal.solve.equations.conics import Conic, solutions
from pessimal.solve.equations.numbers import divisors, factors, pell, unit
from pessimal.solve.equations.polynomial import equations_of
from pessimal.solve.equations.solver import EquationSolver
from tests.profiles import examples


def ask(text, **variables):
    declared = [Variable(name, *spec) for name, spec in variables.items()]
    condition = read_python(text, declared)
    leaves = [variable.start() for variable in condition.variables]
    query = Query([], (condition.expression, True), condition.domains, leaves)
    answer = EquationSolver().solve(query)
    if answer.status is Status.SAT:
        assert query.satisfied_by(answer.values)
    return answer


ANY = ("int",)


@pytest.mark.parametrize(
    ("text", "variables", "values"),
    [
        ("x * x - 61 * y * y == 1 and x > 1 and y > 0", {"x": ANY, "y": ANY}, [1766319049, 226153980]),
        ("x * y == 1000003 * 999983 and y > x > 1", {"x": ANY, "y": ANY}, [999983, 1000003]),
        ("x * x - y * y == 105 and x > 20 and y > 0", {"x": ANY, "y": ANY}, [53, 52]),
        ("x * y + 3 * x - 2 * y == 11 and x > 0 and y > 0", {"x": ANY, "y": ANY}, [3, 2]),
        ("x ** 2 - 2 * y ** 2 == -1 and x > 1000 and y > 0", {"x": ANY, "y": ANY}, [1393, 985]),
        ("x ** 2 + y ** 2 == 1000001 and y > 0 < x < 5", {"x": ANY, "y": ANY}, [1, 1000]),
        ("x ** 3 == 2 * y ** 3 + 7 and y > 0", {"x": ("int", 0, 99), "y": ("int", 0, 99)}, None),
        ("x * x % 1009 == 5", {"x": ("int", 0, 1008)}, None),
        ("int32(x * x) == 17 and x > 5000", {"x": ("int", 0, 9_000)}, None),
    ],
)
def test_classical_equations_are_solved(text, variables, values):
    answer = ask(text, **variables)
    if values is None:
        assert answer.status is _by_trying(text, variables)
    else:
        assert [answer.values[leaf] for leaf in range(len(variables))] == values


def _by_trying(text, variables):
    condition = read_python(text, [Variable(name, *spec) for name, spec in variables.items()])
    ranges = [range(low, high + 1) for _, low, high in variables.values()]
    found = any(condition.judge(dict(zip(variables, point, strict=True))) for point in itertools.product(*ranges))
    return Status.SAT if found else Status.UNSAT


def test_that_no_divisor_will_do_is_a_proof():
    assert ask("x * y == 1000003 * 999983 and x > 1000003 and y > 1", x=ANY, y=ANY).status is Status.UNSAT
    assert ask("x * y == 2 ** 61 - 1 and x > 1 and y > 1", x=ANY, y=ANY).status is Status.UNSAT
    # without the factors of a number nothing is proved
    assert ask(f"x * y == {(2**89 - 1) * (2**107 - 1)} and x > 1 and y > 1", x=ANY, y=ANY).status is Status.UNKNOWN


def test_other_variables_are_looked_for_too():
    answer = ask("x * y == 1000003 * 999983 and y > x > 1 and z > x and z % 7 == 3", x=ANY, y=ANY, z=ANY)
    assert answer.status is Status.SAT
    assert (answer.values[0], answer.values[2] % 7) == (999983, 3)


def test_what_is_no_equation_of_integers_is_left_to_others():
    for text in ("x + y == 7", "x * y > 7", "x * y != 7", "x * y == 7 or x == 3"):
        assert ask(text, x=ANY, y=ANY).status is Status.UNKNOWN
    assert ask("x * x == 2.0", x=("float",)).status is Status.UNKNOWN
    assert ask("x * n == 6.5", x=("float",), n=ANY).status is Status.UNKNOWN


def test_it_keeps_the_contract_of_solvers():
    check_solver(EquationSolver)


small = st.integers(-6, 6)


@examples(200)
@given(small, small, small, small, small, st.integers(-40, 40))
def test_conics_have_the_solutions_that_trying_finds(a, b, c, d, e, f):
    """All of them, where they are said to be all; and only solutions in any case."""
    x, y = (0, 1) if a else (1, 0)
    conic = Conic(x, y, a, b, c, d, e, f)
    if (a, b, c) == (0, 0, 0) or (a == 0 and c != 0):
        return
    pairs = solutions(conic)
    for u, v in pairs.found:
        assert a * u * u + b * u * v + c * v * v + d * u + e * v + f == 0
    if pairs.are_all:
        near = range(-12, 13)
        tried = {
            (u, v)
            for u, v in itertools.product(near, near)
            if a * u * u + b * u * v + c * v * v + d * u + e * v + f == 0
        }
        assert tried <= set(pairs.found)


terms = st.sampled_from(
    ["x * x", "x * y", "y * y", "y ** 3", "x * x * y", "x", "y", "x * y * z", "z * z", "z", "(x - z) ** 2"]
)


@examples(200)
@given(st.lists(st.tuples(st.integers(-5, 5), terms), min_size=1, max_size=4), st.integers(-60, 60), st.integers(0, 9))
def test_answers_agree_with_trying_all(parts, constant, modulus):
    left = " + ".join(f"{factor} * ({term})" for factor, term in parts)
    text = f"({left}) % {modulus} == {constant % modulus}" if modulus > 1 else f"{left} == {constant}"
    variables = dict.fromkeys("xyz", ("int", -4, 5))
    answer = ask(f"{text} and x <= y", **variables)
    if answer.status is not Status.UNKNOWN:
        assert answer.status is _by_trying(f"{text} and x <= y", variables)


def test_numbers():
    assert factors(2**6 * 61) == {2: 6, 61: 1}
    assert factors(1) == {}
    assert divisors({2: 2, 3: 1}) == [1, 2, 3, 4, 6, 12]
    assert divisors(dict.fromkeys((2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41), 1)) is None
    assert unit(2) == (1, 1, -1)
    assert unit(7) == (8, 3, 1)
    assert pell(3, 2) == []


@given(st.integers(1, 10**12))
def test_factors_multiply_to_the_number(number):
    found = factors(number)
    assert found is not None
    assert math.prod(prime**count for prime, count in found.items()) == number


@given(st.integers(2, 60).filter(lambda d: math.isqrt(d) ** 2 != d), st.integers(-60, 60).filter(bool))
def test_pell_finds_a_solution_where_there_is_one(d, n):
    found = pell(d, n)
    assert all(x * x - d * y * y == n for x, y in found)
    small = [y for y in range(200) if n + d * y * y >= 0 and math.isqrt(n + d * y * y) ** 2 == n + d * y * y]
    assert bool(found) or not small


def test_remainders_are_polynomials_with_one_more_variable():
    condition = read_python("x * x % 7 == 2", [Variable("x", "int")])
    assert equations_of([(condition.expression, True)]) == [{(0, 0): 1, (-1,): -7, (): -2}]
