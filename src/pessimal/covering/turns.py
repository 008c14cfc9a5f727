"""How drawing and flipping share the time: flips that find nothing wait while drawing still finds something."""

from __future__ import annotations

MOST_DRAWS = 8
"""How many turns of drawing there are at most before the next turn of flips."""


class Turns:
    """How many turns of drawing come before a turn of flips."""

    def __init__(self) -> None:
        self.draws = 1

    def took(self, drawn: int, flipped: int) -> None:
        """Learn from what drawing and the flips after it were the first to cover.

        Flips come more seldom only as long as drawing is the better way. Where neither finds anything, they are the
        ones that may: drawing has had its chance.
        """
        self.draws = min(2 * self.draws, MOST_DRAWS) if drawn and not flipped else 1
