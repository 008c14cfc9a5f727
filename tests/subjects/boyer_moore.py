"""Boyer-Moore search for the first ``abc``, in two readings that differ in the bad-character rule.

``search`` is the real algorithm. ``search_unseen`` skips as if no mismatching character occurred in the
pattern: that is what PySE saw, whose symbolic characters are never found in a dictionary, and what its
published figures count. Lengths count executions of the comparison in ``mismatch``; the dictionary
lookup is no branch.
"""

from __future__ import annotations

from collections.abc import Sequence

PATTERN = "abc"


def good_suffix_table(pattern: str) -> list[int]:
    """Entry j: the least shift that fits the matched ``pattern[j:]`` but not with what precedes it."""
    return [_good_suffix_shift(pattern, j) for j in range(len(pattern) + 1)]


def _good_suffix_shift(pattern: str, j: int) -> int:
    for shift in range(1, len(pattern)):
        kept = max(j, shift)
        agrees = pattern[kept - shift : len(pattern) - shift] == pattern[kept:]
        changes = j - 1 - shift < 0 or pattern[j - 1 - shift] != pattern[j - 1]
        if agrees and changes:
            return shift
    return len(pattern)


def mismatch(pattern: str, text: Sequence[str], start: int) -> int:
    """The last position of the pattern that differs from the text at ``start``, or -1."""
    j = len(pattern) - 1
    while j >= 0 and text[start + j] == pattern[j]:
        j -= 1
    return j


def search(text: str) -> int:
    """Where the pattern first occurs, or -1."""
    last = {symbol: position for position, symbol in enumerate(PATTERN)}
    good = good_suffix_table(PATTERN)
    start = 0
    while start + len(PATTERN) <= len(text):
        j = mismatch(PATTERN, text, start)
        if j < 0:
            return start
        symbol = text[start + j]
        seen = last[symbol] if symbol in last else -1  # noqa: SIM401 (the lookup PySE could not see)
        start += max(good[j + 1], j - seen)
    return -1


def search_unseen(text: str) -> int:
    """The same, but blind to mismatching characters that occur in the pattern; may miss an occurrence."""
    good = good_suffix_table(PATTERN)
    start = 0
    while start + len(PATTERN) <= len(text):
        j = mismatch(PATTERN, text, start)
        if j < 0:
            return start
        start += max(good[j + 1], j + 1)
    return -1


def longest(n: int) -> int:
    """The worst case of ``search``: one comparison for each character, if the pattern fits at all."""
    return n if n >= len(PATTERN) else 0


def longest_unseen(n: int) -> int:
    """The worst case of ``search_unseen``: three comparisons in each of the disjoint windows."""
    return 3 * (n // 3)


def paths_unseen(n: int) -> int:
    """Each window fails at one of three positions and goes on, or matches and ends the search."""
    return int(3 ** (n // 3 + 1) - 1) // 2


def worst(n: int) -> str:
    """An input that takes the longest path of ``search``."""
    if n < len(PATTERN):
        return "x" * n
    return "a" * min(n - 2, 2) + "b" * max(n - 3, 1) + "c"
