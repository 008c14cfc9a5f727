"""The search algorithms as strategies of ``cover`` for Python: branches are taken by descending their distances."""

import pytest

from pessimal.covering.flip_strategies import FlipStrategies
from pessimal.covering.flipping import Flipping
from pessimal.python.scenario_frontend import ScenarioFrontEnd
from tests.cover import gates
from tests.cover.test_flips import MODULES, Flips, call

pytestmark = pytest.mark.usefixtures("separate_worlds")

ALTERNATING = ["avm", "avm-geometric", "avm-lattice", "probe", "agent"]
ALL = [*ALTERNATING, "avm-exploratory", "hill", "anneal", "genetic", "dynamosa"]


def flipped(name, scenario, *ends, steps=100):
    """The scenario that was the first to end in one of these ways, in so many steps of a search."""
    flips = Flips(scenario, strategy=FlipStrategies(name).next())
    while flips.ends.keys().isdisjoint(ends) and steps:
        flips.make(1)
        steps -= 1
    return next((scenario for end, scenario in flips.ends.items() if end in ends), None)


@pytest.mark.parametrize("name", ALTERNATING)
def test_a_number_is_reached_by_its_distance_from_far_away(name):
    found = flipped(name, call("magic", -98_765, "zz"), "'number'")
    assert found.steps[0].args[0].value == 1414


@pytest.mark.parametrize("name", ALL)
def test_every_algorithm_reaches_a_number_near_by(name):
    found = flipped(name, call("magic", 1412, "magic"), "'number'", "'both'")
    assert found.steps[0].args[0].value == 1414


def test_a_text_is_reached_character_by_character():
    assert flipped("avm", call("magic", 1414, "magis"), "'both'") == call("magic", 1414, "magic")
    assert flipped("avm", call("magic", 0, "zz"), "'prefix'") is not None


def test_descents_need_no_symbolic_run():
    flips = Flips(call("magic", 1390, "magic"), strategy=FlipStrategies("avm").next()).make(3)
    assert flips.search.runs == 0
    assert "'both'" in flips.ends


@pytest.mark.parametrize("name", ALL)
def test_a_search_is_over_when_no_wanted_outcome_is_left(name):
    strategy = FlipStrategies(name).next()
    flips = Flips(call("parity", 3), strategy=strategy, wanted=lambda site: "10" in site.text).make(200)
    assert set(flips.ends) == {"'even'", "'small'"}
    assert flips.search.is_over


def test_random_paths_take_both_outcomes_of_a_test():
    assert flipped("random", call("parity", 3), "'even'", steps=8) is not None


def test_what_passes_through_compiled_code_has_a_distance():
    found = flipped("avm", call("packed", 17), "'packed'")
    assert found.steps[0].args[0].value % 100_000 == 4242


def test_auto_descends_where_symbolic_flips_have_ended():
    assert _is_packed(FlipStrategies(has_fallback=True))
    assert not _is_packed(FlipStrategies())


def _is_packed(strategies):
    """Whether turns of flips find a number that passes through compiled code."""
    judged = []
    front_end = lambda scenario: ScenarioFrontEnd(scenario, MODULES)  # noqa: E731
    flipping = Flipping(front_end, lambda scenario: judged.append(scenario) or 0, strategies, 0)
    flipping.add(call("packed", 17), [(*_place("packed"), 0)])
    flipping.aim([(*_place("packed"), 0)])
    for _ in range(40):
        flipping.turn(0.0, 10.0)
    return any(scenario.steps[0].args[0].value % 100_000 == 4242 for scenario in judged)


def _place(function):
    """The file and the line of the first test of a function of the gates."""
    code = getattr(gates, function).__code__
    return code.co_filename, code.co_firstlineno + 1
