"""Programs of which a false proof was once shown, or would be shown if one of the precautions were left out."""

from __future__ import annotations

import ctypes
import hmac
import marshal
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path


def marshals_first(n: int) -> int:
    try:
        marshal.dumps(n)
    except ValueError:
        return 0
    if n > 5:
        return 2 if n > 10 else 1
    return 3


def marshals_in_a_list(n: int) -> int:
    try:
        marshal.dumps([n, (n,)])
    except ValueError:
        return 0
    return 2 if n > 10 else 1


def signs(n: int, data: bytes) -> int:
    if n > 5:
        hmac.new(b"key", data, "sha256")
        return sum(1 for i in range(10) if n > 10 + i)
    if n > 2 and n > 3:
        return 7
    return 0


def is_rounded(x: int) -> int:
    return 1 if float(x) != x else 0


def is_a_large_share(n: int) -> int:
    return 1 if n / 10**400 >= 1 else 0


def is_too_large(n: int) -> int:
    try:
        half = n * 0.5
    except OverflowError:
        return 5
    return 1 if half > 3 else 0


def divides_large(n: int, m: int) -> int:
    try:
        return 1 if n / m > 2 else 0
    except OverflowError:
        return 5
    except ZeroDivisionError:
        return 6


def compares_with_infinity(x: int) -> int:
    if x < float("inf") and x > 3:
        return 1
    return 2 if x == float("nan") else 0


def carries(xs: list[int]) -> int:
    carry = 0
    for x in xs:
        carry = x + carry > 9
    return 1 if carry else 0


@dataclass
class Interval:
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            self.low, self.high = self.high, self.low


def is_point(interval: Interval) -> int:
    return 1 if interval.low == interval.high else 0


def has_a_sign(x: float) -> int:
    return 1 if str(x) == "-0.0" else 0


def refuses_itself(n: int) -> int:
    if n > 5:
        raise ctypes.ArgumentError("too large")
    return n


def writes_and_hides_it(n: int) -> int:
    try:
        Path("/tmp/pessimal-writes-and-hides-it").write_text("x")
    except PermissionError:
        return 0
    return 1 if n > 5 else 2


def handles(function: object) -> object:
    return function


@handles
def is_handled(n: int) -> int:
    return 1 if int(n) > 5 else 2


class _Secret:
    """Python code that is right for plain ints alone: what an engine cannot know, a native run shows."""

    def __init__(self, n: int) -> None:
        self.is_plain = n.__class__ is int and type(n).__module__ == "builtins"


def looks_at_types(n: int) -> int:
    if not _Secret(n).is_plain:
        return 0
    return 2 if n > 5 and n > 6 else 1


def notices(n: int) -> int:
    kind = 1 if n.__class__ is int else 2
    return kind if n > 5 else 0


_SUMS: dict[int, int] = {}


def remembers(n: int) -> int:
    if n not in _SUMS:
        total = 0
        while total < n:
            total += 1
        _SUMS[n] = total
    return _SUMS[n]


@lru_cache
def _fibonacci(n: int) -> int:
    return n if n < 2 else _fibonacci(n - 1) + _fibonacci(n - 2)


def caches(n: int) -> int:
    return 1 if _fibonacci(n) % 2 else 0
