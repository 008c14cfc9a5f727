"""Flip search: the values of one scenario are changed until its branches are taken both ways."""

import pytest

from pessimal.covering.flip_strategies import FlipStrategies
from pessimal.covering.flips import FlipSearch
from pessimal.errors import UsageError
from pessimal.python.scenario_frontend import ScenarioFrontEnd
from pessimal.scenario import Build, Group, Name, Plain, Result, Scenario, Step
from pessimal.target import Reference

pytestmark = pytest.mark.usefixtures("separate_worlds")

GATES = "tests.cover.gates"
MODULES = [Reference(None, GATES, "")]


def call(function, *values):
    return Scenario((Step("call", Name(GATES, function), args=tuple(map(Plain, values))),))


class Flips:
    """A flip search whose judge runs inputs natively: an input is worth 1 if it ends as no other did."""

    def __init__(self, scenario, **options):
        self.front_end = ScenarioFrontEnd(scenario, MODULES)
        self.ends = {}
        self.judged = []
        self.search = FlipSearch(self.front_end, self._judge, is_whole=self.front_end.is_whole, **options)

    def _judge(self, leaves):
        trace = self.front_end.native(leaves, 10.0)
        end = trace.returned or trace.exception
        self.judged.append(tuple(leaves))
        is_new = end not in self.ends
        self.ends.setdefault(end, self.front_end.scenario(leaves))
        return float(is_new)

    def make(self, runs):
        """Make so many runs, or all that there are."""
        for _ in range(runs):
            if not self.search.search(0.0, run_seconds=10.0):
                break
        return self

    @property
    def missing(self):
        return {f"{site.text}:{outcome}": reason for (site, outcome), reason in self.search.reasons().items()}


def test_constants_are_reached_in_a_few_flips():
    flips = Flips(call("magic", 0, "magis")).make(30)
    assert set(flips.ends) == {"'none'", "'number'", "'prefix'", "'both'"}
    assert flips.ends["'both'"] == call("magic", 1414, "magic")


def test_a_text_grows_from_nothing():
    flips = Flips(call("magic", 1414, "")).make(60)
    assert flips.ends["'both'"] == call("magic", 1414, "magic")


def test_values_of_the_constructor_and_of_the_method_vary_together():
    account = Step("call", Name(GATES, "Account"), args=(Plain(5),))
    scenario = Scenario((account, Step("method", Result(0), "pay", args=(Plain(9),))))
    flips = Flips(scenario).make(30)
    assert set(flips.ends) == {"'refused'", "'paid'", "'exact'", "ValueError: negative"}
    first, last = flips.ends["'exact'"].steps
    assert first.args[0].value - last.args[0].value == 77


def test_values_inside_built_arguments_vary():
    built = Build(Name(GATES, "Account"), (Plain(1),))
    flips = Flips(Scenario((Step("call", Name(GATES, "passes"), args=(built, Plain(2))),))).make(30)
    assert set(flips.ends) == {"True", "False", "ValueError: negative"}


def test_entries_of_groups_and_dicts_vary():
    table = Group("dict", (Plain("a"), Plain(1), Name(GATES, "magic"), Plain(2)))
    flips = Flips(Scenario((Step("call", Name(GATES, "lookup"), args=(table, Plain("b"))),))).make(60)
    assert set(flips.ends) == {"'missing'", "'found'", "'found 99'"}
    flips = Flips(call("lookup", {"a": 1}, "b")).make(60)
    assert set(flips.ends) == {"'missing'", "'found'", "'found 99'"}


def test_every_input_is_judged_once_and_ends_natively_as_the_scenario_it_stands_for():
    flips = Flips(call("magic", 0, "")).make(60)
    assert len(set(flips.judged)) == len(flips.judged) > 10
    for leaves in flips.judged:
        again = flips.front_end.retargeted(flips.front_end.scenario(leaves))
        ends = [front.native(front_leaves, 10.0).returned for front, front_leaves in _replays(flips, again, leaves)]
        assert ends[0] == ends[1]


def _replays(flips, again, leaves):
    return (flips.front_end, leaves), (again, again.initial)


def test_wanted_sites_are_flipped_first():
    flips = Flips(call("magic", 0, "zz"), wanted=lambda site: "startswith" in site.text).make(2)
    assert "'prefix'" in flips.ends


def test_what_is_infeasible_on_every_path_is_proved_if_nothing_limits_the_values():
    flips = Flips(call("parity", 3)).make(100)
    assert flips.search.is_over
    reason = flips.missing["doubled % 2 == 1:1"]
    assert reason.is_proof
    assert reason.text == "unreachable: infeasible on every path for values of these types"


def test_limits_are_part_of_the_reason():
    flips = Flips(call("short", "ab")).make(100)
    assert flips.search.is_over
    assert set(flips.ends) == {"'short'", "'empty'"}
    assert all(not reason.is_proof for reason in flips.missing.values())


def test_nothing_is_proved_where_a_value_was_made_concrete():
    flips = Flips(call("rooted", 7)).make(100)
    assert all(not reason.is_proof for reason in flips.missing.values())


def test_a_search_that_is_not_over_says_what_was_not_tried():
    flips = Flips(call("magic", 0, "")).make(1)
    assert flips.missing["number * 3 == 4242:1"].text == "not tried in the time given"


def test_a_strategy_without_steps_is_refused():
    with pytest.raises(UsageError, match="cannot flip"):
        FlipStrategies("sweep")


def test_learned_scores_find_the_same_branches():
    strategies = FlipStrategies("ranked", {"reward": "new=1,value=1"})
    flips = Flips(call("magic", 0, ""), strategy=strategies.next()).make(40)
    assert len(flips.ends) == len(Flips(call("magic", 0, "")).make(40).ends)


def test_the_strategies_of_scenarios_share_what_they_learn():
    strategies = FlipStrategies("ranked", {"reward": "new=1"})
    counts = []
    for scenario in (call("magic", 0, ""), call("parity", 3)):
        Flips(scenario, strategy=strategies.next()).make(5)
        counts.append(strategies.next().report()["experiences"])
    assert counts[1] > counts[0] > 0
