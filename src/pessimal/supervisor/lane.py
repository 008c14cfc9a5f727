"""A lane: one worker's part of a search, in as many processes after each other as it takes.

A run that kills or hangs its process becomes a failure with its input, and the lane goes on from its last snapshot
without that run. A member of a portfolio that computes without end is left out from then on.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import replace
from math import inf
from typing import Any

from pessimal.errors import InternalError, NotSymbolicError, TargetError
from pessimal.expr import Leaf
from pessimal.fatal_runs import CONCRETE, IMPORT, SYMBOLIC, FatalRun, RunStart
from pessimal.messages import (
    BestFound,
    FailureFound,
    Finding,
    OpeningRun,
    OpeningStarted,
    Origin,
    PathFound,
    ProgressMade,
    SearchEnded,
    SearchMessage,
    Snapshot,
    SnapshotTaken,
    TurnStarted,
)
from pessimal.objective import Maximise
from pessimal.pool import Record, Task, WorkerDeath
from pessimal.search.opening_runs import OPENING_RUNS
from pessimal.search_spec import SearchSpec
from pessimal.supervisor.findings import UNFINISHED, SearchFindings, outcome_of
from pessimal.supervisor.state import SearchState
from pessimal.supervisor.time_plan import TimePlan
from pessimal.worker.tasks import LocateTask, Part, RecoverTask, SearchTask

MAX_REPEATED_DEATHS = 3
MAX_DEATHS = 1000
MAX_SAMPLE_DEATHS = 5
"""After so many deaths a black box is tried on samples no more."""
MAX_OPENING_DEATHS = 2
"""After so many deaths in the opening no more of its inputs are run, once one has ended."""

SILENT_SHARE, SILENT_LEAST, SILENT_MOST = 1 / 4, 3.0, 10.0
"""How long a member of a portfolio may compute without a run: a share of the budget, within limits in seconds."""

MOST_TOLD = 50
"""So many inputs that reach something are told to other lanes at once; of costs only the largest matters."""

LARGEST_NOTE = 200_000
"""An input of more leaves than this is not passed on to other lanes: that would take longer than it is worth."""


class Lane:
    """One worker's part of a search; ``on_change`` is called after every message that changes what was found."""

    def __init__(
        self,
        spec: SearchSpec,
        part: Part,
        plan: TimePlan,
        *,
        warn: Callable[[str], None],
        on_change: Callable[[Lane, SearchMessage], None] = lambda lane, message: None,
        explain: bool = False,
    ) -> None:
        self._spec = spec
        self._part = part
        self._plan = plan
        self._warn = warn
        self._on_change = on_change
        self._explain = explain
        self.found = SearchFindings()
        self.has_ended = False
        self.error: TargetError | InternalError | None = None  # raised if nobody found anything
        self._snapshot: Snapshot | None = None
        self._kept = (0, 0)  # how many paths and failures the snapshot knows of
        self._fatal: list[FatalRun] = []
        self._killed_once: list[FatalRun] = []
        self._deaths = self._deaths_between_runs = self._opening_deaths = 0
        self._is_opening = False
        self._member: str | None = None
        self._excluded: list[str] = []
        self._told: deque[Finding] = deque(maxlen=1 if spec.objective_name == Maximise.name else MOST_TOLD)
        self._has_news = False

    def resume(self, state: SearchState) -> None:
        """Continue where an earlier search was."""
        found, self._snapshot = self.found, state.snapshot
        self._fatal = list(state.fatal)
        found.paths, found.failures = list(state.paths), list(state.failures)
        if state.snapshot is not None:
            found.best = state.snapshot.best
            found.counters, found.ledger = state.snapshot.counters, state.snapshot.ledger
        self._kept = len(found.paths), len(found.failures)

    @property
    def state(self) -> SearchState:
        """What is needed to resume the lane: its last snapshot, and what it had found by then."""
        paths, failures = self._kept
        return SearchState(self._snapshot, self.found.paths[:paths], self.found.failures[:failures], self._fatal)

    def tell(self, finding: Finding) -> None:
        """Pass on an input that another lane found."""
        if len(finding.leaves) <= LARGEST_NOTE:
            self._told.append(finding)
            self._has_news = True

    def note(self) -> bytes | None:
        """The last inputs of other lanes, for the worker, if there are new ones; it may miss a note before the next."""
        has_news, self._has_news = self._has_news, False
        return json.dumps([finding.to_json() for finding in self._told]).encode() if has_news else None

    def tasks(self) -> Generator[Task[Any, Any], Any, None]:
        """Search, in another process after each death, until the strategy, the budget or too many deaths end it."""
        while self.found.stopped == UNFINISHED:
            self._is_opening = False
            try:
                yield from self._handle_end((yield self._next_task()))
            except InternalError as error:
                self._handle_defect(error)
            except NotSymbolicError:
                raise
            except TargetError as error:
                self._handle_target_error(error)
            if self._plan.is_search_over and self.found.stopped == UNFINISHED:
                self._end_by_budget()
        self.has_ended = True

    def _handle_end(self, end: SearchEnded | WorkerDeath) -> Generator[Task[Any, Any], Any, None]:
        if isinstance(end, SearchEnded):
            self._finish(end)
        elif end.reason == "budget":
            self._handle_overrun(end)
        else:
            yield from self._handle_death(end)

    def _next_task(self) -> SearchTask:
        return SearchTask(
            self._spec,
            self._snapshot,
            tuple(self._fatal),
            self._explain,
            self._plan.search_ends_at,
            replace(self._part, opened=self._opening_done(), excluded=tuple(self._excluded)),
            self._silent_seconds,
        )

    @property
    def _silent_seconds(self) -> float | None:
        if not self._spec.is_portfolio:
            return None
        budget = self._spec.budget.seconds
        return SILENT_MOST if budget is None else max(SILENT_LEAST, min(SILENT_MOST, SILENT_SHARE * budget))

    def _end_by_budget(self) -> None:
        seconds = self._spec.budget.seconds
        self.found.stopped = "time limit" if seconds is None else f"budget of {seconds:.3g}s"
        self.found.ran_out_of_time = True

    def _opening_done(self) -> int:
        """How many inputs of the opening need no run any more."""
        is_enough = self._opening_deaths >= MAX_OPENING_DEATHS and bool(self.found.opened)
        is_done = is_enough or not self._part.is_first
        return OPENING_RUNS if is_done else len(self.found.opening)

    def _finish(self, end: SearchEnded) -> None:
        found = self.found
        found.stopped, found.ran_out_of_time, found.is_settled = end.stopped, end.ran_out_of_time, end.is_settled
        found.proof, found.attack = end.proof, end.attack
        found.counters, found.best = end.counters, self._better(end.best)
        found.ledger, found.report = end.ledger, end.report
        found.leftover_threads = list(end.leftover_threads)
        if end.best is not None and end.described is not None:
            found.described[end.best.leaves] = end.described

    def _handle_overrun(self, death: WorkerDeath) -> None:
        """The worker did not stop when its time was up: what it sent stays, and a run in progress is a failure."""
        self._end_by_budget()
        record = death.record
        if record is None and not self.found.opening:
            self.error = TargetError("importing or preparing the target did not end within the budget")
        if record is not None and record.kind == CONCRETE and record.payload is not None:
            fatal = _fatal_run(death, record)
            if fatal.run.size == self._spec.size:
                self._add_failure(death, fatal, len(record.decisions), fatal.run.leaves)

    def _handle_defect(self, error: InternalError) -> None:
        """Go on without the member of the portfolio that raised an error; a strategy of its own ends with it."""
        self._forget_since_snapshot()
        if self._spec.is_portfolio and self._exclude_member():
            self._warn(f"{error.summary}: the search goes on without {self._member}")
            return
        self.error, self.found.stopped = error, "an internal error"

    def _handle_target_error(self, error: TargetError) -> None:
        """End the lane; what it found before, or what others find, is the result, and otherwise the error is."""
        if self._plan.is_search_over:
            self._end_by_budget()
        else:
            self.found.stopped = str(error)
        self.error = error

    def on_message(self, message: SearchMessage) -> None:
        """Add what the worker reports."""
        found = self.found
        self._is_opening = isinstance(message, OpeningStarted | OpeningRun)
        match message:
            case TurnStarted(name):
                self._member = name
            case ProgressMade(counters):
                found.counters = counters
            case OpeningRun(finding):
                found.opening.append(finding)
            case BestFound(finding):
                found.best = self._better(finding)
            case PathFound(finding):
                found.paths.append(finding)
            case FailureFound(finding, described):
                found.failures.append(finding)
                if described is not None:
                    found.described[finding.leaves] = described
            case SnapshotTaken(snapshot, report):
                found.report = report
                self._snapshot = replace(snapshot, best=self._better(snapshot.best))
                found.ledger = snapshot.ledger
                self._kept = len(found.paths), len(found.failures)
        self._on_change(self, message)

    def _better(self, finding: Finding | None) -> Finding | None:
        """A best finding, or the one before it: a worker that continues from a snapshot may not find that one again."""
        before = self.found.best
        if before is None or self._spec.objective_name != Maximise.name:
            return finding
        return before if finding is None or finding.cost < before.cost else finding

    def _handle_death(self, death: WorkerDeath) -> Generator[Task[Any, Any], Any, None]:
        """Go back to the snapshot; the run that killed its process becomes a failure with its input."""
        self._forget_since_snapshot()
        record = death.record
        self._deaths += 1
        if record is None:  # between two runs: no input is to blame
            yield from self._handle_death_between_runs(death)
            return
        fatal = _fatal_run(death, record)
        if self._is_opening:
            # The search proper does not know of it, so that it stays what it would be without the opening.
            self._opening_deaths += 1
            self.found.opening.append(Finding(fatal.run.leaves, fatal.outcome, -inf, 0, "concrete", death.text))
            return
        if death.detail == "SIGKILL" and fatal not in self._killed_once:
            # The kernel, for want of memory, or a person may have killed it: it is run once more.
            self._killed_once.append(fatal)
            return
        if fatal.sample:
            self._handle_fatal_sample(death, fatal)
            return
        if self._fatal.count(fatal) >= MAX_REPEATED_DEATHS:
            self._give_up(f"the target {death.text} again and again on the same input: nothing more can be run")
            return
        self._fatal.append(fatal)
        if fatal.run.size == self._spec.size:  # and not practice at another size than was asked for
            leaves = yield from self._input_of(fatal)
            self._add_failure(death, fatal, len(record.decisions), leaves)

    def _forget_since_snapshot(self) -> None:
        """Drop what the next worker will find again."""
        del self.found.paths[self._kept[0] :], self.found.failures[self._kept[1] :]

    def _exclude_member(self) -> bool:
        """Leave out the member whose turn it is from now on; whether there is one."""
        if self._member is None or self._member in self._excluded:
            return False
        self._excluded.append(self._member)
        return True

    def _handle_fatal_sample(self, death: WorkerDeath, fatal: FatalRun) -> None:
        """A call of a black box on a sample is to blame: it is not made again, and neither is any after too many."""
        name = fatal.sample.partition("(")[0]
        self._fatal.append(fatal)
        before = sum(item.sample.startswith(f"{name}(") for item in self._fatal)
        if before < MAX_SAMPLE_DEATHS:
            self._warn(f"the black box call {fatal.sample} {death.text}: it counts as a call without a value")
        else:
            self._fatal.append(replace(fatal, sample=name))
            self._warn(f"the black box {name} {death.text} again and again: its arguments become concrete")

    def _input_of(self, fatal: FatalRun) -> Generator[Task[Any, Any], Any, tuple[Leaf, ...] | None]:
        """The input of a run; that of a symbolic run is found by another worker, and is None if that dies, too."""
        if fatal.decisions is None:
            return fatal.run.leaves
        leaves = yield RecoverTask(self._spec, fatal, self._plan.search_ends_at)
        return None if isinstance(leaves, WorkerDeath) else tuple(leaves)

    def _handle_death_between_runs(self, death: WorkerDeath) -> Generator[Task[Any, Any], Any, None]:
        """No input is to blame: go on, unless nothing was ever run, or this happens again and again."""
        if death.reason == "silence" and self._exclude_member():
            self._warn(f"{self._member} computed too long without a run: the search goes on without it")
            return
        self._deaths_between_runs += 1
        if self._snapshot is None and self.found.is_empty:
            # The kernel, for want of memory, or a person may have killed it at its start: it is started again.
            is_doubtful = death.detail == "SIGKILL"
            if is_doubtful and self._deaths_between_runs == 1:
                return
            place = yield from self._place_of(death)
            if place or not is_doubtful or self._deaths_between_runs > MAX_REPEATED_DEATHS:
                self._give_up(f"importing or preparing the target {death.text}{place}")
        elif self._deaths > MAX_DEATHS or (self._snapshot is None and self._deaths_between_runs > MAX_REPEATED_DEATHS):
            self._give_up(f"the target {death.text} again and again between two runs")

    def _place_of(self, death: WorkerDeath) -> Generator[Task[Any, Any], Any, str]:
        """The line at which an import kills its process: another worker dies of it again, and records where."""
        if self._plan.is_search_over:
            return ""
        end = yield LocateTask(self._spec, self._plan.search_ends_at)
        if not isinstance(end, WorkerDeath) or end.reason != death.reason or end.record is None:
            return ""
        payload = end.record.payload if end.record.kind == IMPORT else None
        return f" in {payload.decode(errors='replace')}" if payload else ""

    def _give_up(self, reason: str) -> None:
        """End the lane with what it found; if nobody found anything, the reason is an error."""
        self.error = TargetError(reason)
        self.found.stopped = reason

    def _add_failure(self, death: WorkerDeath, fatal: FatalRun, branches: int, leaves: tuple[Leaf, ...] | None) -> None:
        """Report a fatal run as a failure, if its input is known."""
        if leaves is None:
            return
        origin: Origin = "concrete" if fatal.decisions is None else "symbolic"
        self.found.failures.append(Finding(leaves, fatal.outcome, -inf, branches, origin, death.text))
        self._kept = self._kept[0], len(self.found.failures)


def _fatal_run(death: WorkerDeath, record: Record) -> FatalRun:
    if record.payload is None:
        raise TargetError(f"the target {death.text} on an input too large to be recorded")
    try:
        run = RunStart.unpack(record.payload)
    except (TypeError, ValueError):
        raise TargetError(f"the target {death.text} and overwrote the record of its input") from None
    decisions = record.decisions if record.kind == SYMBOLIC else None
    return FatalRun(run, decisions, outcome_of(death), record.sample.decode(errors="replace"))
