"""A module whose import misbehaves."""

import ctypes

ctypes.string_at(0)


def target(x: int) -> int:
    return 1 if x > 3 else 0
