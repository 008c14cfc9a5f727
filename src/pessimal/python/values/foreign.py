"""Symbolic numbers beside numbers of other kinds: fractions, decimals and complex numbers."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

from pessimal.expr import Expr, Term
from pessimal.expr.evaluate import COMPARE, OPERATIONS
from pessimal.python.values.arithmetic import apply, concrete, relation, sort_of


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
        return NotImplemented
    reason = f"{op} with a number of another kind"
    a, b = (concrete(value.expr, reason) if hasattr(value, "expr") else value for value in (left, right))
    return divmod(a, b) if op == "divmod" else OPERATIONS[op](a, b)
