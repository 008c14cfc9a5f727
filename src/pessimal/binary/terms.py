"""Terms that instructions build: bit-vectors, simplified as they are made, and each made only once.

A value is an int, taken modulo its width, or a bit-vector of :mod:`pessimal.expr.bits`. Equal terms are the same
object, in all runs of a front-end, so that what is found out about a term is found out once.
"""

from __future__ import annotations

from typing import Any

from pessimal.expr import App, Compare, Expr, Junction, Not, Offset, variables
from pessimal.expr.bits import BITS, sort_of

Value = int | App
"""What a register or memory holds: a number, or a term."""

MOST_TERMS = 2_000_000
"""When so many are known, they are forgotten: a search goes on for hours."""

_known: dict[tuple[Any, ...], App] = {}
_leaves: dict[int, int] = {}
_COMMUTATIVE = frozenset(("bvadd", "bvmul", "bvand", "bvor", "bvxor"))


class _Widths(dict[str, int]):
    """The widths of sorts, each read once."""

    def __missing__(self, sort: str) -> int:
        self[sort] = width = int(sort[2:])
        return width


_widths = _Widths()


def width_of(term: App) -> int:
    """How many bits a term has."""
    return _widths[term.sort]


def leaf(index: int) -> App:
    """A byte of the input."""
    return integer_leaf(index, 8)


def integer_leaf(index: int, width: int) -> App:
    """An integer of the input, modulo its width."""
    key = ("leaf", index, width)
    found = _known.get(key)
    if found is None:
        found = _known[key] = App("bv", (width, Offset(index)), sort_of(width))
        _leaves[id(found)] = 1 << index
    return found


def make(op: str, args: tuple[Any, ...], width: int) -> App:
    """The one term for an operation on arguments."""
    key = (op, width, *[("i", arg) if type(arg) is int else id(arg) for arg in args])
    found = _known.get(key)
    if found is None:
        if len(_known) > MOST_TERMS:
            forget()
        found = _known[key] = App(op, args, sort_of(width))
        mask = 0
        for arg in args:
            mask |= leaves_of(arg)
        _leaves[id(found)] = mask
    return found


def forget() -> None:
    """Forget all terms; those in use stay as they are."""
    _known.clear()
    _leaves.clear()


def apply(op: str, width: int, a: Value, b: Value) -> Value:
    """A binary operation on values of one width."""
    if type(a) is int:
        if type(b) is int:
            return BITS[op](width, a, b)
        if op in _COMMUTATIVE:
            a, b = b, a
    if type(b) is int:
        b &= (1 << width) - 1
        simple = _with_constant(op, width, a, b)
        if simple is not None:
            return simple
    elif a is b and op in ("bvsub", "bvxor"):
        return 0
    elif a is b and op in ("bvand", "bvor"):
        return a
    if op == "bvor" or op == "bvadd" or op == "bvxor":
        joined = _joined(width, a, b)
        if joined is not None:
            return joined
    return make(op, (width, a, b), width)


def _with_constant(op: str, width: int, a: Any, b: int) -> Value | None:
    """An operation with a constant on its right, where it is something simpler."""
    ones = (1 << width) - 1
    if b == 0:
        if op in ("bvmul", "bvand"):
            return 0
        if op not in ("bvudiv", "bvurem", "bvsdiv", "bvsrem"):
            return a  # type: ignore[no-any-return]
        return None
    if op == "bvand":
        return _masked(width, a, b, ones)
    if op == "bvmul" and b == 1:
        return a  # type: ignore[no-any-return]
    if op == "bvmul" and b & (b - 1) == 0:
        return apply("bvshl", width, a, b.bit_length() - 1)
    if op == "bvshl":
        return 0 if b >= width else concat(extract(width - 1 - b, 0, a), width - b, 0, b)
    if op == "bvlshr":
        return 0 if b >= width else zero_extend(width, extract(width - 1, b, a), width - b)
    if op == "bvsub":
        return apply("bvadd", width, a, -b & ones)
    if op == "bvadd" and a.op == "bvadd" and type(a.args[2]) is int:
        return apply("bvadd", width, a.args[1], (a.args[2] + b) & ones)
    if op == "bvor" and b == ones:
        return ones
    return None


def _masked(width: int, a: Any, b: int, ones: int) -> Value | None:
    """A bitwise conjunction with a constant: the low bits, or the high ones, are parts of the term."""
    if b == ones:
        return a  # type: ignore[no-any-return]
    low = b.bit_length()
    if b == (1 << low) - 1:
        return zero_extend(width, extract(low - 1, 0, a), low)
    zeros = (b & -b).bit_length() - 1
    if b == ones ^ ((1 << zeros) - 1):
        return concat(extract(width - 1, zeros, a), width - zeros, 0, zeros)
    return None


def _joined(width: int, a: Any, b: Any) -> Value | None:
    """Two terms whose bits do not overlap, as one: how programs read numbers byte by byte."""
    for high, low in ((a, b), (b, a)):
        if type(high) is App and high.op == "concat" and type(high.args[3]) is int and high.args[3] == 0:
            zeros = high.args[1]
            narrow = bits_used(low)
            if narrow <= zeros:
                return concat(high.args[2], width - zeros, extract(zeros - 1, 0, low), zeros)
    return None


