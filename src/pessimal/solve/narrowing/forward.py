"""Between what the value of an operation lies, if its arguments lie in intervals.

Sums, products, quotients and roots of doubles are rounded correctly, and rounding keeps the order, so that their ends
are computed by the operations themselves. Functions of the C library get room for errors of some units in
the last place.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from pessimal.expr import Leaf
from pessimal.expr.bits import VECTORS
from pessimal.expr.functions import INTEGER, REAL
from pessimal.expr.intervals import RULES as INTEGER_RULES
from pessimal.expr.node import App
from pessimal.solve.narrowing.interval import (
    ANY,
    ANY_INTEGER,
    EMPTY,
    INF,
    LARGEST,
    Interval,
    added,
    as_double,
    hull,
    meet,
    widened,
)

UNITS = 8
"""How many units in the last place the C library's functions may be wrong by."""
WIDEST_ANGLE = 1e5
"""Of larger arguments no period is told from another."""
MAX_EXPONENT = 4096

Rule = Callable[..., Interval]


def value_of(node: App, args: list[Interval]) -> Interval:
    """The interval of an operation; all numbers of its sort where nothing better is known."""
    everything = ANY if node.sort == "float" else ANY_INTEGER
    if node.op in VECTORS:
        return Interval(0, (1 << int(node.sort[2:])) - 1)
    if node.op == "signed":
        limit = 1 << (node.args[0] - 1)
        return Interval(-limit, limit - 1)
    rule = (_FLOAT if node.sort == "float" else _INTEGER).get(node.op)
    if rule is None:
        return everything
    if any(arg.is_empty or arg.may_be_nan for arg in args) and node.op not in _WITH_NAN:
        return everything if node.op not in _STRICT else _strict(rule, args, everything)
    return rule(*args)


def _in_doubles(rule: Rule) -> Rule:
    """A rule that computes with doubles: integers among the arguments become doubles before anything else."""
    return lambda *args: rule(*[Interval(*double_ends(arg), arg.may_be_nan) for arg in args])


def _strict(rule: Rule, args: list[Interval], everything: Interval) -> Interval:
    """The interval of an operation that is NaN, or raises, where an argument is NaN."""
    may_be_nan = everything.may_be_nan
    if any(arg.is_empty for arg in args):
        return EMPTY._replace(may_be_nan=may_be_nan)
    found = rule(*[arg._replace(may_be_nan=False) for arg in args])
    return found._replace(may_be_nan=may_be_nan)


def _corners(function: Callable[[Leaf, Leaf], Leaf], a: Interval, b: Interval) -> tuple[list[Leaf], bool]:
    """The values at the ends, and whether one of them is NaN."""
    found, is_nan = [], False
    for x in (a.low, a.high):
        for y in (b.low, b.high):
            value = function(x, y)
            is_nan = is_nan or value != value
            found.append(value)
    return found, is_nan


def _add(a: Interval, b: Interval) -> Interval:
    may_be_nan = (a.low == -INF and b.high == INF) or (a.high == INF and b.low == -INF)
    least, most = a.low + b.low, a.high + b.high
    return Interval(-INF if least != least else least, INF if most != most else most, may_be_nan)


def double_ends(a: Interval) -> tuple[float, float]:
    """The ends as doubles; an integer that is too large for one raises when it is used, and so is out of question."""
    low, high = as_double(a.low), as_double(a.high)
    if isinstance(a.low, int) and abs(low) == INF:
        low = math.copysign(LARGEST, low)
    if isinstance(a.high, int) and abs(high) == INF:
        high = math.copysign(LARGEST, high)
    return low, high


def _negated(a: Interval) -> Interval:
    return Interval(-a.high, -a.low, a.may_be_nan)


def _multiply(a: Interval, b: Interval) -> Interval:
    found, is_nan = _corners(lambda x, y: x * y, a, b)
    has_zero_and_infinite = any(p.has(0) and (q.low == -INF or q.high == INF) for p, q in ((a, b), (b, a)))
    kept = [0.0 if value != value else value for value in found]
    return Interval(min(kept), max(kept), is_nan or has_zero_and_infinite)


def _divide(a: Interval, b: Interval) -> Interval:
    """Python raises for a divisor of zero, so that its smallest neighbours are the ends there."""
    if any(isinstance(end, int) and abs(end) > LARGEST for end in (*a[:2], *b[:2])):
        return ANY  # the quotient of two large integers is not that of doubles
    smallest: Leaf = 1 if isinstance(b.low, int) and isinstance(b.high, int) else 5e-324
    parts = [meet(b, Interval(-INF, -smallest)), meet(b, Interval(smallest, INF))]
    return hull(*[_quotient(a, part) for part in parts if not part.is_empty])


