"""Merging two sorted lists: worst when the last elements of both are left to the end."""

from __future__ import annotations

from math import comb

REQUIRE = (
    "all(xs[i] <= xs[i + 1] for i in range(len(xs) - 1))",
    "all(ys[i] <= ys[i + 1] for i in range(len(ys) - 1))",
)
"""The preconditions: both lists are sorted."""


def merge(xs: list[int], ys: list[int]) -> list[int]:
    """One sorted list of the elements of two, those of the first before their equals in the second."""
    result = []
    i = j = 0
    while i < len(xs) and j < len(ys):
        if ys[j] < xs[i]:
            result.append(ys[j])
            j += 1
        else:
            result.append(xs[i])
            i += 1
    return [*result, *xs[i:], *ys[j:]]


def longest(n: int) -> int:
    """Each comparison takes one of the 2n elements away, and the last element needs none."""
    return max(2 * n - 1, 0)


def paths(n: int) -> int:
    """One path for each way to interleave the lists."""
    return comb(2 * n, n)


def worst_paths(n: int) -> int:
    """The lists may be interleaved in any way until each has one element left."""
    return 2 * comb(2 * n - 2, n - 1) if n else 1
