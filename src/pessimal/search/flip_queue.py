"""The queue of ranked search: flips that were scored and not yet made, the best first, of equal ones the newest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush
from random import Random
from typing import Any, NamedTuple

from pessimal.expr import Leaf
from pessimal.learn.outcome_names import outcome_name

MOST_FLIPS = 10_000
"""When there are more, the worse half is forgotten."""


class FlippedRun:
    """A run whose branches from ``bound`` on can be flipped; ``concrete`` has the values given at a position."""

    __slots__ = ("bound", "concrete", "decisions", "leaves", "seconds", "sites", "steps", "value")

    def __init__(
        self,
        decisions: bytes,
        leaves: list[Leaf],
        sites: list[str],
        *,
        bound: int,
        value: float = 0.0,
        seconds: float = 0.0,
        concrete: dict[int, tuple[Leaf, ...]] | None = None,
    ) -> None:
        self.decisions = decisions
        self.leaves = leaves
        self.sites = sites
        self.bound = bound
        self.value = value
        self.seconds = seconds
        self.concrete = concrete or {}
        self.steps: Any = None
        """The branches as a model reads them, once they were needed."""

    def to_json(self, numbers: dict[str, int]) -> list[Any]:
        """As JSON values, with sites by number; those that have none yet are added."""
        sites = [numbers.setdefault(site, len(numbers)) for site in self.sites]
        concrete = [[position, list(values)] for position, values in self.concrete.items()]
        return [self.decisions.hex(), self.leaves, sites, self.bound, self.value, self.seconds, concrete]

    @classmethod
    def from_json(cls, data: Sequence[Any], names: Sequence[str]) -> FlippedRun:
        """What :meth:`to_json` wrote."""
        decisions, leaves, sites, bound, value, seconds, concrete = data
        return cls(
            bytes.fromhex(decisions),
            leaves,
            [names[number] for number in sites],
            bound=bound,
            value=value,
            seconds=seconds,
            concrete={position: tuple(given) for position, given in concrete},
        )


class Flip(NamedTuple):
    """Another outcome at a position of a run; where something was made concrete there, another value."""

    run: FlippedRun
    position: int
    outcome: int

    @property
    def site(self) -> str:
        """The identity of the site."""
        return self.run.sites[self.position]

    @property
    def goal(self) -> str:
        """The name of the outcome that it is to reach."""
        return outcome_name(self.site, self.outcome)

    @property
    def before(self) -> bytes:
        """The decisions before it."""
        return self.run.decisions[: self.position]

    @property
    def values(self) -> tuple[Leaf, ...]:
        """The values that something was given there, if it was made concrete."""
        return self.run.concrete.get(self.position, ())


Score = Callable[[Sequence[Flip]], Sequence[float]]


class FlipQueue:
    """A priority queue; flips are scored again when they come out, since what is known about them may have changed."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Flip]] = []
        self._pushed = 0
        self.has_forgotten = False

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, flips: Sequence[Flip], scores: Sequence[float]) -> None:
        """Add flips with their scores."""
        for flip, score in zip(flips, scores, strict=True):
            self._pushed += 1
            heappush(self._heap, (-score, -self._pushed, flip))
        if len(self._heap) > MOST_FLIPS:
            self._heap = sorted(self._heap)[: MOST_FLIPS // 2]  # which is a heap
            self.has_forgotten = True

    def pop(self, score: Score) -> Flip:
        """Take the best out; one that is not as good as it was goes back."""
        while True:
            _, order, flip = heappop(self._heap)
            (now,) = score([flip])
            if not self._heap or (-now, order) <= self._heap[0][:2]:
                return flip
            heappush(self._heap, (-now, order, flip))

    def pop_random(self, rng: Random) -> Flip:
        """Take any out."""
        return self._take(rng.randrange(len(self._heap)))

    def pop_by(self, pick: Callable[[Sequence[Flip]], int]) -> Flip:
        """Take the one out that another order picks."""
        return self._take(pick([flip for _, _, flip in self._heap]))

    def _take(self, index: int) -> Flip:
        _, _, flip = self._heap[index]
        self._heap[index] = self._heap[-1]
        self._heap.pop()
        heapify(self._heap)
        return flip

    def rescore(self, score: Score) -> None:
        """Score all flips again, because the model has changed."""
        scores = score([flip for _, _, flip in self._heap])
        self._heap = [(-now, order, flip) for now, (_, order, flip) in zip(scores, self._heap, strict=True)]
        heapify(self._heap)

    def to_json(self, chosen: Flip | None) -> dict[str, Any]:
        """The flips and their runs, as JSON values; and the one that was taken out and not yet made."""
        flips = [*([] if chosen is None else [(0.0, 0, chosen)]), *self._heap]
        runs = {id(flip.run): flip.run for _, _, flip in flips}
        numbers = {key: number for number, key in enumerate(runs)}
        sites: dict[str, int] = {}
        return {
            "runs": [run.to_json(sites) for run in runs.values()],
            "sites": list(sites),
            "flips": [[-score, order, numbers[id(flip.run)], *flip[1:]] for score, order, flip in flips],
            "pushed": self._pushed,
            "has_chosen": chosen is not None,
            "has_forgotten": self.has_forgotten,
        }

    def restore(self, data: dict[str, Any]) -> Flip | None:
        """Restore what :meth:`to_json` wrote; the flip that was taken out."""
        runs = [FlippedRun.from_json(item, data["sites"]) for item in data["runs"]]
        self._heap = [
            (-score, order, Flip(runs[run], position, outcome))
            for score, order, run, position, outcome in data["flips"]
        ]
        self._pushed, self.has_forgotten = data["pushed"], data["has_forgotten"]
        return self._heap.pop(0)[2] if data["has_chosen"] else None
