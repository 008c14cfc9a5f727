"""A module whose import misbehaves."""

import os

os.fork()


def target(x: int) -> int:
    return 1 if x > 3 else 0
