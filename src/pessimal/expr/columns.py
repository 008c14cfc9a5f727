"""The operations of expressions on columns of values: one NumPy call for a whole batch of samples.

A column has a double, a 64-bit integer or a Python object for each sample. Where 64 bits do not suffice, or NumPy has
no such function, the scalar operation is called for each sample, so that integers are never wrapped around. Functions
of the C library may differ from Python's in the last bit: what a batch finds is confirmed by scalar evaluation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from pessimal.expr.evaluate import OPERATIONS

Column: TypeAlias = Any
"""An array with one value for each sample, or one number for all of them."""
Result: TypeAlias = tuple[Column, Column | None]
"""A column, and where it has no value because Python would raise; None if it has one everywhere."""

SAFE = float(1 << 62)
"""Integers up to this are kept as 64-bit numbers; larger ones become Python's."""
WIDEST = 62
"""Bit-vectors up to this width are kept as 64-bit numbers."""


class _TooLarge(Exception):
    """A result does not fit 64 bits."""


def apply(op: str, sort: str, args: list[Column]) -> Result:
    """The column of an operation, by NumPy if it can."""
    fast = _FAST.get((op, sort)) or _FAST.get((op, ""))
    if fast is not None and not any(_is_object(arg) for arg in args):
        try:
            result = fast(*args)
            return result if type(result) is tuple else (result, None)
        except _TooLarge:
            pass
    return exactly(op, sort, args)


def exactly(op: str, sort: str, args: list[Column]) -> Result:
    """The column of an operation, sample by sample."""
    scalar = OPERATIONS[op]
    places = [place for place, arg in enumerate(args) if np.ndim(arg)] or list(range(len(args)))[:1]
    operands = [_plain(arg) for arg in args]

    def value(*numbers: Any) -> Any:
        for place, number in zip(places, numbers, strict=True):
            operands[place] = _plain(number)
        try:
            return scalar(*operands)
        except (ArithmeticError, ValueError):
            return None

    # Only what differs by sample is an operand for NumPy, which takes few: a table has hundreds of constants.
    found = np.asarray(np.frompyfunc(value, len(places), 1)(*[args[place] for place in places]), dtype=object)
    missing = np.array([number is None for number in found.flat], dtype=bool).reshape(found.shape)
    has_all = not missing.any()
    filled = found if has_all else np.where(missing, 0, found)
    return _narrow(filled, sort), None if has_all else missing


def _plain(number: Any) -> Any:
    """A number as Python's own: NumPy's would wrap around and answer with NumPy's types."""
    return number.item() if isinstance(number, np.generic) else number


def _narrow(found: Any, sort: str) -> Any:
    """Python objects as doubles or 64-bit integers, where they fit."""
    if sort == "bool":
        return found.astype(bool)
    try:
        return found.astype(np.float64 if sort == "float" else np.int64)
    except (OverflowError, TypeError):
        return found


def _is_object(arg: Column) -> bool:
    is_array = isinstance(arg, np.ndarray)
    return (is_array and arg.dtype.hasobject) or (type(arg) is int and not -SAFE < arg < SAFE)


def _small(result: Any) -> Any:
    """A float column of whole numbers as integers, if they fit."""
    if not np.all(np.abs(result) < SAFE):  # also where there is no number
        raise _TooLarge
    return np.asarray(result).astype(np.int64)


