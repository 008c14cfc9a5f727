"""Samplers: what they find, that every model is one, that limits hold, and that one seed gives the same samples."""

import itertools
from dataclasses import fields, replace
from random import Random
from time import monotonic

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.conditions import Variable, read_python
from pessimal.errors import UsageError
from pessimal.expr import Compare, Offset, holds
from pessimal.registry import SOLVERS
from pessimal.solve import Query, Status
from pessimal.solve.conformance import check_solver
from pessimal.solve.learning.dissatisfaction import RULES, Rule
from pessimal.solve.learning.portfolio import LearningPortfolio
from pessimal.solve.learning.problem import Problem
from pessimal.solve.learning.racos import MEASURED, PUBLISHED, racos
from pessimal.solve.learning.sampling import Exhausted, Sampling, Solved
from pessimal.solve.learning.schedule import SAMPLERS
from pessimal.solve.learning.solver import RacosSolver, RandomSolver, SamplingSolver
from tests.expressions import LEAVES, conditions
from tests.profiles import examples

SOLVERS_BY_SAMPLES = ["sampling", "racos", "alternating", "newton", "evolution", "random"]
REAL = ("float", -100.0, 100.0)
EASY = "sin(x) * y > 0.9 and x + y < 40"
SWITCHES = [field.name for field in fields(MEASURED) if field.type == "bool"]


def query(text, seed=0, deadline=None, **kinds):
    variables = [Variable(name, *kind) for name, kind in kinds.items()]
    condition = read_python(text, variables)
    leaves = [variable.start() for variable in variables]
    return Query([], (condition.expression, True), condition.domains, leaves, Random(seed), deadline)


def sampled(question, sampler, samples=2000, seed=0, rule="even"):
    sampling = Sampling(Problem(question, Rule(rule)), samples, np.random.default_rng(seed))
    try:
        sampler(sampling)
    except Solved as solved:
        return sampling, solved.values
    except Exhausted:
        pass
    return sampling, None


@pytest.mark.parametrize("name", SOLVERS_BY_SAMPLES)
def test_every_solver_by_samples_keeps_the_contract(name):
    check_solver(lambda: SOLVERS.make(name, {"samples": 60}))


def test_the_portfolio_keeps_the_contract():
    check_solver(lambda: LearningPortfolio(samples=60))


@pytest.mark.parametrize("name", sorted(SAMPLERS))
def test_every_sampler_finds_what_is_easy(name):
    question = query(EASY, x=REAL, y=REAL)
    _, values = sampled(question, SAMPLERS[name])
    assert values is not None
    assert question.satisfied_by(values)


@pytest.mark.parametrize("name", sorted(SAMPLERS))
@pytest.mark.parametrize("start", [1.7e308, -1.7976931348623157e308, 5e-324])
def test_samplers_bear_the_largest_and_smallest_doubles(name, start):
    question = query("abs(x / 2) > 1.5e308 and x - y > 1e308", x=("float",), y=("float",))
    question = replace(question, model=[start, start], hints=({0: start, 1: start},))
    with np.errstate(all="ignore"):
        sampling, values = sampled(question, SAMPLERS[name], samples=300)
    assert values is None and sampling.record.samples <= 300


@pytest.mark.parametrize("name", sorted(SAMPLERS))
def test_a_sampler_evaluates_no_more_than_it_may(name):
    sampling, values = sampled(query("x * x == -1.0", x=REAL), SAMPLERS[name], samples=500)
    assert values is None
    assert sampling.record.samples <= 500


@pytest.mark.parametrize("name", sorted(SAMPLERS))
def test_no_integer_point_is_evaluated_twice(name, monkeypatch):
    seen = []
    evaluate = Problem.evaluate
    monkeypatch.setattr(Problem, "evaluate", lambda self, points: seen.extend(points) or evaluate(self, points))
    question = query("(x * 31 ^ y * 17) % 1009 == -1", x=("int", 0, 30), y=("int", -5, 5))
    sampling, values = sampled(question, SAMPLERS[name], samples=700)
    assert values is None
    assert len({tuple(point) for point in seen}) == len(seen) <= sampling.record.samples <= 700


