"""Scenarios that ended their process: which are not run again, and which calls are given up after too many of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from pessimal.scenario import Scenario

MOST_DEATHS_OF_A_CALL = 3
"""After so many scenarios that ended their process in the same call, none with it is run: a new process costs more than
what is left to find behind it."""


class FatalScenarios:
    """What is known of the scenarios that killed the workers before this one."""

    def __init__(self, scenarios: Sequence[list[Any]]) -> None:
        fatal = [Scenario.from_json(item) for item in scenarios]
        self._keys = set(map(_key, fatal))
        deaths = Counter(map(_call, fatal))
        self._given_up = {call for call, count in deaths.items() if count >= MOST_DEATHS_OF_A_CALL}

    def include(self, scenario: Scenario) -> bool:
        """Whether a scenario is not to be run."""
        return bool(self._keys) and (_key(scenario) in self._keys or _call(scenario) in self._given_up)


def _key(scenario: Scenario) -> str:
    return json.dumps(scenario.to_json(), sort_keys=True)


def _call(scenario: Scenario) -> str:
    """What the last step, the one under test, calls."""
    step = scenario.steps[-1]
    return f"{step.operation} {step.subject} {step.name}"
