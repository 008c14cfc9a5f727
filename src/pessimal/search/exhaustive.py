"""``exhaustive``: every path, depth first; when none is left, the largest cost seen is proved to be the largest.

At each new branch a run also finds out whether the other outcomes are feasible, while the solver has the path condition
at hand; an infeasible outcome is a leaf of the tree and never run. A run starts from the input of the path that it
branches off from, so that the model agrees with all decisions up to the fork and only the fork itself needs a solver.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pessimal.expr import Leaf
from pessimal.runs import Avoid, Follow
from pessimal.strategy import Session
from pessimal.trace import PATH_ENDS, Concretisation, Outcome, Side, Trace

SETTLED = PATH_ENDS | {Outcome.INFEASIBLE}
"""The outcomes after which a run must have followed its decisions, or the target is not deterministic."""


class _Path:
    """A path that was run, and which of its branches still have an outcome to run; the deepest is run first.

    ``wide`` holds the remaining outcomes of branches that have more than two.
    """

    __slots__ = ("decisions", "leaves", "sides", "wide")

    def __init__(
        self, decisions: bytes, leaves: list[Leaf], sides: bytearray, wide: dict[int, list[int]] | None = None
    ) -> None:
        self.decisions = decisions
        self.leaves = leaves
        self.sides = sides
        self.wide = wide or {}

    def deepest(self) -> int:
        return self.sides.rfind(Side.FEASIBLE)

    def fork(self, position: int) -> bytes:
        """The decisions that lead to a remaining outcome at a position."""
        left = self.wide.get(position)
        outcome = int(not self.decisions[position]) if left is None else left[0]
        return self.decisions[:position] + bytes((outcome,))

    def close(self, position: int) -> None:
        """Mark the outcome that :meth:`fork` gave as done."""
        left = self.wide.get(position)
        if left is not None:
            del left[0]
        if not left:
            self.sides[position] = Side.UNTRIED


class _Values(NamedTuple):
    """A concretisation with values left to try: the decisions before it, an input that takes them, the values tried."""

    decisions: bytes
    leaves: list[Leaf]
    taken: tuple[tuple[Leaf, ...], ...]


class Exhaustive:
    """Depth-first search of the whole tree of decisions."""

    name = "exhaustive"

    def __init__(self) -> None:
        self._paths: list[_Path] = []
        # Other values of concretisations come after all branches, because there may be infinitely many.
        self._values: deque[_Values] = deque()
        # Runs that had too little time come last, when they may have more.
        self._postponed: deque[tuple[bytes, list[Leaf] | None]] = deque()
        self._started = False
        self._complete = True

    def search(self, session: Session) -> None:
        """Run forks until none is left, then claim the proof."""
        deque(self.steps(session), 0)

    def steps(self, session: Session) -> Iterator[None]:
        """Search, and yield after each run."""
        if not self._started:
            trace = self._run(session, b"", None, 0)
            if not self._postpone(session, trace, b"", None):
                self._visit(session, trace, 0, ())
            self._started = True
            yield
        while self._paths or self._values or self._postponed:
            if self._paths:
                self._run_branch(session, self._paths[-1])
            elif self._values:
                self._run_value(session, self._values[0])
            else:
                self._run_postponed(session)
            yield
        if self._complete:
            session.claim("tree exhausted")

    @property
    def is_open(self) -> bool:
        """Whether something is left to run."""
        return not self._started or bool(self._paths or self._values or self._postponed)

    @property
    def is_exhausted(self) -> bool:
        """Whether every path was run, and nothing was left out."""
        return self._complete and not self.is_open

    def _run(
        self,
        session: Session,
        decisions: bytes,
        leaves: Sequence[Leaf] | None,
        known_prefix: int,
        avoid: Avoid | None = None,
    ) -> Trace:
        """Follow the decisions, then the input. A guided search overrides this, and leaves fewer outcomes to run."""
        return session.run(Follow(decisions), leaves, probe_other=True, known_prefix=known_prefix, avoid=avoid)

    def _run_branch(self, session: Session, path: _Path) -> None:
        """Run the deepest remaining outcome; it is removed after the run, so that an interrupted run is repeated."""
        position = path.deepest()
        if position >= 0:
            decisions = path.fork(position)
            trace = self._run(session, decisions, path.leaves, len(decisions))
            path.close(position)
            self._follow_up(session, trace, decisions, path.leaves)
        else:
            self._paths.remove(path)

    def _follow_up(self, session: Session, trace: Trace, decisions: bytes, leaves: list[Leaf] | None) -> None:
        """Record what a run leaves to run that was to follow some decisions, or that it did not follow them."""
        position = len(decisions) - 1
        if self._postpone(session, trace, decisions, leaves):
            return
        if trace.outcome in SETTLED and trace.decisions[: len(decisions)] != decisions:
            is_elsewhere = len(trace) <= position or trace.decisions[:position] != decisions[:position]
            if is_elsewhere or trace.side(position, decisions[-1]) != Side.UNKNOWN:
                session.diverged(trace)  # otherwise the solver could not repeat what it found before
            self._complete = False
        else:
            self._visit(session, trace, len(decisions), ())

    def _postpone(self, session: Session, trace: Trace, decisions: bytes, leaves: list[Leaf] | None) -> bool:
        """Whether a run had too little time, and is repeated when everything else was run."""
        is_postponed = trace.outcome is Outcome.TIMED_OUT and session.is_hurried
        if is_postponed:
            self._postponed.append((decisions, leaves))
        return is_postponed

    def _run_postponed(self, session: Session) -> None:
        decisions, leaves = self._postponed[0]
        trace = self._run(session, decisions, leaves, len(decisions))
        self._postponed.popleft()
        self._follow_up(session, trace, decisions, leaves)

    def _run_value(self, session: Session, values: _Values) -> None:
        position = len(values.decisions)
        trace = self._run(session, values.decisions, values.leaves, position, Avoid(position, values.taken))
        self._values.popleft()
        if trace.outcome is not Outcome.INFEASIBLE or len(trace) > position:
            self._visit(session, trace, position, values.taken)
        elif trace.refused:
            self._complete = False

    def _visit(self, session: Session, trace: Trace, known_prefix: int, taken: tuple[tuple[Leaf, ...], ...]) -> None:
        """Record what a path leaves to run, beyond the prefix that was known."""
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
        for event in trace.concretisations:
            if event.values and sides[event.position] == Side.FEASIBLE:
                self._add_values(trace, event, taken if event.position == known_prefix else ())
                sides[event.position] = Side.UNTRIED
        if Side.FEASIBLE in sides:
            wide = {
                position: trace.untaken(position) for position in trace.switches if sides[position] == Side.FEASIBLE
            }
            self._paths.append(_Path(bytes(trace.decisions), trace.leaves, sides, wide))

    def _add_values(self, trace: Trace, event: Concretisation, taken: tuple[tuple[Leaf, ...], ...]) -> None:
        prefix = bytes(trace.decisions[: event.position])
        self._values.append(_Values(prefix, trace.leaves, (*taken, event.values)))

    def state(self) -> dict[str, Any]:
        """What is left to run."""
        return {
            "paths": [
                [path.decisions.hex(), path.leaves, path.sides.hex(), list(path.wide.items())] for path in self._paths
            ],
            "values": [[item.decisions.hex(), item.leaves, item.taken] for item in self._values],
            "postponed": [[decisions.hex(), leaves] for decisions, leaves in self._postponed],
            "started": self._started,
            "complete": self._complete,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier search."""
        self._paths = [
            _Path(bytes.fromhex(decisions), leaves, bytearray.fromhex(sides), dict(wide))
            for decisions, leaves, sides, wide in state["paths"]
        ]
        self._values = deque(
            _Values(bytes.fromhex(d), leaves, tuple(map(tuple, taken))) for d, leaves, taken in state["values"]
        )
        self._postponed = deque((bytes.fromhex(decisions), leaves) for decisions, leaves in state["postponed"])
        self._started = state["started"]
        self._complete = state["complete"]
