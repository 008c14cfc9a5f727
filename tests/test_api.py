"""The Python functions: the same questions, with callables and strategies as objects."""

import functools
import time

import pytest

import pessimal
from pessimal.errors import InputError, TargetError, UnknownNameError, UsageError
from pessimal.inputs import Int
from pessimal.target_spec import Limits
from tests.subjects.callables import Threshold, at_module_level, nested
from tests.subjects.insertion_sort import insertion_sort
from tests.subjects.misc import exits_at_once


@pytest.mark.parametrize(
    ("target", "options", "limit"),
    [
        ("tests.subjects.callables:at_module_level", {}, 9),
        ("tests.subjects.callables.at_module_level", {}, 9),
        (at_module_level, {}, 9),
        (nested(42), {}, 42),
        (lambda x: 1 if x == 5 else 0, {"inputs": {"x": "int"}}, 5),
        (lambda x: 1 if x == 5 else 0, {"inputs": {"x": Int()}}, 5),
        (Threshold(8).reached, {}, 8),
        (Threshold.fixed, {}, 4),
        (Threshold.named, {}, 9),
        (Threshold(6), {}, 6),
        (functools.partial(nested(11)), {}, 11),
    ],
    ids=[
        "name",
        "dotted name",
        "function",
        "closure",
        "lambda",
        "lambda with Spec",
        "bound method",
        "static method",
        "class method",
        "callable object",
        "partial",
    ],
)
def test_every_kind_of_callable_is_a_target(target, options, limit):
    result = pessimal.explore(target, budget=None, **options)
    assert {path.returned: path.input["x"] == limit for path in result.paths} == {"0": False, "1": True}
    assert all(path.replayed and path.difference is None for path in result.paths)
    assert result.exhausted is True


def test_a_method_of_a_class_is_called_on_instances_that_are_inputs_too():
    result = pessimal.explore(Threshold.reached, budget=None)
    assert {path.returned for path in result.paths} == {"0", "1"}
    for path in result.paths:
        assert path.returned == str(eval(path.call))


def test_a_closure_is_taken_as_it_is_now():
    limits = [3]

    def inside(x: int) -> int:
        return 1 if x == limits[0] else 0

    limits[0] = 12
    assert {path.input["x"] for path in pessimal.explore(inside).paths} >= {12}


def test_the_call_in_a_result_can_be_pasted():
    result = pessimal.stress(insertion_sort, size=4, strategy="exhaustive")
    assert result.witness.call == f"insertion_sort({result.input['xs']!r})"
    assert eval(result.witness.call) == sorted(result.input["xs"])


@pytest.mark.parametrize(("cost", "value"), [("branches", 15), ("lines", None)])
def test_the_branches_of_a_concrete_witness_are_told_whatever_the_cost(cost, value):
    result = pessimal.stress(insertion_sort, size=6, strategy="synthesis", cost=cost, options={"train_paths": 20})
    assert (result.witness.replayed, result.witness.difference) == (True, None)
    assert result.witness.branches == 15
    assert value in (None, result.cost["value"])


def test_a_concrete_witness_of_a_target_that_changes_its_mind_is_told():
    calls = []

    def moody(xs: list[int]) -> int:
        calls.append(1)
        return sum(1 for x in xs[: len(calls) % 7] if x >= 0)

    result = pessimal.stress(moody, size=9, strategy="climb", paths=30)
    assert result.effort.nondeterministic is not None
    assert result.proof is None


def test_a_result_says_the_same_in_python_and_in_json():
    result = pessimal.stress(insertion_sort, sizes=[2, 3], strategy="exhaustive", cost="branches", seed=4)
    data = result.to_json()
    assert data["target"] == result.target == "tests.subjects.insertion_sort:insertion_sort"
    assert data["strategy"] == result.strategy == "exhaustive"
    assert data["size"] == result.size == 3
    assert data["cost"] == result.cost == {"name": "branches", "value": 3}
    assert data["input"] == result.input
    assert data["outcome"] == result.outcome == "returned"
    assert data["replayed"] is result.witness.replayed is True
    assert data["proof"] == result.proof == "tree exhausted"
    for name in ("paths", "infeasible", "unknown", "concretisations", "solver", "seconds", "stopped"):
        assert data[name] == getattr(result.effort, name)
    assert data["seed"] == result.seed == 4
    assert data["curve"] == result.curve
    assert [(point["size"], point["cost"]) for point in result.curve] == [(2, 1), (3, 3)]


def test_an_explored_path_says_the_same_in_python_and_in_json():
    result = pessimal.explore(at_module_level)
    data = result.to_json()
    assert data["exhausted"] is result.exhausted is True
    assert data["explored"] == result.effort.paths == 2
    for report, path in zip(data["paths"], result.paths, strict=True):
        for name in ("input", "outcome", "returned", "cost", "branches", "call", "replayed"):
            assert report[name] == getattr(path, name)


