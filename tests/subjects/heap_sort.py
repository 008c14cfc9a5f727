"""Heap sort in place."""

from __future__ import annotations

LONGEST = {0: 0, 1: 0, 2: 1, 3: 3, 4: 7, 5: 12, 6: 17, 7: 22, 8: 29}


def heap_sort(xs: list[int]) -> list[int]:
    """Sort a copy: build a heap with the largest element on top, then take the top off again and again."""
    result = list(xs)
    for root in reversed(range(len(result) // 2)):
        sift_down(result, root, len(result))
    for end in range(len(result) - 1, 0, -1):
        result[0], result[end] = result[end], result[0]
        sift_down(result, 0, end)
    return result


def sift_down(xs: list[int], root: int, end: int) -> None:
    """Let an element sink below its larger children, looking only at what lies before ``end``."""
    while 2 * root + 1 < end:
        child = 2 * root + 1
        if child + 1 < end and xs[child] < xs[child + 1]:
            child += 1
        if xs[root] >= xs[child]:
            return
        xs[root], xs[child] = xs[child], xs[root]
        root = child


def longest(n: int) -> int:
    """The longest path, by exhaustion."""
    return LONGEST[n]
