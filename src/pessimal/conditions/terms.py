"""How terms are built from what people write: Python's rules of types, and where an operation has a value at all.

``Defined`` collects the conditions under which Python would not raise: they go beside the truth value, so that a model
never rests on an operation that has none.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from pessimal.conditions.condition import ConditionError
from pessimal.expr import App, Compare, Expr, Junction, Not, Offset, Term, bits, conjunction
from pessimal.expr.evaluate import COMPARE, OPERATIONS
from pessimal.expr.functions import REAL

Value: TypeAlias = Any
"""A term, which is a number, or an expression, which is a truth value."""

LARGEST = 1.7976931348623157e308
MAX_PRODUCT = 8
"""Constant exponents up to this are written out as products."""
MAX_BITS = 100_000
"""Powers of constants up to this size are computed at once."""


def is_truth(value: Value) -> bool:
    """Whether a value is a truth value."""
    return isinstance(value, bool | Compare | Junction | Not)


def sort_of(value: Value) -> str:
    """``bool``, ``int`` or ``float``."""
    if is_truth(value):
        return "bool"
    if isinstance(value, int | float):
        return type(value).__name__
    return "float" if value.sort == "float" else "int"


def number(value: Value) -> Any:
    """A value as a number: a truth value is 0 or 1."""
    if isinstance(value, bool):
        return int(value)
    if not is_truth(value):
        return value
    if type(value) is Compare and value.op == "==" and type(value.left) is Offset and value.right == 1:
        return value.left  # a variable that is true or false
    return App("ite", (value, 1, 0), "int")


def truth(value: Value) -> Any:
    """A value as a truth value: a number is true unless it is zero."""
    return value if is_truth(value) else relation("!=", value, 0)


def relation(op: str, left: Term, right: Term) -> Expr:
    """A comparison, decided at once between constants."""
    if isinstance(left, int | float) and isinstance(right, int | float):
        return COMPARE[op](left, right)
    return Compare(op, left, right)


def joint_sort(*terms: Term) -> str:
    """The sort of what terms are combined to."""
    return "float" if any(sort_of(term) == "float" for term in terms) else "int"


def apply(op: str, args: tuple[Term, ...], sort: str) -> Term:
    """An operation, computed at once where all arguments are constants."""
    if all(isinstance(arg, int | float) for arg in args):
        try:
            return OPERATIONS[op](*args)  # type: ignore[no-any-return]
        except (ArithmeticError, ValueError) as error:
            raise ConditionError(f"{op} of {', '.join(map(repr, args))} has no value: {error}") from None
    return App(op, args, sort)


def as_float(term: Term) -> Term:
    """A number as a float."""
    return term if sort_of(term) == "float" else apply("float", (term,), "float")


def arithmetic(op: str, a: Term, b: Term, defined: list[Expr]) -> Term:
    """A sum, product, quotient, power or bit operation, by Python's rules."""
    if op in _BITWISE:
        return _bitwise(op, a, b, defined)
    if op == "**":
        return power(a, b, defined)
    if op in ("/", "//", "%"):
        defined.append(relation("!=", b, 0))
        if b == 0:
            raise ConditionError(f"{op} by zero has no value")
    if op in ("+", "-") and type(a) is Offset and type(b) is int:
        return Offset(a.var, a.const + (b if op == "+" else -b))
    return apply(op, (a, b), "float" if op == "/" else joint_sort(a, b))


def _bitwise(op: str, a: Term, b: Term, defined: list[Expr]) -> Term:
    for term in (a, b):
        if sort_of(term) == "float":
            raise ConditionError(f"{op} takes ints, not a float: write int(...) around it")
    if op in ("<<", ">>"):
        defined.append(relation(">=", b, 0))
        if op == "<<" and not isinstance(b, int):
            defined.append(relation("<=", b, 4096))
    return apply(op, (a, b), "int")