@pytest.mark.parametrize("name", ["random", "scheduled"])
def test_small_domains_of_integers_are_tried_completely(name):
    question = query("(x * 2654435761 ^ x * 17) % 1000003 == 402770", x=("int", 0, 900))  # 777 alone
    _, values = sampled(question, SAMPLERS[name], samples=1500)
    assert values == {0: 777}


def test_points_are_drawn_from_all_of_a_wide_range():
    question = query("(x * 7919 ^ x >> 3) % 1009 == 500 and x > 5000", x=("int", 0, 100_000))
    _, values = sampled(question, SAMPLERS["random"], samples=10_000)
    assert values is not None
    assert question.satisfied_by(values)


@pytest.mark.parametrize("name", sorted(SAMPLERS))
def test_the_same_seed_gives_the_same_samples(name):
    question = query("x * y == 3.7 and x > y + 1", x=REAL, y=REAL)
    first, second = (sampled(question, SAMPLERS[name], samples=400, seed=7) for _ in range(2))
    assert first[1] == second[1]
    assert first[0].record.bests == second[0].record.bests


@pytest.mark.parametrize("switch", SWITCHES)
def test_each_part_of_racos_can_be_switched(switch):
    options = replace(MEASURED, **{switch: not getattr(MEASURED, switch)})
    question = query("n * sin(x) > 5 and n < 9 and log(x) < 3", n=("int", -1000, 1000), x=REAL)
    sampling, values = sampled(question, lambda one: racos(one, options))
    assert values is not None
    assert question.satisfied_by(values)
    assert sampling.record.samples <= 2000


def test_racos_as_published_solves_a_system_of_inequalities():
    question = query("x * y > 20 and x + y < 12 and sin(x) > 0.5", x=REAL, y=REAL)
    _, values = sampled(question, lambda one: racos(one, PUBLISHED), samples=3000, rule="paper")
    assert values is not None


def test_an_unbounded_search_leaves_the_reference_box():
    question = query("x > 5000 and x < 5050", x=("float", None, None))
    options = replace(MEASURED, presamples=0)
    _, values = sampled(question, lambda one: racos(one, options), samples=3000)
    assert values is not None
    assert 5000 < values[0] < 5050


@pytest.mark.parametrize(
    "text",
    [
        "x * x == 2.25",
        "x * x + y * y == 25.0 and x > 3.5",
        "sin(x) == cos(y) and x > y + 1",
        "1.5 - x * (1 - y) == 0 and 2.25 - x * (1 - y * y) == 0 and 2.625 - x * (1 - y * y * y) == 0",
        "exp(x) == 6.0",
        "x == tan(y) and x > 1",
        "atan2(y, x) > 3.0 and hypot(x, y) < 0.01",
    ],
)
def test_equalities_hold_to_the_last_bit(text):
    question = query(text, x=REAL, y=REAL)
    answer = SamplingSolver(samples=6000).solve(question)
    assert answer.status is Status.SAT
    assert question.satisfied_by(answer.values)


def test_ranges_and_kinds_of_variables_are_kept():
    question = query("n * x == 12.5 and not b and n > 2", n=("int", 0, 9), x=("float", 0.0, 5.0), b=("bool", 0, 1))
    answer = SamplingSolver().solve(question)
    leaves = [answer.values.get(leaf, value) for leaf, value in enumerate(question.model)]
    assert type(leaves[0]) is int
    assert leaves[0] * leaves[1] == 12.5
    assert leaves[2] == 0


def test_samples_do_not_prove_anything():
    answer = SamplingSolver(samples=200).solve(query("x * x < 0", x=REAL))
    assert answer.status is Status.UNKNOWN
    assert answer.samples == 200
    assert 0 < answer.confidence < 1


def test_no_time_left_means_unknown():
    answer = SamplingSolver().solve(query(EASY, deadline=monotonic() - 1, x=REAL, y=REAL))
    assert answer.status is Status.UNKNOWN
    assert answer.samples == 0


def test_a_hint_is_looked_at_first():
    question = query("x * x * x == 97.336", x=REAL)
    hinted = replace(question, hints=({0: 4.6},))
    sampling, values = sampled(hinted, SAMPLERS["scheduled"])
    assert (values is not None) is (4.6 * 4.6 * 4.6 == 97.336)
    assert 4.6 in sampling.problem.hints()[0]


