"""The time of a search and of all that follows it: when the search must end so that its witness can be replayed.

All times are those of ``time.monotonic()``, which are the same in the parent and in its workers.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

RESERVE_SHARE = 0.15
LONGEST_RESERVE = 3.0
"""How much of the budget is kept for replays: a share of it, and at most so many seconds."""

SHORTEST_SEARCH = 1.0
"""Seconds that a search gets in any case, so that it can import the target and run the simplest input."""

OVERTIME = 0.5
"""Seconds that replays may take beyond the budget."""

AFTER_INTERRUPT = 2.0
"""Seconds for replays after the user interrupted the search."""


@dataclass(slots=True)
class TimePlan:
    """When a search and its replays must end; without ``ends_at`` they take as long as they need.

    The ``reserve`` is kept for what follows the search, and is granted even if the search took longer than planned.
    """

    ends_at: float | None = None
    reserve: float = 0.0

    @classmethod
    def of(cls, seconds: float | None, parts: int = 1, spent: float = 0.0) -> TimePlan:
        """A plan that starts now, when some seconds were spent; ``parts`` is how many times the reserve is needed."""
        if seconds is None:
            return cls()
        reserve = parts * min(RESERVE_SHARE * seconds, LONGEST_RESERVE)
        return cls(monotonic() + max(seconds - spent, SHORTEST_SEARCH + reserve), reserve)

    @property
    def search_ends_at(self) -> float | None:
        """When the search must end."""
        return None if self.ends_at is None else self.ends_at - self.reserve

    @property
    def is_search_over(self) -> bool:
        """Whether no time is left for the search."""
        return self.search_ends_at is not None and monotonic() >= self.search_ends_at

    def start_replays(self) -> None:
        """Grant the reserve from now on, where less is left."""
        if self.ends_at is not None:
            self.ends_at = max(self.ends_at + OVERTIME, monotonic() + self.reserve)

    def interrupt(self) -> None:
        """Leave no more than a moment for replays."""
        self.reserve = min(self.reserve or AFTER_INTERRUPT, AFTER_INTERRUPT)
        self.ends_at = monotonic() + self.reserve

    @property
    def is_over(self) -> bool:
        """Whether no time is left at all."""
        return self.ends_at is not None and monotonic() >= self.ends_at
