"""Three quadratic sorts, to see how their worst inputs differ."""

from __future__ import annotations


def insertion_sort(xs: list[int]) -> list[int]:
    """Sort by moving each element left past all larger ones."""
    result = list(xs)
    for i in range(1, len(result)):
        x = result[i]
        j = i - 1
        while j >= 0 and result[j] > x:
            result[j + 1] = result[j]
            j -= 1
        result[j + 1] = x
    return result


def quick_sort(xs: list[int]) -> list[int]:
    """Sort by splitting at the first element; a sorted list splits badly."""
    if len(xs) <= 1:
        return xs
    pivot, *rest = xs
    smaller = [x for x in rest if x < pivot]
    larger = [x for x in rest if x >= pivot]
    return [*quick_sort(smaller), pivot, *quick_sort(larger)]


def bubble_sort(xs: list[int]) -> list[int]:
    """Sort by swapping neighbours until a pass finds nothing to swap."""
    result = list(xs)
    swapped = True
    while swapped:
        swapped = False
        for i in range(len(result) - 1):
            if result[i] > result[i + 1]:
                result[i], result[i + 1] = result[i + 1], result[i]
                swapped = True
    return result
