"""Insertion sort: worst when the list is sorted backwards."""

from __future__ import annotations

from math import factorial


def insertion_sort(xs: list[int]) -> list[int]:
    """Sort a copy by moving every element left past all larger ones."""
    result = list(xs)
    for i in range(1, len(result)):
        x = result[i]
        j = i - 1
        while j >= 0 and result[j] > x:
            result[j + 1] = result[j]
            j -= 1
        result[j + 1] = x
    return result


def longest(n: int) -> int:
    """Every pair is compared once."""
    return n * (n - 1) // 2


def paths(n: int) -> int:
    """One path for each order of the elements, none infeasible."""
    return factorial(n)


def worst(n: int) -> list[int]:
    """An input that takes the longest path."""
    return list(range(n, 0, -1))
