"""Lists, heaps and graphs."""

from __future__ import annotations

import bisect
import copy
import graphlib
import heapq


def order_of(edges: list[tuple[int, int]]) -> list[int]:
    """An order in which every first number of a pair comes after the second."""
    sorter: graphlib.TopologicalSorter[int] = graphlib.TopologicalSorter()
    for node, predecessor in edges:
        sorter.add(node, predecessor)
    return list(sorter.static_order())


def merge_sorted(a: list[int], b: list[int]) -> list[int]:
    """Two sorted lists merged."""
    return list(heapq.merge(a, b))


def smallest(numbers: list[int]) -> list[int]:
    """The two smallest numbers."""
    return heapq.nsmallest(2, numbers)


def heap_order(numbers: list[int]) -> list[int]:
    """The numbers taken from a heap one by one."""
    heap: list[int] = []
    for number in numbers:
        heapq.heappush(heap, number)
    return [heapq.heappop(heap) for _ in range(len(heap))]


def insert_place(number: int) -> int:
    """Where a number belongs in a sorted list."""
    return bisect.bisect_left([10, 20, 30, 40], number)


def deep_copy(numbers: list[int]) -> tuple[bool, bool]:
    """Whether a deep copy is equal, and another object."""
    original = {"numbers": numbers, "nested": [numbers]}
    copied = copy.deepcopy(original)
    return copied == original, copied["numbers"] is copied["nested"][0]
