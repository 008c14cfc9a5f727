"""The pool: tasks wait for a few workers; a worker that dies or takes too long is killed and replaced."""

from __future__ import annotations

import pickle
import time
import warnings
from collections import deque
from collections.abc import Iterable
from itertools import count
from math import inf
from multiprocessing import connection
from types import TracebackType
from typing import Any

from pessimal.errors import UsageError
from pessimal.json_values import rebuilt
from pessimal.pool import limits
from pessimal.pool.events import Died, Event, Failed, Finished, Handle, Message, Reason
from pessimal.pool.recorder import Recorder
from pessimal.pool.slot import Slot
from pessimal.pool.waiting import waited_by
from pessimal.pool.worker import Kind, Reply, Request

_CHECK_EVERY = 0.1


class Pool:
    """Runs tasks in at most ``workers`` processes; their limits hold while the caller is in :meth:`wait`.

    Use a pool from one thread: on Linux its workers end with the thread that started them.
    """

    def __init__(self, workers: int = 1, *, hash_seed: int = 0) -> None:
        if workers < 1:
            raise UsageError(f"the number of workers must be at least 1, but is {workers}")
        self._workers = workers
        self._hash_seed = hash_seed
        self._numbers = count()
        self._queue: deque[Handle] = deque()
        self._slots: list[Slot] = []
        self._events: list[Event] = []
        self._next_check = 0.0
        self._closed = False

    def submit(
        self,
        task: str,
        payload: Any,
        *,
        deadline: float | None = None,
        memory: int | None = None,
        fresh: bool = False,
        recorder: Recorder | None = None,
        kinds: tuple[Any, Any] = (Any, Any),
    ) -> Handle:
        """Queue a call of ``function(payload, channel)``, named as ``module:function``, for a worker.

        The deadline is in wall seconds from when a ready worker gets the task, the memory in bytes on top of
        what that worker uses then; ``fresh`` asks for a process that ran nothing before. ``kinds`` are the types of
        the messages and of the result: a worker that sends something else is killed.
        """
        if self._closed:
            raise RuntimeError("the pool is closed")
        _check_limits(deadline, memory)
        number = next(self._numbers)
        request = Request(number, task, pickle.dumps(payload), memory, recorder is not None)
        handle = Handle(
            number, task, pickle.dumps(request), deadline, memory, fresh, recorder, kinds, self._cancel, self._stop
        )
        self._queue.append(handle)
        self._dispatch()
        return handle

    def warm_up(self, task: str, workers: int = 1) -> None:
        """Start workers for the next fresh tasks, and wait until they are ready, so that this costs no task time."""
        self.start_ahead(task, workers)
        while any(slot.handle is None and not slot.is_ready for slot in self._slots):
            self._receive_all(_CHECK_EVERY)

    def start_ahead(self, task: str, workers: int = 1) -> None:
        """Start workers for the next fresh tasks, while other tasks are running."""
        for slot in [slot for slot in self._slots if slot.handle is None and not slot.is_fresh]:
            self._retire(slot)
        waiting = sum(slot.handle is None for slot in self._slots)
        missing = min(workers - waiting, self._workers - len(self._slots))
        self._slots += [Slot(task, self._hash_seed) for _ in range(missing)]

    def wait(self, handles: Iterable[Handle], timeout: float | None = None) -> list[Event]:
        """The next events of these tasks: at least one, unless the timeout passes or all of them have ended."""
        wanted = set(handles)
        end = inf if timeout is None else time.monotonic() + timeout
        remaining = inf
        while not (events := self._take(wanted)) and remaining > 0 and not all(handle.done for handle in wanted):
            remaining = max(0.0, end - time.monotonic())
            self._receive_all(remaining)
        return events

    def waited(self, handle: Handle) -> float:
        """Seconds that the worker of a task has waited for a core since it was started."""
        return sum(waited_by(slot.process.pid) for slot in self._slots if slot.handle is handle)

    def close(self) -> None:
        """Kill all workers at once; their tasks end without another event."""
        self._closed = True
        for handle in [*self._queue, *(slot.handle for slot in self._slots if slot.handle)]:
            handle.cancel()
        for slot in list(self._slots):
            self._retire(slot)

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _take(self, wanted: set[Handle]) -> list[Event]:
        taken = [event for event in self._events if event.handle in wanted]
        if taken:
            self._events = [event for event in self._events if event.handle not in wanted]
        return taken

    def _receive_all(self, timeout: float) -> None:
        """Wait for a message of any worker, receive what there is, and check on all workers."""
        nearest = min((slot.deadline for slot in self._slots), default=inf) - time.monotonic()
        connections = [slot.process.connection for slot in self._slots]
        ready = connection.wait(connections, max(0.0, min(timeout, nearest, _CHECK_EVERY)))
        for slot in [slot for slot in self._slots if slot.process.connection in ready]:
            self._receive(slot)
        self._check_workers()
        self._dispatch()

    def _dispatch(self) -> None:
        while self._queue:
            handle = self._queue[0]
            idle = next((slot for slot in self._slots if slot.handle is None and slot.is_ready), None)
            is_suitable = idle is not None and (idle.is_fresh or not handle.fresh)
            has_room = len(self._slots) < self._workers
            if has_room and not is_suitable:
                self._slots.append(Slot(handle.task, self._hash_seed, handle))
            elif idle is None:
                return
            elif not is_suitable or not idle.begin(handle):
                self._retire(idle)
                continue
            self._queue.popleft()

    def _receive(self, slot: Slot) -> None:
        try:
            self._on_reply(slot, slot.process.receive())
        except (EOFError, OSError):
            self._handle_death(slot, *slot.process.cause_of_death())
        except (LookupError, MemoryError, RecursionError, TypeError, ValueError) as error:
            self._handle_death(slot, "exit", f"sent a reply that cannot be read: {error!r}")

    def _on_reply(self, slot: Slot, reply: Reply) -> None:
        handle = slot.handle
        if reply.kind is Kind.READY:
            if handle is None:
                slot.release()
            elif not slot.begin(handle):
                self._handle_death(slot, *slot.process.cause_of_death())
        elif handle is None or reply.number != handle.number:
            return  # sent by a thread that an earlier task left behind
        elif reply.kind is Kind.MESSAGE and reply.sent > slot.deadline:
            self._handle_death(slot, *slot.overdue())
        elif reply.kind is Kind.MESSAGE:
            self._events.append(Message(handle, rebuilt(handle.kinds[0], reply.value)))
        else:
            ended = _ended(handle, reply)
            slot.release()
            self._end(ended)

    def _check_workers(self) -> None:
        now = time.monotonic()
        is_due = now >= self._next_check
        if is_due:
            self._next_check = now + _CHECK_EVERY
        for slot in list(self._slots):
            death = slot.check_deadline(now) or (slot.check_health() if is_due else None)
            if death is not None:
                self._handle_death(slot, *death)

    def _handle_death(self, slot: Slot, reason: Reason, detail: str) -> None:
        stderr_tail = self._retire(slot)
        if slot.handle is not None:
            self._end(Died(slot.handle, reason, detail, stderr_tail))

    def _end(self, event: Finished | Failed | Died) -> None:
        event.handle.done = True
        self._events.append(event)

    def _retire(self, slot: Slot) -> str:
        self._slots.remove(slot)
        return slot.process.kill()

    def _cancel(self, handle: Handle) -> None:
        handle.done = True
        self._take({handle})
        if handle in self._queue:
            self._queue.remove(handle)
        for slot in [slot for slot in self._slots if slot.handle is handle]:
            self._retire(slot)

    def _stop(self, handle: Handle) -> None:
        for slot in [slot for slot in self._slots if slot.handle is handle and not slot.is_fresh]:
            slot.process.stop()


def _ended(handle: Handle, reply: Reply) -> Finished | Failed:
    if reply.kind is Kind.FINISHED:
        return Finished(handle, rebuilt(handle.kinds[1], reply.value))
    return Failed(handle, UsageError.from_json(reply.value) if isinstance(reply.value, dict) else str(reply.value))


def _check_limits(deadline: float | None, memory: int | None) -> None:
    if deadline is not None and not deadline > 0:
        raise UsageError(f"a deadline must be more than 0 seconds, but is {deadline}")
    if memory is None:
        return
    if memory <= 0:
        raise UsageError(f"a memory limit must be more than 0 bytes, but is {memory}")
    if not limits.SUPPORTED:
        warnings.warn("memory limits need Linux's /proc: this one is not enforced", RuntimeWarning, stacklevel=3)
