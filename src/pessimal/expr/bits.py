"""Bit-vectors of a fixed width: how their operations compute, and how terms of them are built.

A bit-vector is an integer from 0 to ``2**width - 1``, and every operand is taken modulo ``2**width``, so that leaves,
constants and vectors of other widths can be operands. A term is an :class:`App` of the sort ``bv8`` (or another width)
whose first arguments are the widths that it needs; read as a number it is what its bits mean without a sign.
Operations have the names and the meaning that SMT-LIB gives them, also for a division by zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pessimal.expr.node import App, Compare, Term

PREFIX = "bv"


def _wrapped(function: Callable[..., int]) -> Callable[..., int]:
    """The operation on integers, modulo the width of its result."""
    return lambda width, *operands: function(*operands) & ((1 << width) - 1)


def _unsigned(function: Callable[..., int]) -> Callable[..., int]:
    """The operation on what vectors are without a sign, whose result fits the width again."""

    def value(width: int, *operands: int) -> int:
        mask = (1 << width) - 1
        return function(width, *[operand & mask for operand in operands])

    return value


def signed_value(width: int, operand: int) -> int:
    """What the bits of a number mean in two's complement."""
    sign = 1 << (width - 1)
    return ((operand + sign) & ((1 << width) - 1)) - sign


def _udiv(width: int, a: int, b: int) -> int:
    return a // b if b else (1 << width) - 1


def _urem(width: int, a: int, b: int) -> int:
    return a % b if b else a


def _sdiv(width: int, a: int, b: int) -> int:
    """Rounded towards zero; by zero it is 1 or -1, against the sign of the dividend."""
    a, b = signed_value(width, a), signed_value(width, b)
    if b == 0:
        quotient = 1 if a < 0 else -1
    else:
        quotient = abs(a) // abs(b) * (1 if (a < 0) is (b < 0) else -1)
    return quotient & ((1 << width) - 1)


def _srem(width: int, a: int, b: int) -> int:
    """What the division leaves, with the sign of the dividend."""
    a, b = signed_value(width, a), signed_value(width, b)
    rest = abs(a) % abs(b) if b else abs(a)
    return (-rest if a < 0 else rest) & ((1 << width) - 1)


def _shl(width: int, a: int, b: int) -> int:
    return (a << b) & ((1 << width) - 1) if b < width else 0


def _lshr(width: int, a: int, b: int) -> int:
    return a >> b if b < width else 0


def _ashr(width: int, a: int, b: int) -> int:
    return (signed_value(width, a) >> min(b, width - 1)) & ((1 << width) - 1)


def _rotl(width: int, a: int, b: int) -> int:
    count = b % width
    return ((a << count) | (a >> (width - count))) & ((1 << width) - 1)


def _rotr(width: int, a: int, b: int) -> int:
    return _rotl(width, a, -b % width)


def _extract(high: int, low: int, a: int) -> int:
    return (a >> low) & ((1 << (high - low + 1)) - 1)


def _concat(left: int, right: int, a: int, b: int) -> int:
    return (a & ((1 << left) - 1)) << right | (b & ((1 << right) - 1))


def _zero_extend(narrow: int, a: int) -> int:
    return a & ((1 << narrow) - 1)


def _sign_extend(narrow: int, wide: int, a: int) -> int:
    return signed_value(narrow, a) & ((1 << wide) - 1)


