"""A module whose import misbehaves."""

while True:
    try:
        while True:
            pass
    except BaseException:
        pass


def target(x: int) -> int:
    return 1 if x > 3 else 0
