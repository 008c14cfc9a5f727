"""Replays of findings whose branches cannot be counted in time."""

from math import nan

from pessimal.cost import BRANCHES
from pessimal.messages import Finding
from pessimal.trace import Outcome, Site, Trace
from pessimal.worker.replay import _Replay

SITE = Site("f.py", "f", 1, 1, "x > 0")


class Uncountable:
    """A front-end that measures the cost of a run, but not its branches."""

    path_determined = True
    counts_branches = False

    def native(self, leaves, seconds):
        return Trace(leaves=leaves, outcome=Outcome.RETURNED, returned="1")

    def evaluate(self, leaves, seconds, recording):
        return Trace(leaves=leaves, outcome=Outcome.RETURNED, costs={"work": 5.0, BRANCHES.name: nan})

    def cost(self, trace, seconds):
        return trace.costs["work"]

    def differs_natively(self, leaves, seconds):
        raise AssertionError("there is no time for another run with counted values")


def test_a_path_that_cannot_be_counted_is_replayed_without_its_branches():
    finding = Finding((7,), Outcome.RETURNED, 5.0, 1, "symbolic")
    prediction = Trace(leaves=[7], outcome=Outcome.RETURNED, sites=[SITE], decisions=bytearray([1]))
    ended = _Replay(Uncountable(), finding, prediction, 1.0, is_hurried=True).result(0)
    assert (ended.outcome, ended.cost, ended.branches) == (Outcome.RETURNED, 5.0, None)
    assert (ended.difference, ended.nondeterministic) == (None, None)
