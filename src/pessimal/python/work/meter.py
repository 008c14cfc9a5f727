"""Work as a cost: the executed statements of all Python code, the standard library included."""

from __future__ import annotations

from functools import cache
from itertools import chain
from operator import mul

from pessimal.python.meters import CollectorOff, Settling, is_users
from pessimal.python.work.instrumentation import Instrumentation


@cache
def instrumentation() -> Instrumentation:
    """The counters of this process, which are inserted when work is measured for the first time."""
    return Instrumentation()


class Work(Settling):
    """Executed statements; not settled if code was imported, or got its counters only during the run."""

    def __init__(self) -> None:
        super().__init__()
        self._counters = instrumentation()
        self._changes = 0
        self._undisturbed = CollectorOff()
        self._counted: list[list[int]] = []
        self._own = 0

    def __enter__(self) -> Work:
        self._counters.extend()
        self._undisturbed.__enter__()
        self._begin()
        self._changes = self._counters.changes
        for file in self._counters.files:
            file.reset()
        self._counters.is_active = True
        return self

    def __exit__(self, *exception: object) -> None:
        self._counters.is_active = False
        self._counted = []
        for file in self._counters.files:
            counts = file.counts()
            self._counted.append(counts)
            value = sum(map(mul, counts, file.weights))
            self.value += value
            self._own += value if is_users(file.path) else 0
        self._undisturbed.__exit__(None, None, None)

    @property
    def own_value(self) -> float:
        """The statements outside of the standard library."""
        return self._own

    @property
    def counts(self) -> list[int]:
        """How often each site was executed; sites are added at the end."""
        return list(chain.from_iterable(self._counted))

    @property
    def settled(self) -> bool:
        """Whether all code that ran had its counters from the beginning."""
        return super().settled and self._changes == self._counters.changes
