"""Supervising ``cover``: its lanes work side by side, and run what the others found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import monotonic

from pessimal.covering.lane import CoverLane
from pessimal.covering.messages import (
    ArcRow,
    BranchesKnown,
    CaseFound,
    CoverMessage,
    CoverProgress,
    FailureSeen,
    Reason,
)
from pessimal.covering.spec import CoverSpec
from pessimal.covering.time_plan import Observed, TimePlan
from pessimal.pool import TaskRunner

LAST_SECONDS = 30.0
"""How long a lane may take to save what it has learned when every branch was taken; it needs much less."""

Show = Callable[[int, int, int], None]
"""Called with executions, branches covered, and branches in all."""


@dataclass(slots=True)
class CoverFindings:
    """What the lanes found together."""

    cases: list[CaseFound] = field(default_factory=list)
    failures: list[FailureSeen] = field(default_factory=list)
    known: BranchesKnown | None = None
    progress: CoverProgress = field(default_factory=CoverProgress)
    reasons: list[Reason] = field(default_factory=list)
    stopped: str = ""
    interrupted: bool = False
    curve: list[tuple[float, int]] = field(default_factory=list)
    note: str | None = None
    observed: Observed = field(default_factory=Observed)

    @property
    def covered(self) -> set[ArcRow]:
        """The branches that some case takes."""
        branches = set(() if self.known is None else self.known.branches)
        return branches & {arc for case in self.cases for arc in case.arcs}


class CoverSupervisor:
    """One search by all lanes."""

    def __init__(self, spec: CoverSpec, runner: TaskRunner, plan: TimePlan | None, show: Show) -> None:
        self._runner = runner
        self._show = show
        self._began = monotonic()
        self._found = CoverFindings()
        self._branches: set[ArcRow] = set()
        self._taken: set[ArcRow] = set()
        self._is_saving = "save" in spec.options
        ends_at = None if plan is None else plan.search_ends_at(Observed())
        self._lanes = [CoverLane(spec, number, ends_at, self._on_change, plan) for number in range(spec.workers)]

    def search(self) -> CoverFindings:
        """Search until every branch is taken or the time is up; an interrupt keeps what was found."""
        found = self._found
        try:
            self._runner.run_jobs(self._lanes, self._is_over)
        except KeyboardInterrupt:
            found.interrupted = True
        error = next((lane.error for lane in self._lanes if lane.error is not None), None)
        if error is not None and found.known is None:
            raise error
        found.failures = [failure for lane in self._lanes for failure in lane.failures]
        found.progress = self._progress()
        found.observed = self._observed()
        found.reasons = [reason for lane in self._lanes if lane.end is not None for reason in lane.end.reasons]
        notes = [lane.end.note for lane in self._lanes if lane.end is not None and lane.end.note is not None]
        defects = [lane.defect for lane in self._lanes if lane.defect is not None]
        found.note = next(iter([*defects, *notes]), None)
        ends = [lane.end.stopped for lane in self._lanes if lane.end is not None]
        found.stopped = "every branch was taken" if self._is_done() else (ends[0] if ends else "interrupted")
        return found

    def _observed(self) -> Observed:
        """What the slowest lane has seen of the machine, for all cases together."""
        seen = [lane.end.observed for lane in self._lanes if lane.end is not None]
        slowest = max(seen, key=lambda item: item.slowdown, default=Observed())
        return replace(slowest, cases=len(self._found.cases))

    def _is_over(self) -> bool:
        """Whether the lanes can be stopped: the first may still have to save what it has learned."""
        if not self._is_done():
            return False
        curve = self._found.curve
        has_time = bool(curve) and monotonic() - self._began < curve[-1][0] + LAST_SECONDS
        return not (self._is_saving and has_time and self._lanes[0].end is None)

    def _is_done(self) -> bool:
        return self._found.known is not None and self._branches <= self._taken

    def _progress(self) -> CoverProgress:
        return CoverProgress.total([lane.progress for lane in self._lanes])

    def _on_change(self, lane: CoverLane, message: CoverMessage) -> None:
        match message:
            case BranchesKnown():
                self._found.known = self._found.known or message
                self._branches |= set(message.branches)
            case CaseFound():
                self._add(lane, message)
            case CoverProgress():
                self._show(self._progress().executions, len(self._branches & self._taken), len(self._branches))

    def _add(self, lane: CoverLane, case: CaseFound) -> None:
        """Keep a case that takes an arc first, and pass it on."""
        if set(case.arcs) <= self._taken:
            return
        self._taken |= set(case.arcs)
        self._found.cases.append(case)
        self._found.curve.append((round(monotonic() - self._began, 2), len(self._branches & self._taken)))
        if case.scenario:
            for other in self._lanes:
                if other is not lane:
                    other.share(case)