def _quotient(a: Interval, b: Interval) -> Interval:
    left, right = Interval(*double_ends(a)), Interval(*double_ends(b))
    has_infinite = all(one.low == -INF or one.high == INF for one in (left, right))
    found, is_nan = _corners(_ratio, left, right)
    if has_infinite or is_nan:
        return ANY
    return widened(min(found), max(found), 2)  # quotients of large integers are not those of their doubles


def _ratio(x: Leaf, y: Leaf) -> Leaf:
    return math.nan if abs(x) == INF and abs(y) == INF else x / y


def _floor_divide(a: Interval, b: Interval) -> Interval:
    if b.has(0) or INF in (abs(a.low), abs(a.high), abs(b.low), abs(b.high)):
        return ANY
    found, _ = _corners(_ratio, a, b)
    return Interval(float(_floor(min(found)) - 1), float(_floor(max(found)) + 1))


def _modulo(a: Interval, b: Interval) -> Interval:
    if b.has(0) or INF in (abs(a.low), abs(a.high), abs(b.low), abs(b.high)):
        return ANY
    return Interval(0.0, float(b.high)) if b.low > 0 else Interval(float(b.low), 0.0)


def _size(a: Interval) -> Interval:
    ends = abs(a.low), abs(a.high)
    return Interval(0 if a.has(0) else min(ends), max(ends), a.may_be_nan)


def _float_size(a: Interval) -> Interval:
    low, high, may_be_nan = _size(a)
    return Interval(float(low), float(high), may_be_nan)


def rising(function: Callable[[float], float], domain: Interval, image: Interval, units: int = UNITS) -> Rule:
    """The rule of a function that rises on its domain and is NaN outside of it."""

    def rule(a: Interval) -> Interval:
        inside = meet(a, domain)
        is_cut = inside.low > a.low or inside.high < a.high
        if inside.is_empty:
            return EMPTY._replace(may_be_nan=True)
        return meet(widened(function(inside.low), function(inside.high), units), image)._replace(may_be_nan=is_cut)

    return rule


def _falling(function: Callable[[float], float], domain: Interval, image: Interval) -> Rule:
    rule = rising(lambda x: -function(x), domain, _negated(image))
    return lambda a: _negated(rule(a))


def _wave(first: float) -> Rule:
    """Sine and cosine, by where their first maximum is."""

    def rule(a: Interval) -> Interval:
        if max(abs(a.low), abs(a.high)) > WIDEST_ANGLE or a.high - a.low >= 2 * math.pi:
            return Interval(-1.0, 1.0, abs(a.low) == INF or abs(a.high) == INF)
        ends = [math.cos(x - first) for x in (a.low, a.high)]
        low = -1.0 if _has_angle(a, first + math.pi) else min(ends)
        high = 1.0 if _has_angle(a, first) else max(ends)
        return meet(Interval(low - 1e-9, high + 1e-9), Interval(-1.0, 1.0))

    return rule


def _has_angle(a: Interval, angle: float, period: float = 2 * math.pi) -> bool:
    """Whether an angle, or one that differs by periods, lies in an interval or very near to it."""
    return math.floor((a.high + 1e-9 - angle) / period) >= math.ceil((a.low - 1e-9 - angle) / period)


def _tangent(a: Interval) -> Interval:
    """Within less than a period it falls only beyond a pole, and no double is a pole."""
    if max(abs(a.low), abs(a.high)) <= WIDEST_ANGLE and a.high - a.low < 3:
        low, high = math.tan(a.low), math.tan(a.high)
        if low <= high:
            return widened(low, high, UNITS)
    return Interval(-INF, INF, abs(a.low) == INF or abs(a.high) == INF)


def _power(base: Interval, exponent: Interval) -> Interval:
    """Doubles: of a positive base the ends are at the corners; otherwise only whole constant exponents are followed."""
    function = REAL["power"]
    if base.low > 0:
        found, is_nan = _corners(function, base, exponent)
        return ANY if is_nan else meet(widened(min(found), max(found), UNITS), Interval(0.0, INF))
    if not exponent.is_point or abs(exponent.low) > MAX_EXPONENT:
        return ANY
    if base.low >= 0 and exponent.low > 0:
        return rising(lambda x: function(x, exponent.low), ANY, Interval(0.0, INF))(base)
    if float(exponent.low).is_integer() and exponent.low > 0:
        return _whole_power(base, exponent.low, lambda x: function(x, float(exponent.low)))
    return ANY


