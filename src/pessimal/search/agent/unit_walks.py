"""QTIP's walks: each step adds a number to one leaf or subtracts it, and the last steps are what an agent sees."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pessimal.errors import UsageError
from pessimal.search.agent.arena import Arena, Floats, Ints, starts
from pessimal.search.agent.columns import Columns, Words
from pessimal.search.goals.fitness import normalisation

Observations = NDArray[np.float32]
Starts = tuple[Ints, Words, Ints, Floats]
"""Goals, and for each an input with its level and distance."""
WINDOW, BUDGET = 200, 2000
AHEAD = 4
"""The starts of a quarter of all walks are drawn and run together, ahead of time: few walks end at once, and a request
takes as long for one input as for many."""
SEEN = 3
"""What is seen of each step: the number of the action, the approach level, the normalised distance."""


class UnitWalks:
    """Several walks side by side, whose inputs are run in one batch.

    The window holds the newest step first, as in the paper; actions count from 1 there, and 0 stands for no step. The
    odd ones of the actions of a leaf subtract, the even ones add, for each of ``scales`` in turn. The reward of a step
    is how much it decreases the fitness.
    """

    def __init__(
        self,
        arena: Arena,
        count: int,
        rng: np.random.Generator,
        *,
        window: int = WINDOW,
        budget: int = BUDGET,
        scales: Sequence[int] = (1,),
        normalise: str = "exponential",
    ) -> None:
        _check(arena, window, budget, scales)
        self.arena, self.columns, self.rng = arena, Columns(arena.domains), rng
        self.window, self.budget = window, budget
        self._ahead = max(1, count // AHEAD)
        self._starts: Starts | None = None
        self._normalise = normalisation(normalise)
        signed = np.array([sign * scale for scale in scales for sign in (-1, 1)], np.float64)
        self._leaf = np.repeat(np.arange(len(self.columns)), len(signed))
        self._step = np.tile(signed, len(self.columns))
        self.words = np.zeros((count, len(self.columns)), np.int64)
        self.goals = np.zeros(count, np.int64)
        self.levels, self.distances = np.zeros(count, np.int64), np.zeros(count)
        self.steps = np.zeros(count, np.int64)
        self._fitness = np.zeros(count)
        # A ring that is written twice, so that the window is always one slice of it.
        self._ring = np.zeros((count, 2 * window, SEEN), np.float32)
        self._at = 0

    @property
    def actions(self) -> int:
        """How many actions there are."""
        return len(self._leaf)

    @property
    def is_covered(self) -> NDArray[np.bool_]:
        """Which walks have reached their goals."""
        covered: NDArray[np.bool_] = (self.levels == 0) & (self.distances == 0)
        return covered

    @property
    def is_over_budget(self) -> NDArray[np.bool_]:
        """Which walks have made all their steps."""
        over: NDArray[np.bool_] = self.steps >= self.budget
        return over

    def reseed(self, rng: np.random.Generator) -> None:
        """Draw all that comes from another source of randomness."""
        self.rng, self._starts = rng, None

    def restart(self, which: Ints, goal: int | None = None) -> None:
        """Begin some walks again, each with a goal drawn at random or with the one given."""
        if goal is not None:
            self.place(which, *self._drawn(np.full(len(which), goal)))
            return
        known = self._starts
        if known is None or len(known[0]) < len(which):
            goals = self.rng.choice(np.array(self.arena.goals, np.int64), max(len(which), self._ahead))
            known = self._drawn(goals)
        goals, words, levels, distances = known
        now, later = slice(len(which)), slice(len(which), None)
        self._starts = goals[later], words[later], levels[later], distances[later]
        self.place(which, goals[now], words[now], levels[now], distances[now])

    def _drawn(self, goals: Ints) -> Starts:
        return goals, *starts(self.arena, self.columns, goals, self.rng)

    def place(self, which: Ints, goals: Ints, words: Words, levels: Ints, distances: Floats) -> None:
        """Begin some walks again from inputs that were measured."""
        self.goals[which], self.words[which] = goals, words
        self.levels[which], self.distances[which] = levels, distances
        self.steps[which] = 0
        self._fitness[which] = self._fitness_of(which)
        self._ring[which] = 0.0
        self._see(which, np.zeros(len(which)))

    def step(self, actions: Ints, which: Ints) -> Floats:
        """Take one action in each of some walks; their rewards."""
        self._at = (self._at - 1) % self.window
        self._ring[:, self._at] = self._ring[:, self._at + self.window] = 0.0
        steps = np.zeros((len(which), len(self.columns)))
        steps[np.arange(len(which)), self._leaf[actions]] = self._step[actions]
        self.words[which] = self.columns.moved(self.words[which], steps)
        self.levels[which], self.distances[which] = self.arena.measure(self.words[which], self.goals[which])
        before = self._fitness[which]
        self._fitness[which] = self._fitness_of(which)
        self.steps[which] += 1
        self._see(which, actions + 1)
        rewards: Floats = before - self._fitness[which]
        return rewards

    def observations(self, which: Ints | None = None) -> Observations:
        """The window of each walk, or of some."""
        windows = self._ring[:, self._at : self._at + self.window]
        return windows.copy() if which is None else windows[which]

    def _fitness_of(self, which: Ints) -> Floats:
        fitness: Floats = self.levels[which] + self._normalise(self.distances[which])
        return fitness

    def _see(self, which: Ints, actions: Floats | Ints) -> None:
        seen = np.stack([actions, self.levels[which], self._normalise(self.distances[which])], axis=1)
        self._ring[which, self._at] = self._ring[which, self._at + self.window] = seen


def _check(arena: Arena, window: int, budget: int, scales: Sequence[int]) -> None:
    for name, number in (("window", window), ("budget", budget), *(("each of scales", scale) for scale in scales)):
        if number < 1:
            raise UsageError(f"{name} must be at least 1, but is {number}")
    if not scales:
        raise UsageError("scales must have at least one number, but is empty")
    if not arena.goals or not arena.domains:
        raise UsageError("the target has no branch or no input: there is nothing to walk to", slug="target")
