"""What a search knows about a flip before it is made, the plain rule that follows from it, and what the flip led to."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import log1p, sqrt
from typing import NamedTuple

REACHED = 0.125
"""What the plain rule makes of a flip to an outcome that was reached, of a run that has reached nothing new."""
NO_DOUBTS: Mapping[str, float] = {}
"""How often each outcome was promised in vain, where that is not counted."""


class Known(NamedTuple):
    """What a search knows about a flip.

    Whether its outcome was reached and is wanted, how often it was tried, how often that was infeasible, what the run
    was worth that is flipped, at which position, and how many runs have reached nothing new since one last did.
    """

    is_reached: bool
    is_wanted: bool
    tries: int
    infeasible: int
    value: float
    position: int
    idle: int

    @property
    def rule(self) -> float:
        """The plain rule: outcomes that were not reached come first, until they were often in vain.

        Of the others, flips of runs that have reached much come first.
        """
        if self.is_reached:
            return self.patience * REACHED * (1 + log1p(max(self.value, 0.0)) / 2)
        return self.patience * (1.0 if self.is_wanted else 0.5)

    @property
    def patience(self) -> float:
        """How much is left of what a flip promises, after all flips to its outcome so far."""
        return 1 / sqrt(1 + self.tries) if self.is_reached else 1 / (1 + self.infeasible)

    def score(self, learned: float) -> float:
        """The rule, and what was learned: a promise wears off as that of the rule does, a warning does not."""
        return self.rule + (learned * self.patience if learned > 0 else learned)

    def numbers(self) -> tuple[float, ...]:
        """As a model reads it."""
        share = (self.infeasible + 0.5) / (self.tries + 1)
        return (
            float(not self.is_reached),
            float(self.is_wanted),
            log1p(self.tries) / 3,
            share,
            log1p(max(self.value, 0.0)) / 3,
            log1p(self.position) / 5,
            log1p(self.idle) / 5,
        )


class Led(NamedTuple):
    """What a flip led to: its worth, how much of that is not due to new outcomes, and what its run reached behind it.

    What it reached are names of outcomes; None if it was infeasible.
    """

    worth: float
    rest: float = 0.0
    reached: Collection[str] | None = None
