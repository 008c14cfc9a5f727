"""Processes that a target started and that left its process group: found by a mark in their environment, and killed.

This needs Linux's ``/proc``. A process that clears its environment and leaves its group is not found; if its worker was
forked, the worker's keeper kills it.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from itertools import count
from pathlib import Path

ENVIRONMENT_MARK = "PESSIMAL_WORKER"
_numbers = count()


def new_mark() -> str:
    """A value of the variable that no other worker has."""
    return f"{os.getpid()}.{next(_numbers)}"


def kill(value: str) -> None:
    """Kill what a worker, which is dead by now, has left behind."""
    mark = f"{ENVIRONMENT_MARK}={value}\0".encode()
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark in (entry / "environ").read_bytes():
                os.kill(int(entry.name), signal.SIGKILL)
