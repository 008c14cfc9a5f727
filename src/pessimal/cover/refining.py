"""The parent's side of refinement: cases go through a fresh worker, and through another if one of them kills it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from time import monotonic
from typing import Any

from pessimal.cover.messages import CaseFound
from pessimal.cover.refine import Refined, RefineTask
from pessimal.cover.selection import chosen
from pessimal.cover.spec import CoverSpec
from pessimal.pool import TaskRunner
from pessimal.pool.task_runner import WorkerDeath

MOST_DEATHS = 5


def refined(spec: CoverSpec, runner: TaskRunner, cases: Sequence[CaseFound], ends_at: float | None) -> list[Refined]:
    """Few cases that together take all arcs which a fresh process takes with all of them, each as it will be written.

    What there was no time to simplify is as it was found.
    """
    left = [(index, case.scenario) for index, case in enumerate(cases) if case.scenario]
    measured: dict[int, Refined] = {}
    final: dict[int, Refined] = {}

    def receive(item: Refined) -> None:
        (final if item.is_final else measured)[item.index] = item

    for _ in range(MOST_DEATHS):
        if not left or (ends_at is not None and monotonic() >= ends_at):
            break
        end = runner.run(RefineTask(spec, tuple(left), ends_at), receive)
        if not isinstance(end, WorkerDeath) or end.reason == "budget":
            break
        left = _without_fatal(left, end)
        measured, final = {}, {}
    return [final.get(item.index, item) for item in chosen(list(measured.values()))]


def _without_fatal(cases: list[tuple[int, list[Any]]], death: WorkerDeath) -> list[tuple[int, list[Any]]]:
    """The cases without the one that killed its worker; if it is not known, without the first."""
    record = death.record
    try:
        fatal = None if record is None or record.payload is None else json.loads(record.payload)
    except ValueError:
        fatal = None
    kept = [item for item in cases if item[1] != fatal]
    return kept if len(kept) < len(cases) else cases[1:]
