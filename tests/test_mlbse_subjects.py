"""The subjects of bench-mlbse compute what their mathematics says, and coverage is counted by conditional jumps."""

import datetime
import math
from functools import partial

import pytest
from scipy import special

from bench.jumps import Coverage, covered
from bench.mlbse import entries, file_of, programs, summary, weighted
from bench.subjects.mlbse import airy, arbiter, bess, caldat, color, dart, ell, gam, library, pump, scic, sine

NEAR = partial(pytest.approx, rel=1e-6, abs=1e-6)
ROUGH = partial(pytest.approx, rel=2e-2, abs=2e-2)


@pytest.mark.parametrize("x", [-7.0, -2.0, 0.5, 3.0, 5.0, 20.0])
def test_airy(x):
    first, _, second, _ = special.airy(x)
    assert airy.airy(x) == (ROUGH(first), pytest.approx(second, rel=2e-2))


@pytest.mark.parametrize(("n", "x"), [(0, 1.0), (3, 2.0), (5, 10.0), (10, 3.0)])
def test_spherical_bessel_functions(n, x):
    assert airy.spherical(n, x) == (NEAR(special.spherical_jn(n, x)), NEAR(special.spherical_yn(n, x)))


@pytest.mark.parametrize("x", [0.1, 5.0, 11.0, 15.0, 100.0])
def test_bessel_functions(x):
    assert bess.j0(x) == ROUGH(special.j0(x)) and bess.j1(-x) == ROUGH(-special.j1(x))
    assert bess.y0(x) == ROUGH(special.y0(x)) and bess.k0(x) == ROUGH(special.k0(x))
    assert bess.i0(x) == pytest.approx(special.i0(x), rel=1e-3)
    assert bess.jn(5, x) == ROUGH(special.jv(5, x)) and bess.dawson(x) == ROUGH(special.dawsn(x))


def test_elliptic_integrals():
    assert ell.rf(1.0, 2.0, 3.0) == NEAR(special.elliprf(1, 2, 3))
    assert ell.rd(1.0, 2.0, 3.0) == NEAR(special.elliprd(1, 2, 3), rel=1e-5)
    assert ell.rj(1.0, 2.0, 3.0, 4.0) == NEAR(special.elliprj(1, 2, 3, 4), rel=1e-5)
    assert (ell.rc(1.0, 2.0), ell.rc(1.0, -2.0)) == (NEAR(special.elliprc(1, 2)), NEAR(special.elliprc(1, -2)))
    assert ell.first_kind(1.0, 0.5) == NEAR(special.ellipkinc(1.0, 0.25))
    assert ell.second_kind(1.0, 0.5) == NEAR(special.ellipeinc(1.0, 0.25))
    assert ell.jacobi(0.7, 0.4) == tuple(map(NEAR, special.ellipj(0.7, 0.4)[:2]))
    assert ell.fresnel(1.2) == tuple(map(NEAR, special.fresnel(1.2)[::-1]))
    assert ell.legendre(4, 2, 0.3) == NEAR(special.lpmv(2, 4, 0.3))


@pytest.mark.parametrize(("a", "x"), [(0.5, 0.2), (3.0, 1.0), (3.0, 10.0), (20.0, 15.0)])
def test_gamma_and_its_relatives(a, x):
    assert gam.lower_gamma(a, x) == NEAR(special.gammainc(a, x))
    assert gam.upper_gamma(a, x) == NEAR(special.gammaincc(a, x))
    assert gam.log_gamma(a) == NEAR(math.lgamma(a)) and gam.error(-a) == NEAR(-math.erf(a))
    assert gam.beta(a, x) == NEAR(special.beta(a, x)) and gam.principal(x) == NEAR(special.expi(x))
    assert gam.part_of_beta(a, x, 0.4) == NEAR(special.betainc(a, x, 0.4))
    assert gam.exponential(3, x) == NEAR(special.expn(3, x))


@pytest.mark.parametrize("x", [0.1, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, -2.5, 100.0, 3e7, -3e7])
def test_sine(x):
    assert sine.sine(x) == pytest.approx(math.sin(x), abs=1e-5)


@pytest.mark.parametrize("days", [0, 1, 59, 365, 20000, -100000])
def test_dates(days):
    date = datetime.date(1970, 1, 1) + datetime.timedelta(days)
    number = 2440588 + days
    thousands, rest = divmod(number - 2400000, 1000)
    assert caldat.date_of(thousands, rest) == (date.year, date.month, date.day)
    assert caldat._day_number(date.month, date.day, date.year) == number


def test_rare_outcomes():
    assert dart.check(1291, 20) == "overflow"
    assert color.send_more_money(9, 5, 6, 7, 1, 0, 8, 2) == "solved"
    assert scic.cube_root(-27.0) == NEAR(-3.0)
    assert pump.control(90.0, 0.0, 0.0, 0.0, 0.0, False, 5.0) == "pumping"
    assert arbiter.arbitrate(0, 0, 0, 2, 1, 0, 3, 0, 50) == "mixed"


@pytest.mark.parametrize("name", ["sin", "cos", "tan", "atan", "exp", "log", "sqrt", "sinh", "tanh", "asin", "acos"])
@pytest.mark.parametrize("x", [0.3, 0.9, 1.0, 2.5, 40.0, -0.7])
def test_the_library_computes_what_math_does(name, x):
    try:
        expected = getattr(math, name)(x)
    except ValueError:
        with pytest.raises(ValueError, match="math domain error"):
            getattr(library, name)(x)
    else:
        assert getattr(library, name)(x) == NEAR(expected)


TWO_TESTS = """
def both(a, b):
    if a > 0 and b > 0:
        return 1
    return 0

def count(n):
    while n > 0:
        n -= 1
    return n
"""


def test_coverage_counts_both_outcomes_of_every_conditional_jump(tmp_path):
    file = tmp_path / "two_tests.py"
    file.write_text(TWO_TESTS)
    names = {}
    exec(compile(TWO_TESTS, str(file), "exec"), names)
    both, count = names["both"], names["count"]
    assert covered(file, iter([])) == Coverage(0, 6, 0, 6)
    assert covered(file, iter([lambda: both(0, 0)])) == Coverage(1, 6, 2, 6)
    assert covered(file, iter([lambda: both(1, 0), lambda: both(1, 1)])) == Coverage(3, 6, 3, 6)
    assert covered(file, iter([lambda: both(0, 0), lambda: both(1, 1), lambda: count(2)])) == Coverage(5, 6, 6, 6)
    assert covered(file, iter([lambda: both("a", 1)])) == Coverage(0, 6, 1, 6)
    assert covered(file, iter([lambda: both(1, 1), lambda: count(2)]), only=["both"]) == Coverage(2, 4, 2, 3)


def test_there_are_22_programs_with_functions_to_explore():
    names = programs(None)
    assert len(names) == 22 and all(entries(file_of(name)) for name in names)


def test_the_mean_has_branches_as_weights():
    rows = [
        {"program": "dart", "branches": 10, "branch %": 100.0, "solved %": 100.0, "line %": 100.0},
        {"program": "pump", "branches": 30, "branch %": 50.0, "solved %": 0.0, "line %": 50.0},
    ]
    rows = [{**row, "functions": 1, "paths": 1, "unknown": 0, "seconds": 1.0} for row in rows]
    assert weighted(rows, "branch %", {"dart": 10, "pump": 30}) == 62.5
    assert summary(rows)["branch %"] == 62.5
    assert summary(rows)["by their weights %"] == pytest.approx((14 * 100 + 100 * 50) / 114, abs=0.05)