def power(base: Term, exponent: Term, defined: list[Expr]) -> Term:
    """A power: exact where it is a product of integers, a double otherwise."""
    if isinstance(base, int) and isinstance(exponent, int) and 0 <= exponent * base.bit_length() <= MAX_BITS:
        return int(base**exponent)
    if isinstance(exponent, int) and 0 <= exponent <= (64 if sort_of(base) == "int" else MAX_PRODUCT):
        return apply("**", (base, exponent), sort_of(base)) if exponent else 1
    if isinstance(exponent, int | float):
        if exponent < 0:
            defined.append(relation("!=", base, 0))
        if not float(exponent).is_integer():
            defined.append(relation(">=", base, 0))
    result = apply("power", (as_float(base), as_float(exponent)), "float")
    if not isinstance(result, int | float):
        defined.append(Compare("<=", App("abs", (result,), "float"), LARGEST))
    return result


def negated(term: Term) -> Term:
    """A number with the other sign."""
    return apply("neg", (term,), sort_of(term))


def inverted(term: Term) -> Term:
    """The complement of an integer."""
    if sort_of(term) == "float":
        raise ConditionError("~ takes an int, not a float: write int(...) around it")
    return apply("~", (term,), "int")


def case(test: Expr, then: Term, other: Term) -> Term:
    """One of two numbers, by a condition."""
    if isinstance(test, bool):
        return then if test else other
    return App("ite", (test, then, other), joint_sort(then, other))


def least(op: str, terms: list[Term]) -> Term:
    """The first of the smallest (``<``) or largest (``>``) of some numbers."""
    best = terms[0]
    for term in terms[1:]:
        best = case(relation(op, term, best), term, best)
    return best


def wrapped(width: int, signed: bool, term: Term) -> Term:
    """What a machine word of a width holds of an integer."""
    if sort_of(term) == "float":
        raise ConditionError(f"{'' if signed else 'u'}int{width} takes an int, not a float: write int(...) around it")
    vector = bits.vector(width, term)
    return bits.signed(vector) if signed else vector


def _compared(op: str, limit: float) -> Callable[[Term], Expr]:
    return lambda x: relation(op, x, limit)


def _size_at_most(limit: float) -> Callable[[Term], Expr]:
    return lambda x: conjunction([relation("<=", -limit, x), relation("<=", x, limit)])


_DOMAINS: dict[str, Callable[[Term], Expr]] = {
    "sqrt": _compared(">=", 0),
    "log": _compared(">", 0),
    "log2": _compared(">", 0),
    "log10": _compared(">", 0),
    "log1p": _compared(">", -1),
    "acosh": _compared(">=", 1),
    "asin": _size_at_most(1),
    "acos": _size_at_most(1),
    "atanh": lambda x: conjunction([relation("<", -1, x), relation("<", x, 1)]),
    "exp": _compared("<=", 709.782712893384),
    "exp2": _compared("<", 1024),
    "expm1": _compared("<=", 709.782712893384),
    "sinh": _size_at_most(710.4758600739439),
    "cosh": _size_at_most(710.4758600739439),
    "gamma": lambda x: conjunction([relation("<=", x, 171.6), relation("!=", x, 0)]),
    "lgamma": _compared(">", 0),
}
"""Where functions of one argument have a value, as far as it is a matter of the argument alone."""

BINARY_REAL = frozenset(("atan2", "fmod", "copysign", "remainder", "pow"))
UNARY_REAL = frozenset(REAL) - BINARY_REAL - {"power", "fraction", "whole", "fsum", "dist", "hypot"}


def real_function(name: str, args: list[Term], defined: list[Expr]) -> Term:
    """A function of ``math`` whose value is a float."""
    floats = tuple(as_float(arg) for arg in args)
    if name in _DOMAINS:
        defined.append(_DOMAINS[name](args[0]))
    elif name in ("fmod", "remainder"):
        defined.append(relation("!=", args[1], 0))
    result = apply(name, floats, "float")
    if isinstance(result, float) and not math.isfinite(result):
        raise ConditionError(f"{name} of {', '.join(map(repr, args))} has no value")
    if name in ("pow", "gamma", "tan") and not isinstance(result, float):
        defined.append(Compare("<=", App("abs", (result,), "float"), LARGEST))
    return result


_BITWISE = frozenset(("&", "|", "^", "<<", ">>"))
