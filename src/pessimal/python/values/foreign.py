"""Symbolic numbers beside numbers of other kinds: fractions, decimals, complex numbers, those of other libraries."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

from pessimal.expr import Expr, Term
from pessimal.expr.evaluate import COMPARE, OPERATIONS
from pessimal.python.compiled_code import is_foreign
from pessimal.python.refusals import watched
from pessimal.python.symbolic_value import SymbolicValue
from pessimal.python.values.arithmetic import apply, concrete, relation, sort_of

_METHODS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "lshift",
    ">>": "rshift",
    "divmod": "divmod",
}
_COMPARISONS = {"<": ("lt", "gt"), "<=": ("le", "ge"), "==": ("eq", "eq"), "!=": ("ne", "ne")}
_COMPARISONS |= {">": ("gt", "lt"), ">=": ("ge", "le")}


def compared(op: str, term: Term, value: Any) -> Expr | None:
    """The comparison of a term with a number of another kind, exact; None where Python leaves it to that number."""
    if isinstance(value, complex):
        if op not in ("==", "!="):
            return COMPARE[op](0.0 if sort_of(term) == "float" else 0, value)  # raises, in Python's own words
        return relation(op, term, value.real) if not value.imag else op == "!="
    if isinstance(value, Decimal) and not value.is_finite():
        return COMPARE[op](0, value)
    return _with_rational(op, term, Fraction(value)) if isinstance(value, Decimal | Fraction) else None


def _with_rational(op: str, term: Term, value: Fraction) -> Expr:
    if sort_of(term) == "int":
        return relation(op, apply("*", (term, value.denominator), "int"), value.numerator)
    nearest = _nearest(value)
    if value == nearest:
        return relation(op, term, nearest)
    if op in ("==", "!="):
        return op == "!="
    # No double lies between a rational and the nearest double to it.
    is_above = nearest > value
    return relation({"<": "<" if is_above else "<=", ">": ">=" if is_above else ">"}[op[0]], term, nearest)


def _nearest(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, value)


def combined(op: str, left: Any, right: Any) -> Any:
    """An operation with a number that takes no symbolic one beside it, on the concrete value."""
    if not any(isinstance(value, Decimal | complex) for value in (left, right)):
        return left_to(op, left, right)
    reason = f"{op} with a number of another kind"
    a, b = (concrete(value.expr, reason) if hasattr(value, "expr") else value for value in (left, right))
    return divmod(a, b) if op == "divmod" else OPERATIONS[op](a, b)


def left_to(op: str, left: Any, right: Any) -> Any:
    """An operation of a symbolic number with an object that we cannot compute with.

    If the object's class is compiled, its own method is called. Should that give up where it would accept a plain
    number, it gets the concrete one.
    """
    is_reflected = isinstance(right, SymbolicValue) and not isinstance(left, SymbolicValue)
    other, number = (left, right) if is_reflected else (right, left)
    kind: Any = type(other)
    if not is_foreign(kind):
        return NotImplemented
    names = _COMPARISONS.get(op) or (_METHODS[op], f"r{_METHODS[op]}")
    method = getattr(kind, f"__{names[not is_reflected]}__", None)
    # Python calls us for an object on the left only after the object's own method has given up.
    answer = NotImplemented if is_reflected or method is None else watched(method, (other, number), {})
    if answer is NotImplemented and method is not None and _takes(method, other, number.__class__(1)):
        return method(other, number.concrete(f"{op} with a {kind.__name__}"))
    return answer


def _takes(method: Any, other: Any, number: Any) -> bool:
    """Whether a method takes a plain number."""
    try:
        return method(other, number) is not NotImplemented
    except Exception:
        return False
