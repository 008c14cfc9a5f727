"""The outcomes that the runs of a session have come near to and not taken, as goals with distances."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray

from pessimal.local_search import LocalSearch
from pessimal.search.goals.fitness import Floats, normalisation
from pessimal.search.goals.flips import Observer
from pessimal.search.goals.landscape import Input, sample
from pessimal.strategy import Session
from pessimal.trace import COMPLETED, Site, Trace

Key = tuple[Site, int]
UNREACHED = 1e301
"""The rank of an input that does not reach the test of a goal: beyond all distances."""
ASKED_AGAIN = 64
"""After so many runs the session is asked again what it wants."""
ALMOST = 1e-3
"""How far a run is from an outcome that it took if it did not come to its end, so that it does not count."""


class SessionGoals:
    """Goals are numbered as runs come upon their tests: one is known by an input that reaches its test.

    So there is no approach level but one: whether the test is reached.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._observer = Observer(session)
        self._normalise = normalisation("ratio")
        self.domains, self.rng = session.domains, session.rng
        self._numbers: dict[Key, int] = {}
        self._taken: set[int] = set()
        self._best: dict[int, tuple[float, Input]] = {}
        self._starts: list[Input] = []
        self._missing: set[int] = set()
        self._missing_at: tuple[int, int, int] | None = None
        self.executions = 0

    @property
    def missing(self) -> Collection[int]:
        """The outcomes that are wanted and that no run has taken."""
        now = len(self._numbers), len(self._taken), self.executions // ASKED_AGAIN
        if now != self._missing_at:
            self._missing, self._missing_at = self._found_missing(), now
        return self._missing

    def _found_missing(self) -> set[int]:
        wants: dict[Site, bool] = {}
        found = set()
        for (site, _), number in self._numbers.items():
            if number in self._taken:
                continue
            if site not in wants:
                wants[site] = self._session.wants(site)
            if wants[site]:
                found.add(number)
        return found

    def active(self) -> Sequence[int]:
        """All of them: their tests were reached."""
        return sorted(self.missing)

    def run(self, leaves: Input) -> dict[int, float]:
        """Run an input; its least distance to each outcome of the tests that it reached."""
        trace = self._observer.run(leaves)
        self.executions += 1
        return self._noted(trace)

    def _noted(self, trace: Trace) -> dict[int, float]:
        nearest: dict[int, float] = {}
        for position, site in enumerate(trace.sites):
            for outcome, distance in enumerate(trace.distances(position)):
                number = self._numbers.setdefault((site, outcome), len(self._numbers))
                if distance < nearest.get(number, inf):
                    nearest[number] = distance
        if trace.outcome not in COMPLETED:
            nearest = {number: max(distance, ALMOST) for number, distance in nearest.items()}
        self._keep(nearest, list(trace.leaves))
        return nearest

    def _keep(self, nearest: Mapping[int, float], leaves: Input) -> None:
        taken = {number for number, distance in nearest.items() if distance == 0.0}
        if not taken <= self._taken:
            self._taken |= taken
            self._starts.append(leaves)
        for number, distance in nearest.items():
            if number not in self._best or distance < self._best[number][0]:
                self._best[number] = distance, leaves

    # What members ask

    @property
    def is_reproducible(self) -> bool:
        """Whether nothing may depend on the time."""
        return self._session.is_reproducible

    @property
    def literals(self) -> Sequence[float]:
        """The numbers in the code."""
        found = self._session.literals()
        return [float(item) for item in found if isinstance(item, int | float) and abs(item) < UNREACHED]

    def starts(self) -> list[Input]:
        """The inputs that were the first to take an outcome."""
        return [list(leaves) for leaves in self._starts]

    def levels(self, goal: int) -> Sequence[Sequence[int]]:
        """The way to a goal is its test."""
        return [[goal]]

    def search_near(self, search: LocalSearch) -> bool:
        """The front-end does not search for outcomes that only the session knows."""
        return False

    def matched(self, goal: int, leaves: Input) -> list[Input]:
        """The input itself: what its test compares is not known."""
        return [leaves]

    def nearest_input(self, goal: int) -> Input:
        """The input that is nearest to a goal so far."""
        return list(self._best[goal][1]) if goal in self._best else sample(self)

    def ranks(self, inputs: Sequence[Input], goal: int) -> list[float]:
        """The distance of each input to a goal."""
        return [min(self.run(leaves).get(goal, UNREACHED), UNREACHED) for leaves in inputs]

    def parts(self, inputs: Sequence[Input], goals: NDArray[np.int64]) -> tuple[NDArray[np.int64], Floats]:
        """Whether each input misses the test of its own goal, and its distance; 1 where that is not known."""
        found = [self.run(leaves).get(goal, inf) for leaves, goal in zip(inputs, goals.tolist(), strict=True)]
        distances = np.array(found, np.float64)
        reached = np.isfinite(distances)
        return np.where(reached, 0, 1), np.where(reached, distances, 1.0)

    def values(self, inputs: Sequence[Input], goals: Sequence[int]) -> Floats:
        """The fitness of each input for each goal: its distance, mapped below 1; 1 where the test is not reached."""
        rows = [self.run(leaves) for leaves in inputs]
        distances = np.array([[row.get(goal, inf) for goal in goals] for row in rows], np.float64)
        distances = distances.reshape(len(inputs), len(goals))
        return np.where(np.isfinite(distances), self._normalise(np.where(np.isfinite(distances), distances, 0)), 1.0)

    def fitness(self, inputs: Sequence[Input]) -> list[float]:
        """The smallest fitness of inputs for any goal."""
        found = self.values(inputs, self.active())
        return [float(value) for value in found.min(axis=1)] if found.shape[1] else [0.0] * len(inputs)
