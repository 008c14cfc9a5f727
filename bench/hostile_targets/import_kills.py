"""A module whose import misbehaves."""

import os
import signal

os.kill(os.getpid(), signal.SIGKILL)


def target(x: int) -> int:
    return 1 if x > 3 else 0
