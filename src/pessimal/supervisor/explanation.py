"""Explaining a search: what was made concrete where, and what the inputs never reached after that."""

from __future__ import annotations

from typing import Any

from pessimal.coverage import Coverage
from pessimal.ledger import Ledger
from pessimal.messages import CoverageMeasured, CoverageMessage
from pessimal.pool import TaskRunner, WorkerDeath
from pessimal.search_spec import SearchSpec
from pessimal.supervisor.findings import SearchFindings
from pessimal.supervisor.time_plan import TimePlan
from pessimal.worker.tasks import CoverageTask

MAX_DEATHS = 3


def explanation(
    spec: SearchSpec, runner: TaskRunner, found: SearchFindings, plan: TimePlan | None = None
) -> dict[str, Any]:
    """What the search could not see, as JSON values; without coverage after an interrupt or the end of the budget."""
    ledger = Ledger() if found.ledger is None else Ledger.from_json(found.ledger)
    coverage = None
    plan = plan or TimePlan()
    if ledger.places and not found.interrupted and not plan.is_over:
        try:
            coverage = _coverage(spec, runner, ledger, plan)
        except KeyboardInterrupt:
            found.interrupted = True
    return ledger.report(coverage)


def _coverage(spec: SearchSpec, runner: TaskRunner, ledger: Ledger, plan: TimePlan) -> Coverage | None:
    """What the inputs of the ledger cover; None if nothing could be measured."""
    coverage = Coverage()
    waiting = list(enumerate(ledger.inputs))
    started = -1

    def on_message(message: CoverageMessage) -> None:
        nonlocal started
        started = message.index
        if isinstance(message, CoverageMeasured):
            coverage.add(message.gain)

    for _ in range(MAX_DEATHS):
        if not waiting:
            break
        end = runner.run(CoverageTask(spec, waiting, ledger.places, plan.ends_at), on_message)
        if not isinstance(end, WorkerDeath) or end.reason == "budget":
            break
        waiting = [item for item in waiting if item[0] > started]
    return coverage if coverage.runs else None
