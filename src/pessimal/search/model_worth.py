"""What a model was worth: the flips of a search with it, beside a few that the plain order chose in the same search."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from math import sqrt
from typing import Any

LEAST_COMPARED = 5
"""With fewer flips of the plain order there is no estimate."""
DEVIATIONS = 1.645
"""Nine times in ten a mean is not further from what was seen than so many standard errors."""


@dataclass(slots=True)
class ModelWorth:
    """Counts the flips of a search with a model, and those that the plain order chose in their place now and then.

    Each flip finds some outcomes that no run before had reached, or none. The flips that are compared are spread evenly
    over the search: so what they find in the mean tells how many flips the plain order alone would have needed for as
    many outcomes as the others have found. Flips after the last find do not count, but are kept apart: when nothing is
    left to find, no order is better than another, and the earlier a model comes there, the more of them there would be.
    """

    flips: int = 0
    found: int = 0
    compared: int = 0
    compared_found: int = 0
    compared_squares: int = 0
    idle_flips: int = 0
    idle_compared: int = 0

    def count(self, *, is_compared: bool, found: int) -> None:
        """Count a flip and the outcomes that it has found."""
        self.idle_flips += not is_compared
        self.idle_compared += is_compared
        if found:
            self.flips += self.idle_flips
            self.compared += self.idle_compared
            self.idle_flips = self.idle_compared = 0
            if is_compared:
                self.compared_found += found
                self.compared_squares += found**2
            else:
                self.found += found

    @classmethod
    def total(cls, parts: Iterable[ModelWorth]) -> ModelWorth:
        """The counts of several searches together."""
        return cls(*(sum(column) for column in zip(*map(astuple, parts), strict=True)))

    @property
    def is_counted(self) -> bool:
        """Whether there was any flip."""
        return any(astuple(self))

    @property
    def without(self) -> tuple[float, float, float] | None:
        """How many flips the plain order alone would have needed, between which bounds; None if that cannot be told.

        A flip more that found one outcome keeps the estimate finite, and low.
        """
        if self.compared < LEAST_COMPARED:
            return None
        count = self.compared + 1
        mean = (self.compared_found + 1) / count
        spread = sqrt(max(0.0, (self.compared_squares + 1) / count - mean**2) / count)
        least = max(mean - DEVIATIONS * spread, mean / count)
        return self.found / mean, self.found / (mean + DEVIATIONS * spread), self.found / least

    def to_json(self) -> dict[str, Any]:
        """The counts with the estimate and its bounds, as JSON values."""
        counts = {name: getattr(self, name) for name in self.__slots__}
        without = self.without
        if without is None:
            return {**counts, "without": None, "saved": None, "saved_between": None}
        about, least, most = map(round, without)
        saved = {"saved": about - self.flips, "saved_between": [least - self.flips, most - self.flips]}
        return {**counts, "without": about, **saved}

    def __str__(self) -> str:
        known = self.to_json()
        start = f"{self.flips + self.idle_flips} flips with it found {self.found} outcomes"
        if known["saved"] is None:
            return f"{start}; too few were compared to tell what it saved"
        least, most = (count + self.flips for count in known["saved_between"])
        need = f"{start}, the last after {self.flips}; without it {least} to {most}"
        if least <= self.flips <= most:
            return f"{need}: whether it saved solver queries cannot be told from {self.compared} compared flips"
        kind = "saved" if known["saved"] > 0 else "lost"
        return f"{need}: about {abs(known['saved'])} solver queries {kind} (an estimate)"
