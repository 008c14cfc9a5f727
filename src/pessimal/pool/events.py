"""What the pool tells about a task: the handle that names it and the events that befall it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from pessimal.pool.recorder import Recorder

Reason = Literal["deadline", "memory", "signal", "exit"]


@dataclass(eq=False, slots=True)
class Handle:
    """One submitted task; it names the task in events and can call it off."""

    number: int
    task: str
    request: bytes
    deadline: float | None
    memory: int | None
    fresh: bool
    recorder: Recorder | None
    on_cancel: Callable[[Handle], None]
    done: bool = False

    def cancel(self) -> None:
        """Call the task off, killing its worker if it runs already; no more events come from it."""
        if not self.done:
            self.on_cancel(self)

    def __repr__(self) -> str:
        return f"<Handle {self.number} {self.task}>"


@dataclass(frozen=True, slots=True)
class Message:
    """The task streamed a value and goes on."""

    handle: Handle
    value: Any


@dataclass(frozen=True, slots=True)
class Finished:
    """The task function returned."""

    handle: Handle
    value: Any


@dataclass(frozen=True, slots=True)
class Failed:
    """The task function raised: a UsageError travels as itself, anything else as its traceback's text."""

    handle: Handle
    error: BaseException | str


@dataclass(frozen=True, slots=True)
class Died:
    """The worker was lost with the task: why, in detail (``SIGSEGV``), and its last words on stderr."""

    handle: Handle
    reason: Reason
    detail: str
    stderr_tail: str


Event = Message | Finished | Failed | Died
