"""Observing cases in two processes with different hash seeds: only what both agree on is asserted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from time import monotonic

from pessimal.errors import InternalError, TargetError
from pessimal.pool import TaskRunner, WorkerDeath
from pessimal.testfile.case import Case, Module
from pessimal.testfile.observation import Observation, agreed
from pessimal.testfile.processes import HASH_SEEDS, RUN_SECONDS, Processes, lent
from pessimal.testfile.tasks import Observed, ObserveTask

SILENT_SECONDS = 10.0
UNSTABLE = "two processes with different hash seeds do not agree on what it does"
NO_TIME = "there was no time left to run it twice"
AGAIN = 1
"""How often each process observes once more what did not do the same twice: only what it always does is asserted."""

Seen = Observation | str
"""What a scenario did, or why no test is made of it."""


def observed(
    cases: Sequence[Case],
    modules: Sequence[Module],
    *,
    ends_at: float,
    allow_side_effects: bool = False,
    scratch: str | None = None,
    processes: Processes | None = None,
) -> list[Seen]:
    """What each case did in two processes, as far as they agree; for a case that is no test, the reason.

    The second process observes only what the first had the time for, and so half of the time is the first one's.
    """
    waiting = {number: case.scenario.to_json() for number, case in enumerate(cases)}
    blank = ObserveTask((), modules, RUN_SECONDS, allow_side_effects, ends_at, SILENT_SECONDS, scratch)
    half = monotonic() + (ends_at - monotonic()) / len(HASH_SEEDS)
    with lent(processes) as pools:
        first = _once(replace(blank, scenarios=list(waiting.items()), ends_at=half), pools.runner(HASH_SEEDS[0]))
        found, numbers = dict(first), [number for number, item in first.items() if not isinstance(item, str)]
        for seed in (*HASH_SEEDS[1:], *HASH_SEEDS * AGAIN):
            scenarios = [(number, waiting[number]) for number in numbers]
            for number, item in _once(replace(blank, scenarios=scenarios), pools.runner(seed)).items():
                found[number] = _agreed(found[number], item)
            numbers = [number for number in numbers if _is_doubtful(found[number], first[number])]
    return [found[number] for number in waiting]


def _agreed(first: Seen, second: Seen) -> Seen:
    if isinstance(first, str) or isinstance(second, str):
        return first if isinstance(first, str) else second
    return agreed(first, second) or UNSTABLE


def _is_doubtful(item: Seen, first: Seen) -> bool:
    """Whether processes did not see the same."""
    return not isinstance(item, str) and not isinstance(first, str) and item.checks != first.checks


def _once(task: ObserveTask, runner: TaskRunner) -> dict[int, Seen]:
    """What is seen of a task's scenarios, by their numbers."""
    waiting = dict(task.scenarios)
    ends_at = inf if task.ends_at is None else task.ends_at
    found: dict[int, Seen] = {}
    current = -1

    def hear(message: Observed) -> None:
        nonlocal current
        current = message.index
        waiting.pop(current, None)
        found[current] = message.reason if message.data is None else Observation.from_json(message.data)

    while waiting and monotonic() < ends_at:
        before = len(waiting)
        try:
            death = runner.run(replace(task, scenarios=list(waiting.items())), hear)
        except (TargetError, InternalError):  # it could be imported before: the time is to blame, or a defect of ours
            break
        if not isinstance(death, WorkerDeath) or len(waiting) == before:
            break
        found[current] = NO_TIME if death.reason == "budget" else f"it {death.text}"
    return dict.fromkeys(waiting, NO_TIME) | found
