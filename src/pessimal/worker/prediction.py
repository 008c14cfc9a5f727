"""What a replay should show: the trace that the search found, on the simplest input that has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

from pessimal.expr import Leaf
from pessimal.frontend import FrontEnd
from pessimal.messages import OUT_OF_TIME, Finding
from pessimal.runs import Request
from pessimal.solve import Literal, satisfies
from pessimal.tidy import tidy
from pessimal.trace import Outcome, Trace
from pessimal.worker.replay_time import ReplayTime

SIMPLIFYING_SHARE = 1 / 3
"""How much of the time that is left may be spent on a simpler input."""

REPLAYED_RUNS = 6
"""About how many runs a replay takes."""

THOROUGH = 200_000
"""Up to this many conditions times leaves an input is simplified leaf by leaf."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """The trace that is expected; of a concrete run only its input and its outcome are known."""

    trace: Trace
    is_path: bool = False
    unfinished: str | None = None


def as_found(finding: Finding) -> Prediction:
    """The input as it was found, where trying a simpler one killed the process."""
    trace = Trace(leaves=list(finding.leaves), outcome=finding.outcome)
    return Prediction(trace, unfinished="not simplified: a simpler input killed its process")


def predict(front_end: FrontEnd, finding: Finding, time: ReplayTime, keeps_branches: bool = False) -> Prediction:
    """What the replay of a finding should show, on a simpler input if there is time to find one.

    A simpler input of a concrete run costs no less; with ``keeps_branches`` it takes the same path, too.
    """
    leaves = list(finding.leaves)
    if not finding.ended:
        return Prediction(Trace(leaves=leaves, outcome=finding.outcome))
    simplifying = _Simplifying(time)
    if finding.origin == "concrete":
        trace = _simplified_by_cost(front_end, finding, time, simplifying, keeps_branches)
        return Prediction(trace, unfinished=simplifying.unfinished)
    with simplifying.timed():
        trace = front_end.run(Request(start=leaves), time.for_run(SIMPLIFYING_SHARE))
    if trace.outcome is Outcome.TIMED_OUT:
        unfinished = f"neither simplified nor compared with its path: {OUT_OF_TIME}"
        return Prediction(Trace(leaves=leaves, outcome=finding.outcome), unfinished=unfinished)
    path = trace.path_condition
    thorough = len(path) * len(leaves) <= THOROUGH

    def keeps_path(other: list[Leaf]) -> bool:
        return simplifying.has_time() and _satisfies(other, path) and front_end.admits(other)

    trace.leaves = tidy(leaves, front_end.domains, keeps_path, thorough)
    return Prediction(trace, is_path=True, unfinished=simplifying.unfinished)


class _Simplifying:
    """The time that simplifying may take, so that enough is left for the replay, and whether it was enough."""

    def __init__(self, time: ReplayTime) -> None:
        self._time = time
        self._ends_at = monotonic() + SIMPLIFYING_SHARE * time.left
        self._longest = 0.0
        self.unfinished: str | None = None

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Note how long a run takes: the replay takes several."""
        start = monotonic()
        yield
        self._longest = max(self._longest, monotonic() - start)

    def has_time(self) -> bool:
        """Whether another input may be tried."""
        if monotonic() >= self._ends_at or self._time.left <= REPLAYED_RUNS * self._longest:
            self.unfinished = f"not simplified: {OUT_OF_TIME}"
        return self.unfinished is None


def _simplified_by_cost(
    front_end: FrontEnd, finding: Finding, time: ReplayTime, simplifying: _Simplifying, keeps_branches: bool
) -> Trace:
    paths: list[object] = []

    def keeps_cost(other: list[Leaf]) -> bool:
        if not simplifying.has_time():
            return False
        seconds = time.for_run(SIMPLIFYING_SHARE)
        with simplifying.timed():
            trace = front_end.evaluate(other, seconds, recording=keeps_branches)
        paths.append((trace.sites, trace.decisions) if keeps_branches else None)
        is_same = trace.outcome is finding.outcome and paths[-1] == paths[0]  # the first one is of the input itself
        return is_same and front_end.cost(trace, seconds) >= finding.cost

    leaves = list(finding.leaves)
    if keeps_cost(leaves):  # the first run of a process may do more than later ones: it shall not be a simpler input
        leaves = tidy(leaves, front_end.domains, keeps_cost, thorough=False)
    return Trace(leaves=leaves, outcome=finding.outcome)


def _satisfies(leaves: list[Leaf], path: Sequence[Literal]) -> bool:
    try:
        return satisfies(leaves, path)
    except (ArithmeticError, ValueError):
        return False
