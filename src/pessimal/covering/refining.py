"""The parent's side of refinement: cases go through a fresh worker, and through another if one of them kills it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from time import monotonic
from typing import Any

from pessimal.covering.description import described
from pessimal.covering.messages import CaseFound, FailureSeen
from pessimal.covering.refine import ConfirmedFailure, Refined, RefineTask
from pessimal.covering.result import Failure
from pessimal.covering.selection import chosen
from pessimal.covering.spec import CoverSpec
from pessimal.covering.supervise import CoverFindings
from pessimal.errors import InternalError, TargetError
from pessimal.pool import TaskRunner
from pessimal.pool.task_runner import WorkerDeath
from pessimal.scenario import Scenario

MOST_DEATHS = 5
MOST_FAILURES = 20
MOST_CONFIRMED, CONFIRM_SECONDS = 3, 6.0
"""How many failures that killed their process are run again, and how long each may take."""
SEEN_ONCE = " (seen once)"


def refined(
    spec: CoverSpec, runner: TaskRunner, found: CoverFindings, ends_at: float | None
) -> tuple[list[Refined], list[Failure]]:
    """Few cases that together take all arcs which a fresh process takes with all of them, each as it will be written.

    What there was no time to simplify is as it was found. Failures are those that happened again, and those that killed
    their process.
    """
    cases, grouped, known = found.cases, _grouped(found.failures), found.known
    if known is None:
        return [], []
    left = [(index, case.scenario) for index, case in enumerate(cases) if case.scenario]
    measured: dict[int, Refined] = {}
    final: dict[int, Refined] = {}
    confirmed: dict[int, ConfirmedFailure] = {}
    failures = [_failure_data(index, grouped) for index, (item, _) in enumerate(grouped) if not item.is_fatal]

    def receive(item: Refined | ConfirmedFailure) -> None:
        if isinstance(item, ConfirmedFailure):
            confirmed[item.index] = item
        else:
            (final if item.is_final else measured)[item.index] = item

    for _ in range(MOST_DEATHS):
        if not (left or failures) or (ends_at is not None and monotonic() >= ends_at):
            break
        task = RefineTask(spec, known.branches, known.lines, tuple(left), tuple(failures[:MOST_FAILURES]), ends_at)
        try:
            end = runner.run(task, receive)
        except (TargetError, InternalError):  # it could be imported before: the time is to blame, or a defect of ours
            break
        if not isinstance(end, WorkerDeath) or end.reason == "budget":
            break
        left = _without_fatal(left, end)
        final.clear()
    for index, _ in left:  # what there was no time to run again is as it was found
        measured.setdefault(index, _as_found(index, cases[index]))
    tests = [final.get(item.index, item) for item in chosen([measured[index] for index in sorted(measured)])]
    fatal = [index for index, (item, _) in enumerate(grouped) if item.is_fatal]
    again = {
        index: _kills_again(RefineTask(spec, (), (), (), (_failure_data(index, grouped),)), runner, ends_at)
        for index in fatal[:MOST_CONFIRMED]
    }
    return tests, [
        _failure(item, count, confirmed.get(index), again.get(index))
        for index, (item, count) in enumerate(grouped)
        if index in confirmed or (item.is_fatal and again.get(index) is not False)
    ]


def _kills_again(task: RefineTask, runner: TaskRunner, ends_at: float | None) -> bool | None:
    """Whether a failure kills a fresh process, too; None if there was no time to see."""
    limit = monotonic() + CONFIRM_SECONDS
    if ends_at is not None and ends_at < limit:
        return None
    heard: list[Refined | ConfirmedFailure] = []
    try:
        end = runner.run(replace(task, ends_at=limit), heard.append)
    except (TargetError, InternalError):
        return None
    if isinstance(end, WorkerDeath):
        return None if end.reason == "budget" else True
    return bool(heard)


def _as_found(index: int, case: CaseFound) -> Refined:
    return Refined(index, case.scenario, case.arcs, case.outcome, case.exception)


def _grouped(seen: Sequence[FailureSeen]) -> list[tuple[FailureSeen, int]]:
    """One failure for each kind at each place, and how often it was seen."""
    groups: dict[tuple[str, str], list[FailureSeen]] = {}
    for item in seen:
        groups.setdefault((item.kind, item.place or str(item.scenario[-1]["subject"])), []).append(item)
    return [(min(items, key=lambda item: len(str(item.scenario))), len(items)) for items in groups.values()]


def _failure_data(index: int, grouped: Sequence[tuple[FailureSeen, int]]) -> tuple[int, list[Any], str]:
    """A failure as the task that runs it again gets it."""
    seen, _ = grouped[index]
    return index, seen.scenario, seen.kind


def _failure(seen: FailureSeen, count: int, confirmed: ConfirmedFailure | None, is_again: bool | None) -> Failure:
    scenario = Scenario.from_json(seen.scenario if confirmed is None else confirmed.scenario)
    text = confirmed.text if confirmed is not None else seen.text if is_again else f"{seen.text}{SEEN_ONCE}"
    return Failure(seen.kind, text, seen.place, described(scenario), count)


def _without_fatal(cases: list[tuple[int, list[Any]]], death: WorkerDeath) -> list[tuple[int, list[Any]]]:
    """The cases without the one that killed its worker; if it is not known, without the first."""
    record = death.record
    try:
        fatal = None if record is None or record.payload is None else json.loads(record.payload)
    except ValueError:
        fatal = None
    kept = [item for item in cases if item[1] != fatal]
    return kept if len(kept) < len(cases) else cases[1:]
