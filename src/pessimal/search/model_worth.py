"""What a model was worth: flips that it chose, beside a few that the plain rule chose in the same search."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from typing import Any

LEAST_COMPARED = 5
"""With fewer flips of the rule there is no estimate."""


@dataclass(slots=True)
class ModelWorth:
    """Counts the flips that a model chose and those that the plain rule chose in its place now and then.

    A flip is fruitful if its run reached an outcome that no run before had reached. The rule's flips are spread evenly
    over the search: so their share of fruitful ones tells how many flips the rule alone would have needed for as many
    fruitful ones as the model has made. Half a fruitful flip more than was seen keeps the estimate finite and low.
    """

    flips: int = 0
    fruitful: int = 0
    compared: int = 0
    compared_fruitful: int = 0

    def count(self, *, is_compared: bool, is_fruitful: bool) -> None:
        """Count a flip."""
        if is_compared:
            self.compared += 1
            self.compared_fruitful += is_fruitful
        else:
            self.flips += 1
            self.fruitful += is_fruitful

    @classmethod
    def total(cls, parts: Iterable[ModelWorth]) -> ModelWorth:
        """The counts of several searches together."""
        return cls(*(sum(column) for column in zip(*map(astuple, parts), strict=True)))

    @property
    def without(self) -> float | None:
        """How many flips the rule alone would have needed; None if too few were compared."""
        if self.compared < LEAST_COMPARED:
            return None
        return self.fruitful * (self.compared + 1) / (self.compared_fruitful + 0.5)

    def to_json(self) -> dict[str, Any]:
        """The counts with the estimate, as JSON values."""
        counts = {name: getattr(self, name) for name in self.__slots__}
        without = self.without
        if without is None:
            return {**counts, "without": None, "saved": None}
        return {**counts, "without": round(without), "saved": round(without) - self.flips}

    def __str__(self) -> str:
        found = self.to_json()
        start = f"{self.flips} flips chosen by it, {self.fruitful} of them fruitful"
        if found["saved"] is None:
            return f"{start}; too few were compared to tell what it saved"
        kind = "saved" if found["saved"] >= 0 else "lost"
        return (
            f"{start}; without it about {found['without']}: {abs(found['saved'])} solver queries {kind} (an estimate)"
        )
