"""``climb``: local search on concrete inputs, which needs no solver and finds most worst cases in seconds.

It keeps one input, changes a few of its leaves, and keeps the change if the cost does not fall. Accepting equal costs
is essential: worst cases lie at the end of long plateaus, and simulated annealing did no better at any temperature that
was tried. Most comparisons depend on the order of leaves or of their sums, so most moves set leaves relative to others.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, TypeAlias, TypeVar

from pessimal.errors import UsageError
from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.strategy import Session

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Column:
    """Leaves with the same domain, so that the value of one fits the others."""

    domain: Domain
    positions: list[int]


Move: TypeAlias = Callable[[list[Leaf], Column, random.Random], None]


def _pick(items: Sequence[T], rng: random.Random) -> T:
    return items[int(rng.random() * len(items))]


def _segment(positions: Sequence[int], rng: random.Random) -> Sequence[int]:
    first, last = sorted((_pick(range(len(positions)), rng), _pick(range(len(positions)), rng)))
    return positions[first : last + 1]


def renew(leaves: list[Leaf], column: Column, rng: random.Random) -> None:
    """Give a leaf a random value."""
    leaves[_pick(column.positions, rng)] = column.domain.sample(rng)


def nudge(leaves: list[Leaf], column: Column, rng: random.Random) -> None:
    """Add a random number to a leaf; its magnitude is uniform on a logarithmic scale up to 1000."""
    position = _pick(column.positions, rng)
    size = 10 ** rng.uniform(0, 3)
    step = rng.uniform(-size, size) if column.domain.kind == "float" else rng.randint(-int(size), int(size))
    leaves[position] = column.domain.clip(leaves[position] + step)


def copy(leaves: list[Leaf], column: Column, rng: random.Random) -> None:
    """Set a leaf to the value of another, or to one more or one less."""
    other = leaves[_pick(column.positions, rng)]
    leaves[_pick(column.positions, rng)] = column.domain.clip(other + rng.randint(-1, 1))


def swap(leaves: list[Leaf], column: Column, rng: random.Random) -> None:
    """Exchange two leaves."""
    one, other = _pick(column.positions, rng), _pick(column.positions, rng)
    leaves[one], leaves[other] = leaves[other], leaves[one]


def rotate(leaves: list[Leaf], column: Column, rng: random.Random) -> None:
    """Move a leaf to another position; those in between shift by one."""
    segment = _segment(column.positions, rng)
    values = [leaves[position] for position in segment]
    for position, value in zip(segment, values[1:] + values[:1], strict=True):
        leaves[position] = value


def shift(leaves: list[Leaf], column: Column, rng: random.Random) -> None:
    """Shift all values from a position on below or above all values before it, keeping their differences."""
    cut = _pick(range(len(column.positions)), rng)
    head = [leaves[position] for position in column.positions[:cut]] or [0]
    tail = [leaves[position] for position in column.positions[cut:]]
    step = min(head) - max(tail) - 1 if rng.random() < 0.5 else max(head) - min(tail) + 1
    for position, value in zip(column.positions[cut:], tail, strict=True):
        leaves[position] = column.domain.clip(value + step)


SMALL: tuple[Move, ...] = (*(copy, swap) * 4, *(nudge, nudge), renew)
MOVES: tuple[Move, ...] = (*SMALL, rotate, shift)


class Climb:
    """Climbs from one start after another until the session ends the search.

    ``patience`` is the number of runs without improvement, per leaf of the input, after which it restarts from a random
    input; ``chain`` is the probability that another small move follows a move.
    """

    name = "climb"
    stop_after = 10.0

    def __init__(self, patience: int = 3000, chain: float = 0.3) -> None:
        if patience < 1:
            raise UsageError(f"patience must be at least 1, but is {patience}")
        if not 0 <= chain < 1:
            raise UsageError(f"chain must be at least 0 and less than 1, but is {chain}")
        self._patience = patience
        self._chain = chain
        self._rng = random.Random(0)
        self._columns: list[Column] = []
        self._resumed: list[Any] | None = None
        self._candidate: list[Leaf] | None = None
        self._accepts_equal = True
        self._current: list[Leaf] | None = None
        self._cost = -inf
        self._best: list[Leaf] = []
        self._best_cost = -inf
        self._stale = 0

    def search(self, session: Session) -> None:
        """Climb until the session ends the search."""
        deque(self.steps(session), 0)

    def steps(self, session: Session) -> Iterator[None]:
        """Climb, and yield after each run; a resumed search repeats a candidate that was not judged yet."""
        self._begin(session)
        while self._candidate is not None:
            self._judge(self._candidate, session.evaluate(self._candidate))
            self._candidate = self._propose(session.domains)
            yield

    def adopt(self, leaves: list[Leaf], cost: float) -> None:
        """Continue from an input that another strategy found, if it is better."""
        if cost > self._cost:
            self._current, self._cost, self._stale = leaves, cost, 0
            self._best, self._best_cost = leaves, cost

    def state(self) -> dict[str, Any]:
        """The candidate, the current and the best input, and the random state."""
        version, words, gauss = self._rng.getstate()
        return {
            "rng": [version, list(words), gauss],
            "candidate": self._candidate,
            "accepts_equal": self._accepts_equal,
            "current": self._current,
            "cost": self._cost,
            "best": self._best,
            "best_cost": self._best_cost,
            "stale": self._stale,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier climb."""
        self._resumed = state["rng"]
        self._candidate = state["candidate"]
        self._accepts_equal = state["accepts_equal"]
        self._current = state["current"]
        self._cost = state["cost"]
        self._best = state["best"]
        self._best_cost = state["best_cost"]
        self._stale = state["stale"]

    def _begin(self, session: Session) -> None:
        self._rng = session.rng
        if self._resumed is not None:
            version, words, gauss = self._resumed
            self._rng.setstate((version, tuple(words), gauss))
        self._columns = columns(session.domains)
        if self._candidate is None:
            self._candidate = self._best = list(session.initial)

    def _judge(self, candidate: list[Leaf], cost: float) -> None:
        if cost > self._best_cost:
            self._best, self._best_cost = candidate, cost
        if self._current is None:
            self._start(candidate, cost)
            return
        self._stale = 0 if cost > self._cost else self._stale + 1
        if cost > self._cost or (cost == self._cost and self._accepts_equal):
            self._current, self._cost = candidate, cost
        if self._stale >= self._patience * len(candidate):
            self._current = None

    def _start(self, candidate: list[Leaf], cost: float) -> None:
        """Start from the candidate, or from the best input so far if a precondition rejects the candidate."""
        rejected = cost == -inf
        self._current, self._cost = (self._best, self._best_cost) if rejected else (candidate, cost)
        self._stale = 0

    def _propose(self, domains: Sequence[Domain]) -> list[Leaf] | None:
        if not self._columns:
            return None
        if self._current is None:
            return [domain.sample(self._rng) for domain in domains]
        candidate = self._current
        while candidate == self._current:
            candidate = self._move(self._current.copy())
        return candidate

    def _move(self, leaves: list[Leaf]) -> list[Leaf]:
        rng = self._rng
        move = _pick(MOVES, rng)
        move(leaves, _pick(self._columns, rng), rng)
        # A shift widens the range of the values: accepted without gain again and again, it would let them explode.
        self._accepts_equal = move is not shift
        while self._accepts_equal and rng.random() < self._chain:
            _pick(SMALL, rng)(leaves, _pick(self._columns, rng), rng)
        return leaves


def columns(domains: Sequence[Domain]) -> list[Column]:
    """The leaves that can change, grouped by domain; a group occurs once per leaf, so that leaves are drawn evenly."""
    found: dict[object, Column] = {}
    weighted: list[Column] = []
    for position, domain in enumerate(domains):
        if domain.low is None or domain.low != domain.high:
            column = found.setdefault((domain.kind, domain.low, domain.high), Column(domain, []))
            column.positions.append(position)
            weighted.append(column)
    return weighted
