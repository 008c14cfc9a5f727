"""The signal by which the parent asks a task to end now: the task then still sends what it has.

A run of the target is not interrupted by it, since it has a deadline of its own; nor is a message to the parent.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from pessimal.pool.alarm import Deadline

NUMBER = signal.SIGUSR1
_sending = 0


def ignore() -> None:
    """Let the signal have no effect: no task listens."""
    signal.signal(NUMBER, signal.SIG_IGN)


@contextmanager
def raises(error: Callable[[], BaseException]) -> Iterator[None]:
    """Raise an error inside the block when the parent asks for the end."""

    def on_signal(number: int, frame: FrameType | None) -> None:
        if not _sending and not Deadline.is_armed():
            raise error()

    signal.signal(NUMBER, on_signal)
    try:
        yield
    finally:
        ignore()


@contextmanager
def held_back() -> Iterator[None]:
    """Send a message inside: the parent repeats the signal, so that it has its effect afterwards."""
    global _sending
    _sending += 1
    try:
        yield
    finally:
        _sending -= 1
