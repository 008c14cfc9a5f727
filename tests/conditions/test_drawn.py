"""Drawn conditions over small domains: no answer contradicts what trying all inputs shows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.drawn_conditions import drawn
from bench.mlbse_conditions import verdict
from pessimal import solve
from tests.profiles import examples, thorough


@pytest.mark.parametrize("seed", [*range(30), *thorough(range(30, 200))])
def test_answers_agree_with_trying_all_inputs(seed):
    found = verdict(drawn(seed), samples=300)
    assert not found.is_defect, found


@given(st.integers(10_000, 1_000_000))
@examples(100)
def test_no_drawn_condition_is_answered_wrongly(seed):
    found = verdict(drawn(seed), samples=200)
    assert not found.is_defect, found


@pytest.mark.parametrize("solver", ["intervals", "z3", "racos"])
@given(seed=st.integers(10_000, 1_000_000))
@examples(20)
def test_no_solver_alone_answers_wrongly(solver, seed):
    found = verdict(drawn(seed), solver, samples=200)
    assert not found.is_defect, found


INT, FLOAT = {"a": "int:-3..3"}, {"x": "float"}


@pytest.mark.parametrize(
    ("text", "variables", "status"),
    [
        ("pow(1, -1, a) == 1 and a > 2", INT, "sat"),  # an inverse modulo a
        ("cosh(x) != (inf - inf) ** 0.3", FLOAT, "sat"),  # NaN differs from everything
        ("(-inf).is_integer() or a > 5", INT, "unsat"),
        ("lcm(a, a) <= 0", INT, "sat"),  # of zeros
        ("cosh(-inf) == inf and a == 2", INT, "sat"),
        ("erf(-inf) ** inf == a", INT, "sat"),
        ("(10 // a if a != 0 else 5) == 5 and a < 1", INT, "sat"),  # what is not chosen has no value
        ("(a and 5) == 5", INT, "sat"),  # one of the operands, and no truth value
        ("(a or 5) == 1 and a != 1", INT, "unsat"),
        ("x > 3 or 1 / 0 > 1", FLOAT, "sat"),  # Python does not come to it
        ("a == 1 or (2 if a > 1 else sqrt(-1)) == 2", INT, "sat"),
        ("isqrt(round(a, -1)) == 0", INT, "sat"),
        ("isnan(sin(x))", FLOAT, "unsat"),
        ("isnan(x * 0)", FLOAT, "unsat"),
        ("comb(5, 2) == a", INT, "unsat"),
        ("ulp(a) > 1", INT, "unsat"),  # by trying all
        ("(a / 3) * 3 != a", INT, "unsat"),
        ("uint32(-1) == 4294967295 and a == 1", INT, "sat"),
    ],
)
def test_conditions_that_were_answered_wrongly_or_not_at_all(text, variables, status):
    assert solve(text, variables=variables).status == status


@pytest.mark.parametrize("samples", [1, 7, 300])
@pytest.mark.parametrize("solver", ["portfolio", "intervals", "sampling", "racos"])
def test_no_more_samples_are_evaluated_than_asked_for(solver, samples):
    text = "sin(x) ** 2 + cos(x) ** 2 > 1.1 and y > 3"
    result = solve(text, variables={"x": "float", "y": "float"}, samples=samples, solver=solver)
    assert result.status == "unknown"
    assert result.samples <= samples
    assert result.samples == samples or solver == "intervals"
