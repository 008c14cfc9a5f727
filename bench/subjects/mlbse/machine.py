"""Integers and floats as machines have them: bounded, and with their bits."""

from __future__ import annotations

import struct
from typing import Annotated

Int = Annotated[int, (-(2**31), 2**31 - 1)]
"""A machine integer of 32 bits."""
Long = Annotated[int, (-(2**63), 2**63 - 1)]
Small = Annotated[int, (-1000, 1000)]
"""The range of integers in the published experiments."""
Real = Annotated[float, (-1000.0, 1000.0)]
Unit = Annotated[float, (0.0, 1.0)]
Few = Annotated[int, (0, 12)]


def int32(value: int) -> int:
    """What is left of an integer in 32 bits, with a sign."""
    return ((value + 2**31) & 0xFFFFFFFF) - 2**31


def int64(value: int) -> int:
    """What is left of an integer in 64 bits, with a sign."""
    return ((value + 2**63) & 0xFFFFFFFFFFFFFFFF) - 2**63


def truncated(a: int, b: int) -> int:
    """The quotient of integers, rounded towards zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def bits_of(x: float) -> int:
    """The 64 bits of a double."""
    return int(struct.unpack("<Q", struct.pack("<d", x))[0])


def single(x: float) -> float:
    """A double rounded to 32 bits."""
    return float(struct.unpack("<f", struct.pack("<f", x))[0])
