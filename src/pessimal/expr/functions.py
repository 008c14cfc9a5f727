"""Functions of numbers that expressions may apply, made total so that a model can be tried anywhere.

Where Python raises, they are NaN (outside of the domain) or infinite (overflow): the code that builds such a
term has first decided, as a choice, that its arguments lie in the domain, so that on the path the value is exactly
Python's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

Function = Callable[..., Any]
MAX_BITS = 1_000_000
"""Powers of integers may have so many bits."""


def _total(function: Function) -> Function:
    def value(*args: Any) -> Any:
        try:
            return function(*args)
        except OverflowError:
            return math.inf
        except (ArithmeticError, ValueError):
            return math.nan

    return value


def _power(base: float, exponent: float) -> Any:
    """``base ** exponent`` of doubles; a complex result is outside of the domain."""
    result = base**exponent
    return math.nan if isinstance(result, complex) else result


def _fraction(x: float) -> float:
    return math.modf(x)[0]


def _whole(x: float) -> float:
    return math.modf(x)[1]


def _sum(*terms: float) -> float:
    return math.fsum(terms)


def _distance(*parts: float) -> float:
    half = len(parts) // 2
    return math.dist(parts[:half], parts[half:])


def _integer_root(x: int) -> int:
    return math.isqrt(x) if x >= 0 else -1


def _integer_power(base: int, exponent: int) -> int:
    """A power of integers; one that has too many digits to be of use is an overflow."""
    if exponent < 0:
        raise ValueError("a power of integers with a negative exponent is no integer")
    if base.bit_length() * exponent > MAX_BITS:
        raise OverflowError("the power is too large")
    return int(base**exponent)


def _lookup(index: int, low: int, *entries: Any) -> Any:
    """The entry at an index counted from ``low``; beyond its ends a table goes on as it ends."""
    return entries[min(max(index - low, 0), len(entries) - 1)]


_NAMED = (
    *("sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos"),
    *("atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "gamma", "lgamma", "atan2", "fmod"),
    *("hypot", "copysign", "remainder"),
)

REAL: dict[str, Function] = {
    **{name: _total(getattr(math, name)) for name in _NAMED if hasattr(math, name)},
    "pow": _total(math.pow),
    "power": _total(_power),
    "fraction": _fraction,
    "whole": _whole,
    "fsum": _total(_sum),
    "dist": _distance,
}
"""Functions whose value is a double."""

INTEGER: dict[str, Function] = {
    "floor": math.floor,
    "ceil": math.ceil,
    "gcd": math.gcd,
    "isqrt": _integer_root,
    "integer_power": _integer_power,
    "bit_length": int.bit_length,
    "bit_count": int.bit_count,
}
"""Functions whose value is an integer."""

LOOKUP: dict[str, Function] = {"table": _lookup}
"""A table by an integer index; its entries are all of one sort."""
