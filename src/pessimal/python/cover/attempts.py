"""What became of the calls that were drawn: how often each member was tried, and what it raised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pessimal.python.cover.members import Member
from pessimal.python.cover.runner import ScenarioRun
from pessimal.scenario import Name, Scenario, Step

Key = tuple[str, str]
"""The operation, and the name of what is called or of the method."""


class Attempts:
    """Counts the steps of runs by what they do."""

    def __init__(self) -> None:
        self._tried: Counter[Key] = Counter()
        self._raised: dict[Key, Counter[str]] = {}
        self._examples: dict[tuple[Key, str], ScenarioRun] = {}

    def add(self, scenario: Scenario, run: ScenarioRun) -> None:
        """Count the steps that were begun, and the exception of the last of them."""
        done = len(run.results)
        for step in scenario.steps[: done + 1]:
            self._tried[key_of_step(step)] += 1
        if run.error is None or done >= len(scenario.steps):
            return
        key, kind = key_of_step(scenario.steps[done]), type(run.error).__name__
        self._raised.setdefault(key, Counter())[kind] += 1
        self._examples.setdefault((key, kind), run)

    def tried(self, member: Member) -> int:
        """How often a member was tried."""
        return self._tried[_key_of_member(member)]

    def usual_error(self, members: Iterable[Member]) -> str | None:
        """What members raised most often, in words; None if they never did."""
        keys = [_key_of_member(member) for member in members]
        counts = {(key, kind): count for key in keys for kind, count in self._raised.get(key, Counter()).items()}
        if not counts:
            return None
        return self._examples[max(counts, key=lambda item: counts[item])].exception


def key_of_step(step: Step) -> Key:
    """What a step does, whatever its arguments."""
    if step.operation == "call":
        return "call", step.subject.qualname if isinstance(step.subject, Name) else ""
    return step.operation, step.name


def _key_of_member(member: Member) -> Key:
    return ("call", member.name.qualname) if member.operation == "call" else (member.operation, member.attribute)
