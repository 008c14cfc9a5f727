"""Runs one task at a time in a fresh worker, listens to it, and kills it when one of its runs is overdue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from pessimal.errors import InternalError
from pessimal.pool.events import Died, Failed, Finished, Message, Reason
from pessimal.pool.pool import Pool
from pessimal.pool.recorder import Record, Recorder
from pessimal.pool.task import Result, Sent, Task

GRACE = 3.0
"""Seconds beyond its deadline after which a run that cannot be interrupted from inside is killed from outside."""

CHECK_EVERY = 0.25


@dataclass(frozen=True, slots=True)
class WorkerDeath:
    """The end of a worker before its task was done, and the run that was in progress, if there was one."""

    reason: Reason
    detail: str
    record: Record | None

    @property
    def text(self) -> str:
        """What the run did, in words."""
        if self.reason == "deadline":
            return "did not end in time"
        if self.reason == "memory":
            return f"ran out of memory ({self.detail})"
        return f"killed its process ({self.detail})"


class TaskRunner:
    """Runs tasks in workers of a pool; ``run_seconds`` is how long one run of the target may take.

    The workers share one flight recorder, which tells after a worker's death what it was running.
    """

    def __init__(self, pool: Pool, *, memory: int, run_seconds: float) -> None:
        self._pool = pool
        self._memory = memory
        self._longest_run = run_seconds + GRACE
        self._recorder = Recorder()

    def run(self, task: Task[Sent, Result], on_message: Callable[[Sent], None]) -> Result | WorkerDeath:
        """The result of a task, or how its worker died; an error of the task is raised here."""
        self._recorder.clear()  # what a dead worker left there must not be taken for a run of the next one
        handle = self._pool.submit(
            task.entry_point, task.pack(), memory=self._memory, fresh=True, recorder=self._recorder
        )
        overdue: int | None = None
        try:
            while True:
                for event in self._pool.wait([handle], timeout=CHECK_EVERY):
                    if not isinstance(event, Message):
                        result: Result | WorkerDeath = self._result(event)
                        return result
                    on_message(event.value)
                record = self._overdue_run()
                if record is not None and record.run == overdue:
                    return WorkerDeath("deadline", "", record)
                # Killed only if it is still running at the next check: this process may have been suspended.
                overdue = None if record is None else record.run
        finally:
            handle.cancel()

    def _overdue_run(self) -> Record | None:
        record = self._recorder.read()
        return record if record is not None and record.seconds > self._longest_run else None

    def _result(self, event: Finished | Failed | Died) -> Any:
        if isinstance(event, Finished):
            return event.value
        if isinstance(event, Died):
            return WorkerDeath(event.reason, event.detail, self._recorder.read())
        if isinstance(event.error, BaseException):
            raise event.error
        raise InternalError(event.error)

    def close(self) -> None:
        """Release the memory of the flight recorder."""
        self._recorder.close()

    def __enter__(self) -> TaskRunner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
