"""States: the last branches of a run, as numbers that a network reads.

The paper's encoding of a branch is its position, its site and its action. Ours leaves the position out, because what
is learned at one size should hold at another, gives every kind of branch a slot of its own, because the numbers of
sites have no order, and thereby has few states, whose values are soon all known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

SLOTS = 24
"""Kinds beyond this many share slots."""

Step = tuple[int, int, int]
"""A branch: its position, the number of its kind, and the action there: -1 while it is yet to be taken."""

State = tuple[Step, ...]
"""The last branches of a run, the latest last."""


class Encoding(Protocol):
    """How a branch becomes numbers."""

    features: int

    def write(self, row: Floats, step: Step) -> None:
        """Fill a row of zeros."""
        ...


class Raw:
    """As in the paper: position, site, action."""

    features = 3

    def write(self, row: Floats, step: Step) -> None:
        """The three numbers as they are; positions and sites count from 1, since 0 is for branches that are not."""
        row[0], row[1], row[2] = step[0] + 1, step[1] + 1, step[2]


class Kindwise:
    """A slot for each kind, and the action."""

    features = 1 + SLOTS

    def write(self, row: Floats, step: Step) -> None:
        """One for the kind's slot; the action is -1 or 1, and 0 while it is yet to be taken."""
        row[0] = (-1.0, 1.0, 0.0)[step[2]]
        row[1 + step[1] % SLOTS] = 1.0


def steps_before(position: int, length: int, step: Callable[[int], Step]) -> State:
    """What a state has before its branch: the last ``length`` steps, each told by ``step`` of its position."""
    return tuple(map(step, range(max(0, position - length), position)))


def encode(encoding: Encoding, states: Sequence[Sequence[Step]], length: int) -> Floats:
    """States of at most ``length`` steps, latest last; what is missing before the first branch is zero."""
    rows = np.zeros((len(states), length, encoding.features), np.float32)
    for state, block in zip(states, rows, strict=True):
        for step, row in zip(reversed(state), reversed(block), strict=False):
            encoding.write(row, step)
    return rows
