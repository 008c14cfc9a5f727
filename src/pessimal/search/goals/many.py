"""``dynamosa``: one population for all goals at once, of which only those count that can be reached next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from pessimal.search.goals.algorithms import Input, Landscape, crossed, mutated, sample
from pessimal.search.goals.fitness import Floats


class ManyGoals(Landscape, Protocol):
    """A landscape with a value for each goal."""

    def active(self) -> Sequence[int]:
        """The goals that are not reached, and whose test was reached or depends on nothing that was not."""
        ...

    def values(self, inputs: Sequence[Input], goals: Sequence[int]) -> Floats:
        """The fitness of each input for each goal."""
        ...


class Dynamosa:
    """Keeps for each goal the input that is nearest to it, and fills up with inputs that no other one surpasses."""

    name = "dynamosa"

    def __init__(self, population: int = 40) -> None:
        self._population = population

    def generations(self, landscape: ManyGoals, start: Sequence[Input]) -> Iterator[None]:
        """Go from generation to generation; yields after each."""
        people = [list(item) for item in start][: self._population]
        people += [sample(landscape) for _ in range(self._population - len(people))]
        while True:
            children = [self._child(people, landscape) for _ in range(self._population)]
            goals = list(landscape.active())
            both = [*people, *children]
            values = landscape.values(both, goals)
            people = [both[i] for i in selected(values, self._population)]
            yield

    def _child(self, people: Sequence[Input], landscape: ManyGoals) -> Input:
        rng = landscape.rng
        one, other = rng.choice(people), rng.choice(people)
        return mutated(crossed(one, other, rng) if rng.random() < 0.75 else list(one), landscape)


def selected(values: Floats, count: int) -> list[int]:
    """The rows to keep: the best of each column, then front after front, those far from others first."""
    if values.shape[1] == 0:
        return list(range(count))
    kept = list(dict.fromkeys(int(i) for i in values.argmin(axis=0)))[:count]
    left = [i for i in range(len(values)) if i not in set(kept)]
    while len(kept) < count and left:
        front = _front(values, left)
        kept += sorted(front, key=lambda i: -_crowding(values, i, front))[: count - len(kept)]
        left = [i for i in left if i not in set(front)]
    return kept


def _front(values: Floats, rows: Sequence[int]) -> list[int]:
    """The rows that no other one surpasses in all columns."""
    part = values[list(rows)]
    no_worse = (part[:, None, :] <= part[None, :, :]).all(axis=2)
    better = (part[:, None, :] < part[None, :, :]).any(axis=2)
    is_surpassed = np.asarray((no_worse & better).any(axis=0))
    return [rows[at] for at in np.flatnonzero(~is_surpassed).tolist()]


def _crowding(values: Floats, row: int, front: Sequence[int]) -> float:
    """How much a row differs from those of its front."""
    return float(np.abs(values[list(front)] - values[row]).sum(axis=1).mean())