def test_guided_samples_are_doubled_while_the_confidence_is_high():
    question = query("x * x == -1.0", x=REAL)
    plain = SamplingSolver(samples=100, threshold=0.0).solve(question)
    guided = SamplingSolver(samples=100, guided=True, threshold=0.0, attempts=3).solve(question)
    stopped = SamplingSolver(samples=100, guided=True, threshold=1.0).solve(question)
    assert (plain.samples, guided.samples, stopped.samples) == (100, 700, 100)


@pytest.mark.parametrize("name", sorted(RULES))
def test_dissatisfaction_is_zero_exactly_where_a_comparison_holds(name):
    ops = ["<", "<=", ">", ">=", "==", "!="]
    gaps = np.array([[-1.0, 0.0, 1.0]] * 6)
    holds_there = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 1, 1], [0, 1, 0], [1, 0, 1]], dtype=bool)
    assert ((Rule(name)(ops, gaps, holds_there) == 0) == holds_there).all()


def test_the_published_rules_of_dissatisfaction():
    gaps, holds_nowhere = np.array([[3.0], [0.0], [2.0], [0.0]]), np.zeros((4, 1), dtype=bool)
    ops = ["<", "<", "==", "!="]
    assert Rule("paper")(ops, gaps, holds_nowhere)[:, 0].tolist() == [3.0, 0.01, 2.0, 1.0]
    assert Rule("tool")(ops, gaps, holds_nowhere)[:, 0].tolist() == [4.0, 1.0, 2.0, 1.0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rule": "nope"}, "unknown rule of dissatisfaction 'nope'"),
        ({"confidence": "nope"}, "unknown estimate of confidence 'nope'"),
        ({"samples": 0}, "at least one sample"),
    ],
)
def test_options_that_mean_nothing_are_refused(options, words):
    with pytest.raises(UsageError, match=words):
        RacosSolver(**options)


@examples(40)
@given(conditions, st.integers(0, 3))
def test_answers_agree_with_all_inputs_of_a_small_domain(condition, seed):
    """Brute force over 4 leaves of 4 values: what is found is one, unsat is true, and what is common is found."""
    domains = [(-1, 2)] * LEAVES
    solutions = sum(holds(condition, list(point)) for point in itertools.product(range(-1, 3), repeat=LEAVES))
    question = Query([], (condition, True), domains, [0] * LEAVES, Random(seed))
    for solver in (LearningPortfolio(samples=300), SamplingSolver(samples=300), RandomSolver(samples=300)):
        answer = solver.solve(question)
        assert not (answer.status is Status.SAT and not question.satisfied_by(answer.values))
        assert not (answer.status is Status.SAT and solutions == 0)
        assert not (answer.status is Status.UNSAT and solutions > 0)
        assert solver.name == "portfolio" or answer.status is not Status.UNSAT
        assert solutions < 64 or answer.status is Status.SAT


def test_parts_without_a_common_variable_are_settled_alone_and_share_the_samples():
    parts = "sin(a) * a == 1.5", "b ** 3 - b == 24.0", "(c ^ (c >> 3)) * 2654435761 % 977 == 5"
    question = query(" and ".join(parts), a=("float",), b=("float",), c=("int",))
    answer = LearningPortfolio(samples=900).solve(question)
    assert answer.status is Status.SAT and question.satisfied_by(answer.values) and answer.samples <= 900
    impossible = query(f"{parts[2]} and sin(b) * 2 > 2.5 and {parts[0]}", a=("float",), b=("float",), c=("int",))
    assert LearningPortfolio(samples=900).solve(impossible).status is Status.UNSAT


def test_the_confidence_of_parts_is_that_of_all_of_them():
    def confidence(*parts):
        question = query(" and ".join(parts), n=("int",), m=("int",))
        question = replace(question, domains=[(0, 10**9)] * 2)
        return LearningPortfolio(samples=20 * len(parts)).solve(question).confidence

    one, other = (f"factorial({name} % 1000) % 999983 == 7 and {name} > 5" for name in "nm")
    assert confidence(one, other) == pytest.approx(confidence(one) * confidence(other), rel=0.2)


def test_only_what_bears_on_the_question_moves():
    path = [(Compare("<", Offset(2), Offset(3)), True)]
    extra = (Compare("==", Offset(0), 7), True)
    problem = Problem(Query(path, extra, [(0, 9)] * 4, [1, 1, 1, 2]), Rule())
    assert problem.variables == [0]