UNARY: dict[str, Callable[..., int]] = {
    "bv": _wrapped(lambda a: a),
    "bvnot": _wrapped(lambda a: ~a),
    "bvneg": _wrapped(lambda a: -a),
}
BINARY: dict[str, Callable[..., int]] = {
    "bvadd": _wrapped(lambda a, b: a + b),
    "bvsub": _wrapped(lambda a, b: a - b),
    "bvmul": _wrapped(lambda a, b: a * b),
    "bvand": _wrapped(lambda a, b: a & b),
    "bvor": _wrapped(lambda a, b: a | b),
    "bvxor": _wrapped(lambda a, b: a ^ b),
    "bvudiv": _unsigned(_udiv),
    "bvurem": _unsigned(_urem),
    "bvsdiv": _unsigned(_sdiv),
    "bvsrem": _unsigned(_srem),
    "bvshl": _unsigned(_shl),
    "bvlshr": _unsigned(_lshr),
    "bvashr": _unsigned(_ashr),
    "rotate_left": _unsigned(_rotl),
    "rotate_right": _unsigned(_rotr),
}
VECTORS: dict[str, Callable[..., int]] = {
    **UNARY,
    **BINARY,
    "extract": _extract,
    "concat": _concat,
    "zero_extend": _zero_extend,
    "sign_extend": _sign_extend,
}
"""Operations whose value is a bit-vector; their first arguments are widths."""

BITS: dict[str, Callable[..., int]] = {**VECTORS, "signed": signed_value}
"""All operations on bit-vectors."""


def sort_of(width: int) -> str:
    """The name of the sort of vectors of a width."""
    if width < 1:
        raise ValueError(f"a bit-vector has at least one bit, not {width}")
    return f"{PREFIX}{width}"


def width_of(term: Any) -> int | None:
    """How many bits a term has; None if it is not a bit-vector."""
    sort = getattr(term, "sort", "")
    return int(sort[2:]) if sort.startswith(PREFIX) else None


def vector(width: int, term: Term) -> App:
    """A number, such as an integer leaf, modulo ``2**width``."""
    return App("bv", (width, term), sort_of(width))


def apply(op: str, *operands: Term) -> App:
    """An operation on vectors of one width, which one of them tells; constants become vectors of that width."""
    if len(operands) != (1 if op in UNARY else 2) or not (op in UNARY or op in BINARY):
        raise ValueError(f"there is no operation {op!r} of {len(operands)} bit-vectors")
    width = _common_width(*operands)
    return App(op, (width, *operands), sort_of(width))


def extract(high: int, low: int, term: Term) -> App:
    """The bits of a vector from one position to another, both included, counted from the lowest."""
    width = _common_width(term)
    if not 0 <= low <= high < width:
        raise ValueError(f"a bit-vector of {width} bits has no bits {low} to {high}")
    return App("extract", (high, low, term), sort_of(high - low + 1))


def concat(left: Term, right: Term) -> App:
    """Two vectors as one, the first as its high bits."""
    widths = _common_width(left), _common_width(right)
    return App("concat", (*widths, left, right), sort_of(sum(widths)))


def zero_extend(width: int, term: Term) -> App:
    """A vector made wider with zeros."""
    return App("zero_extend", (_narrow(width, term), term), sort_of(width))


def sign_extend(width: int, term: Term) -> App:
    """A vector made wider with its sign."""
    return App("sign_extend", (_narrow(width, term), width, term), sort_of(width))


def signed(term: Term) -> App:
    """The number that a vector is in two's complement."""
    return App("signed", (_common_width(term), term), "int")


def compare(op: str, left: Term, right: Term, *, is_signed: bool = False) -> Compare:
    """A comparison of two vectors of one width, one of which may be a constant."""
    width = _common_width(left, right)
    sides = [_side(term, width, is_signed) for term in (left, right)]
    return Compare(op, sides[0], sides[1])


def _side(term: Term, width: int, is_signed: bool) -> Term:
    if type(term) is int:
        return signed_value(width, term) if is_signed else term & ((1 << width) - 1)
    return signed(term) if is_signed else term


def _common_width(*terms: Term) -> int:
    widths = {width for term in terms if (width := width_of(term)) is not None}
    strangers = [term for term in terms if width_of(term) is None and type(term) is not int]
    if len(widths) != 1 or strangers:
        found = ", ".join(str(width_of(term) or type(term).__name__) for term in terms)
        raise ValueError(f"operands must be bit-vectors of one width, or constants beside one: {found}")
    return widths.pop()


def _narrow(width: int, term: Term) -> int:
    narrow = _common_width(term)
    if width < narrow:
        raise ValueError(f"a bit-vector of {narrow} bits cannot be extended to {width}")
    return narrow