def _checked(op: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The operation on integers, after one on doubles has told that the result fits."""

    def value(a: Any, b: Any) -> Any:
        if not np.all(np.abs(op(np.asarray(a, np.float64), np.asarray(b, np.float64))) < SAFE):
            raise _TooLarge
        return op(a, b)

    return value


def _nonzero(op: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Result]:
    """A division, which has no value where the divisor is zero."""

    def value(a: Any, b: Any) -> Result:
        zero = np.equal(b, 0)
        return (op(a, b), None) if not zero.any() else (op(a, np.where(zero, 1, b)), zero)

    return value


def _where(is_inside: Callable[[Any], Any], function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function that is NaN outside of its domain, where NumPy's is infinite."""
    return lambda x: np.where(is_inside(x), function(x), np.nan)


def _shift_left(a: Any, b: Any) -> Result:
    if not np.all((np.asarray(b) >= 0) & (np.abs(np.asarray(a, np.float64)) * np.exp2(b) < SAFE)):
        raise _TooLarge
    return np.left_shift(a, b), None


def _shift_right(a: Any, b: Any) -> Result:
    negative = np.less(b, 0)
    return np.right_shift(a, np.clip(b, 0, 63)), negative if np.any(negative) else None


def _power(base: Any, exponent: Any) -> Any:
    result = np.power(np.asarray(base, np.float64), exponent)
    return np.where(np.equal(base, 0) & np.less(exponent, 0), np.nan, result)


def _integer_power(base: Any, exponent: Any) -> Any:
    _small(np.power(np.asarray(base, np.float64), exponent))
    return np.power(base, exponent)


def _truncate(x: Any) -> Any:
    return _small(np.trunc(x))


def _round(x: Any, *digits: Any) -> Any:
    if digits or np.asarray(x).dtype != np.float64:
        raise _TooLarge  # rounding to decimals is not NumPy's
    return _small(np.rint(x))


def _table(index: Any, low: int, *entries: Any) -> Any:
    if any(isinstance(entry, np.ndarray) for entry in entries):
        raise _TooLarge
    return np.array(entries)[np.clip(index - low, 0, len(entries) - 1)]


def _vector(function: Callable[..., Any]) -> Callable[..., Any]:
    """An operation that is right modulo any power of two, on vectors that fit 64 bits."""

    def value(width: int, *operands: Any) -> Any:
        if width > WIDEST:
            raise _TooLarge
        return function(*operands) & ((1 << width) - 1)

    return value


def _signed(width: int, a: Any) -> Any:
    if width > WIDEST:
        raise _TooLarge
    sign = 1 << (width - 1)
    return ((a + sign) & ((1 << width) - 1)) - sign


def _extract(high: int, low: int, a: Any) -> Any:
    return (a >> low) & ((1 << (high - low + 1)) - 1)


_SAME = ("sqrt", "cbrt", "exp", "exp2", "expm1", "sin", "cos", "tan", "sinh", "cosh", "tanh", "fmod", "copysign")
_RENAMED = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh"}
_FAST: dict[tuple[str, str], Callable[..., Any]] = {
    ("+", "float"): np.add,
    ("-", "float"): np.subtract,
    ("*", "float"): np.multiply,
    ("+", "int"): _checked(np.add),
    ("-", "int"): _checked(np.subtract),
    ("*", "int"): _checked(np.multiply),
    ("/", ""): _nonzero(np.true_divide),
    ("//", ""): _nonzero(np.floor_divide),
    ("%", ""): _nonzero(np.remainder),
    ("**", "float"): _power,
    ("**", "int"): _integer_power,
    ("power", ""): _power,
    ("pow", ""): _power,
    ("neg", ""): np.negative,
    ("abs", ""): np.abs,
    ("&", ""): np.bitwise_and,
    ("|", ""): np.bitwise_or,
    ("^", ""): np.bitwise_xor,
    ("~", ""): np.invert,
    ("<<", ""): _shift_left,
    (">>", ""): _shift_right,
    ("float", ""): lambda a: np.asarray(a, np.float64),
    ("int", ""): _truncate,
    ("round", "int"): _round,
    ("floor", ""): lambda x: _small(np.floor(x)),
    ("ceil", ""): lambda x: _small(np.ceil(x)),
    ("gcd", ""): np.gcd,
    ("ite", ""): np.where,
    ("marked", ""): lambda a: a,
    ("table", ""): _table,
    ("fraction", ""): lambda x: np.modf(x)[0],
    ("whole", ""): np.trunc,
    ("atan2", ""): np.arctan2,
    ("hypot", ""): lambda *parts: np.hypot(*parts) if len(parts) == 2 else np.sqrt(sum(part * part for part in parts)),
    ("log", ""): _where(lambda x: np.greater(x, 0), np.log),
    ("log2", ""): _where(lambda x: np.greater(x, 0), np.log2),
    ("log10", ""): _where(lambda x: np.greater(x, 0), np.log10),
    ("log1p", ""): _where(lambda x: np.greater(x, -1), np.log1p),
    ("atanh", ""): _where(lambda x: np.less(np.abs(x), 1), np.arctanh),
    ("signed", ""): _signed,
    ("extract", ""): _extract,
    ("bv", ""): _vector(lambda a: a),
    ("bvnot", ""): _vector(np.invert),
    ("bvneg", ""): _vector(np.negative),
    ("bvadd", ""): _vector(np.add),
    ("bvsub", ""): _vector(np.subtract),
    ("bvmul", ""): _vector(np.multiply),
    ("bvand", ""): _vector(np.bitwise_and),
    ("bvor", ""): _vector(np.bitwise_or),
    ("bvxor", ""): _vector(np.bitwise_xor),
    **{(name, ""): getattr(np, name) for name in _SAME},
    **{(name, ""): getattr(np, other) for name, other in _RENAMED.items()},
}
"""By operation and sort of the result; without a sort where it makes no difference."""
