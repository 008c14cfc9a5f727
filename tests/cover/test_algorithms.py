"""The search algorithms as strategies of ``cover`` for Python: branches are taken by descending their distances."""

import pytest

from pessimal.covering.flip_strategies import FlipStrategies
from tests.cover.test_flips import Flips, call

pytestmark = pytest.mark.usefixtures("separate_worlds")


@pytest.mark.parametrize("name", ["avm", "avm-geometric", "avm-lattice", "flips"])
def test_a_number_is_reached_by_its_distance(name):
    flips = Flips(call("magic", 1390, "magis"), strategy=FlipStrategies(name).next()).make(12)
    assert "'number'" in flips.ends or "'both'" in flips.ends


@pytest.mark.parametrize("name", ["avm-exploratory", "hill", "anneal", "genetic", "dynamosa", "probe"])
def test_every_algorithm_reaches_a_number_near_by(name):
    flips = Flips(call("magic", 1412, "magic"), strategy=FlipStrategies(name).next()).make(12)
    assert {"'none'", "'both'"} <= set(flips.ends)
    assert flips.ends["'both'"] == call("magic", 1414, "magic")


def test_descents_run_concretely_where_that_shows_all_branches():
    flips = Flips(call("magic", 1390, "magis"), strategy=FlipStrategies("avm").next()).make(12)
    assert flips.search.runs == 1
    assert len(flips.judged) > 20


def test_random_paths_take_both_outcomes_of_a_test():
    flips = Flips(call("parity", 3), strategy=FlipStrategies("random").next()).make(8)
    assert {"'even'", "'small'"} <= set(flips.ends)