def _written_power(base: Interval, exponent: Interval) -> Interval:
    """``x ** n`` of a float with a constant, which raises where it overflows."""
    if not exponent.is_point or not isinstance(exponent.low, int) or exponent.low < 1:
        return ANY
    return _whole_power(base, exponent.low, lambda x: REAL["power"](x, exponent.low))


def _whole_power(base: Interval, exponent: Leaf, function: Callable[[Leaf], float]) -> Interval:
    if exponent % 2 == 0:
        size = _size(base)
        return meet(widened(function(float(size.low)), function(float(size.high)), UNITS), Interval(0.0, INF))
    low, high = function(float(base.low)), function(float(base.high))
    if low == INF and base.low < 0:
        return ANY  # what overflows is infinite, whatever its sign
    return widened(low, high, UNITS)


def _integer_power(base: Interval, exponent: Interval) -> Interval:
    n = exponent.low
    if not exponent.is_point or not isinstance(n, int) or not 0 <= n <= MAX_EXPONENT:
        return ANY_INTEGER
    if n % 2 == 0:
        size = _size(base)
        return Interval(size.low**n, size.high**n if size.high != INF else INF)
    return _ends(lambda end: end**n, base)


def _variable_power(base: Interval, exponent: Interval) -> Interval:
    if base.low < 1 or exponent.low < 0:
        return ANY_INTEGER
    ends = [
        INF if INF in pair else _followed_power(*pair)
        for pair in ((base.low, exponent.low), (base.high, exponent.high))
    ]
    return Interval(1 if ends[0] == INF else ends[0], ends[1])


def _followed_power(base: Leaf, exponent: Leaf) -> Leaf:
    """A power that may be too large to be computed, which is infinite then."""
    if INF in (base, exponent):
        return INF
    try:
        return INTEGER["integer_power"](base, exponent)  # type: ignore[no-any-return]
    except OverflowError:
        return INF


def _integer_sum(a: Interval, b: Interval) -> Interval:
    return Interval(added(a.low, b.low), added(a.high, b.high))


def _integer_product(a: Interval, b: Interval) -> Interval:
    found, _ = _corners(lambda x, y: 0 if 0 in (x, y) else _exact_product(x, y), a, b)
    return Interval(min(found), max(found))


def _exact_product(x: Leaf, y: Leaf) -> Leaf:
    if INF in (abs(x), abs(y)):
        return INF if (x > 0) is (y > 0) else -INF
    return x * y


def _floor(x: Leaf) -> Leaf:
    return x if abs(x) == INF else math.floor(x)


def _stepwise(function: Callable[[Leaf], Leaf]) -> Rule:
    """A rounding, which rises and is exact."""
    return lambda a: _ends(function, a)


def _ends(function: Callable[[Leaf], Leaf], a: Interval) -> Interval:
    """What rises, at both ends; infinite ones stay."""
    low, high = (end if abs(end) == INF else function(end) for end in (a.low, a.high))
    return Interval(low, high)


def _round_to(a: Interval, digits: Interval) -> Interval:
    return _ends(lambda end: float(round(end, int(digits.low))), a)


def _hypotenuse(*parts: Interval) -> Interval:
    sizes = [_float_size(part) for part in parts]
    return widened(math.hypot(*(size.low for size in sizes)), math.hypot(*(size.high for size in sizes)), UNITS)


def _remainder(a: Interval, b: Interval) -> Interval:
    """``fmod``: with the sign of the dividend, and smaller than both."""
    if b.has(0) or INF in (abs(a.low), abs(a.high)):
        return ANY
    most = float(min(max(abs(a.low), abs(a.high)), max(abs(b.low), abs(b.high))))
    return Interval(0.0 if a.low >= 0 else -most, 0.0 if a.high <= 0 else most)


def _with_integers(op: str) -> Rule:
    """A rule that is written for integers between limits."""

    def rule(*args: Interval) -> Interval:
        if any(INF in (abs(arg.low), abs(arg.high)) for arg in args):
            return ANY_INTEGER
        found = INTEGER_RULES[op](*[(arg.low, arg.high) for arg in args])
        return ANY_INTEGER if found is None else Interval(*found)

    return rule


def _angle(y: Interval, x: Interval) -> Interval:
    """Of a rectangle that does not touch the cut along negative numbers, the corners have the ends."""
    if y.low > 0 or y.high < 0 or x.low > 0:
        found, _ = _corners(math.atan2, y, x)
        return widened(min(found), max(found), UNITS)
    return Interval(-3.1415926535897936, 3.1415926535897936)


LEAST_GAMMA = 1.4616321449683623
"""Where the gamma function of positive numbers is least."""


