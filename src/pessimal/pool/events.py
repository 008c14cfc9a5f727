"""What the pool reports of a task: the handle that identifies it, and the events of its life."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from pessimal.pool.recorder import Recorder

Reason = Literal["deadline", "memory", "signal", "exit"]


@dataclass(eq=False, slots=True)
class Handle:
    """One submitted task, as it appears in events; the handle can cancel it."""

    number: int
    task: str
    request: bytes
    deadline: float | None
    memory: int | None
    fresh: bool
    recorder: Recorder | None
    kinds: tuple[Any, Any]
    on_cancel: Callable[[Handle], None]
    on_stop: Callable[[Handle], None]
    done: bool = False

    def cancel(self) -> None:
        """Cancel the task, killing its worker if it runs already; it causes no more events."""
        if not self.done:
            self.on_cancel(self)

    def stop(self) -> None:
        """Ask the task to end now with what it has; a task that does not listen goes on."""
        if not self.done:
            self.on_stop(self)

    def __repr__(self) -> str:
        return f"<Handle {self.number} {self.task}>"


@dataclass(frozen=True, slots=True)
class Message:
    """The task sent a value and goes on."""

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
    """The worker died with the task: why, in detail (``SIGSEGV``), and the end of what it wrote to stderr."""

    handle: Handle
    reason: Reason
    detail: str
    stderr_tail: str


Event = Message | Finished | Failed | Died
