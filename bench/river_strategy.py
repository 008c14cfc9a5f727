"""For bench-river: a session that notes what was reached when, and flips that are solved as soon as they are known."""

from __future__ import annotations

from heapq import heappop, heappush
from time import perf_counter
from typing import Any, Unpack

from pessimal.expr import Leaf
from pessimal.objective import reached_by
from pessimal.runs import Policy, RunOptions
from pessimal.search.flip_runs import is_flipped, other_outcomes, run_flip
from pessimal.search.proxy import SessionProxy
from pessimal.strategy import Session
from pessimal.trace import COMPLETED, Outcome, Trace


class Eager:
    """Generational search as it was published: all flips of a run are solved at once, and the runs that come of them
    wait, those with the most new outcomes first.
    """

    name = "eager"

    def __init__(self) -> None:
        self._reached: set[str] = set()
        self._waiting: list[tuple[int, int, Trace, int]] = []
        self._starts: list[list[Leaf]] = []

    def adopt(self, leaves: list[Leaf], value: float) -> None:
        self._starts.append(leaves)

    def search(self, session: Session) -> None:
        for leaves in self._starts:
            self._keep(session.run(None, leaves), 0)
        while self._waiting:
            _, _, trace, bound = heappop(self._waiting)
            for position in range(bound, len(trace)):
                before = bytes(trace.decisions[:position])
                for outcome in other_outcomes(trace, position):
                    child = run_flip(session, before, outcome, trace.leaves)
                    if is_flipped(child, before, outcome):
                        self._keep(child, position + 1)

    def _keep(self, trace: Trace, bound: int) -> None:
        if trace.outcome in COMPLETED:
            new = set(reached_by(trace)) - self._reached
            self._reached |= new
            heappush(self._waiting, (-len(new), len(self._reached), trace, bound))


class Noted(SessionProxy):
    """Notes flips, seconds and calls of back-ends whenever outcomes were reached for the first time."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._reached: set[str] = set()
        self._calls_before = session.solver_calls
        self.flips = self.infeasible = 0
        self.seconds = 0.0
        """What the flips took: running the target up to them, solving, and running on."""
        self.timeline: list[tuple[int, int, float]] = []
        """Flips, outcomes reached, and seconds of flips."""

    def run(self, policy: Policy | None = None, start: Any = None, **options: Unpack[RunOptions]) -> Trace:
        began = perf_counter()
        trace = super().run(policy, start, **options)
        self.seconds += perf_counter() - began
        self.flips += policy is not None
        self.infeasible += trace.outcome is Outcome.INFEASIBLE
        before = len(self._reached)
        if trace.outcome is not Outcome.INFEASIBLE:
            self._reached |= set(reached_by(trace))
        if len(self._reached) > before:
            self.timeline.append((self.flips, len(self._reached), round(self.seconds, 3)))
        return trace

    def noted(self) -> dict[str, Any]:
        """What was noted, as JSON values."""
        return {
            "timeline": self.timeline,
            "flips": self.flips,
            "infeasible": self.infeasible,
            "back_end_calls": self.solver_calls - self._calls_before,
            "seconds": round(self.seconds, 3),
        }
