"""Runs one task at a time in a fresh worker, listens to it, and kills it when it or one of its runs is overdue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import monotonic
from types import TracebackType
from typing import Any, Literal

from pessimal.errors import InternalError
from pessimal.pool.events import Died, Failed, Finished, Message, Reason
from pessimal.pool.pool import Pool
from pessimal.pool.recorder import Record, Recorder
from pessimal.pool.task import Result, Sent, Task

GRACE = 3.0
"""Seconds beyond its deadline after which a run that cannot be interrupted from inside is killed from outside."""

STOP_GRACE = 0.5
"""Seconds that a worker has to end its task after its time is up, before it is killed."""

OUT_OF_RESOURCES = ("MemoryError", "OSError: [Errno 24]", "RuntimeError: can't start new thread")
CHECK_EVERY = 0.25
STOP_EVERY = 0.05


@dataclass(frozen=True, slots=True)
class WorkerDeath:
    """The end of a worker before its task was done, and the run that was in progress, if there was one.

    The reason ``budget`` means that it was killed because the time of the whole task was up.
    """

    reason: Reason | Literal["budget"]
    detail: str
    record: Record | None

    @property
    def text(self) -> str:
        """What the run did, in words."""
        if self.reason in ("deadline", "budget"):
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
        self._run_seconds = run_seconds
        self._recorder = Recorder()
        self._was_interrupted = False

    def warm_up(self, task: type[Task[Any, Any]]) -> None:
        """Start the worker of the next task, so that its start-up takes no time of that task.

        An interrupt meanwhile is raised by the next run, where callers expect it.
        """
        try:
            self._pool.warm_up(task.entry_point)
        except KeyboardInterrupt:
            self._was_interrupted = True

    def run(self, task: Task[Sent, Result], on_message: Callable[[Sent], None]) -> Result | WorkerDeath:
        """The result of a task, or how its worker died; an error of the task is raised here.

        When the time of the task is up, its worker is asked to end, and killed if it does not.
        """
        if self._was_interrupted:
            self._was_interrupted = False
            raise KeyboardInterrupt
        self._recorder.clear()  # what a dead worker left there must not be taken for a run of the next one
        handle = self._pool.submit(
            task.entry_point,
            task.pack(),
            memory=self._memory,
            fresh=True,
            recorder=self._recorder,
            kinds=task.kinds(),
        )
        ends_at: float = getattr(task, "ends_at", None) or inf
        overdue: int | None = None
        try:
            while True:
                for event in self._pool.wait([handle], timeout=self._patience(ends_at)):
                    if not isinstance(event, Message):
                        result: Result | WorkerDeath = self._result(event)
                        return result
                    on_message(event.value)
                if monotonic() > ends_at + STOP_GRACE:
                    return WorkerDeath("budget", "", self._recorder.read())
                if monotonic() > ends_at:
                    handle.stop()
                record = self._overdue_run()
                if record is not None and record.run == overdue:
                    return WorkerDeath("deadline", "", record)
                # Killed only if it is still running at the next check: this process may have been suspended.
                overdue = None if record is None else record.run
        finally:
            handle.cancel()

    def _patience(self, ends_at: float) -> float:
        """How long to wait for the next message before looking at the clock again."""
        left = ends_at - monotonic()
        return STOP_EVERY if left <= 0 else min(CHECK_EVERY, left)

    def _overdue_run(self) -> Record | None:
        record = self._recorder.read()
        if record is None:
            return None
        limit = min(self._run_seconds, record.limit)
        return record if record.seconds > limit + min(GRACE, max(1.0, limit)) else None

    def _result(self, event: Finished | Failed | Died) -> Any:
        if isinstance(event, Finished):
            return event.value
        if isinstance(event, Died):
            return WorkerDeath(event.reason, event.detail, self._recorder.read())
        if isinstance(event.error, BaseException):
            raise event.error
        last_line = event.error.strip().rpartition("\n")[2]
        if last_line.startswith(OUT_OF_RESOURCES):  # of our own code, where the target left it none
            return WorkerDeath("exit", f"left no resources for the search: {last_line}", self._recorder.read())
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
