"""Ways through a target's code: which of them inputs take, as any front-end measures it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Place = tuple[str, str, int]
"""File, function and line."""


class Jump(NamedTuple):
    """A way that a test can go: from its line to another one."""

    file: str
    function: str
    line: int
    to: int
    text: str


class CoverageGain(NamedTuple):
    """What one more run adds: jumps that are taken for the first time, and jumps passed after each place."""

    taken: Sequence[Jump]
    after: Sequence[tuple[Place, Sequence[Jump]]]


class Coverage:
    """The jumps that some input took, and those whose line some input passed after a place."""

    def __init__(self) -> None:
        self.runs = 0
        self.taken: set[Jump] = set()
        self.after: dict[Place, set[Jump]] = {}

    def missing(self, place: Place) -> set[Jump]:
        """The ways out of lines that were passed after a place, which no input went."""
        return self.after.get(place, set()) - self.taken

    def add(self, gain: CoverageGain) -> None:
        """Add one more run."""
        self.runs += 1
        self.taken.update(gain.taken)
        for place, jumps in gain.after:
            self.after.setdefault(place, set()).update(jumps)
