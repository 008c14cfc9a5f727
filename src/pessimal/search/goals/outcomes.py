"""``dynamosa`` as a strategy: one population for all outcomes that no run has taken, and for the cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

import numpy as np

from pessimal.search.goals.fitness import Floats, normalisation
from pessimal.search.goals.flips import Observer
from pessimal.search.goals.landscape import Input
from pessimal.search.goals.many import Dynamosa
from pessimal.strategy import Session
from pessimal.trace import Site, Trace

POPULATION = 24
COST = -1
"""The goal that is never reached: a cost beyond all others."""

Key = tuple[Site, int]


class ManyOutcomes:
    """The landscape of all outcomes that runs have come near to and not taken, and of minus the cost."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._observer = Observer(session)
        self._normalise = normalisation("ratio")
        self.domains, self.rng = session.domains, session.rng
        self._numbers: dict[Key, int] = {}
        self._taken: set[int] = set()
        self._largest = 1.0

    def active(self) -> Sequence[int]:
        """The cost, and the outcomes that are wanted and not taken yet."""
        wanted = (number for (site, _), number in self._numbers.items() if self._session.wants(site))
        return [COST, *(number for number in wanted if number not in self._taken)]

    def fitness(self, inputs: Sequence[Input]) -> list[float]:
        """The smallest fitness of inputs for any goal."""
        return [float(value) for value in self.values(inputs, self.active()).min(axis=1)]

    def values(self, inputs: Sequence[Input], goals: Sequence[int]) -> Floats:
        """The fitness of each input for each goal; 1 where the test of a goal was not reached."""
        found = np.ones((len(inputs), len(goals)))
        for row, leaves in enumerate(inputs):
            trace = self._observer.run(leaves)
            nearest = self._nearest(trace)
            cost = self._session.cost(trace)
            self._largest = max(self._largest, cost)
            known = {COST: 1.0 - cost / (self._largest + 1.0), **nearest}
            found[row] = [known.get(goal, 1.0) for goal in goals]
        return found

    def _nearest(self, trace: Trace) -> dict[int, float]:
        """For each outcome of the tests that a run made, its least distance, mapped below 1."""
        nearest: dict[int, float] = {}
        for position, site in enumerate(trace.sites):
            for outcome, distance in enumerate(trace.distances(position)):
                number = self._numbers.setdefault((site, outcome), len(self._numbers))
                nearest[number] = min(distance, nearest.get(number, inf))
        self._taken |= {number for number, distance in nearest.items() if distance == 0.0}
        finite = {number: distance for number, distance in nearest.items() if distance < inf}
        mapped = self._normalise(np.array(list(finite.values()), dtype=np.float64)).tolist()
        return dict(zip(finite, mapped, strict=True))


class DynamosaSearch:
    """Generations of one population, for as long as the session wants."""

    name = "dynamosa"
    stop_after = 10.0

    def search(self, session: Session) -> None:
        """Go from generation to generation."""
        for _ in self.steps(session):
            pass

    def steps(self, session: Session) -> Iterator[None]:
        """Go from generation to generation, and yield after each."""
        if not session.domains:
            session.evaluate(session.initial)
            return
        yield from Dynamosa(POPULATION).generations(ManyOutcomes(session), [list(session.initial)])

    def state(self) -> dict[str, Any]:
        """Nothing is kept: a search that is resumed starts anew."""
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        """There is nothing to restore."""
