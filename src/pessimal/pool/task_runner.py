"""Runs tasks in fresh workers, listens to them, and kills a worker when it or one of its runs is overdue."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from time import monotonic
from types import TracebackType
from typing import Any, Literal, Protocol

from pessimal.errors import InternalError
from pessimal.pool.events import Died, Event, Failed, Finished, Message, Reason
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

    The reason ``budget`` means that it was killed because the time of the whole task was up, and ``silence`` that it
    was killed because it sent nothing for too long while it ran nothing.
    """

    reason: Reason | Literal["budget", "silence"]
    detail: str
    record: Record | None

    @property
    def text(self) -> str:
        """What the run did, in words."""
        if self.reason in ("deadline", "budget", "silence"):
            return "did not end in time"
        if self.reason == "memory":
            return f"ran out of memory ({self.detail})"
        return f"killed its process ({self.detail})"


class Job(Protocol):
    """A sequence of tasks, each of which may depend on how the one before it ended."""

    def tasks(self) -> Generator[Task[Any, Any], Any, None]:
        """The tasks; each ``yield`` returns the result of the task, or how its worker died, or raises its error."""
        ...

    def on_message(self, message: Any) -> None:
        """Hear what the worker of the current task sends."""
        ...

    def note(self) -> bytes | None:
        """A note for the worker of the current task, if there is a new one."""
        ...


class _Running:
    """A task in a worker of its own, with its flight recorder."""

    def __init__(self, task: Task[Any, Any], pool: Pool, memory: int, run_seconds: float) -> None:
        self._run_seconds = run_seconds
        self._pool = pool
        self._recorder = Recorder()
        self.handle = pool.submit(
            task.entry_point, task.pack(), memory=memory, fresh=True, recorder=self._recorder, kinds=task.kinds()
        )
        self._ends_at: float = getattr(task, "ends_at", None) or inf
        self._most_silence: float = getattr(task, "silent_seconds", None) or inf
        self._heard_at = inf
        self._waited: float | None = None  # for a core, until it was last heard; None if that was not asked yet
        self._suspect: int | None = None

    @property
    def patience(self) -> float:
        """How long to wait for the next message before looking at the clock again."""
        left = self._ends_at - monotonic()
        return STOP_EVERY if left <= 0 else min(CHECK_EVERY, left)

    def hear(self) -> None:
        """A message has arrived."""
        self._heard_at, self._waited = monotonic(), None

    def leave_note(self, note: bytes) -> None:
        """Leave a note for the worker."""
        self._recorder.leave_note(note)

    def overdue(self) -> WorkerDeath | None:
        """The death of the worker, if its time is up, if it is silent for too long, or if its run is overdue."""
        now = monotonic()
        if now > self._ends_at + STOP_GRACE:
            return WorkerDeath("budget", "", self._recorder.read())
        if now > self._ends_at:
            self.handle.stop()
        record = self._recorder.read()
        suspect = self._suspicious(record, now)
        # Killed only if it is still so at the next check: this process may have been suspended.
        is_confirmed, self._suspect = suspect is not None and suspect == self._suspect, suspect
        if not is_confirmed:
            return None
        return WorkerDeath("silence" if record is None else "deadline", "", record)

    def _suspicious(self, record: Record | None, now: float) -> int | None:
        """The number of a run that takes too long, or 0 for too long a silence between runs."""
        if record is None:
            return 0 if self._silence(now) > self._most_silence else None
        limit = min(self._run_seconds, record.limit)
        return record.run if record.seconds > limit + min(GRACE, max(1.0, limit)) else None

    def _silence(self, now: float) -> float:
        """For how long nothing was heard while the worker had a core: without one it cannot speak."""
        if now - self._heard_at == -inf:
            return 0.0
        waited = self._pool.waited(self.handle)
        if self._waited is None:
            self._waited = waited
        return now - self._heard_at - (waited - self._waited)

    def end(self, event: Finished | Failed | Died) -> Any:
        """The result of the task, or how its worker died, or the error of the task."""
        if isinstance(event, Finished):
            return event.value
        if isinstance(event, Died):
            return WorkerDeath(event.reason, event.detail, self._recorder.read())
        if isinstance(event.error, BaseException):
            return event.error
        last_line = event.error.strip().rpartition("\n")[2]
        if last_line.startswith(OUT_OF_RESOURCES):  # of our own code, where the target left it none
            return WorkerDeath("exit", f"left no resources for the search: {last_line}", self._recorder.read())
        return InternalError(event.error)

    def close(self) -> None:
        """Kill the worker if it still runs, and release the memory of the flight recorder."""
        self.handle.cancel()
        self._recorder.close()


