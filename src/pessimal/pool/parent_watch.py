"""A worker must not outlive its parent, even if the parent was killed."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time

THREAD_NAME = "pessimal-parent-watch"
_PR_SET_PDEATHSIG = 1


def exit_with(parent: int) -> None:
    """End this process when its parent ends: by the kernel on Linux, by a thread that polls elsewhere."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    else:
        threading.Thread(target=poll, args=(parent,), name=THREAD_NAME, daemon=True).start()


def poll(parent: int, period: float = 0.5) -> None:
    """Kill this process and all that it started as soon as its parent is gone."""
    while os.getppid() == parent:
        time.sleep(period)
    os.killpg(0, signal.SIGKILL)
