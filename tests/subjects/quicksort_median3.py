"""Quicksort in place, pivot the median of first, middle and last: its bad inputs are rare and look random."""

from __future__ import annotations


def quicksort(xs: list[int]) -> list[int]:
    """Sort a copy by splitting at the median of three."""
    result = list(xs)
    sort_range(result, 0, len(result) - 1)
    return result


def sort_range(xs: list[int], low: int, high: int) -> None:
    """Sort the elements from low to high, both included."""
    if low >= high:
        return
    if high - low < 2:
        put_in_order(xs, low, high)
        return
    middle = sort_three(xs, low, high)
    if high - low == 2:
        return
    xs[middle], xs[high - 1] = xs[high - 1], xs[middle]
    split = partition(xs, low + 1, high - 2, xs[high - 1])
    xs[split], xs[high - 1] = xs[high - 1], xs[split]
    sort_range(xs, low, split - 1)
    sort_range(xs, split + 1, high)


def put_in_order(xs: list[int], i: int, j: int) -> None:
    """Swap two elements if the second is smaller."""
    if xs[j] < xs[i]:
        xs[i], xs[j] = xs[j], xs[i]


def sort_three(xs: list[int], low: int, high: int) -> int:
    """Put the first, the middle and the last element in order; return where the median stands."""
    middle = (low + high) // 2
    put_in_order(xs, low, middle)
    put_in_order(xs, middle, high)
    put_in_order(xs, low, middle)
    return middle


def partition(xs: list[int], i: int, j: int, pivot: int) -> int:
    """Move what is smaller than the pivot to the left; return where the rest begins."""
    while True:
        while i <= j and xs[i] < pivot:
            i += 1
        while i <= j and pivot < xs[j]:
            j -= 1
        if i >= j:
            return i
        xs[i], xs[j] = xs[j], xs[i]
        i += 1
        j -= 1


def longest(n: int) -> int:
    """Every split leaves a single element on one side, after n + 1 comparisons."""
    return (0, 0, 1, 3)[n] if n < 4 else n + 1 + longest(n - 2)


def worst(n: int) -> list[int]:
    """An input that takes the longest path: the worst of n - 2 with the first split undone."""
    if n < 4:
        return list(range(n))
    xs = [0, 1, *(x + 2 for x in worst(n - 2))]
    middle, next_to_last = (n - 1) // 2, n - 2
    xs[1], xs[next_to_last] = xs[next_to_last], xs[1]
    xs[middle], xs[next_to_last] = xs[next_to_last], xs[middle]
    return xs
