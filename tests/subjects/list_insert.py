"""Inserting a key into a sorted list by looking from the front: worst when it belongs at the end."""

from __future__ import annotations

REQUIRE = "all(xs[i] <= xs[i + 1] for i in range(len(xs) - 1))"
"""The precondition: the list is sorted."""


def insert(xs: list[int], key: int) -> list[int]:
    """A copy of a sorted list with a key before the first element that is not less."""
    place = 0
    while place < len(xs) and xs[place] < key:
        place += 1
    return [*xs[:place], key, *xs[place:]]


def longest(n: int) -> int:
    """The key is compared with every element."""
    return n


def paths(n: int) -> int:
    """The key stops at one of the elements or at the end."""
    return n + 1


def worst_paths(n: int) -> int:
    """The last comparison may come out either way."""
    return 2 if n else 1
