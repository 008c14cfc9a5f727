"""Bubble sort that stops after a pass without a swap: worst when the least element comes last."""

from __future__ import annotations

PATHS = {0: 1, 1: 1, 2: 2, 3: 7, 4: 36, 5: 225}


def bubble_sort(xs: list[int]) -> list[int]:
    """Sort a copy by swapping neighbours until none is out of order."""
    result = list(xs)
    for last in range(len(result) - 1, 0, -1):
        swapped = False
        for j in range(last):
            if result[j] > result[j + 1]:
                result[j], result[j + 1] = result[j + 1], result[j]
                swapped = True
        if not swapped:
            break
    return result


def longest(n: int) -> int:
    """No pass may end the sort early."""
    return n * (n - 1) // 2


def paths(n: int) -> int:
    """The number of leaves, by exhaustion."""
    return PATHS[n]


def worst(n: int) -> list[int]:
    """An input that takes the longest path."""
    return [*range(1, n), 0] if n else []
