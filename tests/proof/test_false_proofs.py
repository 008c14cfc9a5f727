"""Each program of which a false proof was once shown: now the proof is right, or there is none."""

import inspect
import json

import pytest

import pessimal
from pessimal.inputs import Float, Int
from pessimal.report.text import stress
from pessimal.search.session import UNDETERMINED
from tests.proof import programs


def unbounded(function):
    """The numbers among the parameters, without a range."""
    hints = inspect.signature(function).parameters.values()
    return {item.name: f"{item.annotation}:.." for item in hints if item.annotation in ("int", "float")}


def worst(function, size=1, **options):
    options = {"cost": "branches", "inputs": unbounded(function), "budget": 20, **options}
    return pessimal.stress(function, size=size, strategy="exhaustive", **options)


def proved(function, size=1, **options):
    result = worst(function, size, **options)
    assert result.proof == "tree exhausted", result
    assert result.witness.difference is None
    assert result.attack["withdrawn"] is None
    assert result.attack["compared"] >= 1
    assert result.attack["runs"] > 0
    return result


@pytest.mark.parametrize(
    ("function", "cost"),
    [(programs.marshals_first, 2), (programs.marshals_in_a_list, 1)],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_what_comes_after_a_refused_value_is_searched(function, cost):
    result = worst(function, budget=60, stop_at=cost)
    assert result.cost["value"] == cost
    assert result.proof is None
    assert result.witness.difference is None
    assert result.effort.concretisations > 0


def test_what_comes_after_a_keyed_hash_is_searched():
    result = worst(programs.signs, budget=60, stop_at=11)
    assert (result.cost["value"], result.effort.concretisations) == (11, 0)
    assert result.witness.difference is None


def test_an_int_is_compared_with_its_rounded_self():
    result = pessimal.explore(programs.is_rounded, size=1, strategy="exhaustive", budget=20)
    assert {path.returned for path in result.paths if path.outcome == "returned"} == {"0", "1"}
    assert {path.exception.partition(":")[0] for path in result.paths if path.outcome == "raised"} == {"OverflowError"}
    assert result.exhausted
    assert result.attack["withdrawn"] is None


@pytest.mark.parametrize(
    ("function", "returned", "raised"),
    [
        (programs.is_a_large_share, {"0", "1"}, {"OverflowError"}),
        (programs.is_too_large, {"0", "1", "5"}, set()),
        (programs.divides_large, {"0", "1", "5", "6"}, set()),
        (programs.compares_with_infinity, {"0", "1"}, set()),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_integers_too_large_for_a_float_are_explored(function, returned, raised):
    result = pessimal.explore(function, size=1, strategy="exhaustive", budget=20)
    assert {path.returned for path in result.paths if path.outcome == "returned"} == returned
    assert {path.exception.partition(":")[0] for path in result.paths if path.outcome == "raised"} == raised
    assert all(path.difference is None for path in result.paths)


def test_integers_that_fit_are_not_asked_whether_they_do():
    result = pessimal.explore(
        programs.is_too_large, size=1, strategy="exhaustive", budget=20, inputs={"n": Int(-100, 100)}
    )
    assert result.exhausted
    assert {path.returned for path in result.paths} == {"0", "1"}
    assert len(result.paths) == 2


def test_a_term_as_deep_as_the_input_is_long_is_evaluated():
    result = proved(programs.carries, 150)
    assert result.cost["value"] == 1
    assert result.effort.unknown == 0


def test_building_an_input_is_not_counted():
    assert proved(programs.is_point).cost["value"] == 1


def test_zero_has_two_signs():
    found = pessimal.explore(
        programs.has_a_sign, size=1, strategy="exhaustive", budget=20, inputs={"x": Float(0.0, 0.0)}
    )
    assert {path.call: path.returned for path in found.paths} == {"has_a_sign(0.0)": "0", "has_a_sign(-0.0)": "1"}


def test_an_exception_of_the_target_is_not_taken_for_a_deadline():
    result = proved(programs.refuses_itself)
    assert result.failures == []
    assert result.attack["compared"] == 2


def test_a_side_effect_that_the_target_hides_is_said():
    result = worst(programs.writes_and_hides_it)
    assert result.proof is None
    assert result.witness.difference.startswith("a side effect was blocked: open(")


def test_a_decorator_may_have_any_name():
    assert proved(programs.is_handled).cost["value"] == 1


def test_what_is_right_for_plain_values_alone_is_noticed():
    result = worst(programs.looks_at_types)
    assert result.proof is None
    assert result.attack["withdrawn"] or result.witness.difference


def test_what_a_call_costs_that_has_kept_its_result_is_no_proof():
    target = f"{programs.__file__}:remembers"  # all inputs of the domain are run before the search begins
    result = pessimal.stress(target, cost="branches", inputs={"n": "int:0..3"}, strategy="exhaustive", paths=100)
    assert result.proof is None
    result = pessimal.stress(target, inputs={"n": "int:0..3"}, strategy="enumerate", paths=100)
    assert (result.proof, result.attack["withdrawn"]) == (None, UNDETERMINED)


@pytest.mark.parametrize(("cost", "value"), [("branches", 0), ("work", 1 + 6)])  # keys of a cache are not tested
def test_what_the_target_caches_is_forgotten_by_all_runs(cost, value):
    target = f"{programs.__file__}:caches"
    result = pessimal.stress(target, cost=cost, inputs={"n": "int:0..5"}, strategy="exhaustive", paths=100)
    assert (result.proof, result.cost["value"]) == ("tree exhausted", value)
    assert result.witness.difference is None


def test_a_claim_that_a_native_run_refutes_is_withdrawn_and_not_certified(tmp_path):
    result = worst(programs.notices, certificate=tmp_path / "certificate", warn=lambda message: None)
    assert result.proof is None
    assert (
        result.attack["withdrawn"]
        == "counted and native runs differ: returned 2 with counted values, but natively returned 1"
    )
    assert '"maximum"' not in (tmp_path / "certificate").read_text()
    assert (
        "withdrawn the proof does not hold: counted and native runs differ: returned 2 with counted values"
        in stress(result)
    )


def test_a_checker_compares_with_native_runs_on_its_own(tmp_path):
    file = tmp_path / "certificate"
    claim = {"target": "notices", "size": 1, "cost": "branches", "maximum": 1.0, "format": 2}
    lines = [
        {"known_prefix": 0, "taken": "0", "closed": [], "input": [0], "cost": 1.0},
        {"known_prefix": 1, "taken": "1", "closed": [], "input": [6], "cost": 1.0},
        claim,
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    verdict = pessimal.check(programs.notices, file, size=1, cost="branches", inputs=unbounded(programs.notices))
    assert not verdict.holds
    assert verdict.reason == ("the input of the path 1 is returned 2 with counted values, but natively returned 1")
