"""How terms are built from what people write: Python's rules of types, and where an operation has a value at all.

``Defined`` collects the conditions under which Python would not raise: they go beside the truth value, so that a model
never rests on an operation that has none.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from pessimal.conditions.condition import ConditionError, NoValue
from pessimal.expr import (
    App,
    BlackBox,
    Compare,
    Expr,
    Junction,
    Leaf,
    Not,
    Offset,
    Term,
    bits,
    conjunction,
    disjunction,
    negation,
)
from pessimal.expr.evaluate import COMPARE, OPERATIONS
from pessimal.expr.functions import INTEGER, MAX_BITS, REAL
from pessimal.expr.node import NEGATED

Value: TypeAlias = Any
"""A term, which is a number, or an expression, which is a truth value."""

LARGEST = 1.7976931348623157e308
MAX_SHIFT = 4096
"""Numbers are shifted to the left by at most so many bits."""
MAX_PRODUCT = 8
"""Constant exponents up to this are written out as products."""


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
            raise NoValue(f"{op} of {shown(*args)} has no value: {error}") from None
    return App(op, args, sort)


def shown(*numbers: Any) -> str:
    """Constants as they are written in messages; of large integers only the size."""
    return ", ".join(
        f"an int of {one.bit_length()} bits" if isinstance(one, int) and one.bit_length() > 200 else repr(one)
        for one in numbers
    )


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
            raise NoValue(f"{op} by zero has no value")
    if op in ("+", "-") and type(a) is Offset and type(b) is int:
        return Offset(a.var, a.const + (b if op == "+" else -b))
    return apply(op, (a, b), "float" if op == "/" else joint_sort(a, b))


def _bitwise(op: str, a: Term, b: Term, defined: list[Expr]) -> Term:
    for term in (a, b):
        if sort_of(term) == "float":
            raise ConditionError(f"{op} takes ints, not a float: write int(...) around it")
    if op in ("<<", ">>"):
        if isinstance(b, int) and b > MAX_BITS:
            raise ConditionError(f"a shift is by more than {MAX_BITS} bits: numbers of that size are not computed")
        defined.append(relation(">=", b, 0))
        if op == "<<" and not isinstance(b, int):
            defined.append(relation("<=", b, MAX_SHIFT))
    return apply(op, (a, b), "int")


def power(base: Term, exponent: Term, defined: list[Expr], *, is_whole: bool = False) -> Term:
    """A power: exact where it is one of integers, a double otherwise.

    ``is_whole`` says that an exponent that is an integer is never negative, so that the power is an integer.
    """
    if isinstance(base, int) and isinstance(exponent, int) and 0 <= exponent <= MAX_BITS // max(base.bit_length(), 1):
        return int(base**exponent)
    if isinstance(base, int | float) and isinstance(exponent, int | float):
        return _constant_power(base, exponent)
    if exponent == 1:
        return base
    if isinstance(exponent, int) and 0 <= exponent <= (64 if sort_of(base) == "int" else MAX_PRODUCT):
        return apply("**", (base, exponent), sort_of(base)) if exponent else 1
    if joint_sort(base, exponent) == "int" and not isinstance(exponent, int):
        return App("integer_power", (base, exponent), "int") if is_whole else _EITHER(base, exponent, sort="float")
    if isinstance(exponent, int | float):
        if exponent < 0:
            defined.append(relation("!=", base, 0))
        if math.isfinite(exponent) and not float(exponent).is_integer():
            defined.append(unless("<", base, 0))
    operands = as_float(base), as_float(exponent)
    result = apply("power", operands, "float")
    if not isinstance(result, int | float):
        defined.append(_no_overflow(result, operands))
    return result


def _constant_power(base: Leaf, exponent: Leaf) -> Leaf:
    if isinstance(base, int) and isinstance(exponent, int) and exponent > 0:
        raise ConditionError(f"a power has more than {MAX_BITS} bits: numbers of that size are not computed")
    try:
        result = float(base) ** float(exponent)
    except ArithmeticError as error:
        raise NoValue(f"** of {shown(base, exponent)} has no value: {error}") from None
    if isinstance(result, complex):
        raise NoValue(f"** of {shown(base, exponent)} has no value: it is a complex number")
    return float(result)


def _either_power(base: int, exponent: int) -> Leaf:
    return INTEGER["integer_power"](base, exponent) if exponent >= 0 else float(base) ** exponent


_EITHER = BlackBox("**", _either_power, trusted=True)
"""A power of integers whose exponent decides whether it is an integer: nobody looks into it."""


def _no_overflow(result: Term, operands: tuple[Term, ...]) -> Expr:
    """A result that is not finite is an error, unless an operand is not finite either; leaves always are."""
    if any(isinstance(one, float) and not math.isfinite(one) for one in operands):
        return True
    infinite = [negation(Compare("<=", App("abs", (one,), "float"), LARGEST)) for one in operands if type(one) is App]
    return disjunction([Compare("<=", App("abs", (result,), "float"), LARGEST), *infinite])


def unless(op: str, term: Term, limit: float) -> Expr:
    """That a comparison does not hold; of a term that may be NaN this is not the opposite comparison."""
    if isinstance(term, int | float):
        return not COMPARE[op](term, limit)
    if type(term) is App and term.sort == "float":
        return Not(Compare(op, term, limit))
    return relation(NEGATED[op], term, limit)


def negated(term: Term) -> Term:
    """A number with the other sign."""
    return apply("neg", (term,), sort_of(term))


def inverted(term: Term) -> Term:
    """The complement of an integer."""
    if sort_of(term) == "float":
        raise ConditionError("~ takes an int, not a float: write int(...) around it")
    return arithmetic("-", negated(term), 1, [])  # solvers of integers and of words both know these


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
    if isinstance(term, int):
        return bits.signed_value(width, term) if signed else term & ((1 << width) - 1)
    vector = bits.vector(width, term)
    return bits.signed(vector) if signed else vector


def _never(op: str, limit: float) -> Callable[[Term], Expr]:
    return lambda x: unless(op, x, limit)


def _at_most(limit: float) -> Callable[[Term], Expr]:
    return lambda x: conjunction([unless("<", x, -limit), unless(">", x, limit)])


def _short_of(limit: float, *, both: bool = False) -> Callable[[Term], Expr]:
    """Up to where a function overflows; an infinite argument is no error."""

    def value(x: Term) -> Expr:
        inside = conjunction([unless(">", x, limit), unless("<", x, -limit) if both else True])
        if type(x) is not App or x.sort != "float":
            return inside
        return disjunction([inside, Compare(">", App("abs", (x,), "float") if both else x, LARGEST)])

    return value


_DOMAINS: dict[str, Callable[[Term], Expr]] = {
    "sqrt": _never("<", 0),
    "log": _never("<=", 0),
    "log2": _never("<=", 0),
    "log10": _never("<=", 0),
    "log1p": _never("<=", -1),
    "acosh": _never("<", 1),
    "asin": _at_most(1),
    "acos": _at_most(1),
    "atanh": lambda x: conjunction([unless("<=", x, -1), unless(">=", x, 1)]),
    "exp": _short_of(709.782712893384),
    "exp2": _short_of(1023.9999999999999),
    "expm1": _short_of(709.782712893384),
    "sinh": _short_of(710.4758600739439, both=True),
    "cosh": _short_of(710.4758600739439, both=True),
}
"""Where functions of one argument have a value, as far as it is a matter of the argument alone."""

OF_LARGE = frozenset(("log", "log2", "log10"))
"""Functions that take integers beyond all doubles."""
BINARY_REAL = frozenset(("atan2", "fmod", "copysign", "remainder", "pow"))
UNARY_REAL = frozenset(REAL) - BINARY_REAL - {"power", "fraction", "whole", "fsum", "dist", "hypot"}


def real_function(name: str, args: list[Term], defined: list[Expr]) -> Term:
    """A function of ``math`` whose value is a float."""
    floats = tuple(args) if name in OF_LARGE else tuple(as_float(arg) for arg in args)
    if all(isinstance(arg, int | float) for arg in floats):
        return _constant(name, floats)
    if name in _DOMAINS:
        defined.append(_DOMAINS[name](args[0]))
    elif name in ("fmod", "remainder"):
        defined.append(relation("!=", args[1], 0))
    result = apply(name, floats, "float")
    if name in ("pow", "gamma", "lgamma", "fsum"):
        defined.append(_no_overflow(result, floats))
    return result


def _constant(name: str, args: tuple[Any, ...]) -> float:
    """A function of constants as Python computes it, which may well be infinite or no number."""
    try:
        return float(math.fsum(args) if name == "fsum" else getattr(math, name)(*args))
    except (ArithmeticError, ValueError) as error:
        raise NoValue(f"{name} of {shown(*args)} has no value: {error}") from None


_BITWISE = frozenset(("&", "|", "^", "<<", ">>"))