def bits_used(value: Value) -> int:
    """How many low bits of a value can be other than zero."""
    if type(value) is int:
        return value.bit_length()
    assert type(value) is App
    if value.op == "zero_extend":
        return min(int(value.args[0]), bits_used(value.args[1]))
    if value.op == "concat" and type(value.args[2]) is int and value.args[2] == 0:
        return bits_used(value.args[3])
    if value.op == "bvand" and type(value.args[2]) is int:
        return int(value.args[2]).bit_length()
    if value.op == "ite" and type(value.args[1]) is int and type(value.args[2]) is int:
        return max(value.args[1].bit_length(), value.args[2].bit_length())
    return width_of(value)


def unary(op: str, width: int, a: Value) -> Value:
    """``bvnot`` or ``bvneg``."""
    return BITS[op](width, a) if type(a) is int else make(op, (width, a), width)


def extract(high: int, low: int, a: Value) -> Value:
    """The bits from one position to another, both included."""
    if type(a) is int:
        return (a >> low) & ((1 << (high - low + 1)) - 1)
    assert type(a) is App
    width, wanted = width_of(a), high - low + 1
    if wanted == width:
        return a
    op, args = a.op, a.args
    if op == "extract":
        return extract(high + args[1], low + args[1], args[2])
    if op == "concat":
        right = args[1]
        if high < right:
            return extract(high, low, args[3])
        if low >= right:
            return extract(high - right, low - right, args[2])
        upper, lower = extract(high - right, 0, args[2]), extract(right - 1, low, args[3])
        return concat(upper, high - right + 1, lower, right - low)
    if op == "zero_extend":
        narrow = args[0]
        if low >= narrow:
            return 0
        if high < narrow:
            return extract(high, low, args[1])
        return zero_extend(wanted, extract(narrow - 1, low, args[1]), narrow - low)
    if op == "sign_extend" and high < args[0]:
        return extract(high, low, args[2])
    if low == 0 and op in ("bvand", "bvor", "bvxor", "bvadd", "bvsub", "bvmul"):
        return apply(op, wanted, extract(high, 0, args[1]), extract(high, 0, args[2]))
    if op == "ite":
        return ite(args[0], extract(high, low, args[1]), extract(high, low, args[2]), wanted)
    return make("extract", (high, low, a), wanted)


def concat(high: Value, high_width: int, low: Value, low_width: int) -> Value:
    """Two values as one."""
    if type(high) is int and type(low) is int:
        return (high & ((1 << high_width) - 1)) << low_width | low
    if type(high) is int and high == 0:
        return zero_extend(high_width + low_width, low, low_width)
    if type(high) is App and type(low) is App and _are_adjacent(high, low):
        return extract(high.args[0], low.args[1], high.args[2])
    return make("concat", (high_width, low_width, high, low), high_width + low_width)


def _are_adjacent(high: App, low: App) -> bool:
    """Whether two terms are parts of one, and the first begins where the second ends."""
    is_one = high.op == low.op == "extract" and high.args[2] is low.args[2]
    return is_one and bool(high.args[1] == low.args[0] + 1)


def zero_extend(width: int, a: Value, narrow: int) -> Value:
    """A value made wider with zeros."""
    if type(a) is int or narrow == width:
        return a
    assert type(a) is App
    if a.op == "zero_extend":
        return make("zero_extend", (a.args[0], a.args[1]), width)
    return make("zero_extend", (narrow, a), width)


def sign_extend(width: int, a: Value, narrow: int) -> Value:
    """A value made wider with its sign."""
    if type(a) is int:
        return BITS["sign_extend"](narrow, width, a)
    assert type(a) is App
    if narrow == width:
        return a
    if a.op == "zero_extend" and a.args[0] < narrow:
        return make("zero_extend", (a.args[0], a.args[1]), width)
    return make("sign_extend", (narrow, width, a), width)


def ite(test: Expr, then: Value, other: Value, width: int) -> Value:
    """One of two values."""
    if isinstance(test, bool):
        return then if test else other
    if then is other or (type(then) is int and type(other) is int and then == other):
        return then
    return make("ite", (test, then, other), width)


def table(index: App, entries: tuple[int, ...], width: int) -> App:
    """The entry of a table of numbers at an index, counted from 0."""
    key = ("table", id(index), entries, width)
    found = _known.get(key)
    if found is None:
        found = _known[key] = make("table", (index, 0, *entries), width)
    return found


def leaves_of(node: Any) -> int:
    """The leaves that a term or condition depends on, as a mask with a bit for each."""
    kind = type(node)
    if kind is App:
        known = _leaves.get(id(node))
        if known is None:  # not made here, or forgotten
            known = leaves_of(node.args[1]) if node.op == "signed" else sum(1 << var for var in variables(node))
        return known
    if kind is Compare:
        return leaves_of(node.left) | leaves_of(node.right)
    if kind is Offset:
        return 1 << int(node.var)
    if kind is Not:
        return leaves_of(node.part)
    mask = 0
    for part in node.parts if kind is Junction else ():
        mask |= leaves_of(part)
    return mask
