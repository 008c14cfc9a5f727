"""Comparisons of a growing or falling function of one term with a constant, turned into comparisons of that term.

``float(n) / 10 == 2.5`` is ``n == 25``, and ``x * 1.8 + 32 > 212`` is ``x`` beyond one double, found by bisection under
the exact evaluation: rounding keeps the order. Solvers then see an order and no arithmetic of doubles.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from typing import Any

from pessimal.expr.node import App, Compare, Expr, Offset, Term, Var, conjunction, disjunction

MAX_STEPS = 32
"""Chains of more operations than this are left as they are."""
MAX_BITS = 1100
"""No double is as large as an integer of so many bits."""

Step = Callable[[Any], Any]
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_ROUNDINGS: dict[str, Step] = {"int": int, "floor": math.floor, "ceil": math.ceil}


def comparison(op: str, left: Term, right: Term) -> Expr:
    """The comparison of two terms, simplified where one is a constant and the other a chain of monotone steps."""
    known = None
    if type(left) is App and _is_number(right):
        known = _solved(op, left, right)
    elif type(right) is App and _is_number(left):
        known = _solved(_MIRRORED[op], right, left)
    return Compare(op, left, right) if known is None else known


def _is_number(term: Term) -> bool:
    return type(term) is int or (type(term) is float and math.isfinite(term))


def _solved(op: str, term: App, bound: Any) -> Expr | None:
    chain = _chain(term)
    if chain is None:
        return None
    base, steps, falls, bits = chain

    def reaches(value: Any, beyond: bool) -> bool:
        """Whether the chain's value, turned round if it falls, is at the bound, or beyond it."""
        for step in steps:
            value = step(value)
        if falls:
            return bool(value < bound if beyond else value <= bound)
        return bool(value > bound if beyond else value >= bound)

    known = _placed(_MIRRORED[op] if falls else op, base, reaches, bits)
    # What is always or never true stays a condition: the program tests it, and what it tests is a branch.
    return Compare("==" if known else "!=", base, base) if isinstance(known, bool) else known


def _placed(op: str, base: Any, reaches: Callable[[Any, bool], bool], bits: int) -> Expr:
    """The comparison as one of the base with the places where the chain reaches the bound and leaves it behind."""

    def first(beyond: bool) -> Any:
        if base.sort == "float":
            return _first_double(lambda value: reaches(value, beyond))
        return _first_integer(lambda value: reaches(value, beyond), bits)

    if op in ("<", ">="):
        return _from(base, first(False), op == ">=")
    if op in ("<=", ">"):
        return _from(base, first(True), op == ">")
    at, after = first(False), first(True)
    if at == after:
        return op == "!="
    if op == "==":
        return conjunction([_from(base, at, True), _from(base, after, False)])
    return disjunction([_from(base, at, False), _from(base, after, True)])


def _from(base: Term, first: Any, wanted: bool) -> Expr:
    """Whether a term is at the first value for which something holds, or above; infinity stands for none."""
    if first in (math.inf, -math.inf):
        return (first < 0) is wanted
    return Compare(">=" if wanted else "<", base, first)


def _chain(term: Term) -> tuple[Any, list[Step], bool, int] | None:
    """The innermost term, the steps from it outwards, whether they fall, and how many bits reach beyond all of them.

    None where doubles take no part.
    """
    steps: list[Step] = []
    falls = has_floats = False
    bits = MAX_BITS
    while type(term) is App and len(steps) <= MAX_STEPS:
        found = _step(term)
        if found is None:
            break
        has_floats = has_floats or term.sort == "float" or found[0].sort == "float"
        bits += sum(arg.bit_length() for arg in term.args if type(arg) is int)
        term, step, turns = found
        steps.append(step)
        falls ^= turns
    is_base = type(term) is Var or type(term) is Offset or (type(term) is App and term.sort == "int")
    return (term, steps[::-1], falls, bits) if is_base and steps and has_floats else None


def _step(node: App) -> tuple[Any, Step, bool] | None:
    """The one symbolic argument of a monotone operation, the operation as a function of it, and whether it falls."""
    op, args = node.op, node.args
    if op in _ROUNDINGS:
        return (args[0], _rounding(_ROUNDINGS[op]), False) if len(args) == 1 and _is_float(args[0]) else None
    if op == "round" and _is_float(args[0]) and all(type(digits) is int for digits in args[1:]):
        return args[0], _rounding(_rounder(*args[1:])), False
    if op == "float":
        return args[0], _total(float), False
    if op == "neg":
        return args[0], lambda value: -value, True
    if op not in ("+", "-", "*", "/") or len(args) != 2:
        return None
    a, b = args
    if _is_number(b) and not _is_number(a):
        return _with_right(op, a, b)
    return _with_left(op, a, b) if _is_number(a) and not _is_number(b) else None


def _is_float(term: Any) -> bool:
    return getattr(term, "sort", None) == "float"


def _with_right(op: str, a: Any, b: Any) -> tuple[Any, Step, bool] | None:
    if op == "+":
        return a, _total(lambda value: value + b), False
    if op == "-":
        return a, _total(lambda value: value - b), False
    if b == 0:
        return None
    return a, _total((lambda value: value * b) if op == "*" else (lambda value: value / b)), b < 0


def _with_left(op: str, a: Any, b: Any) -> tuple[Any, Step, bool] | None:
    if op == "+":
        return b, _total(lambda value: a + value), False
    if op == "-":
        return b, _total(lambda value: a - value), True
    return (b, _total(lambda value: a * value), a < 0) if op == "*" and a != 0 else None


def _total(function: Step) -> Step:
    """A step that goes on beyond the doubles: what overflows is infinite, on the side that the operand's sign tells."""

    def step(value: Any) -> Any:
        try:
            return function(value)
        except OverflowError:
            return function(math.copysign(math.inf, 1 if value > 0 else -1))

    return step


def _rounding(function: Step) -> Step:
    return lambda value: value if isinstance(value, float) and math.isinf(value) else function(value)


def _rounder(*digits: int) -> Step:
    return lambda value: round(value, *digits)


def _first_integer(holds: Callable[[int], bool], bits: int) -> Any:
    """The least integer for which something holds that goes on holding; infinite if there is none or no least."""
    low = next((n for n in _outwards(-1, bits) if not holds(n)), None)
    high = next((n for n in _outwards(1, bits) if holds(n)), None)
    if low is None or high is None:
        return -math.inf if low is None else math.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _outwards(sign: int, bits: int) -> Iterator[int]:
    yield 0
    for shift in range(bits):
        yield sign << shift


def _first_double(holds: Callable[[float], bool]) -> float:
    """The same for finite doubles, which are ordered as the integers that their bits are."""
    low, high = -_LARGEST, _LARGEST
    if holds(_double(low)):
        return -math.inf
    if not holds(_double(high)):
        return math.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(_double(middle)) else (middle, high)
    return _double(high)


_LARGEST = struct.unpack("<q", struct.pack("<d", 1.7976931348623157e308))[0]


def _double(rank: int) -> float:
    """The double of a rank, zero being that of rank 0."""
    size: float = struct.unpack("<d", struct.pack("<q", abs(rank)))[0]
    return -size if rank < 0 else size
