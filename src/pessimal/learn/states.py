"""States: the last branches of a run, as numbers that a network reads.

The paper encodes a branch by its position, its site and its action. Our encoding leaves out the position, because what
is learned at one size should hold at another, and gives each kind of branch a feature of its own, because the numbers
of sites have no order. So there are few distinct states, and soon all their values are known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

KIND_FEATURES = 24
"""How many features tell kinds apart; beyond that number of kinds, several share one."""

NumberedStep = tuple[int, int, int]
"""A branch by numbers: its position, its kind, and the action taken there, -1 if it is yet to be taken."""

State = tuple[NumberedStep, ...]
"""The last branches of a run, the latest last."""


class Encoding(Protocol):
    """Turns a branch into the numbers that the network reads."""

    features: int

    def write(self, row: Floats, step: NumberedStep) -> None:
        """Write a step into a row of zeros."""
        ...


class PaperEncoding:
    """As in the paper: position, site, action."""

    features = 3

    def write(self, row: Floats, step: NumberedStep) -> None:
        """The three numbers as they are; positions and sites count from 1, since 0 means that there is no branch."""
        row[0], row[1], row[2] = step[0] + 1, step[1] + 1, step[2]


class KindEncoding:
    """One feature for each kind, and one for the action."""

    features = 1 + KIND_FEATURES

    def write(self, row: Floats, step: NumberedStep) -> None:
        """The kind's feature is 1; the action is -1 or 1, and 0 if it is yet to be taken."""
        row[0] = (-1.0, 1.0, 0.0)[step[2]]
        row[1 + step[1] % KIND_FEATURES] = 1.0


def steps_before(position: int, length: int, step: Callable[[int], NumberedStep]) -> State:
    """The past of a state: the ``length`` steps before a position, each as ``step`` gives it."""
    return tuple(map(step, range(max(0, position - length), position)))


def encode(encoding: Encoding, states: Sequence[Sequence[NumberedStep]], length: int) -> Floats:
    """Encode states of up to ``length`` steps, the latest last; missing steps before the first are zeros."""
    rows = np.zeros((len(states), length, encoding.features), np.float32)
    for state, block in zip(states, rows, strict=True):
        for step, row in zip(reversed(state), reversed(block), strict=False):
            encoding.write(row, step)
    return rows
