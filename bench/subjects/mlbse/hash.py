"""Hash codes of records in 32 bits: 31 times what was before plus the next field, folded for longer fields."""

from __future__ import annotations

from bench.subjects.mlbse.machine import Int, Long, Real, bits_of, int32

PRIME = 31
START = 17


def _combined(*fields: int) -> int:
    code = START
    for field in fields:
        code = int32(PRIME * code + field)
    return code


def _folded(value: int) -> int:
    """A field of 64 bits in 32: both halves, one over the other."""
    low = value & 0xFFFFFFFF
    high = (value >> 32) & 0xFFFFFFFF
    return int32(low ^ high)


def pair(a: Int, b: Int) -> str:
    code = _combined(a, b)
    if code == 0:
        return "zero"
    if code < 0:
        return "negative"
    return "small" if code < 1000 else "large"


def wide(a: Long, b: Int) -> str:
    code = _combined(_folded(a), b)
    if code == 12345:
        return "hit"
    if a > 2**32 and code == b:
        return "fixed point"
    return "miss"


def phone(area: Int, prefix: Int, line: Int) -> str:
    if not 0 <= area <= 999 or not 0 <= prefix <= 999:
        return "no number"
    if not 0 <= line <= 9999:
        return "no line"
    code = _combined(area, prefix, line)
    bucket = code % 64
    if bucket == 13 and line > 5000:
        return "bucket 13"
    return "odd" if bucket & 1 else "even"


def collision(a: Int, b: Int, c: Int, d: Int) -> str:
    if _combined(a, b) != _combined(c, d):
        return "different"
    if a == c:
        return "the same" if b == d else "overflow"
    return "collision"


def record(flag: bool, size: Int, total: Long, weight: Real, first: Int, last: Int) -> str:
    code = _combined(1231 if flag else 1237, size, _folded(total), _folded(bits_of(weight)), first, last)
    if size < 0 or last < first:
        return "invalid"
    if flag and code > 0:
        return "flagged"
    if code & 0xFF == 0x7F:
        return "marked"
    return "plain"
