"""``sweep``: every path, rare outcomes first; it ends with the same proof as ``exhaustive``.

Depth-first search is right if every path will be run. If the budget allows only some, they should differ: sweep keeps
all outcomes and values that are left to run, and runs next the one whose site took that outcome least often, the oldest
first. So every branch is tried early, and no loop takes up the whole search.
"""

from __future__ import annotations

import heapq
from collections import Counter
from typing import Any, NamedTuple

from pessimal.expr import Leaf
from pessimal.runs import Avoid, Follow
from pessimal.strategy import Session
from pessimal.trace import PATH_ENDS, Outcome, Side, Trace

VALUE_WEIGHT = 10
"""How many runs trying another value counts as: there are often infinitely many values."""
MAX_DULL = 6
"""After so many floats in a row that brought nothing new, no more of them are tried at a site; all cannot be anyway."""


class _Path(NamedTuple):
    """A path that was run; it is shared by all its forks, because a long path has many."""

    decisions: bytes
    leaves: list[Leaf]


class _Fork(NamedTuple):
    """Something left to run: a path, the position to leave it at, and the outcome to take or the values to avoid."""

    key: str
    path: _Path
    position: int
    outcome: int | None
    taken: tuple[tuple[Leaf, ...], ...] | None = None

    @property
    def decisions(self) -> bytes:
        """The decisions to follow: those before the position, and the outcome, if there is one."""
        prefix = self.path.decisions[: self.position]
        return prefix if self.outcome is None else prefix + bytes((self.outcome,))


_Item = tuple[int, int, _Fork]
"""A fork in the queue, after the count of its key when it was queued and the order in which it was found."""


class Sweep:
    """Search of the whole tree of decisions, rare outcomes first."""

    name = "sweep"

    def __init__(self) -> None:
        self._queue: list[_Item] = []
        self._current: _Item | None = None
        self._counts: Counter[str] = Counter()
        self._found = 0
        self._started = False
        self._complete = True

    def search(self, session: Session) -> None:
        """Run forks until none is left, then claim the proof."""
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
        """The fork to run next; counts grow while forks are queued, so one with an outdated count is queued again."""
        item = heapq.heappop(self._queue)
        while item[0] != self._counts[item[2].key]:
            item = heapq.heappushpop(self._queue, (self._counts[item[2].key], item[1], item[2]))
        return item

    def _run(self, session: Session, fork: _Fork) -> None:
        if fork.taken is None:
            self._run_branch(session, fork)
        else:
            self._run_value(session, fork, fork.taken)

    def _run_branch(self, session: Session, fork: _Fork) -> None:
        decisions, position = fork.decisions, fork.position
        trace = session.run(Follow(decisions), fork.path.leaves, probe_other=True, known_prefix=len(decisions))
        if trace.outcome in PATH_ENDS and trace.decisions[: len(decisions)] != decisions:
            if (
                trace.decisions[:position] != decisions[:position]
                or trace.side(position, decisions[-1]) != Side.UNKNOWN
            ):
                session.diverged(trace)  # otherwise the solver could not repeat what it found before
            self._complete = False
            self._counts[fork.key] += 1
        else:
            self._visit(session, trace, len(decisions), None)

    def _run_value(self, session: Session, fork: _Fork, taken: tuple[tuple[Leaf, ...], ...]) -> None:
        position, leaves = fork.position, fork.path.leaves
        trace = session.run(
            Follow(fork.decisions), leaves, probe_other=True, known_prefix=position, avoid=Avoid(position, taken)
        )
        self._counts[fork.key] += VALUE_WEIGHT
        known = len(self._counts)
        if trace.outcome is not Outcome.INFEASIBLE:
            self._visit(session, trace, position, taken)
            self._counts[_dull(fork.key)] = self._counts[_dull(fork.key)] + 1 if len(self._counts) == known else 0
        elif trace.refused:
            self._complete = False

    def _visit(
        self, session: Session, trace: Trace, known_prefix: int, taken: tuple[tuple[Leaf, ...], ...] | None
    ) -> None:
        """Count the outcomes of a run, and queue what it leaves to run beyond the prefix that was known."""
        sides = trace.others[:]
        sides[:known_prefix] = bytes(min(known_prefix, len(sides)))
        session.count_infeasible(trace.count(Side.INFEASIBLE, known_prefix))
        if (
            trace.outcome not in PATH_ENDS
            or trace.truncated
            or trace.refused
            or trace.count(Side.UNKNOWN, known_prefix)
        ):
            self._complete = False
        path = _Path(bytes(trace.decisions), trace.leaves)
        keys = _keys(trace, path.decisions)
        self._counts.update(set(keys))
        for event in trace.concretisations:
            if event.values and sides[event.position] == Side.FEASIBLE:
                sides[event.position] = Side.UNTRIED
                known = (taken or ()) if event.position == known_prefix else ()
                self._push_value(_Fork(f"{event.site.id}=", path, event.position, None, (*known, event.values)))
        position = sides.find(Side.FEASIBLE)
        while position >= 0:
            for outcome in trace.untaken(position):
                self._push(_Fork(_key(keys[position], outcome), path, position, outcome))
            position = sides.find(Side.FEASIBLE, position + 1)

    def _push_value(self, fork: _Fork) -> None:
        """Queue another value of a concretisation, unless it is one of too many floats."""
        is_float = fork.taken is not None and all(isinstance(value, float) for value in fork.taken[-1])
        if is_float and self._counts[_dull(fork.key)] >= MAX_DULL:
            self._complete = False
        else:
            self._push(fork)

    def _push(self, fork: _Fork) -> None:
        self._found += 1
        heapq.heappush(self._queue, (self._counts[fork.key], self._found, fork))

    def state(self) -> dict[str, Any]:
        """What is left to run, including the current run, which is repeated if it is interrupted."""
        items = [*self._queue, *([] if self._current is None else [self._current])]
        paths = list({id(fork.path): fork.path for _, _, fork in items}.values())
        index = {id(path): number for number, path in enumerate(paths)}
        return {
            "paths": [[path.decisions.hex(), path.leaves] for path in paths],
            "queue": [
                [n, i, fork.key, index[id(fork.path)], fork.position, fork.outcome, fork.taken] for n, i, fork in items
            ],
            "counts": dict(self._counts),
            "found": self._found,
            "started": self._started,
            "complete": self._complete,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier search."""
        paths = [_Path(bytes.fromhex(decisions), leaves) for decisions, leaves in state["paths"]]
        self._queue = [
            (n, i, _Fork(key, paths[number], position, outcome, None if taken is None else tuple(map(tuple, taken))))
            for n, i, key, number, position, outcome, taken in state["queue"]
        ]
        heapq.heapify(self._queue)
        self._counts = Counter(state["counts"])
        self._found = state["found"]
        self._started = state["started"]
        self._complete = state["complete"]


def _dull(key: str) -> str:
    """Where it is counted how many values of a site in a row brought nothing new."""
    return f"{key}dull"


def _key(key: str, outcome: int) -> str:
    """The key of another outcome of the same decision."""
    return f"{key.rpartition(':')[0]}:{outcome}"


def _keys(trace: Trace, decisions: bytes) -> list[str]:
    """The key of each decision: its site, how often the run was there before (by powers of two), and the outcome."""
    visits: Counter[int] = Counter()
    keys = []
    for site, taken in zip(trace.sites, decisions, strict=True):
        visits[id(site)] += 1
        keys.append(f"{site.id}@{visits[id(site)].bit_length()}:{taken}")
    return keys
