"""Tables of all characters: each is made once in a process, and the time for it is not that of the run that needs it.

A run with a short time limit would otherwise be interrupted while it makes a table, and so would the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

from pessimal.pool.alarm import Paused

P = ParamSpec("P")
T = TypeVar("T")

MOST_TABLES = 4096


def table(make: Callable[P, T]) -> Callable[P, T]:
    """A function that keeps its results, and that no deadline interrupts."""

    @wraps(make)
    def uninterrupted(*args: P.args, **kwargs: P.kwargs) -> T:
        with Paused():
            return make(*args, **kwargs)

    return lru_cache(MOST_TABLES)(uninterrupted)  # type: ignore[return-value]
