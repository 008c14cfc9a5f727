"""A module whose import misbehaves."""

import builtins

builtins.len = None


def target(x: int) -> int:
    return 1 if x > 3 else 0
