"""Walks by moves of any size: the better of two inputs is kept, and what was tried from it is not tried again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pessimal.search.agent.arena import Arena, Floats, Ints, starts
from pessimal.search.agent.columns import Columns, Words
from pessimal.search.agent.moves import COUNT, DRAWN, OF_ALL, Bools, Moves

Features = NDArray[np.float32]
UNKNOWN, NONE, SOME = 0, -1, 1
"""What is known about the effect of a leaf on the distance."""
GLOBAL_FEATURES = 7
FEATURES = GLOBAL_FEATURES + 10 + COUNT
"""How many numbers describe a row: what is the same for all rows, what is known of the leaf, which moves are left."""
LARGEST_FEATURE = 4.0
RESTART = OF_ALL.index("draw all")


class MoveWalks:
    """Several walks side by side, whose inputs are run in one batch.

    An action is a row and a move: a row for each leaf, and a last one for all leaves at once.
    """

    def __init__(self, arena: Arena, count: int, rng: np.random.Generator, literals: Sequence[float] = ()) -> None:
        self.arena, self.columns, self.rng = arena, Columns(arena.domains), rng
        self._moves = Moves(self.columns, literals, rng)
        width = len(self.columns)
        self.words = np.zeros((count, width), np.int64)
        self.goals = np.zeros(count, np.int64)
        self.levels, self.distances = np.zeros(count, np.int64), np.zeros(count)
        self.steps, self._idle = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self._slopes = np.full((count, width), np.nan)
        self._effects, self._last = np.zeros((count, width), np.int64), np.zeros((count, width))
        self._moved = np.full(count, -1)
        self._was_better = np.zeros(count, bool)
        self._tried = np.zeros((count, width + 1, COUNT), bool)
        self._proposed = np.zeros((count, width, COUNT), np.int64)
        self._possible = np.zeros((count, width + 1, COUNT), bool)
        self._kinds = self._features_of_leaves()

    @property
    def is_covered(self) -> Bools:
        """Which walks have reached their goals."""
        covered: Bools = (self.levels == 0) & (self.distances == 0)
        return covered

    def restart(self, which: Ints, goals: Ints) -> None:
        """Begin some walks again with random inputs."""
        self.place(which, goals, *starts(self.arena, self.columns, goals, self.rng))

    def place(self, which: Ints, goals: Ints, words: Words, levels: Ints, distances: Floats) -> None:
        """Begin some walks again from inputs that were measured."""
        self.goals[which], self.words[which] = goals, words
        self.levels[which], self.distances[which] = levels, distances
        self.steps[which] = 0
        self._forget(which)
        self._propose(which)

    def _forget(self, which: Ints) -> None:
        """Forget all that holds only near the input or for the test that was reached."""
        self._slopes[which], self._effects[which], self._last[which] = np.nan, UNKNOWN, 0.0
        self._tried[which], self._idle[which] = False, 0
        self._moved[which], self._was_better[which] = -1, False

    def _propose(self, which: Ints) -> None:
        words = self.words[which]
        proposed = self._moves.of_leaves(words, self.distances[which], self._slopes[which], self._last[which])
        self._proposed[which] = proposed
        width = len(self.columns)
        possible = np.zeros((len(which), width + 1, COUNT), bool)
        possible[:, :width] = proposed != words[:, :, None]
        possible[:, width, : len(OF_ALL)] = True
        self._possible[which] = possible & ~self._tried[which]

    def possible(self) -> Bools:
        """Which moves of which rows change something and were not tried from this input."""
        return self._possible

    def step(self, rows: Ints, moves: Ints, which: Ints) -> None:
        """Make one move in each of some walks."""
        inputs = self._inputs(rows, moves, which)
        levels, distances = self.arena.measure(inputs, self.goals[which])
        self.take(rows, moves, which, inputs, levels, distances)

    def _inputs(self, rows: Ints, moves: Ints, which: Ints) -> Words:
        """The inputs that moves lead to."""
        inputs = self.words[which]
        single = np.flatnonzero(rows < len(self.columns))
        inputs[single, rows[single]] = self._proposed[which[single], rows[single], moves[single]]
        for move in range(len(OF_ALL)):
            chosen = np.flatnonzero((rows == len(self.columns)) & (moves == move))
            if len(chosen):
                inputs[chosen] = self._moves.of_all(inputs[chosen], move)
        return inputs

    def take(self, rows: Ints, moves: Ints, which: Ints, inputs: Words, levels: Ints, distances: Floats) -> None:
        """Learn what the moves have led to, and go there where that is better."""
        old_levels, old_distances = self.levels[which], self.distances[which]
        is_deeper = levels != old_levels
        is_better = (levels < old_levels) | (~is_deeper & (distances < old_distances))
        single = rows < len(self.columns)
        is_restart = ~single & (moves == RESTART)
        self._note(rows, moves, which, inputs, is_deeper, distances - old_distances)
        is_drawn = np.where(single, DRAWN[moves], True) & ~is_deeper & (distances == old_distances)
        goes = is_better | is_restart | is_drawn
        gone = which[goes]
        self.words[gone], self.levels[gone], self.distances[gone] = inputs[goes], levels[goes], distances[goes]
        self.steps[which] += 1
        self._idle[which] = np.where(is_better, 0, self._idle[which] + 1)
        self._tried[which[is_better]] = False
        self._forget(which[is_restart | (is_better & is_deeper)])
        self._moved[which], self._was_better[which] = np.where(single, rows, -1), is_better
        self._propose(which)

    def _note(self, rows: Ints, moves: Ints, which: Ints, inputs: Words, is_deeper: Bools, change: Floats) -> None:
        """Note which moves were tried, and how the distance changed with the leaf."""
        width = len(self.columns)
        alone = np.flatnonzero(rows < width)
        walks, leaves = which[alone], rows[alone]
        before = self.columns.values(self.words[walks])[np.arange(len(alone)), leaves]
        after = self.columns.values(inputs[alone])[np.arange(len(alone)), leaves]
        step = after - before
        same = ~is_deeper[alone]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            slope = np.where(step != 0, change[alone] / step, np.nan)
        self._slopes[walks, leaves] = np.where(same, slope, self._slopes[walks, leaves])
        has_effect = (change[alone] != 0) | is_deeper[alone]
        known = self._effects[walks, leaves]
        self._effects[walks, leaves] = np.where(has_effect, SOME, np.where(known == SOME, SOME, NONE))
        self._last[walks, leaves] = np.where(same, step, 0.0)
        word = inputs[alone, leaves]
        self._tried[walks, leaves] |= (self._proposed[walks, leaves] == word[:, None]) & ~DRAWN
        whole = np.flatnonzero((rows == width) & np.isin(moves, (OF_ALL.index("mirror all"), OF_ALL.index("rotate"))))
        self._tried[which[whole], width, moves[whole]] = True

    # What an agent sees

    def features(self) -> Features:
        """For each walk and row what an agent can know."""
        count, width = self.words.shape
        found = np.zeros((count, width + 1, FEATURES), np.float32)
        found[:, :, :GLOBAL_FEATURES] = self._global_features()[:, None, :]
        at = GLOBAL_FEATURES
        of_leaf = found[:, :width, at:]
        of_leaf[:, :, 0] = self._effects == SOME
        of_leaf[:, :, 1] = self._effects == NONE
        of_leaf[:, :, 2] = np.isfinite(self._slopes) & (self._slopes != 0)
        of_leaf[:, :, 3] = np.arange(width) == self._moved[:, None]
        of_leaf[:, :, 4] = of_leaf[:, :, 3] * self._was_better[:, None]
        of_leaf[:, :, 5] = np.log1p(np.minimum(np.abs(self._last), 1e12)) / 24
        of_leaf[:, :, 6:9] = self._kinds
        found[:, width, at + 9] = 1.0
        found[:, :, at + 10 :] = self._possible
        return found

    def _global_features(self) -> Features:
        width = len(self.columns)
        steady = self._possible[:, :width] & ~DRAWN
        return np.stack(
            [
                np.log1p(np.minimum(self.distances, 1e12)) / 24,
                np.minimum(self.levels, 8) / 8,
                np.log1p(self._idle) / 6,
                np.log1p(self.steps) / 8,
                np.full(len(self.words), np.log1p(width) / 5),
                steady.mean(axis=(1, 2)),
                (self._effects == SOME).mean(axis=1),
            ],
            axis=1,
        ).astype(np.float32)

    def _features_of_leaves(self) -> Features:
        span = np.log1p(np.minimum(self.columns.span, 1e19)) / 44
        return np.stack([self.columns.is_float, self.columns.span < 256, span], axis=1).astype(np.float32)
