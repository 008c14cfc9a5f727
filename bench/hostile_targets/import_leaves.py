"""A module whose import misbehaves."""

import sys

sys.exit(3)


def target(x: int) -> int:
    return 1 if x > 3 else 0
