"""A seat of the pool: one worker process, the task that it is busy with, and the limits of that task."""

from __future__ import annotations

import time
from math import inf

from pessimal.pool.events import Handle, Reason
from pessimal.pool.process import WorkerProcess

_START_LIMIT = 60.0

Verdict = tuple[Reason, str]


class Slot:
    """Starts a worker for its first task; the task's clock runs from when the worker is ready for it."""

    def __init__(self, handle: Handle, hash_seed: int) -> None:
        self.process = WorkerProcess(handle.task, hash_seed)
        self.handle: Handle | None = handle
        self.due = time.monotonic() + _START_LIMIT
        self._allowed: float | None = _START_LIMIT
        self._ceiling = inf

    def begin(self, handle: Handle) -> bool:
        """Hand the task to the waiting worker, and tell whether it could take it."""
        self.handle = handle
        self._allowed = handle.deadline
        self.due = inf if handle.deadline is None else time.monotonic() + handle.deadline
        self._ceiling = inf if handle.memory is None else self.process.resident() + handle.memory
        try:
            self.process.send(handle)
        except OSError:
            return False
        return True

    def rest(self) -> None:
        """The task has ended; wait for another one, without limits."""
        self.handle, self.due, self._ceiling = None, inf, inf

    def too_late(self, now: float) -> Verdict | None:
        """Whether the deadline is over, once all that the worker said before is heard."""
        if now <= self.due or self.process.connection.poll():
            return None
        return self.overdue()

    def overdue(self) -> Verdict:
        """The verdict on a task, or on a worker's start, that took too long."""
        return "deadline", f"{self._allowed:g} s"

    def look(self) -> Verdict | None:
        """Whether the worker is too fat, or dead without a word because a child of its own holds the line."""
        self.process.listen()
        if self._ceiling < inf and self.process.resident() > self._ceiling:
            return "memory", f"holds {self.process.resident() >> 20} MiB"
        if self.process.exited and not self.process.connection.poll():
            return self.process.cause_of_death()
        return None
