"""The state of a random number generator as JSON values, so that a resumed search draws what it would have drawn."""

from __future__ import annotations

from random import Random
from typing import Any


def random_state(rng: Random) -> list[Any]:
    """The state to keep."""
    version, words, gauss = rng.getstate()
    return [version, list(words), gauss]


def restore_random(rng: Random, state: list[Any]) -> None:
    """Continue from a state that was kept."""
    version, words, gauss = state
    rng.setstate((version, tuple(words), gauss))
