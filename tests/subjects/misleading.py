"""Sorts that behave otherwise from LARGE elements on, so that what small sizes teach is wrong there."""

from __future__ import annotations

from tests.subjects.insertion_sort import insertion_sort
from tests.subjects.merge import merge

LARGE = 24


def hybrid_sort(xs: list[int]) -> list[int]:
    """Sort small lists by insertion and halve large ones."""
    if len(xs) < LARGE:
        return insertion_sort(xs)
    middle = len(xs) // 2
    return merge(hybrid_sort(xs[:middle]), hybrid_sort(xs[middle:]))


def longest_hybrid(n: int) -> int:
    """The orders of the halves and of the interleaving are free, so each part can be at its worst."""
    if n < LARGE:
        return n * (n - 1) // 2
    return longest_hybrid(n // 2) + longest_hybrid(n - n // 2) + n - 1


def worst_hybrid(n: int) -> list[int]:
    """A list that takes the longest path of ``hybrid_sort``: its pieces are backwards and take turns in merges."""

    def backwards(ranks: list[int]) -> list[int]:
        if len(ranks) < LARGE:
            return ranks[::-1]
        middle = len(ranks) // 2
        left = {ranks[2 * i + 1] for i in range(middle)}
        return backwards(sorted(left)) + backwards([rank for rank in ranks if rank not in left])

    return backwards(list(range(n)))


def guarded_sort(xs: list[int]) -> list[int]:
    """Sort by insertion, but turn a large list round that looks sorted backwards."""
    if len(xs) >= LARGE and xs[0] > xs[-1]:
        xs = xs[::-1]
    return insertion_sort(xs)


def longest_guarded(n: int) -> int:
    """The guard is one more branch: behind it every pair is still compared if the first element is the smallest."""
    return n * (n - 1) // 2 + (n >= LARGE)


def worst_guarded(n: int) -> list[int]:
    """A list that takes the longest path of ``guarded_sort``: backwards, but for the first of a large one."""
    return [0, *range(n, 1, -1)] if n >= LARGE else list(range(n, 0, -1))
