"""What code misses is given to it: keys of dicts, and attributes of objects."""

from random import Random
from types import SimpleNamespace

import pytest

from pessimal.performing import perform_steps
from pessimal.python.cover.repairs import MOST_OF_A_KIND, Repairs, has_namespace
from pessimal.python.cover.runner import ScenarioRun
from pessimal.python.cover.values import Values
from pessimal.python.cover.vocabulary import Vocabulary
from pessimal.scenario import Group, Name, Plain, Scenario, Step
from pessimal.trace import Outcome


def with_key(config):
    return config["marker"], config["depth"]


def told(options):
    if "mode" not in options:
        raise ValueError("the option 'mode' is missing")
    return options["mode"]


def with_attributes(state):
    return state.first, state.second


class Odd(AttributeError):
    name = property(lambda self: 1 / 0)


def odd(value):
    raise Odd("no attribute")


def repaired(function, argument, tries=20):
    """What the function returns in the end, or None, with one repair after the other."""
    repairs = Repairs(Random(0), Values(Random(0), Vocabulary([])))
    scenario = Scenario((Step("call", Name(__name__, function.__name__), "", (argument,)),))
    for _ in range(tries):
        run = ScenarioRun(Outcome.RETURNED)
        try:
            run.results = list(perform_steps(scenario))
        except Exception as error:
            run.outcome, run.error = Outcome.RAISED, error
        if run.error is None:
            return run.results[0], scenario.steps[0].args[0]
        repairs.note(scenario, run)
        scenario = repairs.next()
        if scenario is None:
            return None
    return None


@pytest.mark.parametrize("argument", [Plain({}), Plain({"other": 1}), Group("dict", (Plain("x"), Name("math", "pi")))])
def test_keys_are_given_one_after_the_other(argument):
    returned, given = repaired(with_key, argument)
    assert len(returned) == 2
    assert "marker" in str(given)
    assert "depth" in str(given)


def test_a_key_that_the_message_names_is_given():
    assert repaired(told, Plain({})) is not None


@pytest.mark.parametrize("argument", [Plain(3), Plain("text"), Plain(None), Plain([1, 2])])
def test_an_object_with_the_attributes_takes_the_place_of_a_plain_value(argument):
    returned, given = repaired(with_attributes, argument)
    assert len(returned) == 2
    assert [name for name, _ in given.kwargs] == ["first", "second"]
    assert given.function == Name("types", SimpleNamespace.__name__)
    assert has_namespace(Scenario((Step("call", Name("m", "f"), "", (Group("list", (given,)),)),)))
    assert not has_namespace(Scenario((Step("call", Name("m", "f"), "", (argument,)),)))


def test_nothing_is_done_where_there_is_no_dict_and_where_an_exception_hides_its_name():
    assert repaired(with_key, Plain("text"), tries=3) is None
    assert repaired(odd, Plain(1), tries=3) is None


def test_the_same_is_not_given_again_and_again():
    repairs = Repairs(Random(0), Values(Random(0), Vocabulary([])))
    scenario = Scenario((Step("call", Name(__name__, "with_key"), "", (Plain({}),)),))
    run = ScenarioRun(Outcome.RAISED, error=KeyError("marker"))
    for _ in range(2 * MOST_OF_A_KIND):
        repairs.note(scenario, run)
    count = 0
    while repairs.next() is not None:
        count += 1
    assert count == MOST_OF_A_KIND
