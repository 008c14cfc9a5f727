"""Filling a priority queue: worst when every new element is the smallest."""

from __future__ import annotations

import heapq
from math import prod


def push_all(xs: list[int]) -> list[int]:
    """Push the elements one after the other and return the heap."""
    heap: list[int] = []
    for x in xs:
        heapq.heappush(heap, x)
    return heap


def depth(k: int) -> int:
    """How many ancestors the k-th element of a heap has."""
    return k.bit_length() - 1


def longest(n: int) -> int:
    """Every element rises to the root."""
    return sum(depth(k) for k in range(2, n + 1))


def paths(n: int) -> int:
    """An element with d ancestors may stop at d + 1 places, none infeasible."""
    return prod(depth(k) + 1 for k in range(2, n + 1))


def worst(n: int) -> list[int]:
    """An input that takes the longest path."""
    return list(range(n, 0, -1))
