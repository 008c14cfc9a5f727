"""Rewards: what a flip was worth, as a sum of terms that users weigh, or as a function of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from pessimal.errors import UsageError
from pessimal.json_values import read
from pessimal.trace import Site, Trace

Reached = tuple[Site, int]


class Transition(NamedTuple):
    """A flip that was made: the run that came of it, and how that differs from the run that was flipped.

    ``new`` are the outcomes that no run of this search had reached, ``local`` those that the flipped run had not;
    ``position`` is that of the flip, ``source_length`` and ``source_seconds`` are those of the flipped run, and
    ``value`` is what the run is worth to the search.
    """

    trace: Trace
    position: int
    new: Sequence[Reached]
    local: Sequence[Reached]
    source_length: int
    source_seconds: float
    seconds: float
    value: float


HotSpots = Mapping[str, float]
"""The share of past issues at a site, by any of its names."""

TERMS: Mapping[str, Callable[[Transition, HotSpots], float]] = {
    "new": lambda flip, hot: len(flip.new),
    "local": lambda flip, hot: len(flip.local),
    "early": lambda flip, hot: flip.source_length - flip.position + 1,
    "hot": lambda flip, hot: sum(heat(site, hot) for site, _ in flip.new),
    "length": lambda flip, hot: len(flip.trace) - flip.source_length,
    "time": lambda flip, hot: flip.seconds - flip.source_seconds,
    "value": lambda flip, hot: flip.value,
}


def heat(site: Site, hot_spots: HotSpots) -> float:
    """How often there was an issue at a site."""
    return max((hot_spots.get(name, 0.0) for name in site.names), default=0.0)


class Reward:
    """A mixture of terms, given as ``new=1,hot=0.5``, or a function of a transition, given as ``module:function``."""

    def __init__(self, text: str, hot_spots: HotSpots) -> None:
        self._hot_spots = hot_spots
        self._name = text if "=" not in text and ":" in text else None
        self._weights = {} if self._name is not None else _weights(text)
        self._function: Callable[[Transition], Any] | None = None
        if self._weights.get("hot") and not hot_spots:
            raise UsageError("the reward 'hot' needs hot_spots, a file with past issues", slug="reward")

    @property
    def is_timed(self) -> bool:
        """Whether it asks how long runs take, so that the same seed need not lead to the same search."""
        return self._name is not None or "time" in self._weights

    @property
    def novelty(self) -> float:
        """What each outcome is worth that no run of this search had reached."""
        return self._weights.get("new", 0.0)

    def load(self) -> None:
        """Import the user's function, if there is one."""
        if self._name is None:
            return
        module, _, name = self._name.partition(":")
        try:
            self._function = getattr(import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise UsageError(f"the reward {self._name} cannot be imported: {error}", slug="reward") from None

    def of(self, flip: Transition) -> float:
        """What a flip was worth."""
        if self._function is not None:
            worth = float(self._function(flip))
        else:
            worth = sum(weight * TERMS[name](flip, self._hot_spots) for name, weight in self._weights.items())
        return worth if isfinite(worth) else 0.0


def _weights(text: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for part in text.split(","):
        name, _, value = part.strip().partition("=")
        if name not in TERMS:
            raise UsageError(
                f"unknown reward {name!r}: known are {', '.join(TERMS)}, or module:function", slug="reward"
            )
        try:
            weights[name] = float(value or 1)
        except ValueError:
            raise UsageError(f"the weight of {name} must be a number, but is {value!r}", slug="reward") from None
    return weights


def read_hot_spots(file: Path) -> dict[str, float]:
    """The table of past issues in a JSON file: how many there were, by site or by ``file:line``; as shares of all."""
    try:
        table = {str(name): float(count) for name, count in read(file).items()}
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}", slug="hot-spots") from None
    except (ValueError, TypeError, AttributeError):
        raise UsageError(f"{file} is not a table of past issues: write {{'file.py:12': 3}}", slug="hot-spots") from None
    total = sum(table.values())
    return {name: count / total for name, count in table.items()} if total > 0 else {}
