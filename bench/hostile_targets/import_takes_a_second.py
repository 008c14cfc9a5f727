"""A module whose import misbehaves."""

import time

time.sleep(1)


def target(x: int) -> int:
    return 1 if x > 3 else 0
