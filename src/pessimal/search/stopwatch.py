"""Measures where the time of a strategy goes, even if it takes turns with others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter


class Stopwatch:
    """Adds up seconds by name."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def on(self, name: str) -> Iterator[None]:
        """Count the time spent inside under a name."""
        start = perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + perf_counter() - start

    def over(self, name: str, steps: Iterator[None]) -> Iterator[None]:
        """Count the time that the steps take, not the time between them."""
        while True:
            with self.on(name):
                if next(steps, self) is self:
                    return
            yield
