"""What a search is after: a cost to maximise, or things to reach. The session asks it what every run is worth."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any, NamedTuple, Protocol

from pessimal.trace import Trace


class Verdict(NamedTuple):
    """What a run is worth.

    ``value`` is what strategies try to make large. A run that ``is_best`` becomes the witness, one that ``is_kept``
    belongs to the result beside it; either is progress. ``done`` says why nothing more is wanted.
    """

    value: float
    is_best: bool = False
    is_kept: bool = False
    done: str | None = None


class Objective(Protocol):
    """Judges runs that ended by themselves, in the order in which they were made.

    With ``needs_branches`` concrete runs are recorded with their branches. A search can be resumed in another process,
    where ``restore`` gets what ``state`` gave, as JSON values.
    """

    name: str
    needs_branches: bool

    def judge(self, trace: Trace, cost: float) -> Verdict:
        """What a run of this cost is worth after those before it."""
        ...

    def state(self) -> dict[str, Any]:
        """What is known from the runs so far."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Go on after the runs that another has judged."""
        ...


class Maximise:
    """The largest cost; ``stop_at`` is a cost that is enough."""

    name = "cost"
    needs_branches = False

    def __init__(self, stop_at: float | None = None) -> None:
        self._stop_at = stop_at
        self._best = -inf

    def judge(self, trace: Trace, cost: float) -> Verdict:
        """The run is worth its cost."""
        is_best = cost > self._best
        if is_best:
            self._best = cost
        is_enough = self._stop_at is not None and cost >= self._stop_at
        return Verdict(cost, is_best, done=f"a cost of {self._stop_at:g} was enough" if is_enough else None)

    def state(self) -> dict[str, Any]:
        """The largest cost so far."""
        return {"best": None if self._best == -inf else self._best}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self._best = -inf if state["best"] is None else float(state["best"])


class EveryPath(Maximise):
    """Every run is wanted, whatever it costs."""

    name = "paths"

    def judge(self, trace: Trace, cost: float) -> Verdict:
        """The run is worth its cost, and belongs to the result."""
        return super().judge(trace, cost)._replace(is_kept=True)


class ReachBranches:
    """Every outcome of every branch; a run is worth as many as no run before it has reached."""

    name = "branches"
    needs_branches = True

    def __init__(self, stop_at: float | None = None) -> None:
        self._stop_at = stop_at
        self._reached: set[str] = set()
        self._most = 0

    def judge(self, trace: Trace, cost: float) -> Verdict:
        """The run is kept if it reaches something new."""
        reached = set(reached_by(trace))
        new = len(reached - self._reached)
        self._reached |= reached
        is_best = len(reached) > self._most
        self._most = max(self._most, len(reached))
        is_enough = self._stop_at is not None and len(self._reached) >= self._stop_at
        done = f"{self._stop_at:g} outcomes of branches were enough" if is_enough else None
        return Verdict(float(new), is_best, is_kept=new > 0, done=done)

    def state(self) -> dict[str, Any]:
        """What was reached so far."""
        return {"reached": sorted(self._reached), "most": self._most}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self._reached, self._most = set(state["reached"]), int(state["most"])


def reached_by(trace: Trace) -> Iterable[str]:
    """The outcomes of branches that a run reached, each by its site and its number."""
    pairs = {(site, taken) for site, taken in zip(trace.sites, trace.decisions, strict=True)}
    return (f"{site.id}:{taken}" for site, taken in pairs)
