"""A slot of the pool: one worker process, the task that it works on, and the limits of that task."""

from __future__ import annotations

import time
from math import inf

from pessimal.pool.events import Handle, Reason
from pessimal.pool.process import WorkerProcess

_START_SECONDS = 60.0

Death = tuple[Reason, str]
"""Why a worker died or must die, and the detail."""


class Slot:
    """Starts a worker for its first task; the task's time limit starts when the worker is ready for it.

    Without a handle the worker is started ahead of the task that it is meant for.
    """

    def __init__(self, task: str, hash_seed: int, handle: Handle | None = None) -> None:
        self.process = WorkerProcess(task, hash_seed)
        self.handle = handle
        self.is_ready = False
        self.is_fresh = True
        self.deadline = time.monotonic() + _START_SECONDS
        self._seconds: float | None = _START_SECONDS
        self._most_memory = inf

    def begin(self, handle: Handle) -> bool:
        """Hand the task to the waiting worker; False if the worker is gone."""
        self.handle = handle
        self.is_fresh = False
        self._seconds = handle.deadline
        self.deadline = inf if handle.deadline is None else time.monotonic() + handle.deadline
        self._most_memory = inf if handle.memory is None else self.process.resident() + handle.memory
        try:
            self.process.send(handle)
        except OSError:
            return False
        return True

    def release(self) -> None:
        """Wait for another task, without limits."""
        self.is_ready = True
        self.handle, self.deadline, self._most_memory = None, inf, inf

    def check_deadline(self, now: float) -> Death | None:
        """The death by a deadline that has passed, if all that the worker sent before it was received."""
        if now <= self.deadline or self.process.connection.poll():
            return None
        return self.overdue()

    def overdue(self) -> Death:
        """The death of a task, or of a worker's start, that took too long."""
        return "deadline", f"{self._seconds:g} s"

    def check_health(self) -> Death | None:
        """The death by too much memory, or one that went unnoticed because a child keeps the connection open."""
        self.process.read_stderr()
        if self._most_memory < inf and self.process.resident() > self._most_memory:
            return "memory", f"holds {self.process.resident() >> 20} MiB"
        if self.process.exited and not self.process.connection.poll():
            return self.process.cause_of_death()
        return None
