"""The growth of a curve: the law of known formulas, how errors are told, and which formulas are understood."""

import math
import random
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pessimal
from pessimal import formula
from pessimal.formula import values_at
from pessimal.growth import Growth, growth
from pessimal.growth.squares import fit
from pessimal.report import text
from pessimal.result import Effort, StressResult
from tests.subjects import heappush, insertion_sort

DOUBLING = (4, 8, 16, 32, 64)
SMALL = tuple(range(8))


def law_of(cost, sizes=DOUBLING):
    """The growth of the costs that a formula gives."""
    return growth((n, cost(n)) for n in sizes)


@pytest.mark.parametrize("sizes", [DOUBLING[:4], DOUBLING, SMALL, (10, 20, 30, 40, 50), (7, 3, 11, 5, 2, 13)])
@pytest.mark.parametrize(
    ("cost", "law", "formula"),
    [
        (lambda n: 0, "O(1)", "0"),
        (lambda n: 7, "O(1)", "7"),
        (lambda n: -7, "O(1)", "- 7"),
        (lambda n: 2**64, "O(1)", "1.84467e+19"),
        (lambda n: 3 * n, "O(n)", "3*n"),
        (lambda n: n + 2, "O(n)", "n + 2"),
        (lambda n: 2**64 * n, "O(n)", "1.84467e+19*n"),
        (lambda n: n * (n - 1) // 2, "O(n²)", "0.5*n**2 - 0.5*n"),
        (lambda n: n * n + 3, "O(n²)", "n**2 + 3"),
        (lambda n: n**3, "O(n³)", "n**3"),
        (lambda n: n * (n - 1) * (n - 2), "O(n³)", "n**3 - 3*n**2 + 2*n"),
        (lambda n: 2**n - 1, "O(2ⁿ)", "2**n - 1"),
        (lambda n: 3 * 2**n - n, "O(2ⁿ)", "3*2**n - n"),
        (lambda n: 5 * math.factorial(n), "O(n!)", "5*factorial(n)"),
        (lambda n: math.factorial(n) - 1, "O(n!)", "factorial(n) - 1"),
    ],
)
def test_an_exact_law_is_found_with_its_formula_and_no_error(cost, law, formula, sizes):
    found = law_of(cost, sizes)
    assert (found.law, found.formula, found.error) == (law, formula, 0)
    assert found.runner_up is None or (found.runner_up.law != law and found.runner_up.error > 0)


@pytest.mark.parametrize("sizes", [DOUBLING[:4], DOUBLING, SMALL])
@pytest.mark.parametrize(
    ("cost", "law", "formula"),
    [
        (lambda n: 3 * math.log2(n or 1) + 5, "O(log n)", "3*log2(n) + 5"),
        (lambda n: n * math.log2(n or 1), "O(n log n)", "n*log2(n)"),
        (lambda n: 2 * n * math.log2(n or 1) - n + 4, "O(n log n)", "2*n*log2(n) - n + 4"),
        (lambda n: 2 * n**1.5, "O(n^1.5)", "2*n**1.5"),
        (lambda n: 10 * n**4, "O(n^4)", "10*n**4"),
    ],
)
def test_a_law_with_logarithms_or_a_free_exponent_is_found_within_rounding(cost, law, formula, sizes):
    found = law_of(cost, sizes)
    assert (found.law, found.formula) == (law, formula)
    assert found.error < 1e-9


def test_a_free_base_is_found():
    assert law_of(lambda n: 7 * 3**n).law == "O(3ⁿ)"
    fibonacci = [1, 1]
    while len(fibonacci) < 40:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    found = law_of(lambda n: 2 * fibonacci[n] - 1, (5, 10, 15, 20, 25, 30))
    assert found.law == "O(1.62ⁿ)"


@pytest.mark.parametrize("sizes", [DOUBLING[:4], DOUBLING, (5, 10, 15, 20, 25, 30), tuple(range(4, 50))])
def test_filling_a_heap_grows_with_n_log_n(sizes):
    found = law_of(heappush.longest, sizes)
    assert found.law == "O(n log n)"
    assert 0 < found.error < found.runner_up.error < 0.2


def test_four_sizes_of_a_shortest_path_get_a_law_that_fits_them():
    found = growth(zip((6, 12, 20, 30), (5, 29, 72, 136), strict=True))
    assert found.law == "O(n log n)"
    assert found.error < 0.02 < found.runner_up.error


@pytest.mark.parametrize(
    ("law", "cost"),
    [
        ("O(1)", lambda n: 400),
        ("O(n)", lambda n: 300 * n),
        ("O(n²)", lambda n: 50 * n * n),
        ("O(n³)", lambda n: 10 * n**3),
        ("O(2ⁿ)", lambda n: 100 * 2**n),
        ("O(n!)", lambda n: math.factorial(n)),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_noise_of_a_few_percent_does_not_hide_the_law(law, cost, seed):
    rng = random.Random(seed)
    found = law_of(lambda n: cost(n) * rng.uniform(0.97, 1.03), (4, 8, 12, 16, 24, 32, 48))
    assert found.law == law
    assert found.error < 0.1


@pytest.mark.parametrize("points", [[], [(4, 6)], [(4, 6), (8, 28), (16, 120)], [(4, 6), (4, 6), (8, 9), (9, 9)]])
def test_fewer_than_four_sizes_are_too_few_to_tell(points):
    assert growth(points) == Growth(None, None, None, None)


def test_sizes_without_a_cost_are_left_out_and_of_equal_sizes_the_worst_counts():
    points = [(4, 6), (4, 5), (8, 28), (16, None), (20, math.inf), (24, math.nan), (32, 496), (64, 2016), (64, 0)]
    assert growth(points).formula == "0.5*n**2 - 0.5*n"


def test_costs_that_fall_are_not_said_to_grow():
    assert law_of(lambda n: 1000 - n).law == "O(1)"


def test_sizes_beyond_any_factorial_are_fitted():
    assert law_of(lambda n: n * n, (1000, 2000, 4000, 8000)).law == "O(n²)"
    assert law_of(lambda n: 2**n, (64, 128, 256, 1000)).law == "O(2ⁿ)"


curves = st.dictionaries(st.integers(0, 200), st.integers(0, 10**6), min_size=4, max_size=8)


@given(curves, st.integers(1, 10**6))
def test_costs_in_another_unit_have_the_same_law_with_a_scaled_formula(curve, unit):
    one, other = growth(curve.items()), growth((n, unit * cost) for n, cost in curve.items())
    assert other.law == one.law
    assert other.error == pytest.approx(one.error, rel=1e-6, abs=1e-9)
    sizes = [n for n in curve if n and n <= 170]
    if one.law in ("O(1)", "O(log n)", "O(n)", "O(n²)", "O(n³)"):
        for n, value in values_at(one.formula, sizes, "bound").items():
            terms = sum(map(abs, curve.values())) + abs(value)
            found = values_at(other.formula, [n], "bound")[n]
            assert found == pytest.approx(unit * value, rel=1e-2, abs=unit * terms * 1e-2)


numbers = st.floats(allow_nan=True, allow_infinity=True) | st.integers() | st.none()


@given(st.lists(st.tuples(st.integers(0, 3000), numbers), max_size=8))
def test_whatever_the_costs_are_there_is_an_answer(points):
    found = growth(points)
    enough = len({n for n, cost in points if cost is not None and math.isfinite(cost)}) >= 4
    assert (found.law is not None) is enough
    assert found.error is None or (found.error >= 0 and math.isfinite(found.error))


@given(
    st.integers(1, 4).flatmap(
        lambda columns: st.lists(
            st.tuples(*[st.integers(-50, 50)] * columns, st.integers(-50, 50)), min_size=columns + 1, max_size=9
        )
    )
)
def test_least_squares_agree_with_numpy(table):
    numpy = pytest.importorskip("numpy")
    rows, goals = [row[:-1] for row in table], [row[-1] for row in table]
    found = fit([list(map(Fraction, row)) for row in rows], list(map(Fraction, goals)))
    matrix = numpy.array(rows, dtype=float)
    assume(found is not None and numpy.linalg.cond(matrix) <= 1e6)
    expected = numpy.linalg.lstsq(matrix, numpy.array(goals, dtype=float), rcond=None)[0]
    assert [float(value) for value in found.coefficients] == pytest.approx(list(expected), rel=1e-6, abs=1e-6)


def test_a_miss_is_what_a_fit_without_the_row_leaves():
    rows = [[Fraction(n * n), Fraction(n), Fraction(1)] for n in (1, 2, 4, 7, 9)]
    goals = [Fraction(goal) for goal in (3, 5, 30, 61, 70)]
    for i, miss in enumerate(fit(rows, goals).misses):
        others = fit(rows[:i] + rows[i + 1 :], goals[:i] + goals[i + 1 :]).coefficients
        assert sum(a * b for a, b in zip(others, rows[i], strict=True)) - goals[i] == miss


def test_rows_that_leave_a_coefficient_open_have_no_fit():
    assert fit([[Fraction(1), Fraction(2)]] * 3, [Fraction(1)] * 3) is None
    assert (
        fit([[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)], [Fraction(0), Fraction(1)]], [Fraction(1)] * 3)
        is None
    )


def shown(**fields):
    """The last lines of a report."""
    effort = Effort(solver={"calls": 0, "seconds": 0.0})
    result = StressResult("t.py:f", "climb", 4, {"name": "branches", "value": 6}, None, None, effort, 0, **fields)
    return text.stress(result).splitlines()[4:]


def test_the_report_tells_the_law_and_the_next_one():
    first, second = shown(growth=law_of(lambda n: n * (n - 1) // 2, (4, 8, 16, 32)))
    assert first == "  growth    O(n²): 0.5*n**2 - 0.5*n, exact"
    assert second.startswith("            then O(n³): ")
    assert second.endswith(", error 6.8%")


def test_the_report_says_when_sizes_are_too_few():
    assert shown(growth=Growth()) == ["  growth    too few sizes to tell: give 4 or more"]


def test_the_report_tells_where_the_budget_line_is_crossed():
    over = [{"size": 8, "cost": 28, "limit": 12.5}, {"size": 16, "cost": 120, "limit": 25}]
    assert shown(over_budget=over) == [
        "  over      size 8: 28, but the budget line is at 12.5",
        "  over      size 16: 120, but the budget line is at 25",
    ]
    assert shown(over_budget=[]) == ["  over      nowhere: no cost is above the budget line"]


@pytest.mark.parametrize(
    ("line", "at_four"),
    [
        ("7", 7),
        ("n", 4),
        (" n**2 ", 16),
        ("-n + +10", 6),
        ("(n + 1) * n / 2", 10),
        ("40*n*log(n)", 160 * math.log(4)),
        ("n*log2(n)", 8),
        ("sqrt(n) + factorial(n)", 26),
        ("min(n, 3) + max(1, n, 2.5)", 7),
        ("1e3*2**n", 16000),
        (lambda n: n * 1.5, 6),
    ],
)
def test_a_budget_line_is_an_expression_or_a_function_of_the_size(line, at_four):
    assert values_at(line, [4], "budget-line") == {4: at_four}


BAD_LINES = """
n + | m | log | n.real | n[0] | 'n' | True | 1j | n // 2 | n % 2 | ~n | n if n else 1 | n < 3 | log(n, 2) | log()
min(n) | max() | sqrt(x=n) | min(*n) | eval('n') | __import__('os') | lambda: n | n; n | n = 3 | (n, n) | [n] | f'{n}'
(n := 3) | \0
"""
DEEP_LINES = ["(" * 500 + "n" + ")" * 500, "-" * 100_000 + "n"]


@pytest.mark.parametrize(
    "line", ["", *(part for row in BAD_LINES.split("\n") for part in row.split(" | ")), *DEEP_LINES]
)
def test_what_is_no_budget_line_is_refused_in_one_line(line):
    with pytest.raises(pessimal.UsageError, match="--budget-line") as caught:
        values_at(line, [4], "budget-line")
    assert caught.value.slug == "formula"
    assert len(str(caught.value)) < 300


WITHOUT_VALUE = """
1/n log(n) log2(n) sqrt(n-1) factorial(n-1) factorial(n+0.5) factorial(n+171) (n-1)**0.5 9**9**9**9 1e308*10 n*1e999
0**(n-1)
"""
FAILING = [lambda n: 1 / n, lambda n: "many", lambda n: None, lambda n: math.nan]


@pytest.mark.parametrize("line", [*WITHOUT_VALUE.split(), "+".join(["n"] * 50_000), *FAILING])
def test_a_budget_line_without_a_value_at_a_size_is_refused_in_one_line(line):
    with pytest.raises(pessimal.UsageError, match="--budget-line") as caught:
        values_at(line, [0], "budget-line")
    assert len(str(caught.value)) < 300


def test_an_error_names_the_option_that_the_formula_was_given_by():
    with pytest.raises(pessimal.UsageError, match=r"^--bound 'm' is not understood"):
        values_at("m", [4], "bound")


@pytest.mark.parametrize(("text", "size"), [("0.29*n", 100), ("0.7*n", 10), ("n*log(n)/log(2)", 8)])
def test_rounding_does_not_keep_a_formula_from_a_whole_number(text, size):
    value = values_at(text, [size], "bound")[size]
    assert isinstance(value, int)
    assert value == {100: 29, 10: 7, 8: 24}[size]


def test_a_formula_is_shown_by_its_text_or_name():
    assert formula.shown("n*(n-1)/2") == "n*(n-1)/2"
    assert formula.shown(insertion_sort.longest) == "longest"
    assert len(formula.shown("n+" * 100)) == 61


def test_an_exact_formula_is_a_budget_line():
    sizes = range(400)
    assert values_at(law_of(insertion_sort.longest).formula, sizes, "budget-line") == {
        n: insertion_sort.longest(n) for n in sizes
    }


def test_a_bad_budget_line_is_refused_before_anything_runs():
    heard = []
    with pytest.raises(pessimal.UsageError, match="at size 1"):
        pessimal.stress(insertion_sort.insertion_sort, sizes=[4, 1], budget_line="1/(n-1)", progress=heard.append)
    assert heard == []


def test_a_result_tells_its_growth_and_where_it_is_over_budget():
    result = pessimal.stress(
        insertion_sort.insertion_sort,
        sizes=[2, 3, 4, 5],
        strategy="exhaustive",
        cost="branches",
        budget_line=lambda n: 2 * n - 3,
    )
    assert result.growth.law == "O(n²)"
    assert result.over_budget == [{"size": 4, "cost": 6, "limit": 5}, {"size": 5, "cost": 10, "limit": 7}]
    data = result.to_json()
    assert data["over_budget"] == result.over_budget
    assert data["growth"].keys() == {"law", "formula", "error", "runner_up"}
    assert data["growth"]["formula"] == "0.5*n**2 - 0.5*n"
    assert data["growth"]["error"] == 0
    assert data["growth"]["runner_up"].keys() == {"law", "formula", "error"}


def test_one_size_has_no_growth():
    result = pessimal.stress(insertion_sort.insertion_sort, size=3, strategy="exhaustive")
    assert result.growth is None
    assert result.over_budget is None
    assert not {"growth", "over_budget"} & result.to_json().keys()
