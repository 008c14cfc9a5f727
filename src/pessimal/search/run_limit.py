"""How long a concrete run may take: little more than the longest so far, until it is known that one does not end.

Most inputs take milliseconds. If every run had the whole time that a user grants to one, a few inputs that do not end
would use up the budget of the search.
"""

from __future__ import annotations

from time import monotonic

LEAST = 0.5
FACTOR = 10.0
"""A run may take so many times as long as the longest that ended, and so many seconds in any case."""

SHARE = 1 / 4
"""How much of the time that is left a run gets that took too long and is repeated, to see whether it ends."""

REPEATED_SHARE = 1 / 10
"""How much of the search may go into such repetitions, once one of them did not end."""


class RunLimit:
    """The limits of the concrete runs of one search."""

    def __init__(self) -> None:
        self._start = monotonic()
        self._longest = 0.0
        self._repeating = 0.0
        self._has_hung = False

    def seconds(self, granted: float) -> float:
        """How long the next run may take, of what the user grants to one."""
        return min(granted, max(LEAST, FACTOR * self._longest))

    def note(self, seconds: float) -> None:
        """Note how long a run took that ended."""
        self._longest = max(self._longest, seconds)

    def repetition(self, given: float, granted: float, left: float) -> float | None:
        """How long a run that took too long may take when it is repeated; None if that is not worth it."""
        longer = min(granted, left * SHARE)
        is_affordable = not self._has_hung or self._repeating + longer < REPEATED_SHARE * (monotonic() - self._start)
        return longer if longer > given and is_affordable else None

    def note_repetition(self, seconds: float, has_ended: bool) -> None:
        """Note how long a repetition took, and whether it ended."""
        self._repeating += seconds
        self._has_hung = self._has_hung or not has_ended
