"""The moves of our own agent: for each leaf several changes of any size, and some of all leaves at once.

A distance says how far an operand is from where it should be. So a leaf that is one of the operands is right after one
step of that size, and a leaf that the operand depends on linearly after a step that was extrapolated from another.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pessimal.search.agent.columns import LARGEST, Columns, Floats, Words

Bools = NDArray[np.bool_]

OF_A_LEAF = (
    "up", "down", "add distance", "subtract distance", "add two distances", "subtract two distances", "extrapolate",
    "twice", "half back", "draw", "mirror", "literal", "copy",
)  # fmt: skip
OF_ALL = ("draw all", "mirror all", "rotate", "draw half")
COUNT = len(OF_A_LEAF)
DRAWN = np.array([name in ("draw", "literal", "copy") for name in OF_A_LEAF])
"""The moves of a leaf that are another one each time, so that they may be tried again."""
ENDS = (0.0, 1.0, -1.0)


class Moves:
    """Proposes all moves from the inputs of several walks."""

    def __init__(self, columns: Columns, literals: Sequence[float], rng: np.random.Generator) -> None:
        self._columns = columns
        self._rng = rng
        self._literals = np.clip(np.array([*literals, *ENDS], np.float64), -LARGEST, LARGEST)
        mirrored = np.where(columns.low >= 0, columns.low + columns.high, 0.0)
        self._around = np.where(np.abs(mirrored) < LARGEST, mirrored, 0.0)

    def of_leaves(self, words: Words, distances: Floats, slopes: Floats, last: Floats) -> Words:
        """For each walk and leaf the word of the leaf after each move; a move that is not possible changes nothing."""
        count, width = words.shape
        values = self._columns.values(words)
        far = np.minimum(distances, LARGEST)[:, None]
        known = np.isfinite(slopes) & (slopes != 0)
        extrapolated = np.where(known, -far / np.where(known, slopes, 1.0), 0.0)
        half = np.where(np.abs(last) >= np.where(self._columns.is_float, 1e-12, 2.0), -last / 2, 0.0)
        ones = np.ones_like(values)
        fixed = (ones, -ones, far * ones, -far * ones, 2 * far * ones, -2 * far * ones)
        steps = (*fixed, np.clip(extrapolated, -LARGEST, LARGEST), 2 * last, half)
        moved = [self._columns.moved(words, step) for step in steps]
        literals = self._rng.choice(self._literals, (count, width))
        others = values[np.arange(count)[:, None], self._rng.integers(0, max(width, 1), (count, width))]
        drawn = self._columns.drawn(count, self._rng)
        placed = [self._columns.placed(item) for item in (self._around - values, literals, others)]
        return np.stack([*moved, drawn, *placed], axis=2)

    def of_all(self, words: Words, move: int) -> Words:
        """All leaves changed at once."""
        values = self._columns.values(words)
        match OF_ALL[move]:
            case "draw all":
                return self._columns.drawn(len(words), self._rng)
            case "mirror all":
                return self._columns.placed(self._around - values)
            case "rotate":
                return self._columns.placed(np.roll(values, 1, axis=1))
        drawn = self._columns.drawn(len(words), self._rng)
        return np.where(self._rng.random(words.shape) < 0.5, drawn, words)
