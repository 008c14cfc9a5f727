"""Between what the arguments of an operation lie, if its value lies in an interval.

A value stands for all real numbers that are rounded to it, so that ends are moved outwards before and after.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from pessimal.expr import Leaf
from pessimal.expr.functions import REAL
from pessimal.expr.node import App, Offset, Var
from pessimal.solve.narrowing.forward import MAX_EXPONENT, UNITS, double_ends
from pessimal.solve.narrowing.interval import ANY, INF, LARGEST, Interval, above, added, below, hull, meet, widened

Rule = Callable[[Interval, Sequence[Interval]], Sequence[Interval]]
ROOT_ERROR = 2e-13
"""By how much roots may be wrong that are computed as powers, whose exponents are rounded."""
NOTHING: Sequence[Interval] = ()
"""What is known of no argument."""


def arguments_of(node: App, value: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    """Where the arguments of an operation can only be, one interval for each; none where nothing is known."""
    if node.op == "*" and _is_same(*node.args):
        root = _root(value, args[0], 2) if node.sort == "float" else _integer_root(value, args[0], 2)
        return [root, root]
    rule = (_FLOAT if node.sort == "float" else _INTEGER).get(node.op)
    return NOTHING if rule is None else rule(value, args)


def _is_same(a: object, b: object) -> bool:
    if isinstance(a, Offset) and isinstance(b, Offset):
        return (a.var, a.const) == (b.var, b.const)
    return a is b or (isinstance(a, Var) and isinstance(b, Var) and a.var == b.var)


def _outside(value: Interval) -> tuple[Leaf, Leaf]:
    """All reals that may be rounded to a value."""
    return below(value.low, 1), above(value.high, 1)


def _difference(value: Interval, other: Interval) -> Interval:
    """What must be added to something in one interval to be in another."""
    low, high = _outside(value)
    least, most = low - other.high, high - other.low
    return widened(-INF if least != least else least, INF if most != most else most, 1)


def _sum(value: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    a, b = (Interval(*double_ends(arg)) for arg in args)
    return _difference(value, b), _difference(value, a)


def _subtraction(value: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    a, b = (Interval(*double_ends(arg)) for arg in args)
    return _difference(value, Interval(-b.high, -b.low)), _difference(Interval(-value.high, -value.low), _negated(a))


def _negated(a: Interval) -> Interval:
    return Interval(-a.high, -a.low)


def _factor(value: Interval, other: Interval) -> Interval:
    """What something in one interval must be multiplied with to be in another."""
    if other.has(0):
        return ANY
    found = [_ratio(x, y) for x in _outside(value) for y in other[:2]]
    return ANY if any(ratio != ratio for ratio in found) else widened(min(found), max(found), 1)


def _ratio(x: Leaf, y: Leaf) -> Leaf:
    return math.nan if abs(x) == INF and abs(y) == INF else x / y


def _product(value: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    a, b = (Interval(*double_ends(arg)) for arg in args)
    return _factor(value, b), _factor(value, a)


def _quotient(value: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    if any(isinstance(end, int) and abs(end) > LARGEST for arg in args for end in arg[:2]):
        return NOTHING
    a, b = (Interval(*double_ends(arg)) for arg in args)
    low, high = _outside(value)
    found = [0.0 if 0 in (x, y) else x * y for x in (low, high) for y in b[:2]]
    dividend = widened(min(found), max(found), 2)
    divisor = _factor(a, Interval(low, high)) if INF not in (abs(a.low), abs(a.high)) else ANY
    return dividend, divisor


def _root(value: Interval, base: Interval, n: int) -> Interval:
    """Of an even power, with the sign of the base where that is known."""
    low, high = _room(value)
    least, most = (_nth_root(max(end, 0.0), n) for end in (low, high))
    least, most = (below(least, 1), above(most, 1)) if n == 2 else (least * (1 - ROOT_ERROR), most * (1 + ROOT_ERROR))
    return _with_signs(base, max(least, 0.0), above(most, 1))


def _with_signs(base: Interval, low: Leaf, high: Leaf) -> Interval:
    """The numbers of some sizes, of both signs where the base may have both."""
    return hull(meet(base, Interval(-high, -low)), meet(base, Interval(low, high)))


def _nth_root(value: float, n: Leaf) -> float:
    return math.sqrt(value) if n == 2 else float(REAL["power"](value, 1 / n))


def _odd_root(value: Interval, n: Leaf) -> Interval:
    low, high = (math.copysign(_nth_root(abs(end), n), end) for end in _room(value))
    return widened(low - abs(low) * ROOT_ERROR, high + abs(high) * ROOT_ERROR, 1)


def _power(value: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    base, exponent = args
    if exponent.is_point and 0 < abs(exponent.low) <= MAX_EXPONENT:
        n, inverted = abs(exponent.low), value if exponent.low > 0 else _reciprocal(value)
        return NOTHING if inverted is None else (_base(inverted, base, n), exponent)
    if base.is_point and base.low > 1 and value.low >= 0:
        ends = [math.log(end) if end > 0 else -INF for end in _room(value)]
        return base, widened(ends[0] / math.log(base.low), ends[1] / math.log(base.low), 4 * UNITS)
    return NOTHING


def _base(value: Interval, base: Interval, n: Leaf) -> Interval:
    """What has a value as its power; of exponents that are not whole the base is not negative."""
    if n % 2 == 0:
        return _root(value, base, int(n))
    if n % 2 == 1:
        return _odd_root(value, int(n))
    if base.low == -INF:
        return base
    return meet(_odd_root(Interval(max(value.low, 0.0), value.high), n), Interval(0.0, INF))


def _reciprocal(value: Interval) -> Interval | None:
    """One divided by a value that is not zero, with room for rounding."""
    low, high = _room(value)
    if low <= 0 <= high:
        return Interval(1 / high, INF) if value.low >= 0 and high > 0 else None
    return widened(1 / high, 1 / low, 2 * UNITS)


def _room(value: Interval) -> tuple[Leaf, Leaf]:
    return below(value.low, UNITS), above(value.high, UNITS)


def _size(value: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    return [_with_signs(args[0], max(value.low, 0), value.high)]


def _inverse(function: Callable[[float], float], image: Interval) -> Rule:
    """Of a function that rises: the inverse at both ends, where these are in its image."""

    def rule(value: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
        low, high = _room(value)
        least = -INF if low <= image.low else function(low)
        most = INF if high >= image.high else function(high)
        return [widened(least, most, UNITS)]

    return rule


def _arc_cosine(value: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    low, high = max(below(value.low, UNITS), 0.0), min(above(value.high, UNITS), math.pi)
    return [widened(math.cos(high), math.cos(low), 2 * UNITS)]


def _legs(value: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    """No side is longer than the hypotenuse."""
    most = above(value.high, 2 * UNITS)
    return [Interval(-most, most)] * len(args)


def _rounded(before: Leaf, after: Leaf) -> Rule:
    """Of a rounding: how far below and above its value the argument may be."""
    return lambda value, args: [widened(_as_float(value.low) - before, _as_float(value.high) + after, 1)]


def _as_float(value: Leaf) -> float:
    """An end of integers as a double next to it."""
    return double_ends(Interval(value, value))[0]


def _decimals(value: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    half = 10.0 ** -int(args[1].low)
    return [widened(value.low - half, value.high + half, 1), args[1]]


def _integer_sum(value: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    a, b = args
    return _missing(value, b), _missing(value, a)


def _missing(value: Interval, other: Interval) -> Interval:
    return Interval(added(value.low, -other.high), added(value.high, -other.low))


def _integer_subtraction(value: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    a, b = args
    return Interval(added(value.low, b.low), added(value.high, b.high)), _missing(a, value)


def _integer_product(value: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    return _integer_factor(value, args[1]), _integer_factor(value, args[0])


def _integer_factor(value: Interval, other: Interval) -> Interval:
    ends = (*value[:2], *other[:2])
    if other.has(0) or any(abs(end) == INF for end in ends):
        return Interval(-INF, INF)
    return Interval(
        min(x // y for x in value[:2] for y in other[:2]), max(-(-x // y) for x in value[:2] for y in other[:2])
    )


def _integer_root(value: Interval, base: Interval, n: int) -> Interval:
    if value.high == INF:
        return base
    if value.high < 0:
        return Interval(1, 0)
    high = _ceiling_root(int(value.high), n)
    low = max(_ceiling_root(int(value.low), n) - 1, 0) if value.low > 0 else 0
    return _with_signs(base, low, high)


def _ceiling_root(value: int, n: int) -> int:
    """An integer whose power is not below a value, and hardly larger than need be."""
    root = 1 << -(-value.bit_length() // n)
    while root and (root - 1) ** n >= value:
        smaller = (root * (n - 1) + value // root ** (n - 1)) // n + 1
        if smaller >= root:
            root -= 1
        else:
            root = max(smaller, 1)
    return root


def _integer_power(value: Interval, args: Sequence[Interval]) -> Sequence[Interval]:
    n = args[1].low
    if not args[1].is_point or not 0 < n <= MAX_EXPONENT or n % 2:
        return NOTHING
    return _integer_root(value, args[0], int(n)), args[1]


_FLOAT: dict[str, Rule] = {
    "+": _sum,
    "-": _subtraction,
    "*": _product,
    "/": _quotient,
    "**": _power,
    "power": _power,
    "pow": _power,
    "neg": lambda value, args: [_negated(value)],
    "abs": _size,
    "float": lambda value, args: [Interval(*_outside(value))],
    "marked": lambda value, args: [value],
    "hypot": _legs,
    "round": _decimals,
    "sqrt": lambda value, args: (
        [Interval(max(below(value.low, 1), 0.0) ** 2, above(above(value.high, 1) ** 2, 2))]
        if value.high < 1e150
        else NOTHING
    ),
    "exp": _inverse(math.log, Interval(0.0, INF)),
    "exp2": _inverse(math.log2, Interval(0.0, INF)),
    "expm1": _inverse(math.log1p, Interval(-1.0, INF)),
    "log": _inverse(REAL["exp"], Interval(-INF, INF)),
    "log2": _inverse(REAL["exp2"], Interval(-INF, INF)),
    "log10": _inverse(lambda x: REAL["power"](10.0, x), Interval(-INF, INF)),
    "log1p": _inverse(REAL["expm1"], Interval(-INF, INF)),
    "atan": _inverse(math.tan, Interval(-1.57079632, 1.57079632)),
    "asin": _inverse(math.sin, Interval(-1.57079632, 1.57079632)),
    "acos": _arc_cosine,
    "tanh": _inverse(math.atanh, Interval(-0.9999999999999, 0.9999999999999)),
    "asinh": _inverse(lambda x: math.copysign(REAL["sinh"](abs(x)), x), Interval(-INF, INF)),
    "sinh": _inverse(math.asinh, Interval(-INF, INF)),
}
_INTEGER: dict[str, Rule] = {
    "+": _integer_sum,
    "-": _integer_subtraction,
    "*": _integer_product,
    "**": _integer_power,
    "neg": lambda value, args: [_negated(value)],
    "~": lambda value, args: [Interval(added(-value.high, -1), added(-value.low, -1))],
    "abs": _size,
    "floor": _rounded(0, 1),
    "ceil": _rounded(1, 0),
    "int": _rounded(1, 1),
    "round": lambda value, args: _rounded(1, 1)(value, args) if len(args) == 1 else NOTHING,
    "marked": lambda value, args: [value],
}
