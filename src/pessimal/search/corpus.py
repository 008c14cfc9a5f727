"""The corpus of a search on concrete inputs: what is best overall, and what executes each place in the code most often.

An input that is best somewhere may lead to the worst case although it is not the worst itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from operator import gt
from typing import Any

from pessimal.expr import Leaf


class Corpus:
    """Keeps inputs that are the best at something."""

    def __init__(self) -> None:
        self.best: list[Leaf] = []
        self.value = -inf
        self.champions: list[list[Leaf]] = []
        """The inputs that execute some place most often, without repetitions."""
        self._maxima: list[int] = []
        self._holders: dict[int, list[Leaf]] = {}

    def add(
        self, leaves: list[Leaf], value: float, counts: Sequence[int], accepts_equal: bool = True
    ) -> tuple[bool, bool]:
        """Keep an input where it is the best: whether it is the best overall, and whether it is at some place."""
        is_best = value > self.value
        if is_best or (value == self.value and accepts_equal):
            self.best, self.value = leaves, value
        if len(counts) > len(self._maxima):
            self._maxima += [0] * (len(counts) - len(self._maxima))
        is_champion = any(map(gt, counts, self._maxima))
        if is_champion:
            self._crown(leaves, counts)
        return is_best, is_champion

    def _crown(self, leaves: list[Leaf], counts: Sequence[int]) -> None:
        for site, (count, most) in enumerate(zip(counts, self._maxima, strict=True)):
            if count > most:
                self._maxima[site] = count
                self._holders[site] = leaves
        self.champions = list({id(holder): holder for holder in self._holders.values()}.values())

    def to_json(self) -> dict[str, Any]:
        """The corpus as JSON values."""
        numbers = {id(holder): number for number, holder in enumerate(self.champions)}
        return {
            "best": self.best,
            "value": None if self.value == -inf else self.value,
            "champions": self.champions,
            "maxima": self._maxima,
            "holders": [[site, numbers[id(holder)]] for site, holder in self._holders.items()],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Corpus:
        """The corpus that :meth:`to_json` wrote."""
        corpus = cls()
        corpus.best, corpus.value = data["best"], -inf if data["value"] is None else data["value"]
        corpus.champions, corpus._maxima = data["champions"], data["maxima"]
        corpus._holders = {site: corpus.champions[number] for site, number in data["holders"]}
        return corpus
