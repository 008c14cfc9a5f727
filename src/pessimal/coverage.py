"""Coverage of a target's code: which jumps inputs take, as any front-end measures it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Place = tuple[str, str, int]
"""File, function and line."""


class Jump(NamedTuple):
    """One way out of a test: a jump from its line to another."""

    file: str
    function: str
    line: int
    to: int
    text: str


class CoverageGain(NamedTuple):
    """What a run adds: jumps taken for the first time, and for each place the jumps passed after it."""

    taken: Sequence[Jump]
    after: Sequence[tuple[Place, Sequence[Jump]]]


class Coverage:
    """The jumps that were taken, and for each place the jumps from lines that were passed after it."""

    def __init__(self) -> None:
        self.runs = 0
        self.taken: set[Jump] = set()
        self.after: dict[Place, set[Jump]] = {}

    def missing(self, place: Place) -> set[Jump]:
        """The jumps from lines that were passed after a place, which no input took."""
        return self.after.get(place, set()) - self.taken

    def add(self, gain: CoverageGain) -> None:
        """Add one more run."""
        self.runs += 1
        self.taken.update(gain.taken)
        for place, jumps in gain.after:
            self.after.setdefault(place, set()).update(jumps)
