"""Where two blocks of bytes differ, as GNU cmp looks for it: word by word, then byte by byte in the word that differs.

The size is the number of words; each block has WORD bytes for each.
"""

from __future__ import annotations

WORD = 8


def first_difference(left: bytes, right: bytes) -> int:
    """The offset of the first byte that differs in two blocks of the same length, or the length."""
    offset = 0
    while offset < len(left) and left[offset : offset + WORD] == right[offset : offset + WORD]:
        offset += WORD
    while offset < len(left) and left[offset] == right[offset]:
        offset += 1
    return offset


def longest(n: int) -> int:
    """Every word is compared, and every byte of the last one."""
    return n + WORD if n else 0


def paths(n: int) -> int:
    """The blocks differ at one of the bytes, or they do not."""
    return WORD * n + 1


def worst_paths(n: int) -> int:
    """One byte is left for the difference."""
    return 1


def worst(n: int) -> tuple[bytes, bytes]:
    """Blocks that take the longest path: only the last bytes differ."""
    return bytes(WORD * n), bytes(WORD * n - 1) + b"\x01" if n else b""
