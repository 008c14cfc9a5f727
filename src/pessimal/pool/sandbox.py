"""What a worker puts around a target: no output, no side effects, a deadline, and a list of leftover threads.

The worker's file descriptors are safe already: the pool starts it with stdin and stdout at /dev/null and a bounded
stderr. A run is ``with guarded(): with deadline(5): ...`` in this order, because the alarm must not go off while the
guard is being set.
"""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from pessimal.pool import audit, confinement
from pessimal.pool.alarm import DeadlineExceeded, deadline, protect
from pessimal.pool.audit import SideEffectBlocked
from pessimal.pool.parent_watch import THREAD_NAME

__all__ = [
    "DeadlineExceeded",
    "SideEffectBlocked",
    "confine",
    "deadline",
    "enter",
    "guarded",
    "leftover_threads",
    "protect",
    "protection",
]


class _NullStream(io.TextIOWrapper):
    """A text stream that discards what is written, at the cost of a call."""

    def __init__(self) -> None:
        super().__init__(Path(os.devnull).open("wb"), encoding="utf-8")  # noqa: SIM115

    def write(self, text: str) -> int:
        return len(text) if type(text) is str else super().write(text)


def enter(allow_side_effects: bool) -> None:
    """Make this process a sandbox; a second call only changes whether side effects are allowed."""
    sys.dont_write_bytecode = True
    _silence()
    if not allow_side_effects:
        audit.install()
    audit.guard.enabled = not allow_side_effects


def confine(allow_side_effects: bool, writable: Sequence[Path] = ()) -> None:
    """Enter the sandbox, and let the operating system confine this process for good where it can.

    The process can still write to the given files and directories.
    """
    enter(allow_side_effects)
    if not allow_side_effects:
        confinement.confine(writable)


def protection(allow_side_effects: bool) -> tuple[str, ...]:
    """What keeps a target from side effects on this system, the strongest first."""
    return () if allow_side_effects else (*confinement.layers(), "hook")


@cache
def _silence() -> None:
    sys.stdout = sys.__stdout__ = _NullStream()  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _NullStream()  # type: ignore[misc]


@contextmanager
def guarded() -> Iterator[list[str]]:
    """Block side effects while the target runs; the list has those that were blocked, in case the target hides it."""
    guard = audit.guard
    guard.blocked = []
    guard.active = guard.enabled
    try:
        yield guard.blocked
    finally:
        guard.active = False


def leftover_threads() -> list[str]:
    """The names of the threads, daemons too, that are still alive beside the main one."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    others = set(sys._current_frames()) - {threading.main_thread().ident}
    alive = sorted(names.get(ident, f"thread {ident}") for ident in others)
    return [name for name in alive if name != THREAD_NAME]
