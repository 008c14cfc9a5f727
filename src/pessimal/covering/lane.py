"""One lane of ``cover`` as the parent sees it: a worker that is replaced when a scenario kills it."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from typing import Any

from pessimal.covering.messages import (
    CRASHED,
    HUNG,
    BranchesKnown,
    CaseFound,
    CoverEnded,
    CoverMessage,
    CoverProgress,
    FailureSeen,
)
from pessimal.covering.spec import CoverSpec
from pessimal.covering.tasks import CoverTask
from pessimal.covering.time_plan import TimePlan
from pessimal.errors import InternalError, TargetError
from pessimal.pool.task import Task
from pessimal.pool.task_runner import WorkerDeath

MOST_DEATHS, MOST_SILENT_DEATHS = 20, 2
"""After how many deaths a lane ends, and after how many that no scenario is to blame for it goes on without flips."""
MOST_STARTED = 300
"""How many scenarios a worker that takes the place of another runs first."""


class CoverLane:
    """The tasks of one lane, and what its workers found."""

    def __init__(
        self,
        spec: CoverSpec,
        number: int,
        ends_at: float | None,
        on_change: Callable[[CoverLane, CoverMessage], None],
        plan: TimePlan | None = None,
    ) -> None:
        self._spec = spec
        self._number = number
        self._ends_at = ends_at
        self._plan = plan
        self._on_change = on_change
        self._fatal: list[list[Any]] = []
        self._deaths = self._silent_deaths = 0
        self._note: list[list[Any]] = []
        self._has_note = False
        self._progress_before = CoverProgress()
        self._progress_now = CoverProgress()
        self.cases: list[CaseFound] = []
        self.failures: list[FailureSeen] = []
        self.branches: BranchesKnown | None = None
        self.end: CoverEnded | None = None
        self.error: TargetError | InternalError | None = None
        self.defect: str | None = None

    @property
    def progress(self) -> CoverProgress:
        """What all workers of the lane did."""
        return CoverProgress.total((self._progress_before, self._progress_now))

    def tasks(self) -> Generator[Task[Any, Any], Any, None]:
        """Search; after a death, search on in a new worker that first runs what was found."""
        while self._deaths <= MOST_DEATHS and self.error is None and self.end is None:
            start = [case.scenario for case in self.cases if case.scenario][-MOST_STARTED:]
            is_flipping = self._silent_deaths < MOST_SILENT_DEATHS
            task = CoverTask(
                self._spec,
                self._number,
                start,
                tuple(self._fatal),
                self._deaths,
                is_flipping,
                self._ends_at,
                self._plan,
            )
            try:
                end = yield task
            except InternalError as error:
                self._handle_defect(error)
                continue
            if isinstance(end, CoverEnded):
                self._progress_now = end.progress
                self.end = end
            elif end.reason == "budget":
                self.end = CoverEnded("time is up", self._progress_now)
            else:
                self._handle_death(end)
        if self.end is None and not isinstance(self.error, TargetError):
            why = "too many inputs ended their process" if self.error is None else "an internal error"
            self.end = CoverEnded(why, self._progress_now)

    def _handle_defect(self, error: InternalError) -> None:
        """Go on without flips after an error of ours, if the search had begun."""
        self._count_death()
        self._silent_deaths = MOST_SILENT_DEATHS
        self.defect = error.summary
        if self.branches is None or self._deaths > 1:
            self.error = error

    def _count_death(self) -> None:
        self._deaths += 1
        self._progress_before, self._progress_now = self.progress, CoverProgress()
        self._has_note = bool(self._note)

    def _handle_death(self, death: WorkerDeath) -> None:
        """Report the scenario that killed its worker as a failure, and do not run it again."""
        self._count_death()
        record = death.record
        if record is None or record.payload is None:
            self._silent_deaths += 1
            if self.branches is None:
                self.error = TargetError(f"importing what is to be covered {death.text}")
            return
        try:
            scenario = json.loads(record.payload)
        except ValueError:
            return
        self._fatal.append(scenario)
        kind = HUNG if death.reason == "deadline" else CRASHED
        self.failures.append(FailureSeen(scenario, kind, death.text, "", is_fatal=True))

    def on_message(self, message: CoverMessage) -> None:
        """Add what the worker reports."""
        match message:
            case BranchesKnown():
                self.branches = message
            case CaseFound():
                self.cases.append(message)
            case FailureSeen():
                self.failures.append(message)
            case CoverProgress():
                self._progress_now = message
        self._on_change(self, message)

    def share(self, case: CaseFound) -> None:
        """Let the worker run a scenario that another lane found."""
        self._note.append(case.scenario)
        self._has_note = True

    def note(self) -> bytes | None:
        """All scenarios of other lanes, if there are new ones."""
        if not self._has_note:
            return None
        self._has_note = False
        return json.dumps(self._note).encode()
