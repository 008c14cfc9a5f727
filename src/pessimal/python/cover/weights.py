"""Which member is called next: those with uncovered code, which users are meant to call, and which were tried least."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from math import sqrt
from random import Random

from pessimal.arcs import Arc
from pessimal.python.cover.extent import Span, span_of
from pessimal.python.cover.members import Member

PRIVATE_WEIGHT, COVERED_WEIGHT = 0.2, 0.05
NEVER_RETURNED = 1.0
"""What a member weighs in addition until it returns: it may make objects that nothing else makes."""
ENTRANCE_SHARE = 0.3
"""What entrances weigh together, for each branch that is missing."""


class Weights:
    """Draws the numbers of members by weights that follow what is missing."""

    def __init__(self, members: Sequence[Member], rng: Random) -> None:
        self._rng = rng
        self._public = [1.0 if member.is_public else PRIVATE_WEIGHT for member in members]
        self._is_entrance = [member.is_entrance for member in members]
        self._spans = [None if member.code is None else span_of(member.code) for member in members]
        self._open = [1.0] * len(members)
        self._tries = [0] * len(members)
        self._fresh = [0.0 if member.is_entrance else NEVER_RETURNED for member in members]
        self._weights = [self._weight(index) for index in range(len(members))]

    def aim(self, missing: Collection[Arc]) -> None:
        """Prefer members whose code has arcs that were not taken yet."""
        lines: dict[str, list[int]] = {}
        for arc in sorted(missing):
            lines.setdefault(arc.file, []).append(arc.line)
        led_to = ENTRANCE_SHARE * len(missing) / max(1, sum(self._is_entrance))
        for index, span in enumerate(self._spans):
            self._open[index] = led_to if self._is_entrance[index] else _count(span, lines)
            self._weights[index] = self._weight(index)

    def choose(self) -> int:
        """The number of the next member, which is tried once more."""
        index = self._rng.choices(range(len(self._weights)), self._weights)[0]
        self.add_tries(index, 1)
        return index

    def add_tries(self, index: int, count: int) -> None:
        """Draw a member less often."""
        self._tries[index] += count
        self._weights[index] = self._weight(index)

    def note_returned(self, index: int) -> None:
        """Draw a member as what is known to work."""
        self._fresh[index] = 0.0
        self._weights[index] = self._weight(index)

    def forget_tries(self, index: int) -> None:
        """Draw a member that has just covered something as if it were new."""
        self._tries[index] = 0
        self._weights[index] = self._weight(index)

    def _weight(self, index: int) -> float:
        wanted = COVERED_WEIGHT + self._open[index] + self._fresh[index]
        return wanted * self._public[index] / sqrt(1 + self._tries[index])


def _count(span: Span | None, lines: dict[str, list[int]]) -> float:
    """How many of some lines, in order, are in a span."""
    if span is None:
        return 0.0
    own = lines.get(span[0], [])
    return float(bisect_right(own, span[2]) - bisect_left(own, span[1]))