class _Single:
    """One task as a job."""

    def __init__(self, task: Task[Any, Any], on_message: Callable[[Any], None]) -> None:
        self._task = task
        self.on_message = on_message
        self.result: Any = None

    def tasks(self) -> Generator[Task[Any, Any], Any, None]:
        self.result = yield self._task

    def note(self) -> bytes | None:
        return None


class TaskRunner:
    """Runs tasks in workers of a pool; ``run_seconds`` is how long one run of the target may take.

    The flight recorder of a task tells after its worker's death what it was running.
    """

    def __init__(self, pool: Pool, *, memory: int, run_seconds: float) -> None:
        self._pool = pool
        self._memory = memory
        self._run_seconds = run_seconds
        self._was_interrupted = False

    def warm_up(self, task: type[Task[Any, Any]], workers: int = 1) -> None:
        """Start the workers of the next tasks, so that their start-up takes no time of these tasks.

        An interrupt meanwhile is raised by the next run, where callers expect it.
        """
        try:
            self._pool.warm_up(task.entry_point, workers)
        except KeyboardInterrupt:
            self._was_interrupted = True

    def start_ahead(self, task: type[Task[Any, Any]]) -> None:
        """Start the worker of a task that follows those which are running."""
        self._pool.start_ahead(task.entry_point)

    def run(self, task: Task[Sent, Result], on_message: Callable[[Sent], None]) -> Result | WorkerDeath:
        """The result of a task, or how its worker died; an error of the task is raised here.

        When the time of the task is up, its worker is asked to end, and killed if it does not.
        """
        job = _Single(task, on_message)
        self.run_jobs([job])
        result: Result | WorkerDeath = job.result
        return result

    def run_jobs(self, jobs: Sequence[Job], is_over: Callable[[], bool] = lambda: False) -> None:
        """Run the tasks of each job one after the other, and the jobs side by side, until all end or it is over."""
        if self._was_interrupted:
            self._was_interrupted = False
            raise KeyboardInterrupt
        with _Jobs(jobs, self._start) as running:
            while running.tasks and not is_over():
                patience = min(task.patience for task in running.tasks)
                for event in self._pool.wait([task.handle for task in running.tasks], timeout=patience):
                    running.on_event(event)
                running.check()

    def _start(self, task: Task[Any, Any]) -> _Running:
        return _Running(task, self._pool, self._memory, self._run_seconds)


class _Jobs:
    """Jobs that are being run: the current task of each, until it has no more."""

    def __init__(self, jobs: Sequence[Job], start: Callable[[Task[Any, Any]], _Running]) -> None:
        self._start = start
        self._running: dict[_Running, tuple[Job, Generator[Task[Any, Any], Any, None]]] = {}
        self._jobs = jobs

    def __enter__(self) -> _Jobs:
        try:
            for job in self._jobs:
                self._continue(job, job.tasks(), None)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self.tasks:
            task.close()

    @property
    def tasks(self) -> list[_Running]:
        """The tasks that are running."""
        return list(self._running)

    def on_event(self, event: Event) -> None:
        """Pass a message on to its job, or the end of a task, which may lead to the next one."""
        task = next((item for item in self._running if item.handle is event.handle), None)
        if task is None:
            return
        if isinstance(event, Message):
            task.hear()
            self._running[task][0].on_message(event.value)
        else:
            self._end(task, task.end(event))

    def check(self) -> None:
        """Kill what is overdue, and leave the notes that jobs have for their workers."""
        for task in self.tasks:
            death = task.overdue()
            if death is not None:
                self._end(task, death)
            elif (note := self._running[task][0].note()) is not None:
                task.leave_note(note)

    def _end(self, task: _Running, result: Any) -> None:
        job, tasks = self._running.pop(task)
        task.close()
        self._continue(job, tasks, result)

    def _continue(self, job: Job, tasks: Generator[Task[Any, Any], Any, None], result: Any) -> None:
        with suppress(StopIteration):
            task = tasks.throw(result) if isinstance(result, BaseException) else tasks.send(result)
            self._running[self._start(task)] = job, tasks
