"""The values that a term has for each value of the one byte that it depends on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pessimal.binary.terms import leaves_of, width_of
from pessimal.expr import App, Compare, Expr, Junction, Not, Offset

Column = Any
"""An array of 256 numbers, or of 256 truth values, or one of them for all."""

_WIDEST = 64
_DEEPEST = 200
_known: dict[int, tuple[App, Column | None]] = {}
_MOST = 200_000
_BYTES = np.arange(256, dtype=np.uint64)


def single_leaf(mask: int) -> int | None:
    """The leaf of a mask that has just one."""
    return mask.bit_length() - 1 if mask and mask & (mask - 1) == 0 else None


def column(term: Any) -> Column | None:
    """The value of a term on one byte for each value of the byte; None where it cannot be told in 64 bits."""
    if type(term) is not App:
        return _BYTES + np.uint64(term.const) if type(term) is Offset else np.uint64(term & (1 << 64) - 1)
    found = _known.get(id(term))
    if found is None:
        if len(_known) > _MOST:
            _known.clear()
        value = _column(term, column) if width_of(term) <= _WIDEST and term.depth < _DEEPEST else None
        found = _known[id(term)] = (term, value)  # the term is kept, so that its id stays its own
    return found[1]


def partial_column(term: App, leaf: int, value: Callable[[Any], Any]) -> tuple[Column | None, list[Any]]:
    """The value of a term for each value of one of its bytes, and the parts of it that were taken as they are now."""
    given: dict[int, Any] = {}
    found = _partial(leaf, value, given)(term) if term.depth < _DEEPEST else None
    return found, list(given.values())


def partial_truth(condition: Expr, leaf: int, value: Callable[[Any], Any]) -> Column | None:
    """Whether a condition holds for each value of one of its bytes, where all others are as they are now."""
    return truth(condition, _partial(leaf, value, {}))


def _partial(leaf: int, value: Callable[[Any], Any], given: dict[int, Any]) -> Callable[[Any], Column | None]:
    known: dict[int, Column | None] = {}

    def of(part: Any) -> Column | None:
        mask = leaves_of(part)
        if mask & ~(1 << leaf) == 0:
            return column(part)
        if not mask >> leaf & 1:
            given[id(part)] = part
            return np.uint64(int(value(part)) & (1 << 64) - 1)
        if id(part) not in known:
            known[id(part)] = _column(part, of) if width_of(part) <= _WIDEST and part.depth < _DEEPEST else None
        return known[id(part)]

    return of


def _column(term: App, of: Callable[[Any], Column | None]) -> Column | None:
    op, args = term.op, term.args
    if op == "ite":
        test, then, other = truth(args[0], of), of(args[1]), of(args[2])
        return None if test is None or then is None or other is None else np.where(test, then, other)
    if op == "table":
        index = of(args[0])
        entries = np.array([entry & (1 << 64) - 1 for entry in args[2:]], dtype=np.uint64)
        return None if index is None else entries[np.minimum(index, np.uint64(len(entries) - 1)).astype(np.int64)]
    rule = _RULES.get(op)
    widths = 2 if op in ("extract", "concat", "sign_extend") else 1
    parts = [of(arg) for arg in args[widths:]]
    if rule is None or any(part is None for part in parts):
        return None
    mask = np.uint64((1 << width_of(term)) - 1)
    with np.errstate(all="ignore"):
        return rule(args[:widths], *parts) & mask


def truth(condition: Expr, of: Callable[[Any], Column | None] = column) -> Column | None:
    """Whether a condition on one byte holds, for each value of the byte; ``of`` has the values of its terms."""
    if isinstance(condition, bool):
        return np.full(256, condition)
    if type(condition) is Not:
        inner = truth(condition.part, of)
        return None if inner is None else ~inner
    if type(condition) is Junction:
        parts: list[Any] = [truth(part, of) for part in condition.parts]
        if any(part is None for part in parts):
            return None
        return (np.logical_and if condition.op == "and" else np.logical_or).reduce(parts)
    assert type(condition) is Compare
    return _compared(condition, of)


def _compared(condition: Compare, of: Callable[[Any], Column | None]) -> Column | None:
    sides = []
    for side in (condition.left, condition.right):
        is_signed = type(side) is App and side.op == "signed"
        value = of(side.args[1]) if is_signed else of(side)  # type: ignore[union-attr]
        if value is None:
            return None
        wide = np.broadcast_to(value, 256)
        sides.append(_as_signed(side.args[0], wide) if is_signed else wide)  # type: ignore[union-attr]
    left, right = sides
    if left.dtype != right.dtype:
        left, right = left.astype(np.int64), right.astype(np.int64)
    return _COMPARE[condition.op](left, right)


def _as_signed(width: int, value: Column) -> Column:
    shift = np.uint64(64 - width)
    return (value << shift).astype(np.int64) >> np.int64(64 - width)


def _sign_extend(widths: Any, a: Column) -> Column:
    return _as_signed(widths[0], np.asarray(a, dtype=np.uint64)).astype(np.uint64)


def _shifted(shift: Callable[[Column, Column], Column]) -> Callable[..., Column]:
    def value(widths: Any, a: Column, b: Column) -> Column:
        wide = np.asarray(b) >= np.uint64(widths[0])
        return np.where(wide, np.uint64(0), shift(a, np.where(wide, np.uint64(0), b)))

    return value


def _ashr(widths: Any, a: Column, b: Column) -> Column:
    count = np.minimum(b, np.uint64(widths[0] - 1)).astype(np.int64)
    return (_as_signed(widths[0], np.asarray(a, dtype=np.uint64)) >> count).astype(np.uint64)


_RULES: dict[str, Callable[..., Column]] = {
    "bv": lambda widths, a: a,
    "bvnot": lambda widths, a: ~a,
    "bvneg": lambda widths, a: np.uint64(0) - a,
    "bvadd": lambda widths, a, b: a + b,
    "bvsub": lambda widths, a, b: a - b,
    "bvmul": lambda widths, a, b: a * b,
    "bvand": lambda widths, a, b: a & b,
    "bvor": lambda widths, a, b: a | b,
    "bvxor": lambda widths, a, b: a ^ b,
    "bvshl": _shifted(lambda a, b: a << b),
    "bvlshr": _shifted(lambda a, b: a >> b),
    "bvashr": _ashr,
    "extract": lambda widths, a: a >> np.uint64(widths[1]),
    "concat": lambda widths, a, b: (a << np.uint64(widths[1])) | b,
    "zero_extend": lambda widths, a: a,
    "sign_extend": _sign_extend,
}
_COMPARE: dict[str, Callable[[Column, Column], Column]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}


def depends_on_byte(term: Any, bytes_mask: int) -> int | None:
    """The one leaf that a term depends on, if it is a byte."""
    mask = leaves_of(term)
    index = single_leaf(mask)
    return index if index is not None and bytes_mask >> index & 1 else None
