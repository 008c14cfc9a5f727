"""Supervising a search: its lanes work side by side in processes of their own, and share what they find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from pessimal.errors import InternalError
from pessimal.messages import BestFound, Finding, PathFound, ProgressMade, SearchMessage, SnapshotTaken
from pessimal.objective import Maximise
from pessimal.pool import TaskRunner
from pessimal.progress import Progress
from pessimal.search_spec import SearchSpec
from pessimal.store import Store
from pessimal.supervisor.findings import SearchFindings, merged, merged_counters
from pessimal.supervisor.lane import Lane
from pessimal.supervisor.state import SearchState, lanes_from_json, lanes_to_json
from pessimal.supervisor.time_plan import TimePlan
from pessimal.worker.tasks import Part, ReplayTask

SHOWN_THREADS = 10
SAVE_BEST_EVERY = 0.2


class Supervisor:
    """One search. A portfolio has a lane for each worker; any other strategy has one."""

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
        self._plan = plan or TimePlan()
        self._lanes = [
            Lane(spec, Part(number, spec.lanes), self._plan, warn=warn, on_change=self._on_change, explain=explain)
            for number in range(spec.lanes)
        ]
        self._best: Finding | None = None
        self._is_best_kept = True
        self._has_replayer = False
        self._next_save = 0.0

    def search(self) -> SearchFindings:
        """Search until the strategy or the budget ends; an interrupt keeps what was found."""
        self._resume()
        is_interrupted = False
        try:
            self._runner.run_jobs(self._lanes, self._is_settled)
        except KeyboardInterrupt:
            is_interrupted = True
            self._plan.interrupt()
        found = merged([lane.found for lane in self._lanes], self._spec.objective_name)
        if is_interrupted:
            found.interrupted = found.ran_out_of_time = True
        found.best = self._better(found.best)
        self._add_opening(found)
        self._raise_if_nothing_ran(found)
        if found.leftover_threads:
            self._warn(f"the target left threads behind: {', '.join(found.leftover_threads[:SHOWN_THREADS])}")
        return found

    def _is_settled(self) -> bool:
        """Whether a lane has reached what all are after."""
        return any(lane.has_ended and lane.found.is_settled for lane in self._lanes)

    def _raise_if_nothing_ran(self, found: SearchFindings) -> None:
        errors = [lane.error for lane in self._lanes if lane.error is not None]
        if errors and found.is_empty and not found.failures and not found.interrupted:
            raise errors[0]
        for error in errors:
            if isinstance(error, InternalError):
                self._warn(error.summary)

    def _add_opening(self, found: SearchFindings) -> None:
        """Report the best of the opening runs, or else one that did not end, where the search found nothing better."""
        opened = next(iter(found.opened), None)
        if opened is not None and self._is_result(opened, found):
            if found.proof is not None:
                self._warn(f"an input costs {opened.cost:g}, more than was proved: the proof is withdrawn")
            found.best, found.proof = opened, None
            found.counters.found_by, found.counters.found_run, found.counters.found_after = "opening runs", None, None
        if found.is_empty and not found.failures:
            found.failures += [finding for finding in found.opening if finding is not None][:1]

    def _is_result(self, opened: Finding, found: SearchFindings) -> bool:
        """Whether an input of the opening is the result: the search found none, or had no time to find a worse one.

        A strategy that ended by itself, such as ``fixed``, has the result that was asked for, if that is not refuted.
        """
        if found.best is None:
            return True
        is_larger = self._spec.objective_name == Maximise.name and opened.cost > found.best.cost
        return is_larger and (found.ran_out_of_time or found.proof is not None)

    def _resume(self) -> None:
        data = self._store.resume(self._spec.identity)
        if data is None:
            return
        try:
            states = lanes_from_json(data)
        except ValueError:
            raise self._store.damaged() from None
        # Of fewer lanes than before, the findings of the others are kept by the first.
        for lane, state in zip(self._lanes, _folded(states, len(self._lanes)), strict=False):
            lane.resume(state)
        best = self._store.resume_best(self._spec.identity)
        snapshots = [state.snapshot for state in states if state.snapshot is not None]
        for finding in (None if best is None else Finding.from_json(best), *(item.best for item in snapshots)):
            self._best = self._better(finding)
        paths = sum(lane.found.counters.paths for lane in self._lanes)
        self._warn(f"resuming after {paths} paths")

    def _better(self, finding: Finding | None) -> Finding | None:
        """The better of a finding and the best so far."""
        before = self._best
        if before is None or finding is None:
            return finding if before is None else before
        return before if self._spec.objective_name == Maximise.name and finding.cost < before.cost else finding

    def _on_change(self, lane: Lane, message: SearchMessage) -> None:
        match message:
            case BestFound(finding):
                self._share(lane, finding)
            case PathFound(finding):
                self._tell_others(lane, finding)
            case ProgressMade():
                self._start_replayer()
                self._save_best()
                counters = merged_counters([item.found for item in self._lanes], self._spec.objective_name)
                self._progress(Progress(self._spec.size, counters, None if self._best is None else self._best.cost))
            case SnapshotTaken():
                self._store.save_state(self._spec.identity, lanes_to_json(item.state for item in self._lanes))

    def _share(self, lane: Lane, finding: Finding) -> None:
        """Keep an input that is better than all before, and pass it on to the other lanes."""
        before = self._best
        self._best = self._better(finding)
        if self._best is before:
            return
        self._is_best_kept = False
        if self._spec.objective_name == Maximise.name:
            self._tell_others(lane, finding)

    def _tell_others(self, lane: Lane, finding: Finding) -> None:
        for other in self._lanes:
            if other is not lane:
                other.tell(finding)

    def _start_replayer(self) -> None:
        """Start the worker that replays while the search goes on, so that nobody waits for it later."""
        if not self._has_replayer:
            self._has_replayer = True
            self._runner.start_ahead(ReplayTask)

    def _save_best(self) -> None:
        now = monotonic()
        if self._best is not None and not self._is_best_kept and now >= self._next_save:
            self._store.save_best(self._spec.identity, self._best.to_json())
            self._is_best_kept, self._next_save = True, now + SAVE_BEST_EVERY


def _folded(states: list[SearchState], lanes: int) -> list[SearchState]:
    """The states of at most so many lanes: what the others found is given to the first."""
    kept, rest = states[:lanes], states[lanes:]
    if rest:
        first = kept[0]
        paths = [*first.paths, *(path for state in rest for path in state.paths)]
        failures = [*first.failures, *(failure for state in rest for failure in state.failures)]
        kept[0] = replace(first, paths=paths, failures=failures)
    return kept
