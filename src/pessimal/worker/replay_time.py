"""How long the runs of one replay may take, so that the findings after it have their turn."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from time import monotonic

SHORTEST = 0.05


@dataclass(frozen=True, slots=True)
class ReplayTime:
    """The limit of one run, when all replays must end, and how many replays there are until then."""

    run_seconds: float
    ends_at: float | None
    waiting: int

    @property
    def left(self) -> float:
        """The seconds that are left for all of them."""
        return inf if self.ends_at is None else self.ends_at - monotonic()

    def for_run(self, share: float = 1.0) -> float:
        """How long a run may take that should end soon."""
        return max(SHORTEST, min(self.run_seconds, share * self.left))

    def for_failure(self) -> float:
        """How long a run may take that is expected not to end: no longer than its part of the time."""
        return self.for_run(1 / self.waiting)