def test_failures_are_objects_too():
    result = pessimal.explore(exits_at_once)
    assert [(failure.outcome, failure.input) for failure in result.failures] == [("crashed", {"x": 7})]


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"target": 3}, UsageError, "callable"),
        ({"target": "nomodule:f"}, TargetError, "nomodule"),
        ({"size": -1}, UsageError, "-1"),
        ({"size": 2.5}, UsageError, "2.5"),
        ({"size": True}, UsageError, "True"),
        ({"sizes": []}, UsageError, "no size"),
        ({"size": 1, "sizes": [1]}, UsageError, "not both"),
        ({"strategy": "nope"}, UnknownNameError, "nope"),
        ({"cost": "nope"}, UsageError, "nope"),
        ({"budget": 0}, UsageError, "budget"),
        ({"budget": "soon"}, UsageError, "soon"),
        ({"paths": 0}, UsageError, "paths"),
        ({"inputs": {"y": "int"}}, InputError, "'y'"),
        ({"inputs": {"x": "whole"}}, InputError, "whole"),
        ({"require": ["x > 3", "x < 3"]}, InputError, "no input"),
        ({"require": lambda x: x != x}, InputError, "no input"),
        ({"options": {"nope": 1}, "strategy": "random"}, UsageError, "nope"),
    ],
)
def test_a_mistake_is_an_error_of_one_line(arguments, error, words):
    given = {"target": at_module_level, "strategy": "exhaustive", **arguments}
    with pytest.raises(error, match=words) as raised:
        pessimal.stress(given.pop("target"), **given)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("limits", [{"run_seconds": 0}, {"run_seconds": -1.0}, {"memory": 0}])
def test_limits_that_allow_nothing_are_refused(limits):
    with pytest.raises(UsageError, match="more than 0"):
        pessimal.explore(at_module_level, limits=Limits(**limits))


class Leap:
    """A strategy of the user's: goes straight to an input that it was told."""

    name = "leap"

    def __init__(self, leaves):
        self.leaves = leaves

    def search(self, session):
        assert len(session.domains) == len(self.leaves)
        session.evaluate(session.initial)
        session.evaluate(self.leaves)


def test_a_strategy_can_be_an_object_of_the_users():
    result = pessimal.stress(insertion_sort, size=4, strategy=Leap([4, 3, 2, 1]), cost="branches")
    assert result.strategy == "leap"
    assert result.input == {"xs": [4, 3, 2, 1]}
    assert result.cost["value"] == 6
    assert result.effort.paths == 2
    assert result.proof is None


class Wrong:
    name = "wrong"

    def search(self, session):
        raise LookupError("a mistake in the strategy")


def test_a_mistake_in_a_strategy_is_told_with_its_traceback():
    with pytest.raises(Exception, match="a mistake in the strategy"):
        pessimal.stress(insertion_sort, size=4, strategy=Wrong())


def interrupting(after):
    """A listener that behaves like a user who presses Ctrl-C once so many paths were run."""

    def listen(progress):
        if progress.counters.paths >= after:
            raise KeyboardInterrupt

    return listen


class Plodding:
    """A strategy that takes its time, so that there is a moment to interrupt it."""

    name = "plodding"

    def __init__(self):
        self.done = 0

    def search(self, session):
        while self.done < 4:
            session.evaluate([4 - self.done, 3, 2, 1])
            self.done += 1
            time.sleep(0.3)

    def state(self):
        return {"done": self.done}

    def restore(self, state):
        self.done = state["done"]


def positive(limit):
    def all_above(xs):
        return all(x > limit for x in xs)

    return all_above


def test_an_interrupted_search_resumes_also_with_functions_as_preconditions(tmp_path):
    report = []
    options = {"size": 4, "cost": "branches", "out": tmp_path, "warn": report.append}
    first = positive(-9)
    interrupted = pessimal.stress(
        insertion_sort, strategy=Plodding(), require=[first], progress=interrupting(3), **options
    )
    assert interrupted.interrupted is True
    assert interrupted.cost["value"] == 6
    assert report == []
    result = pessimal.stress(insertion_sort, strategy=Plodding(), require=[positive(-9)], **options)
    assert [word for word in report if "resuming" in word]
    assert result.interrupted is False
    assert result.effort.paths == 4


def test_several_sizes_share_the_budget_and_an_interrupt_ends_them_all():
    result = pessimal.stress(insertion_sort, sizes=[4, 5], strategy=Plodding(), progress=interrupting(1))
    assert result.interrupted is True
    assert [point["size"] for point in result.curve] == [4]


def test_progress_tells_size_paths_and_best():
    heard = []
    pessimal.stress(insertion_sort, size=4, strategy=Plodding(), cost="branches", progress=heard.append)
    assert {news.size for news in heard} == {4}
    assert [news.best for news in heard][-1] == 6
    counts = [news.counters.paths for news in heard]
    assert counts == sorted(counts)


@pytest.mark.parametrize("cost", ["branches", "work"])
def test_a_constructor_may_refuse_the_simplest_values(cost):
    result = pessimal.explore("tests.subjects.callables:above_five", cost=cost)
    assert result.exhausted
    assert sorted(path.returned for path in result.paths) == ["0", "1"]
