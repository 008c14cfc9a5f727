"""Quicksort with the first element as pivot: worst on sorted lists."""

from __future__ import annotations

from math import factorial


def quicksort(xs: list[int]) -> list[int]:
    """Sort by splitting at the first element."""
    if len(xs) <= 1:
        return xs
    pivot, *rest = xs
    smaller: list[int] = []
    larger: list[int] = []
    for x in rest:
        if x < pivot:
            smaller.append(x)
        else:
            larger.append(x)
    return [*quicksort(smaller), pivot, *quicksort(larger)]


def longest(n: int) -> int:
    """Every split leaves one side empty."""
    return n * (n - 1) // 2


def paths(n: int) -> int:
    """As many as search trees can be built: one for each order, none infeasible."""
    return factorial(n)


def worst(n: int) -> list[int]:
    """An input that takes the longest path."""
    return list(range(n))
