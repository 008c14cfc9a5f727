"""The line to the parent stays open, even if the target closes every file descriptor, as daemons do."""

from __future__ import annotations

import os

_protected: set[int] = set()
_close, _closerange = os.close, os.closerange


def protect(fd: int) -> None:
    """Let ``os.close`` and ``os.closerange`` leave a descriptor open from now on."""
    _protected.add(fd)
    os.close, os.closerange = close, closerange


def discard(fd: int) -> None:
    """Discard what is written to a descriptor from now on; a pipe would be full at some time."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, fd)
    _close(null)


def close(fd: int) -> None:
    """Close a file descriptor, as ``os.close`` does."""
    if fd not in _protected:
        _close(fd)


def closerange(fd_low: int, fd_high: int, /) -> None:
    """Close all file descriptors from the first to the one before the second, as ``os.closerange`` does."""
    start = fd_low
    for fd in sorted(fd for fd in _protected if fd_low <= fd < fd_high):
        _closerange(start, fd)
        start = fd + 1
    _closerange(start, fd_high)
