"""Random numbers for searches that draw a dozen of them for each run, which may take no longer than ten microseconds.

The draws are those of :class:`random.Random`, with fewer calls. They are also our own code: while work is counted, the
functions of the standard library have counters or wait for them, which makes them slow for everybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class QuickRandom(Random):
    """Draws the same as ``Random`` with the same seed."""

    def below(self, limit: int) -> int:
        """A number from 0 to before the limit."""
        bits = limit.bit_length()
        drawn = self.getrandbits(bits)
        while drawn >= limit:
            drawn = self.getrandbits(bits)
        return drawn

    def choice(self, seq: Sequence[T]) -> T:  # type: ignore[override]
        """One of the items."""
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[self.below(len(seq))]

    def randint(self, a: int, b: int) -> int:
        """A number from a to b."""
        return self.randrange(a, b + 1)

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """A number of a range."""
        if step != 1:
            return super().randrange(start, stop, step)
        low, high = (0, start) if stop is None else (start, stop)
        if low >= high:
            raise ValueError(f"empty range ({low}, {high})")
        return low + self.below(high - low)

    def uniform(self, a: float, b: float) -> float:
        """A float from a to b."""
        return a + (b - a) * self.random()
