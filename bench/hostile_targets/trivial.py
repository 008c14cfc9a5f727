"""The target whose command measures the start-up of all others."""


def trivial(x: int) -> int:
    return 1 if x > 3 else 0
