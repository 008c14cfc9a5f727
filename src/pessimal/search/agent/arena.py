"""What walks need of a target: the domains of its leaves, its goals, and how far inputs are from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pessimal.inputs import Domain
from pessimal.search.agent.columns import Columns, Words

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
TRIES = 200
"""How many other inputs are drawn for one that reaches its goal at once."""


class Arena(Protocol):
    """A target whose inputs can be measured many at once."""

    domains: Sequence[Domain]

    @property
    def goals(self) -> Sequence[int]:
        """The goals that walks may have."""
        ...

    def measure(self, words: Words, goals: Ints) -> tuple[Ints, Floats]:
        """For each input the approach level and the distance to its goal; both 0 if it reaches the goal."""
        ...


def starts(arena: Arena, columns: Columns, goals: Ints, rng: np.random.Generator) -> tuple[Words, Ints, Floats]:
    """Random inputs that do not reach their goals, as far as such are found, with their levels and distances."""
    words = columns.drawn(len(goals), rng)
    levels, distances = arena.measure(words, goals)
    again = np.flatnonzero((levels == 0) & (distances == 0))
    if len(again):
        others = columns.drawn(len(again) * TRIES, rng)
        found = arena.measure(others, np.repeat(goals[again], TRIES))
        other_levels, other_distances = (part.reshape(-1, TRIES) for part in found)
        best = ((other_levels > 0) | (other_distances > 0)).argmax(axis=1)
        rows = np.arange(len(again))
        words[again] = others.reshape(len(again), TRIES, -1)[rows, best]
        levels[again], distances[again] = other_levels[rows, best], other_distances[rows, best]
    return words, levels, distances
