"""Where the time of a strategy goes, also of one that takes turns with others."""

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
        """Count the time that is spent inside."""
        start = perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + perf_counter() - start

    def over(self, name: str, steps: Iterator[None]) -> Iterator[None]:
        """Count the time that steps take, and not what happens between them."""
        while True:
            with self.on(name):
                if next(steps, self) is self:
                    return
            yield
