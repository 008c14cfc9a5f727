"""How drawing and flipping share the time: flips that find nothing wait while drawing still finds something."""

from __future__ import annotations

DRAW_SECONDS, FLIP_SECONDS = 0.3, 0.2
"""How long a turn of drawing and a turn of flips are meant to take."""
FIRST_DRAWS, MOST_DRAWS = 5, 8
"""How many turns of drawing there are before the first turn of flips, and at most before the next one."""


class Turns:
    """How long drawing goes on before a turn of flips."""

    def __init__(self) -> None:
        self._draws = FIRST_DRAWS
        self._owed = 0.0

    @property
    def draw_seconds(self) -> float:
        """How long to draw now: longer after flips that took longer than they were meant to."""
        return max(DRAW_SECONDS * self._draws, self._owed)

    def took(self, drawn: int, flipped: int, flip_seconds: float) -> None:
        """Learn from what drawing and the flips after it were the first to cover, and how long the flips took.

        Flips come more seldom only as long as drawing is the better way. Where neither finds anything, they are the
        ones that may: drawing has had its chance. A turn of flips cannot be ended while modules are imported for
        symbolic runs, which may take seconds.
        """
        self._draws = min(2 * self._draws, MOST_DRAWS) if drawn and not flipped else 1
        self._owed = 0.0 if flipped else flip_seconds * DRAW_SECONDS / FLIP_SECONDS
