"""Scenarios become simpler as long as they do what they are for, whichever of their steps does it."""

from pessimal.covering.simplify import simplified
from pessimal.scenario import Result, Scenario
from tests.testfile.making import assign, call, get, method

STACK = call("programs:Stack")


def operations(scenario):
    return [(step.operation, step.name) for step in scenario.steps]


def test_a_step_that_only_reads_stays_if_it_is_the_one_that_matters():
    scenario = Scenario((STACK, assign(0, "items", [1, 2]), get(0, "is_full"), method(0, "push", 3)))
    simpler = simplified(scenario, lambda item: ("get", "is_full") in operations(item))
    assert operations(simpler) == [("call", ""), ("get", "is_full")]


def test_steps_after_a_dropped_one_refer_to_the_same_objects():
    other = call("programs:Stack", 5)
    step = method(2, "push", 3)
    scenario = Scenario((STACK, get(0, "limit"), other, step))
    simpler = simplified(scenario, lambda item: ("method", "push") in operations(item) and other in item.steps)
    assert simpler.steps[0] == other
    assert operations(simpler) == [("call", ""), ("method", "push")]
    assert simpler.steps[1].subject == Result(0)


def test_a_step_whose_result_is_used_stays():
    scenario = Scenario((STACK, method(0, "pop"), call("programs:grade", Result(1))))
    assert simplified(scenario, lambda item: Result(1) in item.steps[-1].args) == scenario
