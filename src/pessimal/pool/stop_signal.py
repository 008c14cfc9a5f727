"""The signal by which the parent asks a task to end now: the task then still sends what it has.

A run of the target is not interrupted by it, since it has a deadline of its own, nor is the change to or from one, nor
a message to the parent. The parent repeats the signal.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from pessimal.pool.alarm import Deadline, is_protected

NUMBER = signal.SIGUSR1
_sending = 0


def ignore() -> None:
    """Let the signal have no effect."""
    signal.signal(NUMBER, signal.SIG_IGN)


@contextmanager
def calling(stop: Callable[[], None]) -> Iterator[None]:
    """Call a function when the signal comes while something is done inside; it may raise to end that."""

    def on_signal(number: int, frame: FrameType | None) -> None:
        if not _sending and not Deadline.is_armed() and not is_protected(frame):
            stop()

    signal.signal(NUMBER, on_signal)
    try:
        yield
    finally:
        ignore()


@contextmanager
def held_back() -> Iterator[None]:
    """Do something inside that must not be interrupted."""
    global _sending
    _sending += 1
    try:
        yield
    finally:
        _sending -= 1
