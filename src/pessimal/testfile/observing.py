"""Observing cases in two processes with different hash seeds: only what both agree on is asserted."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from pessimal.pool import Pool, TaskRunner, WorkerDeath
from pessimal.testfile.case import Case, Module
from pessimal.testfile.observation import Observation, agreed
from pessimal.testfile.tasks import Observed, ObserveTask

HASH_SEEDS = (1, 2)
MEMORY = 2 << 30
RUN_SECONDS = 5.0
SILENT_SECONDS = 10.0


def observed(
    cases: Sequence[Case], modules: Sequence[Module], *, ends_at: float, allow_side_effects: bool = False
) -> list[Observation | None]:
    """What each case did, in two processes; None for a case that ended differently, or killed its process."""
    first, second = (_once(cases, modules, seed, ends_at, allow_side_effects) for seed in HASH_SEEDS)
    found = [(first.get(number), second.get(number)) for number in range(len(cases))]
    return [None if one is None or other is None else agreed(one, other) for one, other in found]


def _once(
    cases: Sequence[Case], modules: Sequence[Module], seed: int, ends_at: float, allow_side_effects: bool
) -> dict[int, Observation]:
    """The observations of cases by their numbers; one whose worker dies is left out."""
    waiting = {number: case.scenario.to_json() for number, case in enumerate(cases)}
    found: dict[int, Observation] = {}
    current = -1

    def hear(message: Observed) -> None:
        nonlocal current
        current = message.index
        waiting.pop(message.index, None)
        if message.data is not None:
            found[message.index] = Observation.from_json(message.data)

    with Pool(hash_seed=seed) as pool:
        runner = TaskRunner(pool, memory=MEMORY, run_seconds=RUN_SECONDS)
        while waiting and monotonic() < ends_at:
            before = len(waiting)
            task = ObserveTask(
                list(waiting.items()), modules, RUN_SECONDS, allow_side_effects, ends_at, silent_seconds=SILENT_SECONDS
            )
            death = runner.run(task, hear)
            if not isinstance(death, WorkerDeath) or len(waiting) == before:
                break
    return found
