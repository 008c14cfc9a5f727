"""Functions that end their process, never end, or fail."""

import os


def exits(number: int) -> str:
    if number > 100:
        os._exit(3)
    return "small" if number < 5 else "large"


def divides(number: int) -> float:
    if number > 3:
        return 1 / (number - 7)
    return 0.0
