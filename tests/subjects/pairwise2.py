"""Local alignment of a sequence with three fixed symbols: every path has the same length."""

from __future__ import annotations

import warnings
from typing import Any

with warnings.catch_warnings(action="ignore"):
    from Bio import pairwise2

# The C accelerator does not stop at an exception in a comparison.
pairwise2._make_score_matrix_fast = pairwise2._python_make_score_matrix_fast

REFERENCE = [1, 2, 3]


def score(xs: list[int]) -> int:
    """The best local alignment's score with match 1, mismatch 0 and free gaps."""
    best = 0
    above = [0] * (len(REFERENCE) + 1)
    for x in xs:
        row = [0]
        for column, symbol in enumerate(REFERENCE):
            match = 1 if x == symbol else 0
            row.append(max(above[column] + match, above[column + 1], row[column]))
        best = max(best, row[-1])
        above = row
    return best


def score_biopython(xs: list[int]) -> float:
    """The same score by Biopython."""
    align: Any = pairwise2.align
    result: float = align.localxx(xs, REFERENCE, score_only=True, gap_char=["-"])
    return result


def longest(n: int) -> int:
    """Every symbol is compared with all three."""
    return 3 * n


def paths(n: int) -> int:
    """A symbol equals one of the three or none (4 ways on), or would have to equal two (3 dead ends)."""
    return (1 << 2 * n + 1) - 1
