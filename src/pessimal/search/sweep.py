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
from pessimal.runs import Avoid, Follow
from pessimal.search.exhaustive import ENDED
from pessimal.strategy import Session
from pessimal.trace import Outcome, Side, Trace

VALUE_WEIGHT = 10
"""How much trying another value counts, beside taking a direction once: there are often endlessly many values."""


class _Path(NamedTuple):
    """A path that was run: shared by all its forks, because a long one has many."""

    decisions: bytes
    leaves: list[Leaf]


class _Fork(NamedTuple):
    """Something left to run: a path, where to leave it, and the outcome to take or the values not to take again."""

    key: str
    path: _Path
    position: int
    outcome: int | None
    taken: tuple[tuple[Leaf, ...], ...] | None = None

    @property
    def decisions(self) -> bytes:
        """The decisions to follow: the way before, and the outcome unless it is another value that is left."""
        way = self.path.decisions[: self.position]
        return way if self.outcome is None else way + bytes((self.outcome,))


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
            self._visit(session, session.run(probe_other=True), 0, None)
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
        decisions, position = fork.decisions, fork.position
        trace = session.run(Follow(decisions), fork.path.leaves, probe_other=True, known_prefix=len(decisions))
        if trace.outcome in ENDED and trace.decisions[: len(decisions)] != decisions:
            if (
                trace.decisions[:position] != decisions[:position]
                or trace.side(position, decisions[-1]) != Side.UNKNOWN
            ):
                session.diverged(trace)  # else the solver did not find its way a second time
            self._complete = False
            self._seen[fork.key] += 1
        else:
            self._visit(session, trace, len(decisions), None)

    def _revalue(self, session: Session, fork: _Fork, taken: tuple[tuple[Leaf, ...], ...]) -> None:
        position, leaves = fork.position, fork.path.leaves
        trace = session.run(
            Follow(fork.decisions), leaves, probe_other=True, known_prefix=position, avoid=Avoid(position, taken)
        )
        self._seen[fork.key] += VALUE_WEIGHT
        if trace.outcome is not Outcome.INFEASIBLE:
            self._visit(session, trace, position, taken)
        elif trace.refused:
            self._complete = False

    def _visit(
        self, session: Session, trace: Trace, known_prefix: int, taken: tuple[tuple[Leaf, ...], ...] | None
    ) -> None:
        """Count what a run took, and remember what it left to run beyond the decisions that were known."""
        sides = trace.others[:]
        sides[:known_prefix] = bytes(min(known_prefix, len(sides)))
        session.count_infeasible(trace.count(Side.INFEASIBLE, known_prefix))
        if trace.outcome not in ENDED or trace.truncated or trace.refused or trace.count(Side.UNKNOWN, known_prefix):
            self._complete = False
        path = _Path(bytes(trace.decisions), trace.leaves)
        keys = _keys(trace, path.decisions)
        self._seen.update(set(keys))
        for event in trace.concretisations:
            if event.values and sides[event.position] == Side.FEASIBLE:
                sides[event.position] = Side.UNTRIED
                known = (taken or ()) if event.position == known_prefix else ()
                self._push(_Fork(f"{event.site.id}=", path, event.position, None, (*known, event.values)))
        position = sides.find(Side.FEASIBLE)
        while position >= 0:
            for outcome in trace.untaken(position):
                self._push(_Fork(_key(keys[position], outcome), path, position, outcome))
            position = sides.find(Side.FEASIBLE, position + 1)

    def _push(self, fork: _Fork) -> None:
        self._made += 1
        heapq.heappush(self._queue, (self._seen[fork.key], self._made, fork))

    def state(self) -> dict[str, Any]:
        """What is still to be run, with what is running now: a run that is cut off is run again."""
        items = [*self._queue, *([] if self._current is None else [self._current])]
        paths = list({id(fork.path): fork.path for _, _, fork in items}.values())
        index = {id(path): number for number, path in enumerate(paths)}
        return {
            "paths": [[path.decisions.hex(), path.leaves] for path in paths],
            "queue": [
                [n, i, fork.key, index[id(fork.path)], fork.position, fork.outcome, fork.taken] for n, i, fork in items
            ],
            "seen": dict(self._seen),
            "made": self._made,
            "started": self._started,
            "complete": self._complete,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Take up what an earlier search left."""
        paths = [_Path(bytes.fromhex(decisions), leaves) for decisions, leaves in state["paths"]]
        self._queue = [
            (n, i, _Fork(key, paths[number], position, outcome, None if taken is None else tuple(map(tuple, taken))))
            for n, i, key, number, position, outcome, taken in state["queue"]
        ]
        heapq.heapify(self._queue)
        self._seen = Counter(state["seen"])
        self._made = state["made"]
        self._started = state["started"]
        self._complete = state["complete"]


def _key(key: str, outcome: int) -> str:
    """The key of another outcome of the same decision."""
    return f"{key.rpartition(':')[0]}:{outcome}"


def _keys(trace: Trace, decisions: bytes) -> list[str]:
    """What each decision counts as: its site, how often the run had been there (one, two, four times), its way."""
    been: Counter[int] = Counter()
    keys = []
    for site, direction in zip(trace.sites, decisions, strict=True):
        been[id(site)] += 1
        keys.append(f"{site.id}@{been[id(site)].bit_length()}:{direction}")
    return keys
