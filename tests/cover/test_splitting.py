"""A run becomes one case for each of its steps that reaches something, each with what it needs and no more."""

import pytest

from pessimal.arcs import Arc
from pessimal.performing import perform_steps, unmade
from pessimal.python.cover.runner import ScenarioRun
from pessimal.python.cover.splitting import split, up_to_error
from pessimal.scenario import Build, Name, Plain, Result, Scenario, Step
from pessimal.trace import Outcome

LIST = Step("call", Name("builtins", "list"), "", (Plain([3]),))
APPEND = Step("method", Result(0), "append", (Plain(1),))
SORT = Step("method", Result(0), "sort")
COUNT = Step("method", Result(0), "count", (Plain(1),))


def run_of(scenario):
    run = ScenarioRun(Outcome.RETURNED)
    try:
        for result in perform_steps(scenario):
            run.results.append(result)
    except Exception as error:
        run.outcome, run.error = Outcome.RAISED, error
    return run


def measure_by(reached):
    """Reaching depends on the names of the steps alone."""

    def measure(scenario):
        names = tuple(step.name for step in scenario.steps)
        return run_of(scenario), [arc for arc, needs in reached.items() if needs == names[-len(needs) :]]

    return measure


def cases_of(scenario, reached):
    run = run_of(scenario)
    run.new = sorted(reached)
    return [(case.steps, found.new) for case, found in split(scenario, run, measure_by(reached))]


def test_each_step_that_reaches_something_is_a_case_of_its_own():
    reached = {Arc("f", 1, 2): ("sort",), Arc("f", 3, 4): ("count",)}
    assert cases_of(Scenario((LIST, APPEND, SORT, COUNT)), reached) == [
        ((LIST, COUNT), [Arc("f", 3, 4)]),
        ((LIST, SORT), [Arc("f", 1, 2)]),
    ]


def test_steps_that_change_the_object_stay_where_they_are_needed():
    reached = {Arc("f", 1, 2): ("append", "sort"), Arc("f", 3, 4): ("count",)}
    assert cases_of(Scenario((LIST, APPEND, SORT, COUNT)), reached) == [
        ((LIST, COUNT), [Arc("f", 3, 4)]),
        ((LIST, APPEND, SORT), [Arc("f", 1, 2)]),
    ]


def test_what_no_part_reaches_is_a_case_as_it_is():
    scenario = Scenario((LIST, APPEND, SORT))
    run = run_of(scenario)
    run.new = [Arc("f", 1, 2)]
    assert split(scenario, run, lambda case: (run_of(case), [])) == [(scenario, run)]


def test_a_case_ends_with_the_call_that_raised():
    wrong = Step("method", Result(0), "index", (Plain(9),))
    scenario = Scenario((LIST, wrong, SORT))
    assert up_to_error(scenario, run_of(scenario)) == Scenario((LIST, wrong))


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_call_inside_an_argument_that_raises_is_the_call_under_test(depth):
    bad = argument = Build(Name("fractions", "Fraction"), (Plain("x"),))
    for _ in range(depth):
        argument = Build(Name("builtins", "abs"), (argument,))
    scenario = Scenario((LIST, Step("method", Result(0), "append", (argument,))))
    run = run_of(scenario)
    assert unmade(run.error) == bad
    assert up_to_error(scenario, run).steps[-1] == Step("call", bad.function, "", bad.args)


def test_an_exception_of_the_step_itself_is_not_that_of_an_argument():
    argument = Build(Name("fractions", "Fraction"), (Plain("1/2"),))
    run = run_of(Scenario((Step("call", Name("builtins", "len"), "", (argument,)),)))
    assert isinstance(run.error, TypeError)
    assert unmade(run.error) is None
