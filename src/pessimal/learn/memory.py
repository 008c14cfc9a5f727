"""Experiences in arrays of a fixed capacity, so that learning from any number of them is compiled once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pessimal.learn.states import Encoding, State, encode


class Experience(NamedTuple):
    """What was done at a state, the reward, and the state that followed; none at the end of a path."""

    state: State
    action: int
    reward: float
    following: State | None


class Memory:
    """Unique experiences; when there are more than the capacity, the oldest go."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._known: dict[Experience, None] = {}

    def __len__(self) -> int:
        return len(self._known)

    def add(self, experiences: Iterable[Experience]) -> int:
        """Take in what is new, and tell how much that is."""
        before = len(self._known)
        for experience in experiences:
            self._known.setdefault(experience)
        added = len(self._known) - before
        while len(self._known) > self.capacity:
            del self._known[next(iter(self._known))]
        return added

    def arrays(self, encoding: Encoding, length: int) -> tuple[NDArray[Any], ...]:
        """The experiences as the network learns from them, padded to the capacity."""
        known = list(self._known)
        return (
            padded(encode(encoding, [item.state for item in known], length), self.capacity),
            padded(np.array([item.action for item in known], np.int32), self.capacity),
            padded(np.array([item.reward for item in known], np.float32), self.capacity),
            padded(encode(encoding, [item.following or () for item in known], length), self.capacity),
            padded(np.array([item.following is not None for item in known], np.float32), self.capacity),
        )

    def to_json(self) -> list[Any]:
        """The experiences as JSON values."""
        return [list(item) for item in self._known]

    def restore(self, data: list[Any]) -> None:
        """Take up what :meth:`to_json` wrote."""
        for state, action, reward, following in data:
            after = None if following is None else _state(following)
            self._known[Experience(_state(state), action, reward, after)] = None


def _state(data: list[list[int]]) -> State:
    return tuple((position, kind, action) for position, kind, action in data)


def padded(rows: NDArray[Any], capacity: int) -> NDArray[Any]:
    """Rows as the first of an array of the capacity, the rest of which is zero."""
    room = np.zeros((capacity, *rows.shape[1:]), rows.dtype)
    room[: len(rows)] = rows
    return room
