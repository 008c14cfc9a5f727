"""What runs that do not end have cost, so that a function that often hangs does not take the time of all others."""

from __future__ import annotations

from collections import Counter

from pessimal.python.cover.attempts import Key, key_of_step
from pessimal.python.cover.runner import ScenarioRun
from pessimal.scenario import Scenario
from pessimal.trace import Outcome

MOST_LOST = 0.05
"""The share of the time of all runs that may be lost at the steps of one kind; after that they wait."""
FREE_SECONDS = 1.0
"""What may be lost at the beginning."""


class Hangs:
    """Counts the seconds of runs, and those of runs that did not end by the step at which they hung."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._lost: Counter[Key] = Counter()

    def add(self, scenario: Scenario, run: ScenarioRun) -> None:
        """Count a run."""
        self._seconds += run.seconds
        if run.outcome is Outcome.TIMED_OUT and len(run.results) < len(scenario.steps):
            self._lost[key_of_step(scenario.steps[len(run.results)])] += run.seconds  # type: ignore[assignment]

    def is_expensive(self, scenario: Scenario) -> bool:
        """Whether a scenario has a step at which too much time was lost so far."""
        most = FREE_SECONDS + MOST_LOST * self._seconds
        return bool(self._lost) and any(self._lost[key_of_step(step)] > most for step in scenario.steps)
