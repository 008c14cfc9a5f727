"""Confidence and experience: the published figures, what moves our own estimate, and the order that is learned."""

import json
from random import Random

import pytest

from pessimal.conditions import Variable, read_python
from pessimal.errors import UsageError
from pessimal.solve import Query, Status
from pessimal.solve.kinds import features_of, kind_of, level_of
from pessimal.solve.learning.confidence import ENOUGH, calibrated, observations, of_observations, published
from pessimal.solve.learning.experience import Experience
from pessimal.solve.learning.portfolio import LearningPortfolio
from pessimal.solve.learning.sampling import Record


def features(text, **kinds):
    variables = [Variable(name, kind) for name, kind in (kinds or {"x": "float", "y": "float"}).items()]
    return features_of([(read_python(text, variables).expression, True)])


@pytest.mark.parametrize(
    ("samples", "variables", "percent"),
    [
        (3000, 1, 0.0),
        (3000, 2, 18.2),
        (3000, 3, 33.2),
        (30000, 3, 0.09),
        (3000, 9, 46.8),
        (30000, 17, 37.0),
        (300000, 17, 0.5),
    ],
)
def test_the_published_estimate_has_the_published_figures(samples, variables, percent):
    assert 100 * published(samples, variables, level=2) == pytest.approx(percent, abs=0.06)


@pytest.mark.parametrize("level", [0, 1, 2])
def test_more_samples_without_a_solution_lower_the_published_estimate(level):
    estimates = [published(samples, 4, level) for samples in (0, 100, 1000, 10_000, 100_000)]
    assert estimates[0] == 0.5
    assert estimates == sorted(estimates, reverse=True)


def test_our_estimate_falls_with_the_effort_and_is_a_probability():
    kind = features("sin(x) * y == 3.0")
    estimates = [calibrated(kind, Record(samples, 0.1, [(10, 0.1)])) for samples in (100, 1000, 10_000)]
    assert all(0 < value < 1 for value in estimates)
    assert set(observations(kind, Record())) == set(observations(kind, Record(5, 1.0, [(5, 1.0)])))


INTEGERS = {"x": "int", "y": "int"}


@pytest.mark.parametrize(
    ("text", "kinds", "texture"),
    [
        ("sin(x) * y == 3.0", {}, "smooth"),
        ("x * y == 6", INTEGERS, "whole"),
        ("round(x, 2) == 0.25", {}, "rounded"),
        ("x % 97 == 13", INTEGERS, "remainders"),
        ("(x ^ y) % 7 == 3", INTEGERS, "bits"),
        ("factorial(x) == 120", INTEGERS, "calls"),
    ],
)
def test_textures(text, kinds, texture):
    assert features(text, **kinds).texture == texture


MODEL = {
    "base": 0.3,
    "seen": {"smooth": 2 * ENOUGH, "whole": ENOUGH // 2},
    "ranges": {"samples": [1.0, 3.0]},
    "constant": 1.0,
    "weights": {"samples": -1.0},
    "knots": [[-2.0, 0.1], [0.0, 0.5]],
}


@pytest.mark.parametrize(
    ("text", "kinds", "samples", "said"),
    [
        ("sin(x) * y == 3.0", {}, 10, 0.5),
        ("sin(x) * y == 3.0", {}, 1000, 0.1),
        ("sin(x) * y == 3.0", {}, 100_000, 0.1),  # as at the end of what was seen
        ("x * y == 6", INTEGERS, 10, 0.4),  # half believed
        ("x % 97 == 13", INTEGERS, 10, 0.3),
        ("x % 97 == 13", INTEGERS, 1000, 0.3),
    ],
)
def test_of_what_the_fit_has_not_seen_no_more_is_said_than_is_known(text, kinds, samples, said):
    seen = observations(features(text, **kinds), Record(samples, 0.1, [(1, 0.1)]))
    assert of_observations(seen, MODEL) == pytest.approx(said)


@pytest.mark.parametrize(("text", "level"), [("x * y > 3", 0), ("sin(x) > y", 1), ("exp(x) > sin(y)", 2)])
def test_levels_of_difficulty(text, level):
    assert level_of(features(text)) == level


@pytest.mark.parametrize(
    ("text", "kinds", "name"),
    [
        ("x + 1 > y", {"x": "int", "y": "int"}, "linear"),
        ("x * y == 6", {"x": "int", "y": "int"}, "products-equal"),
        ("x & 7 == y", {"x": "int", "y": "int"}, "bits-equal"),
        ("x * y > 6", {}, "products-float"),
        ("sin(x) == y", {}, "functions-float-equal"),
    ],
)
def test_kinds_of_questions(text, kinds, name):
    assert kind_of(features(text, **kinds)).name == name


def test_solvers_are_asked_in_the_order_that_paid():
    kind, experience = kind_of(features("sin(x) == y")), Experience()
    assert experience.order(kind, ["z3", "sampling"]) == ["sampling", "z3"]
    for _ in range(30):
        experience.note(kind, "sampling", False)
        experience.note(kind, "z3", True)
    assert experience.order(kind, ["z3", "sampling"]) == ["z3", "sampling"]
    again = Experience.from_json(json.loads(json.dumps(experience.to_json())))
    assert again.order(kind, ["z3", "sampling"]) == ["z3", "sampling"]


def test_what_is_expensive_and_never_pays_is_left_out():
    kind, experience = kind_of(features("x * y == 3.0")), Experience()
    assert "doubles" in experience.order(kind, ["z3", "sampling", "doubles"])
    for _ in range(8):
        experience.note(kind, "doubles", False)
    assert "doubles" not in experience.order(kind, ["z3", "sampling", "doubles"])


@pytest.mark.parametrize(
    "data", [[], {"linear": 3}, {"linear": {"z3": [1]}}, {"linear": {"z3": [1, 2]}}, {"linear": {"z3": ["a", 0]}}]
)
def test_a_file_that_is_no_experience_is_refused(data):
    with pytest.raises(UsageError, match="not a file of experience"):
        Experience.from_json(data)


def test_the_solvers_of_one_search_share_their_experience():
    make = LearningPortfolio.for_search()
    condition = read_python("sin(x) * x > 3", [Variable("x", "float")])
    query = Query([], (condition.expression, True), condition.domains, [0.0], Random(0))
    assert make().solve(query).status is Status.SAT
    assert make().experience.to_json() != Experience().to_json()
