"""Which moves to make: those that led to better inputs lately are drawn more often, and none is forgotten."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

BATCH = 200
"""How many moves are drawn before the chances are computed anew."""
DECAY = 0.9
FLOOR = 0.2
"""The least chance of a move, as a part of the mean."""


class MoveSchedule:
    """Draws the names of moves by their success."""

    def __init__(self, names: Iterable[str]) -> None:
        self._gains = dict.fromkeys(names, 1.0)
        self._tries = dict.fromkeys(self._gains, 20.0)
        self._batch: list[str] = []

    def draw(self, rng: Random) -> str:
        """The next move."""
        if not self._batch:
            self._batch = rng.choices(list(self._gains), self._chances(), k=BATCH)
        return self._batch.pop()

    def _chances(self) -> list[float]:
        rates = [gain / tries for gain, tries in zip(self._gains.values(), self._tries.values(), strict=True)]
        least = FLOOR * sum(rates) / len(rates)
        for name in self._gains:
            self._gains[name] = self._gains[name] * DECAY + 0.02
            self._tries[name] = self._tries[name] * DECAY + 0.5
        return [max(rate, least) for rate in rates]

    def reward(self, name: str, gain: float) -> None:
        """Note what came of a move."""
        self._gains[name] += gain
        self._tries[name] += 1

    def to_json(self) -> list[object]:
        """The schedule as JSON values."""
        return [self._gains, self._tries, self._batch]

    @classmethod
    def from_json(cls, data: list[Any]) -> MoveSchedule:
        """The schedule that :meth:`to_json` wrote."""
        schedule = cls(data[0])
        schedule._gains, schedule._tries, schedule._batch = dict(data[0]), dict(data[1]), list(data[2])
        return schedule
