"""One search by samples: what samplers evaluate points with, and what ends them.

A sampler proposes points until it is told to stop: because one of them is a solution by exact evaluation, or because
its samples or the time are used up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pessimal.expr import Leaf
from pessimal.solve.learning.problem import Array, Problem, Samples

MAX_JUDGED = 50
"""How many samples may look like solutions without being any before no more of them are looked at in one batch."""


class Solved(Exception):
    """A sample is a solution, confirmed by exact evaluation."""

    def __init__(self, values: dict[int, Leaf]) -> None:
        super().__init__("a sample is a solution")
        self.values = values


class Exhausted(Exception):
    """The samples or the time that a sampler may use are used up."""


@dataclass(slots=True)
class Record:
    """What a search by samples has seen, for the estimate of its confidence.

    ``points`` is how many points the problem has, which is infinite unless all variables are integers.
    """

    samples: int = 0
    best: float = np.inf
    bests: list[tuple[int, float]] = field(default_factory=list)
    """The best dissatisfaction whenever it improved, with the number of samples until then."""
    points: float = np.inf


class Sampling:
    """Evaluates points within limits; the only way in which samplers touch a problem."""

    def __init__(self, problem: Problem, samples: int, rng: Any, record: Record | None = None) -> None:
        self.problem = problem
        self.rng = rng
        self.record = record or Record()
        self.record.points = problem.points
        self._limits = [self.record.samples + samples]
        self.best = problem.admitted(problem.start)
        self.settled: list[Array] = []
        """Single points that meet all equalities up to rounding, and whose neighbours were tried."""
        self._known: dict[bytes, tuple[Array, Array]] = {}

    @property
    def left(self) -> int:
        """How many samples the present sampler may still use."""
        return min(self._limits) - self.record.samples

    @contextmanager
    def share(self, samples: int) -> Iterator[None]:
        """Limit a sampler to a part of what is left; when it is used up, the block just ends."""
        limit = self.record.samples + max(samples, 0)
        depth = len(self._limits)
        self._limits.append(limit)
        try:
            yield
        except Exhausted:
            if self.record.samples < limit or min(self._limits[:depth]) <= self.record.samples:
                raise
        finally:
            del self._limits[depth:]

    def ask(self, points: Array) -> Samples:
        """What points are worth, after they were moved into the ranges; raises when it is over."""
        left, is_over = self.left, self.problem.query.seconds_left() <= 0
        if left <= 0 or is_over or len(self._known) >= self.problem.points:
            raise Exhausted
        asked = self.problem.admitted(np.atleast_2d(points)[:left])
        found = self._recalled(asked) if self.problem.is_whole else self._evaluated(asked)
        self._judge(found)
        self._note(found)
        return found

    def _evaluated(self, asked: Array) -> Samples:
        self.record.samples += len(asked)
        return self.problem.evaluate(asked)

    def _recalled(self, asked: Array) -> Samples:
        """Integers come again and again: what is known of them counts as no sample, but as one if nothing is new."""
        keys = [point.tobytes() for point in asked]
        new = {key: place for place, key in enumerate(keys) if key not in self._known}
        if new:
            found = self._evaluated(asked[list(new.values())])
            self._known.update(zip(new, zip(found.gaps.T, found.holds.T, strict=True), strict=True))
        else:
            self.record.samples += 1
        gaps, holds = zip(*(self._known[key] for key in keys), strict=True)
        return self.problem.rated(asked, np.stack(gaps, axis=1), np.stack(holds, axis=1))

    def _judge(self, found: Samples) -> None:
        """Look at what seems to be a solution; what is none counts as very near to one."""
        for place in np.flatnonzero(found.values == 0)[:MAX_JUDGED]:
            values = self.problem.values_of(found.points[place])
            if self.problem.query.satisfied_by(values):
                raise Solved(values)
            found.values[place] = np.finfo(np.float64).tiny

    def _note(self, found: Samples) -> None:
        place = int(np.argmin(found.values))
        if found.values[place] < self.record.best:
            self.record.best = float(found.values[place])
            self.record.bests.append((self.record.samples, self.record.best))
            self.best = found.points[place]


Sampler = Callable[[Sampling], None]
"""Proposes points to a sampling until it has nothing to propose; that it found nothing proves nothing."""
