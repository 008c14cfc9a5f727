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


def observed(
    cases: Sequence[Case],
    modules: Sequence[Module],
    *,
    ends_at: float,
    allow_side_effects: bool = False,
    scratch: str | None = None,
    processes: Processes | None = None,
) -> list[Observation | None]:
    """What each case did, in two processes; None for a case that ended differently, or killed its process.

    The second process observes only what the first had the time for, and so half of the time is the first one's.
    """
    waiting = [(number, case.scenario.to_json()) for number, case in enumerate(cases)]
    blank = ObserveTask((), modules, RUN_SECONDS, allow_side_effects, ends_at, SILENT_SECONDS, scratch)
    half = monotonic() + (ends_at - monotonic()) / len(HASH_SEEDS)
    with lent(processes) as pools:
        first = _once(replace(blank, scenarios=waiting, ends_at=half), pools.runner(HASH_SEEDS[0]))
        again = [item for item in waiting if item[0] in first]
        second = _once(replace(blank, scenarios=again), pools.runner(HASH_SEEDS[1]))
    found = [(first.get(number), second.get(number)) for number in range(len(cases))]
    return [None if one is None or other is None else agreed(one, other) for one, other in found]


def _once(task: ObserveTask, runner: TaskRunner) -> dict[int, Observation]:
    """The observations of a task's scenarios by their numbers; one whose worker dies is left out."""
    waiting = dict(task.scenarios)
    ends_at = inf if task.ends_at is None else task.ends_at
    found: dict[int, Observation] = {}
    current = -1

    def hear(message: Observed) -> None:
        nonlocal current
        current = message.index
        waiting.pop(message.index, None)
        if message.data is not None:
            found[message.index] = Observation.from_json(message.data)

    while waiting and monotonic() < ends_at:
        before = len(waiting)
        try:
            death = runner.run(replace(task, scenarios=list(waiting.items())), hear)
        except (TargetError, InternalError):  # it could be imported before: the time is to blame, or a defect of ours
            break
        if not isinstance(death, WorkerDeath) or len(waiting) == before:
            break
    return found
