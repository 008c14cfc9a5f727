"""A module whose import misbehaves."""

N = 10**10**8


def target(x: int) -> int:
    return 1 if x > 3 else 0
