"""The task of replaying: run inputs natively on the unmodified target and compare with what the search predicted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, isnan
from time import monotonic

from pessimal.cost import BRANCHES
from pessimal.endings import brief, ending
from pessimal.frontend import FrontEnd
from pessimal.messages import ENDED, Finding, ReplayEnded, ReplayStarted
from pessimal.objective import Maximise
from pessimal.pool import Channel
from pessimal.trace import Outcome, Trace
from pessimal.worker import comparison
from pessimal.worker.describing import describe
from pessimal.worker.opening import open_front_end
from pessimal.worker.prediction import as_found, predict
from pessimal.worker.replay_time import SHORTEST, ReplayTime
from pessimal.worker.tasks import ReplayTask

REWRITING_SHARE = (1 / 10, 1 / 3)
"""How much of the time that is left the import of the copy for symbolic runs may take: little if no finding is
symbolic, since it only counts the branches then."""


def replay(payload: bytes, channel: Channel) -> None:
    """Replay findings one after the other; the parent knows each input before it runs, as it may kill the process."""
    task = ReplayTask.unpack(payload)
    left = inf if task.ends_at is None else task.ends_at - monotonic()
    is_symbolic = any(finding.origin == "symbolic" for _, finding in task.findings)
    rewriting = max(SHORTEST, left * REWRITING_SHARE[is_symbolic])
    front_end = open_front_end(task.spec, channel, ends_at=task.ends_at, rewriting_seconds=rewriting)
    for number, (index, finding) in enumerate(task.findings):
        time = ReplayTime(task.spec.limits.run_seconds, task.ends_at, len(task.findings) - number)
        if time.left <= 0:
            channel.send(ReplayStarted(index, describe(front_end, finding.leaves)))
            continue
        is_simplified = index not in task.as_found
        keeps_branches = task.spec.objective_name != Maximise.name
        prediction = predict(front_end, finding, time, keeps_branches) if is_simplified else as_found(finding)
        channel.send(ReplayStarted(index, describe(front_end, prediction.trace.leaves)))
        seconds = time.for_run() if finding.ended else time.for_failure()
        compared = finding if prediction.is_path else replace(finding, origin="concrete")
        is_hurried = seconds < task.spec.limits.run_seconds
        result = _Replay(front_end, compared, prediction.trace, seconds, is_hurried).result(index)
        if not _is_cut_short(result, finding, is_hurried):
            channel.send(replace(result, unfinished=prediction.unfinished))


def _is_cut_short(result: ReplayEnded, finding: Finding, has_less_time: bool) -> bool:
    """Whether the replay shows nothing, since it had less time than a run may take."""
    timed_out = result.outcome is Outcome.TIMED_OUT or result.cost == -inf
    return has_less_time and timed_out and finding.outcome is not Outcome.TIMED_OUT


@dataclass(frozen=True, slots=True)
class _Replay:
    """The replay of one finding, on the input that the prediction has."""

    front_end: FrontEnd
    finding: Finding
    prediction: Trace
    seconds: float
    is_hurried: bool
    """Whether that is less than a run may take."""

    def result(self, index: int) -> ReplayEnded:
        native = self._native()
        measured = self._measured()
        branches = measured.costs.get(BRANCHES.name, measured.length)
        cost = self.front_end.cost(measured, self.seconds) if native.outcome in ENDED else None
        nondeterministic = self._differs_natively(native)
        compared = replace(self.finding, origin="concrete") if isnan(branches) else self.finding
        difference = comparison.difference(compared, self.prediction, native, measured)
        is_alike = difference is None and nondeterministic is None and native.outcome in ENDED
        if is_alike and not isnan(branches):  # otherwise a run with counted values takes too long
            difference = self._differs_when_counted()
        if cost is not None:
            difference = difference or self._differs_in_cost(cost)
            if difference is not None and self.finding.ended:
                nondeterministic = nondeterministic or self._differs_in_branches()
        return ReplayEnded(
            index=index,
            outcome=native.outcome,
            exception=native.exception,
            returned=native.returned,
            cost=cost,
            branches=None if isnan(branches) else int(branches),
            difference=difference,
            nondeterministic=nondeterministic,
            seconds=self.seconds if native.outcome is Outcome.TIMED_OUT else None,
        )

    def _native(self) -> Trace:
        return self.front_end.native(self.prediction.leaves, self.seconds)

    def _measured(self, recording: bool | None = None) -> Trace:
        """A run with counted values; by default its branches are recorded only where they are compared or counted."""
        if recording is None:
            is_path = self.finding.origin == "symbolic" and self.finding.ended
            recording = is_path or not self.front_end.counts_branches
        return self.front_end.evaluate(self.prediction.leaves, self.seconds, recording=recording)

    def _differs_natively(self, native: Trace) -> str | None:
        """How a second native run ends otherwise, if it does."""
        if native.outcome not in ENDED:
            return None
        again = self._native()
        if ending(native) == ending(again):
            return None
        return f"two native runs of one input end with {brief(native)} and {brief(again)}"

    def _differs_when_counted(self) -> str | None:
        """How a run with counted values differs from a native one; there may be too little time to see that."""
        found = self.front_end.differs_natively(self.prediction.leaves, self.seconds)
        is_cut_short = self.is_hurried and Outcome.TIMED_OUT.value in (found or "")
        return None if is_cut_short else found

    def _differs_in_cost(self, cost: float) -> str | None:
        if not self.front_end.path_determined or cost == self.finding.cost:
            return None
        return f"predicted to cost {self.finding.cost:g}, but replayed at {cost:g}"

    def _differs_in_branches(self) -> str | None:
        """How two measured runs branch differently, if they do."""
        first, second = self._measured(recording=True), self._measured(recording=True)
        if comparison.steps(first) == comparison.steps(second):
            return None
        return f"two runs of one input make {first.length} and {second.length} branches"
