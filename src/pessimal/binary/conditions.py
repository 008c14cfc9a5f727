"""Conditions that branches test, simplified: bytes apart, and a condition on one byte as ranges of its values."""

from __future__ import annotations

from typing import Any

import numpy as np

from pessimal.binary.tables import single_leaf, truth
from pessimal.binary.terms import Value, leaves_of, width_of
from pessimal.expr import App, Compare, Expr, Offset, conjunction, disjunction, negation
from pessimal.expr.bits import signed_value

MOST_RANGES = 8
_known: dict[tuple[Any, ...], Expr] = {}
_MOST = 500_000
_COMPARE = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


class Conditions:
    """Makes the conditions of one front-end, which knows which of its leaves are bytes."""

    def __init__(self, byte_leaves: int) -> None:
        self._bytes = byte_leaves

    def compare(self, op: str, width: int, a: Value, b: Value, is_signed: bool = False) -> Expr:
        """A comparison of two values of one width."""
        if type(a) is int and type(b) is int:
            sides = (signed_value(width, a), signed_value(width, b)) if is_signed else (a, b)
            return bool(_COMPARE[op](*sides))
        key = (op, is_signed, width, *[("i", side) if type(side) is int else id(side) for side in (a, b)], self._bytes)
        found = _known.get(key)
        if found is None:
            if len(_known) > _MOST:
                _known.clear()
                _alive.clear()
            found = _known[key] = self._compare(op, width, a, b, is_signed)
            _alive.append((a, b))
        return found

    def _compare(self, op: str, width: int, a: Value, b: Value, is_signed: bool) -> Expr:
        if isinstance(a, int):
            assert isinstance(b, App)
            return self._with_constant(_MIRRORED[op], width, b, a, is_signed)
        if isinstance(b, int):
            return self._with_constant(op, width, a, b, is_signed)
        if a is b:
            return op in ("==", "<=", ">=")
        return self._narrowed(op, width, a, b, is_signed)

    def _narrowed(self, op: str, width: int, a: App, b: App, is_signed: bool) -> Expr:
        """A comparison of two terms; where both are short, without what makes them longer."""
        if a.op == b.op == "zero_extend" and max(a.args[0], b.args[0]) < width:
            return self._ranges(Compare(op, _number(a), _number(b)))
        if is_signed:
            return self._ranges(Compare(op, _signed(width, a), _signed(width, b)))
        return self._ranges(Compare(op, _number(a), _number(b)))

    def _with_constant(self, op: str, width: int, a: App, b: int, is_signed: bool) -> Expr:
        b &= (1 << width) - 1
        if a.op == "zero_extend":
            return self._extended(op, width, a, signed_value(width, b) if is_signed else b)
        if a.op == "sign_extend" and (is_signed or op in ("==", "!=")):
            narrow, number = a.args[0], signed_value(width, b)
            if -(1 << narrow - 1) <= number < 1 << narrow - 1:
                return self.compare(op, narrow, a.args[2], number & (1 << narrow) - 1, is_signed)
        if op in ("==", "!="):
            equal = self._equal(width, a, b)
            return equal if op == "==" else negation(equal)
        if is_signed:
            return self._ranges(Compare(op, _signed(width, a), signed_value(width, b)))
        return self._ranges(Compare(op, _number(a), b))

    def _extended(self, op: str, width: int, a: App, b: int) -> Expr:
        """A term with zeros before it against a number: it is never negative, and never too large."""
        narrow = a.args[0]
        if 0 <= b < 1 << narrow:
            return self.compare(op, narrow, a.args[1], b)
        return bool(_COMPARE[op](0, 1 if b > 0 else -1))

    def _equal(self, width: int, a: App, b: int) -> Expr:
        """Whether a term is a number: each of its parts is its part of the number."""
        op, args = a.op, a.args
        if op == "concat":
            high, low = b >> args[1], b & (1 << args[1]) - 1
            return conjunction([self.compare("==", args[1], args[3], low), self.compare("==", args[0], args[2], high)])
        if op == "ite" and type(args[1]) is int and type(args[2]) is int:
            if b == args[1]:
                return args[0]  # type: ignore[no-any-return]
            return negation(args[0]) if b == args[2] else False
        if op == "bvadd" and type(args[2]) is int:
            return self.compare("==", width, args[1], (b - args[2]) & (1 << width) - 1)
        if op == "bvxor":
            other = args[2] ^ b if type(args[2]) is int else args[2]
            is_simple = type(args[2]) is int or b == 0
            return self.compare("==", width, args[1], other) if is_simple else self._plain(a, b)
        if op == "bvsub" and b == 0:
            return self.compare("==", width, args[1], args[2])
        if op == "bvor" and b == 0:
            return conjunction([self.compare("==", width, part, 0) for part in args[1:]])
        return self._plain(a, b)

    def _plain(self, a: App, b: int) -> Expr:
        return self._ranges(Compare("==", _number(a), b))

    def _ranges(self, condition: Compare) -> Expr:
        """A condition on one byte as ranges of its values, which solvers handle best; others as they are."""
        index = single_leaf(leaves_of(condition.left) | leaves_of(condition.right))
        if index is None or not self._bytes >> index & 1:
            return condition
        holds = truth(condition)
        if holds is None:
            return condition
        return ranges(Offset(index), holds) if _count(holds) <= MOST_RANGES else condition


_alive: list[Any] = []
"""The terms of known conditions, so that their ids stay theirs."""


def ranges(byte: Offset, holds: Any) -> Expr:
    """The condition that a byte has one of the values that a mask of 256 truth values allows."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], holds, [False])).astype(np.int8)))
    parts = [_range(byte, int(low), int(high) - 1) for low, high in zip(edges[::2], edges[1::2], strict=True)]
    return disjunction(parts)


def _range(byte: Offset, low: int, high: int) -> Expr:
    if low == high:
        return Compare("==", byte, low)
    lower: Expr = True if low == 0 else Compare(">=", byte, low)
    upper: Expr = True if high == 255 else Compare("<=", byte, high)
    return conjunction([lower, upper])


def _count(holds: Any) -> int:
    return int(np.count_nonzero(np.diff(holds.astype(np.int8)))) // 2 + 1


def _number(term: App) -> Any:
    """A term where its number without a sign is meant: a whole byte is its leaf."""
    while term.op == "zero_extend":
        term = term.args[1]
    if term.op == "bv" and term.args[0] == 8:
        return term.args[1]
    return term


def _signed(width: int, term: App) -> App:
    return App("signed", (width, term), "int") if width_of(term) == width else term
