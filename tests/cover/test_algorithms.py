"""The search algorithms as strategies of ``cover`` for Python: branches are taken by descending their distances."""

import pytest

from pessimal.covering.flip_strategies import FlipStrategies
from tests.cover.test_flips import Flips, call

pytestmark = pytest.mark.usefixtures("separate_worlds")


@pytest.mark.parametrize("name", ["avm", "avm-geometric", "avm-lattice", "flips"])
def test_a_number_is_reached_by_its_distance(name):
    flips = Flips(call("magic", 1390, "magis"), strategy=FlipStrategies(name).next()).make(12)
    assert "'number'" in flips.ends or "'both'" in flips.ends


@pytest.mark.parametrize("name", ["avm-exploratory", "hill", "anneal", "genetic", "dynamosa", "probe", "random"])
def test_every_algorithm_takes_steps(name):
    flips = Flips(call("magic", 1412, "magic"), strategy=FlipStrategies(name).next()).make(4)
    assert flips.search.runs >= 4
    assert len(set(flips.judged)) > 1
