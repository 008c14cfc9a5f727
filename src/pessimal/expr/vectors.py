"""Translation of bit-vectors to Z3: operations on vectors, and the borders between them and integers.

A Z3 bit-vector stands for the number that it is without a sign, an integer where one is wanted, for itself modulo
``2**width``. Both ways are exact for all numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

from pessimal.expr.node import App
from pessimal.expr.reals import Untranslatable

ToVector = Callable[[Any, int], Any]
"""A translated operand as a Z3 bit-vector of a width."""


def resized(term: Any, width: int) -> Any:
    """A bit-vector modulo ``2**width``, or with zeros before it."""
    size = term.size()
    if size == width:
        return term
    return z3.Extract(width - 1, 0, term) if size > width else z3.ZeroExt(width - size, term)


def to_vector(term: Any, width: int) -> Any:
    """A translated number modulo ``2**width``."""
    if z3.is_bv(term):
        return resized(term, width)
    if z3.is_bool(term):
        return z3.If(term, z3.BitVecVal(1, width), z3.BitVecVal(0, width))
    if not z3.is_int(term):
        raise Untranslatable("the bits of a number that is not an integer")
    return z3.BitVecVal(term.as_long(), width) if z3.is_int_value(term) else z3.Int2BV(term, width)


def to_number(term: Any) -> Any:
    """A translated term as a number; only bit-vectors need that."""
    return z3.BV2Int(term) if z3.is_bv(term) else term


def operation(node: App, operands: list[Any], vector: ToVector = to_vector) -> Any:
    """A bit-vector operation of translated operands, as a Z3 bit-vector."""
    op, args = node.op, node.args
    if op == "extract":
        return z3.Extract(args[0], args[1], vector(operands[0], args[0] + 1))
    if op == "concat":
        return z3.Concat(vector(operands[0], args[0]), vector(operands[1], args[1]))
    if op == "zero_extend":
        return resized(vector(operands[0], args[0]), int(node.sort[2:]))
    if op == "sign_extend":
        return z3.SignExt(args[1] - args[0], vector(operands[0], args[0]))
    return _UNIFORM[op](*[vector(operand, args[0]) for operand in operands])


def operands_of(node: App) -> tuple[Any, ...]:
    """The arguments of a bit-vector operation without the widths that come first."""
    return node.args[_WIDTHS.get(node.op, 1) :]


def compared(op: str, left: Any, right: Any) -> Any | None:
    """A comparison of bit-vectors without a sign; None where a side is not one, nor a constant that fits the other."""
    width = max(term.size() for term in (left, right) if z3.is_bv(term))
    sides = []
    for term in (left, right):
        if not z3.is_bv(term) and not (z3.is_int_value(term) and 0 <= term.as_long() < 1 << width):
            return None
        sides.append(to_vector(term, width))
    return UNSIGNED[op](*sides)


def compared_signed(op: str, left: Any, right: Any, translate: Callable[[Any], Any]) -> Any | None:
    """A comparison of vectors in two's complement; None where a side is neither one nor a constant that fits."""
    widths = {side.args[0] for side in (left, right) if _is_signed(side)}
    if len(widths) != 1:
        return None
    (width,) = widths
    limit = 1 << (width - 1)
    sides = []
    for side in (left, right):
        if _is_signed(side):
            sides.append(to_vector(translate(side.args[1]), width))
        elif type(side) is int and -limit <= side < limit:
            sides.append(z3.BitVecVal(side, width))
        else:
            return None
    return SIGNED[op](*sides)


def _is_signed(term: Any) -> bool:
    return type(term) is App and term.op == "signed"


_WIDTHS = {"extract": 2, "concat": 2, "sign_extend": 2}
_UNIFORM: dict[str, Callable[..., Any]] = {
    "bv": lambda a: a,
    "bvnot": lambda a: ~a,
    "bvneg": lambda a: -a,
    "bvadd": lambda a, b: a + b,
    "bvsub": lambda a, b: a - b,
    "bvmul": lambda a, b: a * b,
    "bvand": lambda a, b: a & b,
    "bvor": lambda a, b: a | b,
    "bvxor": lambda a, b: a ^ b,
    "bvudiv": z3.UDiv,
    "bvurem": z3.URem,
    "bvsdiv": lambda a, b: a / b,
    "bvsrem": z3.SRem,
    "bvshl": lambda a, b: a << b,
    "bvlshr": z3.LShR,
    "bvashr": lambda a, b: a >> b,
    "rotate_left": z3.RotateLeft,
    "rotate_right": z3.RotateRight,
}
SIGNED: dict[str, Callable[[Any, Any], Any]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
UNSIGNED: dict[str, Callable[[Any, Any], Any]] = {
    "<": z3.ULT,
    "<=": z3.ULE,
    ">": z3.UGT,
    ">=": z3.UGE,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
