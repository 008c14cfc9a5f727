"""Replay memory: experiences in arrays of fixed capacity, so that learning from any number is compiled once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pessimal.learn.states import Encoding, State, encode


class Experience(NamedTuple):
    """The action taken at a state, its reward, and the next state; None at the end of a path."""

    state: State
    action: int
    reward: float
    next_state: State | None


class ReplayMemory:
    """Keeps distinct experiences; beyond its capacity it drops the oldest."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._known: dict[Experience, None] = {}

    def __len__(self) -> int:
        return len(self._known)

    def add(self, experiences: Iterable[Experience]) -> int:
        """Add the experiences that are new, and return how many that were."""
        before = len(self._known)
        for experience in experiences:
            self._known.setdefault(experience)
        added = len(self._known) - before
        while len(self._known) > self.capacity:
            del self._known[next(iter(self._known))]
        return added

    def arrays(self, encoding: Encoding, length: int) -> tuple[NDArray[Any], ...]:
        """The experiences as the arrays that the network learns from, padded to the capacity."""
        known = list(self._known)
        return (
            padded(encode(encoding, [item.state for item in known], length), self.capacity),
            padded(np.array([item.action for item in known], np.int32), self.capacity),
            padded(np.array([item.reward for item in known], np.float32), self.capacity),
            padded(encode(encoding, [item.next_state or () for item in known], length), self.capacity),
            padded(np.array([item.next_state is not None for item in known], np.float32), self.capacity),
        )

    def to_json(self) -> list[Any]:
        """The experiences as JSON values."""
        return [list(item) for item in self._known]

    def restore(self, data: list[Any]) -> None:
        """Restore what :meth:`to_json` wrote."""
        for state, action, reward, next_state in data:
            after = None if next_state is None else _state(next_state)
            self._known[Experience(_state(state), action, reward, after)] = None


def _state(data: list[list[int]]) -> State:
    return tuple((position, kind, action) for position, kind, action in data)


def padded(rows: NDArray[Any], capacity: int) -> NDArray[Any]:
    """The rows as the first ones of an array of that capacity, the rest of which is zero."""
    array = np.zeros((capacity, *rows.shape[1:]), rows.dtype)
    array[: len(rows)] = rows
    return array
