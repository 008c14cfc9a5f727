"""How long a process waited for a core while it had something to do: what a busy machine takes from a run."""

from __future__ import annotations

import os
from functools import cache

_FILE = "/proc/self/schedstat"
_LONGEST = 64


def waited() -> float:
    """Seconds that the main thread has waited for a core since it began; always 0.0 where the system does not tell."""
    descriptor = _descriptor(os.getpid())
    return 0.0 if descriptor is None else _seconds(descriptor)


def waited_by(process: int) -> float:
    """The same for the main thread of another process."""
    try:
        descriptor = os.open(f"/proc/{process}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return 0.0
    try:
        return _seconds(descriptor)
    finally:
        os.close(descriptor)


def _seconds(descriptor: int) -> float:
    try:
        return int(os.pread(descriptor, _LONGEST, 0).split()[1]) * 1e-9
    except (OSError, ValueError, IndexError):  # the target may have closed it
        return 0.0


@cache
def _descriptor(process: int) -> int | None:
    """The file that says it, which stays open, since it is read before every run."""
    try:
        return os.open(_FILE, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