def _valley(name: str) -> Rule:
    """Gamma and its logarithm: of positive numbers they fall and then rise."""
    function = REAL[name]

    def rule(a: Interval) -> Interval:
        if a.low <= 0:
            return ANY
        ends = [function(float(end)) for end in (a.low, a.high)]
        least = function(LEAST_GAMMA) if a.low <= LEAST_GAMMA <= a.high else min(ends)
        low, high = (end + sign * 1e-12 * (1 + abs(end)) for end, sign in ((least, -1), (max(ends), 1)))
        return Interval(low, high)

    return rule


_REALS = Interval(-INF, INF)
_POSITIVE, _UNIT, _TURN = Interval(0.0, INF), Interval(-1.0, 1.0), Interval(-1.5707963267948966, 1.5707963267948966)


def _named(name: str, domain: Interval = _REALS, image: Interval = _REALS) -> Rule:
    return rising(REAL[name], domain, image)


def _logarithm(name: str) -> Rule:
    """Infinite at zero, where Python raises."""
    function = REAL[name]
    return rising(lambda x: -INF if x <= 0 else function(x), _POSITIVE, _REALS)


_FLOAT: dict[str, Rule] = {
    "+": _in_doubles(_add),
    "-": _in_doubles(lambda a, b: _add(a, _negated(b))),
    "*": _in_doubles(_multiply),
    "/": _divide,
    "//": _in_doubles(_floor_divide),
    "%": _in_doubles(_modulo),
    "**": _written_power,
    "power": _in_doubles(_power),
    "pow": _in_doubles(_power),
    "neg": _negated,
    "abs": _in_doubles(_float_size),
    "float": _in_doubles(lambda a: a),
    "round": _round_to,
    "hypot": _in_doubles(_hypotenuse),
    "fmod": _in_doubles(_remainder),
    "atan2": _in_doubles(_angle),
    "gamma": _valley("gamma"),
    "lgamma": _valley("lgamma"),
    "ite": lambda _, then, other: hull(then, other),
    "marked": lambda a: a,
    "sqrt": rising(math.sqrt, _POSITIVE, _POSITIVE, 0),
    "cbrt": _named("cbrt"),
    "exp": _named("exp", image=_POSITIVE),
    "exp2": _named("exp2", image=_POSITIVE),
    "expm1": _named("expm1", image=Interval(-1.0, INF)),
    "log": _logarithm("log"),
    "log2": _logarithm("log2"),
    "log10": _logarithm("log10"),
    "log1p": rising(lambda x: -INF if x <= -1 else math.log1p(x), Interval(-1.0, INF), _REALS),
    "sin": _wave(math.pi / 2),
    "cos": _wave(0.0),
    "tan": _tangent,
    "asin": _named("asin", _UNIT, _TURN),
    "acos": _falling(math.acos, _UNIT, Interval(0.0, 3.1415926535897936)),
    "atan": _named("atan", image=_TURN),
    "sinh": lambda a: _named("sinh")(a) if a.low > -710 else ANY,  # what overflows is infinite, whatever its sign
    "tanh": _named("tanh", image=_UNIT),
    "asinh": _named("asinh"),
    "atanh": rising(lambda x: x * INF if abs(x) == 1 else math.atanh(x), _UNIT, _REALS),
    "erf": _named("erf", image=_UNIT),
    "cosh": lambda a: rising(REAL["cosh"], _REALS, Interval(1.0, INF))(_float_size(a)),
    "whole": _stepwise(lambda x: float(math.trunc(x))),
    "fraction": lambda a: Interval(-1.0, 1.0, INF in (abs(a.low), abs(a.high))),
}
_INTEGER: dict[str, Rule] = {
    "+": _integer_sum,
    "-": lambda a, b: _integer_sum(a, _negated(b)),
    "*": _integer_product,
    "**": _integer_power,
    "integer_power": _variable_power,
    "neg": _negated,
    "abs": _size,
    "~": lambda a: Interval(added(-a.high, -1), added(-a.low, -1)),
    "floor": _stepwise(math.floor),
    "ceil": _stepwise(math.ceil),
    "int": _stepwise(math.trunc),
    "round": lambda a, *digits: _stepwise(round)(a) if not digits else ANY_INTEGER,
    "isqrt": _stepwise(INTEGER["isqrt"]),
    "ite": lambda _, then, other: hull(then, other),
    "marked": lambda a: a,
    **{op: _with_integers(op) for op in ("//", "%", "&", "|", "^", "<<", ">>", "bit_length", "bit_count")},
}
_WITH_NAN = frozenset(("ite", "marked", "neg", "abs"))
"""Operations whose rules handle NaN themselves."""
_STRICT = frozenset((*_FLOAT, *_INTEGER)) - {"power", "pow", "hypot", "**", *_WITH_NAN}
