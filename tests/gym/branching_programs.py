"""Programs for the environments."""

import os


def twice(x: int) -> int:
    """The second test is decided by the first."""
    if x > 10:
        if x > 5:
            return 2
        return 1
    return 0


def dies(x: int) -> int:
    """Ends its process on one of two ways."""
    if x == 1234:
        os._exit(3)
    return x
