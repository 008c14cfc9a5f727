"""Work as a cost: the executed statements of all Python code, the standard library included."""

from __future__ import annotations

from functools import cache

from pessimal.pool.alarm import Paused
from pessimal.python.meters import CollectorOff, Settling
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

    def __enter__(self) -> Work:
        if self._counters.is_outdated:
            with Paused():  # an alarm halfway would leave functions without counters for good
                self._counters.extend()
        self._undisturbed.__enter__()
        self._begin()
        self._changes = self._counters.changes
        self._counters.counts.reset()
        self._counters.is_active = True
        return self

    def __exit__(self, *exception: object) -> None:
        counters = self._counters
        counters.is_active = False
        self.counts = counters.counts.take()
        self.value = counters.counts.weighed(self.counts)
        self._undisturbed.__exit__(None, None, None)

    @property
    def own_value(self) -> float:
        """The statements outside of the standard library."""
        return self._counters.counts.weighed_own(self.counts)

    @property
    def settled(self) -> bool:
        """Whether all code that ran had its counters from the beginning."""
        return super().settled and self._changes == self._counters.changes
