"""How far an input is from a goal: how many tests it misses on the way, and how nearly it passed the last one.

Every outcome of a test is a slot. A row has for each slot the least distance of one run: 0 if the outcome was taken,
infinity if its test was not reached.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pessimal.errors import UsageError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Normalise = Callable[[Floats], Floats]
MOST_LEVELS = 40
_DISTANCE_BITS = 63


def _ratio(distance: Floats) -> Floats:
    return distance / (distance + 1.0)


def _exponential(distance: Floats) -> Floats:
    return 1.0 - np.power(1.001, -np.minimum(distance, 1e6))


def _logarithmic(distance: Floats) -> Floats:
    logs = np.log2(1.0 + distance)
    return logs / (logs + 1.0)


NORMALISATIONS: Mapping[str, Normalise] = {"ratio": _ratio, "exponential": _exponential, "logarithmic": _logarithmic}
"""Maps of distances to numbers below 1 that keep their order."""


def normalisation(name: str) -> Normalise:
    """The normalisation with a name."""
    if name not in NORMALISATIONS:
        raise UsageError(f"normalisation must be {', '.join(NORMALISATIONS)}, but is {name!r}")
    return NORMALISATIONS[name]


class Fitness:
    """Approach level plus normalised distance, for each goal; 0 if the goal is reached.

    ``first_slots`` has for each slot the first slot of its test and how many outcomes the test has. ``parents`` has
    for the first slot of a test the slots that it depends on.
    """

    def __init__(
        self, first_slots: Sequence[tuple[int, int]], parents: Mapping[int, frozenset[int]], normalise: str = "ratio"
    ) -> None:
        self._normalise = normalisation(normalise)
        self._first = [first for first, _ in first_slots]
        self._parents = parents
        self._levels: dict[int, list[list[int]]] = {}
        self._slots = len(first_slots)
        self._known_goals: list[int] = []
        self._place: Ints = np.full(self._slots, -1)
        self._table: Ints = np.zeros((0, 0, 0), np.int64)

    def levels(self, goal: int) -> list[list[int]]:
        """The slots on the way to a goal: the goal itself, what its test depends on, and so on."""
        if goal not in self._levels:
            levels, known = [[goal]], {goal}
            while len(levels) < MOST_LEVELS:
                above = {slot for item in levels[-1] for slot in self._parents.get(self._first[item], ())} - known
                if not above:
                    break
                levels.append(sorted(above))
                known |= above
            self._levels[goal] = levels
        return self._levels[goal]

    def of(self, rows: Floats, goal: int) -> Floats:
        """The fitness of each row."""
        levels = self.levels(goal)
        result = np.full(len(rows), float(len(levels)))
        for level in range(len(levels) - 1, -1, -1):
            nearest = rows[:, levels[level]].min(axis=1)
            reached = np.isfinite(nearest)
            result[reached] = level + self._normalise(nearest[reached])
        return result

    def parts(self, rows: Floats, goals: Ints) -> tuple[Ints, Floats]:
        """The approach level and the plain distance of each row for a goal of its own.

        A row that reaches nothing on the way to its goal has one level more than there are, and the distance 1.
        """
        padded = np.concatenate([rows, np.full((len(rows), 1), np.inf)], axis=1)
        table = self._levels_of(goals)
        nearest = padded[np.arange(len(rows))[:, None, None], table].min(axis=2)
        reached = np.isfinite(nearest)
        levels = np.where(reached.any(axis=1), reached.argmax(axis=1), (table[:, :, 0] < self._slots).sum(axis=1))
        last = np.minimum(levels, table.shape[1] - 1)
        distances = nearest[np.arange(len(rows)), last]
        return levels, np.where(np.isfinite(distances), distances, 1.0)

    def _levels_of(self, goals: Ints) -> Ints:
        """For each goal and level its slots, filled up with a slot that no run reaches."""
        if (self._place[goals] < 0).any():
            self._known_goals += np.unique(goals[self._place[goals] < 0]).tolist()
            self._place[self._known_goals] = np.arange(len(self._known_goals))
            self._table = self._filled([self.levels(goal) for goal in self._known_goals])
        return self._table[self._place[goals]]

    def _filled(self, levels: Sequence[Sequence[Sequence[int]]]) -> Ints:
        depth = max(len(item) for item in levels)
        width = max(len(slots) for item in levels for slots in item)
        table = np.full((len(levels), depth, width), self._slots, np.int64)
        for at, item in enumerate(levels):
            for level, slots in enumerate(item):
                table[at, level, : len(slots)] = slots
        return table

    def order(self, rows: Floats, goal: int) -> list[int]:
        """The rank of each row among all that there could be: its level, then its distance to the last bit.

        Large distances that differ by little have the same normalised value, but never the same rank.
        """
        levels = self.levels(goal)
        ranks = [len(levels) << _DISTANCE_BITS] * len(rows)
        for level in range(len(levels) - 1, -1, -1):
            nearest = rows[:, levels[level]].min(axis=1)
            bits = nearest.view(np.int64).tolist()  # floats that are not negative have the order of their bits
            for at in np.flatnonzero(np.isfinite(nearest)).tolist():
                ranks[at] = (level << _DISTANCE_BITS) + bits[at]
        return ranks
