"""``sweep``: every path, the directions seen least often first; it ends with the same proof as ``exhaustive``.

Depth first is right when all paths are wanted. When only some can be had, they should differ: the sweep keeps all
directions and values that are left to run, and takes next the one whose site was taken that way least often, the
oldest first. So all branches are tried early, and no loop keeps the search for itself.
"""

from __future__ import annotations

import heapq
from collections import Counter
from typing import Any, NamedTuple

from pessimal.expr import Leaf
from pessimal.python.execution import Avoid
from pessimal.search.base import Session
from pessimal.search.policies import Follow
from pessimal.trace import Outcome, Side, Trace

ENDED = frozenset((Outcome.RETURNED, Outcome.RAISED, Outcome.REJECTED))


VALUE_WEIGHT = 10
"""How much trying another value counts, beside taking a direction once: there are often endlessly many values."""


class _Fork(NamedTuple):
    """Something left to run: decisions to follow, an input that goes the way before, and values not to take again."""

    key: str
    decisions: bytes
    leaves: list[Leaf]
    taken: tuple[tuple[Leaf, ...], ...] | None = None


_Item = tuple[int, int, _Fork]
"""A fork in the queue: how often its like was taken, and when it was found."""


class Sweep:
    """Search of the whole tree of decisions, rare directions first."""

    name = "sweep"

    def __init__(self) -> None:
        self._queue: list[_Item] = []
        self._current: _Item | None = None
        self._seen: Counter[str] = Counter()
        self._made = 0
        self._started = False
        self._complete = True

    def search(self, session: Session) -> None:
        """Run what is left until nothing is, then claim the proof."""
        if not self._started:
            self._visit(session, session.run(both=True), 0, None)
            self._started = True
        while self._queue:
            self._current = self._rarest()
            self._run(session, self._current[2])
            self._current = None
        if self._complete:
            session.claim("tree exhausted")

    def _rarest(self) -> _Item:
        """What is next: counts grow while forks wait, so that an old count is looked up again before it is believed."""
        item = heapq.heappop(self._queue)
        while item[0] != self._seen[item[2].key]:
            item = heapq.heappushpop(self._queue, (self._seen[item[2].key], item[1], item[2]))
        return item

    def _run(self, session: Session, fork: _Fork) -> None:
        if fork.taken is None:
            self._branch(session, fork)
        else:
            self._revalue(session, fork, fork.taken)

    def _branch(self, session: Session, fork: _Fork) -> None:
        decisions = fork.decisions
        position = len(decisions) - 1
        trace = session.run(Follow(decisions), fork.leaves, both=True, seen=len(decisions))
        if trace.outcome in ENDED and trace.decisions[: len(decisions)] != decisions:
            if trace.decisions[:position] != decisions[:position] or trace.others[position] != Side.UNKNOWN:
                session.diverged(trace)  # else the solver did not find its way a second time
            self._complete = False
            self._seen[fork.key] += 1
        else:
            self._visit(session, trace, len(decisions), None)

    def _revalue(self, session: Session, fork: _Fork, taken: tuple[tuple[Leaf, ...], ...]) -> None:
        position = len(fork.decisions)
        trace = session.run(Follow(fork.decisions), fork.leaves, both=True, seen=position, avoid=Avoid(position, taken))
        self._seen[fork.key] += VALUE_WEIGHT
        if trace.outcome is not Outcome.INFEASIBLE:
            self._visit(session, trace, position, taken)
        elif trace.refused:
            self._complete = False

    def _visit(self, session: Session, trace: Trace, seen: int, taken: tuple[tuple[Leaf, ...], ...] | None) -> None:
        """Count what a run took, and remember what it left to run beyond the decisions that were known."""
        sides = trace.others[:]
        sides[:seen] = bytes(min(seen, len(sides)))
        session.count_infeasible(sides.count(Side.INFEASIBLE))
        if trace.outcome not in ENDED or trace.truncated or trace.refused or Side.UNKNOWN in sides:
            self._complete = False
        decisions = bytes(trace.decisions)
        keys = _keys(trace, decisions)
        self._seen.update(set(keys))
        for event in trace.concretisations:
            if event.values and sides[event.position] == Side.FEASIBLE:
                sides[event.position] = Side.UNTRIED
                known = (taken or ()) if event.position == seen else ()
                way = decisions[: event.position]
                self._push(_Fork(f"{event.site.id}=", way, trace.leaves, (*known, event.values)))
        position = sides.find(Side.FEASIBLE)
        while position >= 0:
            direction = 1 - decisions[position]
            way = decisions[:position] + bytes((direction,))
            self._push(_Fork(keys[position][:-1] + str(direction), way, trace.leaves))
            position = sides.find(Side.FEASIBLE, position + 1)

    def _push(self, fork: _Fork) -> None:
        self._made += 1
        heapq.heappush(self._queue, (self._seen[fork.key], self._made, fork))

    def state(self) -> dict[str, Any]:
        """What is still to be run, with what is running now: a run that is cut off is run again."""
        items = [*self._queue, *([] if self._current is None else [self._current])]
        return {
            "queue": [[n, i, fork.key, fork.decisions.hex(), fork.leaves, fork.taken] for n, i, fork in items],
            "seen": dict(self._seen),
            "made": self._made,
            "started": self._started,
            "complete": self._complete,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Take up what an earlier search left."""
        self._queue = [
            (n, i, _Fork(key, bytes.fromhex(way), leaves, None if taken is None else tuple(map(tuple, taken))))
            for n, i, key, way, leaves, taken in state["queue"]
        ]
        heapq.heapify(self._queue)
        self._seen = Counter(state["seen"])
        self._made = state["made"]
        self._started = state["started"]
        self._complete = state["complete"]


def _keys(trace: Trace, decisions: bytes) -> list[str]:
    """What each decision counts as: its site, how often the run had been there (one, two, four times), its way."""
    been: Counter[int] = Counter()
    keys = []
    for site, direction in zip(trace.sites, decisions, strict=True):
        been[id(site)] += 1
        keys.append(f"{site.id}@{been[id(site)].bit_length()}:{direction}")
    return keys
