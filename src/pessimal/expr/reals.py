"""Translation to Z3 of rounding, roots and the other functions that are not operators of Z3.

Some are written out over integers and reals. Others are given by what defines them: a fresh constant and a condition
on it that always has a solution, so that adding the condition to a query neither loses nor proves anything.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol

import z3

from pessimal.expr.node import App, Var

WORD = 64
MAX_DIGITS = 30
"""Rounding to more digits than this has no effect on a double, or leaves nothing of it."""


class Untranslatable(Exception):
    """The operation has no counterpart in the chosen reading; the back-end answers "unknown"."""


class Context(Protocol):
    """Where a translation puts what goes beside the term: definitions and assumptions."""

    def fresh(self, sort: str) -> Any:
        """A constant of its own."""
        ...

    def define(self, condition: Any) -> None:
        """Keep a condition on fresh constants that always has a solution."""
        ...

    def suppose(self, node: App, condition: Any) -> None:
        """Keep a condition without which the translation of a node is not exact."""
        ...


Translation = Callable[..., Any]


def floor(a: Any) -> Any:
    """The largest integer that is not above a number."""
    if z3.is_fp(a):
        raise Untranslatable("rounding of a double")
    return a if z3.is_int(a) else z3.ToInt(a)


def truncate(a: Any) -> Any:
    """The integer part of a number, towards zero."""
    return a if z3.is_int(a) else z3.If(a >= 0, floor(a), -floor(-a))


def _floor(context: Context, node: App, a: Any) -> Any:
    return floor(a)


def _ceil(context: Context, node: App, a: Any) -> Any:
    return a if z3.is_int(a) else -floor(-a)


def _whole(context: Context, node: App, a: Any) -> Any:
    return z3.ToReal(truncate(a))


def _fraction(context: Context, node: App, a: Any) -> Any:
    return a - z3.ToReal(truncate(a))


def _fmod(context: Context, node: App, a: Any, b: Any) -> Any:
    return a - b * z3.ToReal(truncate(a / b))


def _round(context: Context, node: App, a: Any, *_: Any) -> Any:
    """Round half to even: to an integer, to decimal digits, or to a power of ten."""
    if len(node.args) == 1:
        return _nearest(a)
    digits = node.args[1]
    if not isinstance(digits, int) or abs(digits) > MAX_DIGITS:
        raise Untranslatable(f"rounding to {digits} digits")
    if z3.is_int(a):
        return a if digits >= 0 else _nearest_multiple(a, int(10**-digits))
    unit = Fraction(10) ** digits
    scale = z3.Q(unit.numerator, unit.denominator)
    return z3.ToReal(_nearest(a * scale)) / scale


def _nearest(a: Any) -> Any:
    if z3.is_int(a):
        return a
    up = floor(a + z3.Q(1, 2))
    is_tie = z3.ToReal(up) == a + z3.Q(1, 2)
    return z3.If(z3.And(is_tie, up % 2 == 1), up - 1, up)


def _nearest_multiple(a: Any, unit: int) -> Any:
    below, rest = a / unit, a % unit
    is_down = z3.Or(2 * rest < unit, z3.And(2 * rest == unit, below % 2 == 0))
    return z3.If(is_down, below, below + 1) * unit


def _copysign(context: Context, node: App, a: Any, b: Any) -> Any:
    if z3.is_fp(b):
        if type(node.args[1]) is not Var:
            context.suppose(node, z3.Not(z3.fpIsNaN(b)))  # Z3 has one NaN, without a sign
        size = z3.fpAbs(a)
        return z3.If(z3.fpIsNegative(b), -size, size)
    size = z3.If(a >= 0, a, -a)
    return z3.If(b >= 0, size, -size)


def _sum(context: Context, node: App, *args: Any) -> Any:
    return z3.Sum(args)


def _root(context: Context, square: Any) -> Any:
    if z3.is_fp(square):
        return z3.fpSqrt(z3.RNE(), square)
    root = context.fresh("float")
    context.define(z3.Implies(square >= 0, z3.And(root >= 0, root * root == square)))
    return root


def _sqrt(context: Context, node: App, a: Any) -> Any:
    return _root(context, a)


def _hypot(context: Context, node: App, *args: Any) -> Any:
    return _root(context, z3.Sum([a * a for a in args]))


def _dist(context: Context, node: App, *args: Any) -> Any:
    half = len(args) // 2
    return _root(context, z3.Sum([(a - b) * (a - b) for a, b in zip(args[:half], args[half:], strict=True)]))


def _cbrt(context: Context, node: App, a: Any) -> Any:
    root = context.fresh("float")
    context.define(root * root * root == a)
    return root


def _isqrt(context: Context, node: App, a: Any) -> Any:
    root = context.fresh("int")
    context.define(z3.Implies(a >= 0, z3.And(root >= 0, root * root <= a, a < (root + 1) * (root + 1))))
    return root


def _gcd(context: Context, node: App, a: Any, b: Any) -> Any:
    """The common divisor that is a combination of both numbers, which is the greatest one."""
    divisor, p, q, u, v = (context.fresh("int") for _ in range(5))
    context.define(z3.And(divisor >= 0, a == divisor * p, b == divisor * q, divisor == a * u + b * v))
    return divisor


def _bit_length(context: Context, node: App, a: Any) -> Any:
    size = _fitting(context, node, a)
    return z3.Sum([z3.If(size >= 1 << k, 1, 0) for k in range(WORD)])


def _bit_count(context: Context, node: App, a: Any) -> Any:
    word = z3.Int2BV(_fitting(context, node, a), WORD)
    return z3.Sum([z3.If(z3.Extract(k, k, word) == 1, 1, 0) for k in range(WORD)])


def _fitting(context: Context, node: App, a: Any) -> Any:
    """The size of a number that is supposed to fit a word."""
    size = z3.If(a >= 0, a, -a)
    context.suppose(node, size < 1 << WORD)
    return size


def _table(context: Context, node: App, index: Any, low: Any, *entries: Any) -> Any:
    result = entries[-1]
    for i in range(len(entries) - 2, -1, -1):
        result = z3.If(index <= low + i, entries[i], result)
    return result


FUNCTIONS: dict[str, Translation] = {
    "floor": _floor,
    "ceil": _ceil,
    "round": _round,
    "whole": _whole,
    "fraction": _fraction,
    "fmod": _fmod,
    "copysign": _copysign,
    "fsum": _sum,
    "sqrt": _sqrt,
    "hypot": _hypot,
    "dist": _dist,
    "cbrt": _cbrt,
    "isqrt": _isqrt,
    "gcd": _gcd,
    "bit_length": _bit_length,
    "bit_count": _bit_count,
    "table": _table,
}
"""Functions by name; each takes the context, the node and the translated arguments."""


def with_constant(op: str, left: Any, right: Any) -> bool | None:
    """What a comparison with infinity or NaN says of every real number; None where no such constant takes part."""
    for value, side in ((left, -1), (right, 1)):
        if isinstance(value, float) and not math.isfinite(value):
            if op == "==" or math.isnan(value):
                return op == "!="
            return op == "!=" or (op in ("<", "<=")) is (value * side > 0)
    return None
