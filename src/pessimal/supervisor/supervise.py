"""Supervising a search: start a worker, listen to it, and replace it when it dies or hangs.

A run that kills or hangs its process becomes a failure with its input, and the search goes on from its last snapshot
without that run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf
from time import monotonic

from pessimal.errors import TargetError
from pessimal.expr import Leaf
from pessimal.fatal_runs import CONCRETE, SYMBOLIC, FatalRun, RunStart
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
)
from pessimal.objective import Maximise
from pessimal.pool import Record, TaskRunner, WorkerDeath
from pessimal.progress import Progress
from pessimal.search.opening_runs import OPENING_RUNS
from pessimal.search_spec import SearchSpec
from pessimal.store import Store
from pessimal.supervisor.findings import UNFINISHED, SearchFindings, outcome_of
from pessimal.supervisor.state import SearchState
from pessimal.supervisor.time_plan import TimePlan
from pessimal.worker.tasks import RecoverTask, SearchTask

SHOWN_THREADS = 10
MAX_REPEATED_DEATHS = 3
MAX_DEATHS = 1000
MAX_OPENING_DEATHS = 2
"""After so many deaths in the opening no more of its inputs are run, once one has ended."""
SAVE_BEST_EVERY = 0.2


class Supervisor:
    """One search, in as many workers after each other as it takes."""

    def __init__(
        self,
        spec: SearchSpec,
        runner: TaskRunner,
        store: Store,
        *,
        progress: Callable[[Progress], None],
        warn: Callable[[str], None],
        explain: bool = False,
        plan: TimePlan | None = None,
    ) -> None:
        self._spec = spec
        self._runner = runner
        self._store = store
        self._progress = progress
        self._warn = warn
        self._explain = explain
        self._plan = plan or TimePlan()
        self._found = SearchFindings()
        self._snapshot: Snapshot | None = None
        self._kept = (0, 0)  # how many paths and failures the snapshot knows of
        self._fatal: list[FatalRun] = []
        self._killed_once: list[FatalRun] = []
        self._deaths = self._deaths_between_runs = self._opening_deaths = 0
        self._is_opening = False
        self._is_best_kept = True
        self._next_save = 0.0

    def search(self) -> SearchFindings:
        """Search until the strategy or the budget ends; an interrupt keeps what was found."""
        self._resume()
        try:
            while not self._attempt():
                if self._plan.is_search_over:
                    self._end_by_budget()
                    break
        except KeyboardInterrupt:
            self._found.interrupted = self._found.ran_out_of_time = True
            self._plan.interrupt()
        self._add_opening()
        return self._found

    def _end_by_budget(self) -> None:
        seconds = self._spec.budget.seconds
        self._found.stopped = "time limit" if seconds is None else f"budget of {seconds:.3g}s"
        self._found.ran_out_of_time = True

    def _add_opening(self) -> None:
        """Report the best of the opening runs, or else one that did not end, where the search found nothing better."""
        found = self._found
        opened = next(iter(found.opened), None)
        if opened is not None and self._is_better(opened):
            if found.proof is not None:
                self._warn(f"an input costs {opened.cost:g}, more than was proved: the proof is withdrawn")
            found.best, found.proof = opened, None
            found.counters.found_by, found.counters.found_run, found.counters.found_after = "opening runs", None, None
        if found.is_empty and not found.failures:
            found.failures += [finding for finding in found.opening if finding is not None][:1]

    def _resume(self) -> None:
        data = self._store.resume(self._spec.identity)
        if data is None:
            return
        try:
            state = SearchState.from_json(data)
        except ValueError:
            raise self._store.damaged() from None
        found, self._snapshot = self._found, state.snapshot
        self._fatal = list(state.fatal)
        found.paths, found.failures = list(state.paths), list(state.failures)
        best = self._store.resume_best(self._spec.identity)
        found.best = None if best is None else Finding.from_json(best)
        found.best = self._better(state.snapshot.best)
        found.counters, found.ledger = state.snapshot.counters, state.snapshot.ledger
        self._kept = len(found.paths), len(found.failures)
        self._warn(f"resuming after {found.counters.paths} paths")

    def _attempt(self) -> bool:
        """One worker's part of the search; False if it died and the search must go on in another."""
        plan, opened = self._plan, self._opening_done()
        self._is_opening = False
        task = SearchTask(self._spec, self._snapshot, tuple(self._fatal), self._explain, plan.search_ends_at, opened)
        end = self._runner.run(task, self._on_message)
        if isinstance(end, WorkerDeath) and end.reason == "budget":
            self._handle_overrun(end)
            return True
        if isinstance(end, WorkerDeath):
            self._handle_death(end)
            return self._found.stopped != UNFINISHED
        self._finish(end)
        return True

    def _is_better(self, opened: Finding) -> bool:
        """Whether an input of the opening is the result: the search found none, or had no time to find a worse one.

        A strategy that ended by itself, such as ``fixed``, has the result that was asked for, if that is not refuted.
        """
        found = self._found
        if found.best is None:
            return True
        is_larger = self._spec.objective_name == Maximise.name and opened.cost > found.best.cost
        return is_larger and (found.ran_out_of_time or found.proof is not None)

    def _opening_done(self) -> int:
        """How many inputs of the opening need no run any more."""
        is_enough = self._opening_deaths >= MAX_OPENING_DEATHS and bool(self._found.opened)
        return OPENING_RUNS if is_enough else len(self._found.opening)

    def _finish(self, end: SearchEnded) -> None:
        found = self._found
        found.stopped, found.ran_out_of_time = end.stopped, end.ran_out_of_time
        found.proof, found.attack = end.proof, end.attack
        found.counters, found.best = end.counters, self._better(end.best)
        found.ledger, found.report = end.ledger, end.report
        if end.leftover_threads:
            self._warn(f"the target left threads behind: {', '.join(end.leftover_threads[:SHOWN_THREADS])}")

    def _handle_overrun(self, death: WorkerDeath) -> None:
        """The worker did not stop when its time was up: what it sent stays, and a run in progress is a failure."""
        self._end_by_budget()
        record = death.record
        if record is None and self._found.is_empty and not self._found.failures and not self._found.opening:
            raise TargetError("importing or preparing the target did not end within the budget")
        if record is not None and record.kind == CONCRETE and record.payload is not None:
            fatal = _fatal_run(death, record)
            self._add_failure(death, fatal, len(record.decisions))

    def _on_message(self, message: SearchMessage) -> None:
        found = self._found
        self._is_opening = isinstance(message, OpeningStarted | OpeningRun)
        match message:
            case ProgressMade(counters):
                found.counters = counters
                self._save_best()
                best = None if found.best is None else found.best.cost
                self._progress(Progress(self._spec.size, counters, best))
            case OpeningRun(finding):
                found.opening.append(finding)
            case BestFound(finding):
                found.best = self._better(finding)
                self._is_best_kept = False
            case PathFound(finding):
                found.paths.append(finding)
            case FailureFound(finding):
                found.failures.append(finding)
            case SnapshotTaken(snapshot, report):
                found.report = report
                self._keep(snapshot)

    def _save_best(self) -> None:
        best, now = self._found.best, monotonic()
        if best is not None and not self._is_best_kept and now >= self._next_save:
            self._store.save_best(self._spec.identity, best.to_json())
            self._is_best_kept, self._next_save = True, now + SAVE_BEST_EVERY

    def _keep(self, snapshot: Snapshot) -> None:
        found = self._found
        self._snapshot = snapshot = replace(snapshot, best=self._better(snapshot.best))
        found.ledger = snapshot.ledger
        self._kept = len(found.paths), len(found.failures)
        state = SearchState(snapshot, found.paths, found.failures, self._fatal)
        self._store.save_state(self._spec.identity, state.to_json())

    def _better(self, finding: Finding | None) -> Finding | None:
        """A best finding, or the one before it: a worker that continues from a snapshot may not find that one again."""
        before = self._found.best
        if before is None or self._spec.objective_name != "cost":
            return finding
        return before if finding is None or finding.cost < before.cost else finding

    def _handle_death(self, death: WorkerDeath) -> None:
        """Go back to the snapshot; the run that killed its process becomes a failure with its input."""
        del self._found.paths[self._kept[0] :], self._found.failures[self._kept[1] :]
        record = death.record
        self._deaths += 1
        if record is None:  # between two runs: no input is to blame
            self._handle_death_between_runs(death)
            return
        fatal = _fatal_run(death, record)
        if self._is_opening:
            # The search proper does not know of it, so that it stays what it would be without the opening.
            self._opening_deaths += 1
            self._found.opening.append(Finding(fatal.run.leaves, fatal.outcome, -inf, 0, "concrete", death.text))
            return
        if death.detail == "SIGKILL" and fatal not in self._killed_once:
            # The kernel, for want of memory, or a person may have killed it: it is run once more.
            self._killed_once.append(fatal)
            return
        if self._fatal.count(fatal) >= MAX_REPEATED_DEATHS:
            self._give_up(f"the target {death.text} again and again on the same input: nothing more can be run")
            return
        self._fatal.append(fatal)
        self._add_failure(death, fatal, len(record.decisions))

    def _handle_death_between_runs(self, death: WorkerDeath) -> None:
        """No input is to blame: go on, unless nothing was ever run, or this happens again and again."""
        self._deaths_between_runs += 1
        # The kernel, for want of memory, or a person may have killed it at its start: it is started again.
        most = MAX_REPEATED_DEATHS if death.detail == "SIGKILL" else 0
        if self._snapshot is None and self._found.is_empty and self._deaths_between_runs > most:
            raise TargetError(f"importing or preparing the target {death.text}")
        if self._deaths > MAX_DEATHS or (self._snapshot is None and self._deaths_between_runs > MAX_REPEATED_DEATHS):
            self._give_up(f"the target {death.text} again and again between two runs")

    def _give_up(self, reason: str) -> None:
        """End the search with what was found; if that is nothing, the reason is an error."""
        if self._found.is_empty:
            raise TargetError(reason)
        self._found.stopped = reason

    def _add_failure(self, death: WorkerDeath, fatal: FatalRun, branches: int) -> None:
        """Report a fatal run as a failure, unless it was practice at another size than was asked for."""
        if fatal.run.size != self._spec.size:
            return
        leaves = fatal.run.leaves if fatal.decisions is None else self._recover(fatal)
        if leaves is None:
            return
        origin: Origin = "concrete" if fatal.decisions is None else "symbolic"
        self._found.failures.append(Finding(leaves, fatal.outcome, -inf, branches, origin, death.text))
        self._kept = self._kept[0], len(self._found.failures)

    def _recover(self, fatal: FatalRun) -> tuple[Leaf, ...] | None:
        """The input of a symbolic run, found by another worker; None if that dies, too."""
        leaves = self._runner.run(RecoverTask(self._spec, fatal, self._plan.search_ends_at), lambda message: None)
        return None if isinstance(leaves, WorkerDeath) else tuple(leaves)


def _fatal_run(death: WorkerDeath, record: Record) -> FatalRun:
    if record.payload is None:
        raise TargetError(f"the target {death.text} on an input too large to be recorded")
    try:
        run = RunStart.unpack(record.payload)
    except (TypeError, ValueError):
        raise TargetError(f"the target {death.text} and overwrote the record of its input") from None
    return FatalRun(run, record.decisions if record.kind == SYMBOLIC else None, outcome_of(death))
