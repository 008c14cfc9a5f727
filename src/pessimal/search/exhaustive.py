"""``exhaustive``: every path, depth first; when none is left, the largest cost seen is proved to be the largest.

At each new branch the other direction is settled at once, while the state to settle it is there: an infeasible one is
a leaf of the tree that is never run. A run starts from the input of the path that it leaves, so that the way to the
fork agrees with the model and only the fork itself needs a solver.
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

from pessimal.expr import Leaf
from pessimal.search.base import Session
from pessimal.search.policies import Follow
from pessimal.trace import Outcome, Side, Trace

ENDED = frozenset((Outcome.RETURNED, Outcome.RAISED, Outcome.REJECTED))


class _Fork(NamedTuple):
    """A direction not yet run: the decisions that lead into it, and an input that reaches the fork."""

    decisions: bytes
    leaves: list[Leaf]


class Exhaustive:
    """Depth-first search of the whole tree of decisions."""

    name = "exhaustive"

    def __init__(self) -> None:
        self._forks: list[_Fork] = []
        # Other values for what was made concrete: endless where the domain is, so they come after all branches.
        self._values: deque[_Fork] = deque()
        self._started = False
        self._complete = True

    def search(self, session: Session) -> None:
        """Run forks until none is left, then claim the proof."""
        if not self._started:
            self._visit(session, session.run(both=True), 0)
            self._started = True
        while self._forks or self._values:
            fork = self._forks[-1] if self._forks else self._values[0]
            seen = len(fork.decisions)
            trace = session.run(Follow(fork.decisions), fork.leaves, both=True, seen=seen)
            (self._forks.pop if self._forks else self._values.popleft)()
            if trace.outcome in ENDED and trace.decisions[:seen] != fork.decisions:
                session.diverged(trace)
                self._complete = False
            else:
                self._visit(session, trace, seen)
        if self._complete:
            session.claim("tree exhausted")

    def _visit(self, session: Session, trace: Trace, seen: int) -> None:
        """Remember the forks of a path beyond those that were known."""
        sides = trace.others[seen:]
        session.count_infeasible(sides.count(Side.INFEASIBLE))
        if trace.outcome not in ENDED or trace.truncated or Side.UNKNOWN in sides:
            self._complete = False
        position = sides.find(Side.FEASIBLE)
        while position >= 0:
            self._remember(trace, seen + position)
            position = sides.find(Side.FEASIBLE, position + 1)

    def _remember(self, trace: Trace, position: int) -> None:
        flipped = bytes(trace.decisions[:position]) + bytes((1 - trace.decisions[position],))
        fork = _Fork(flipped, trace.leaves)
        if position in trace.choices:
            self._values.append(fork)
        else:
            self._forks.append(fork)

    def state(self) -> dict[str, Any]:
        """The forks that are still to be run."""
        return {
            "forks": [_pack(fork) for fork in self._forks],
            "values": [_pack(fork) for fork in self._values],
            "started": self._started,
            "complete": self._complete,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Take up the forks of an earlier search."""
        self._forks = [_unpack(item) for item in state["forks"]]
        self._values = deque(_unpack(item) for item in state["values"])
        self._started = state["started"]
        self._complete = state["complete"]


def _pack(fork: _Fork) -> list[Any]:
    return [fork.decisions.hex(), fork.leaves]


def _unpack(item: list[Any]) -> _Fork:
    return _Fork(bytes.fromhex(item[0]), item[1])
