"""A module whose import misbehaves."""

import os

os.closerange(3, 4096)


def target(x: int) -> int:
    return 1 if x > 3 else 0
