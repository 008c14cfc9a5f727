"""A worker must not outlive its parent, not even a parent that was killed."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time

WATCHER = "pessimal-lifeline"
_PR_SET_PDEATHSIG = 1


def die_with(parent: int) -> None:
    """Tie this process to its parent: by the kernel on Linux, by a watching thread elsewhere."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    else:
        threading.Thread(target=watch, args=(parent,), name=WATCHER, daemon=True).start()


def watch(parent: int, period: float = 0.5) -> None:
    """Kill this process and all it started as soon as it is an orphan."""
    while os.getppid() == parent:
        time.sleep(period)
    os.killpg(0, signal.SIGKILL)
