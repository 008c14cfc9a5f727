"""The product of two matrices of truth values: worst when the first is all true and almost nothing is in the second."""

from __future__ import annotations


def multiply(a: list[list[bool]], b: list[list[bool]]) -> list[list[bool]]:
    """Entry (i, j) is whether row i of the first and column j of the second are both true somewhere."""
    size = range(len(a))
    product = [[False for _ in size] for _ in size]
    for i in size:
        for j in size:
            for k in size:
                if a[i][k] and b[k][j]:
                    product[i][j] = True
                    break
    return product


def longest(n: int) -> int:
    """Every row meets every column, and each of their n pairs is tested twice."""
    return 2 * int(n**3)


def worst_paths(n: int) -> int:
    """The last row of the second matrix may be anything: where it ends a search, nothing is left to test."""
    return int(2**n)


def worst(n: int) -> tuple[list[list[bool]], list[list[bool]]]:
    """Matrices that take the longest path."""
    return [[True] * n for _ in range(n)], [[False] * n for _ in range(n)]
