"""Objectives: what a search is for, a cost to maximise or things to reach; every run is judged by one."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any, NamedTuple, Protocol

from pessimal.trace import Trace


class Verdict(NamedTuple):
    """How an objective judges a run.

    ``value`` is what strategies maximise. A run that ``is_best`` becomes the witness, one that ``is_kept`` becomes part
    of the result as well; either counts as an improvement. ``done`` is the reason to end the search, if there is one.
    """

    value: float
    is_best: bool = False
    is_kept: bool = False
    done: str | None = None


class Objective(Protocol):
    """Judges completed runs, in the order in which they were made.

    With ``needs_branches`` concrete runs are recorded with their branches. When a search is resumed in another process,
    ``restore`` is called with what ``state`` returned, as JSON values. An objective may also have ``wants(site) ->
    bool``: whether it is after other outcomes at a site, so that strategies flip other sites later.
    """

    name: str
    needs_branches: bool

    def judge(self, trace: Trace, cost: float) -> Verdict:
        """Judge a run of this cost, given the runs before it."""
        ...

    def state(self) -> dict[str, Any]:
        """What must be remembered of the runs so far."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Continue after the runs of an earlier search."""
        ...


class Maximise:
    """Maximises the cost; at a cost of ``stop_at`` the search ends."""

    name = "cost"
    needs_branches = False

    def __init__(self, stop_at: float | None = None) -> None:
        self._stop_at = stop_at
        self._best = -inf

    def judge(self, trace: Trace, cost: float) -> Verdict:
        """The value of a run is its cost."""
        is_best = cost > self._best
        if is_best:
            self._best = cost
        is_enough = self._stop_at is not None and cost >= self._stop_at
        return Verdict(cost, is_best, done=f"a cost of {self._stop_at:g} was enough" if is_enough else None)

    def state(self) -> dict[str, Any]:
        """The largest cost so far."""
        return {"best": None if self._best == -inf else self._best}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from the state of an earlier search."""
        self._best = -inf if state["best"] is None else float(state["best"])


class EveryPath(Maximise):
    """Keeps every path, whatever it costs; of concrete runs that take the same path, the first."""

    name = "paths"
    needs_branches = True

    def __init__(self, stop_at: float | None = None) -> None:
        super().__init__(stop_at)
        self._seen: set[int] = set()

    def judge(self, trace: Trace, cost: float) -> Verdict:
        """The value of a run is its cost, and every new path is kept."""
        is_concrete = len(trace) > 0 and all(condition is None for condition in trace.conditions)
        path = hash((tuple(trace.sites), bytes(trace.decisions)))
        is_new = not is_concrete or path not in self._seen
        self._seen.add(path)
        return super().judge(trace, cost)._replace(is_kept=is_new)


class ReachBranches:
    """Reaches every outcome of every branch; the value of a run is the number of outcomes it is the first to reach."""

    name = "branches"
    needs_branches = True

    def __init__(self, stop_at: float | None = None) -> None:
        self._stop_at = stop_at
        self._reached: set[str] = set()
        self._most = 0

    def judge(self, trace: Trace, cost: float) -> Verdict:
        """A run is kept if it reaches a new outcome."""
        reached = set(reached_by(trace))
        new = len(reached - self._reached)
        self._reached |= reached
        is_best = len(reached) > self._most
        self._most = max(self._most, len(reached))
        is_enough = self._stop_at is not None and len(self._reached) >= self._stop_at
        done = f"{self._stop_at:g} outcomes of branches were enough" if is_enough else None
        return Verdict(float(new), is_best, is_kept=new > 0, done=done)

    def state(self) -> dict[str, Any]:
        """The outcomes reached so far."""
        return {"reached": sorted(self._reached), "most": self._most}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from the state of an earlier search."""
        self._reached, self._most = set(state["reached"]), int(state["most"])


def reached_by(trace: Trace) -> Iterable[str]:
    """The outcomes of branches that a run reached, each by its site and its number."""
    pairs = {(site, taken) for site, taken in zip(trace.sites, trace.decisions, strict=True)}
    return (f"{site.id}:{taken}" for site, taken in pairs)
