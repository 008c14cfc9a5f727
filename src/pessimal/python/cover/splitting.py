"""Runs as the cases that a person would write: one for each step that reaches something, with what it needs."""

from __future__ import annotations

from collections.abc import Callable, Collection

from pessimal.arcs import Arc
from pessimal.performing import unmade
from pessimal.python.cover.runner import ScenarioRun
from pessimal.scenario import Scenario, Step, needed
from pessimal.trace import Outcome

ENDED = (Outcome.RETURNED, Outcome.RAISED)

Measure = Callable[[Scenario], tuple[ScenarioRun, Collection[Arc]]]
"""Runs a scenario, and says what it reaches."""


def split(scenario: Scenario, run: ScenarioRun, measure: Measure) -> list[tuple[Scenario, ScenarioRun]]:
    """Cases that together reach what a run is the first to reach, the last step first; itself if that cannot be."""
    whole = up_to_error(scenario, run)
    prefixes = [Scenario(whole.steps[:count]) for count in range(len(whole.steps), 0, -1)]
    shorter = [needed(prefix, changing=changing) for changing in (False, True) for prefix in prefixes]
    if shorter[0] == scenario:
        return [(scenario, run)]
    left, cases = set(run.new), []
    for case in {repr(case): case for case in shorter}.values():
        found, reached = measure(case)
        found.new = sorted(left.intersection(reached))
        if found.new and found.outcome in ENDED:
            cases.append((case, found))
            left.difference_update(found.new)
        if not left:
            return cases
    return [(scenario, run)]


def up_to_error(scenario: Scenario, run: ScenarioRun) -> Scenario:
    """The scenario whose last step is the call that raised, be it one inside an argument."""
    done = len(run.results)
    if run.error is None or done >= len(scenario.steps):
        return scenario
    made = unmade(run.error)
    last = scenario.steps[done] if made is None else Step("call", made.function, "", made.args, made.kwargs)
    return Scenario((*scenario.steps[:done], last))
