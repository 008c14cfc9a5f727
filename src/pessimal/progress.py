"""What a search tells its user while it goes on."""

from __future__ import annotations

from dataclasses import dataclass

from pessimal.messages import Counters


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the search at one size has come, and the largest cost that it has found."""

    size: int
    counters: Counters
    best: float | None
