"""The replay memory of an agent: its last transitions, of which batches are drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Transitions(NamedTuple):
    """Steps of an agent: what it saw and did, what that gave, what it saw next, and what it could do then.

    ``continues`` is 0 where the episode ended with the goal reached, so that nothing came after.
    """

    observations: NDArray[np.float32]
    actions: NDArray[np.int32]
    rewards: NDArray[np.float32]
    next_observations: NDArray[np.float32]
    continues: NDArray[np.float32]
    possible: NDArray[np.bool_]


class Replay:
    """Keeps as many transitions as it has room for, the newest ones."""

    def __init__(self, capacity: int, observation: Sequence[int], actions: int) -> None:
        self._columns = Transitions(
            np.zeros((capacity, *observation), np.float32),
            np.zeros(capacity, np.int32),
            np.zeros(capacity, np.float32),
            np.zeros((capacity, *observation), np.float32),
            np.zeros(capacity, np.float32),
            np.zeros((capacity, actions), bool),
        )
        self._capacity = capacity
        self._added = 0

    def __len__(self) -> int:
        return min(self._added, self._capacity)

    def add(self, new: Transitions) -> None:
        """Add transitions in place of the oldest ones."""
        at = (self._added + np.arange(len(new.actions))) % self._capacity
        for column, values in zip(self._columns, new, strict=True):
            column[at] = values
        self._added += len(at)

    def batches(self, count: int, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
        """The columns of so many batches of a size."""
        rows = rng.integers(0, len(self), (count, size))
        return tuple(column[rows] for column in self._columns)
