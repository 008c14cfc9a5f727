"""A module whose import misbehaves."""

while True:
    print("x" * 1000)


def target(x: int) -> int:
    return 1 if x > 3 else 0
