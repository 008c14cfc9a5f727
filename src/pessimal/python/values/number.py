"""Symbolic integers and floats.

They hold an expression and nothing else; what they are worth is the live model's business. A truth test is a branch;
whatever needs a concrete number (hash, index, a C function) makes the value concrete and says so in the trace.
"""

from __future__ import annotations

import math
from operator import index
from sys import _getframe
from typing import Any

from pessimal.expr import Compare, Leaf, Offset, Term
from pessimal.expr.evaluate import COMPARE, OPERATIONS
from pessimal.expr.monotone import comparison
from pessimal.python import current
from pessimal.python.marking import mark
from pessimal.python.symbolic_value import SymbolicValue
from pessimal.python.values import arithmetic, foreign
from pessimal.python.values.arithmetic import PLAIN, apply, joint_sort, sort_of
from pessimal.python.values.octets import octets_of
from pessimal.python.values.truth import SymBool, as_truth


class SymNumber(SymbolicValue):
    """What symbolic integers and floats have in common."""

    __slots__ = ("expr",)
    expr: Term

    def __bool__(self) -> bool:
        if isinstance(self.expr, PLAIN):
            return bool(self.expr)
        return current.execution.branch(Compare("!=", self.expr, 0), _getframe(1))

    def __lt__(self, other: Any) -> Any:
        return _compare("<", self, other)

    def __le__(self, other: Any) -> Any:
        return _compare("<=", self, other)

    def __gt__(self, other: Any) -> Any:
        return _compare(">", self, other)

    def __ge__(self, other: Any) -> Any:
        return _compare(">=", self, other)

    def __eq__(self, other: Any) -> Any:
        return _compare("==", self, other)

    def __ne__(self, other: Any) -> Any:
        return _compare("!=", self, other)

    def __hash__(self) -> int:
        if current.execution.identity_hash:
            return id(self)
        value = self.concrete("hash()")
        self.expr = mark(self.expr)  # from here on a dictionary's tests of it are not branches
        return hash(value)

    def concrete(self, reason: str) -> Any:
        """Give the number the value that it has now, recorded as a concretisation."""
        if isinstance(self.expr, PLAIN):
            return self.expr
        return current.execution.concretise((self.expr,), reason, _getframe(1))[0]

    def __add__(self, other: Any) -> Any:
        return _arithmetic("+", self, other)

    def __radd__(self, other: Any) -> Any:
        return _arithmetic("+", other, self)

    def __sub__(self, other: Any) -> Any:
        return _arithmetic("-", self, other)

    def __rsub__(self, other: Any) -> Any:
        return _arithmetic("-", other, self)

    def __mul__(self, other: Any) -> Any:
        return _arithmetic("*", self, other)

    def __rmul__(self, other: Any) -> Any:
        return _arithmetic("*", other, self)

    def __truediv__(self, other: Any) -> Any:
        return _divide("/", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _divide("/", other, self)

    def __floordiv__(self, other: Any) -> Any:
        return _divide("//", self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _divide("//", other, self)

    def __mod__(self, other: Any) -> Any:
        return _divide("%", self, other)

    def __rmod__(self, other: Any) -> Any:
        return _divide("%", other, self)

    def __divmod__(self, other: Any) -> Any:
        return _divmod(self, other)

    def __rdivmod__(self, other: Any) -> Any:
        return _divmod(other, self)

    def __pow__(self, other: Any, modulus: Any = None) -> Any:
        return power(self, other, modulus)

    def __rpow__(self, other: Any) -> Any:
        return power(other, self)

    def __neg__(self) -> Any:
        return wrap("neg", (self.expr,), sort_of(self.expr))

    def __pos__(self) -> Any:
        return number_of(self.expr)  # an object of its own: hashing one leaves the other as it is

    conjugate = __pos__

    @property
    def real(self) -> Any:
        """The number itself."""
        return +self

    def __abs__(self) -> Any:
        return wrap("abs", (self.expr,), sort_of(self.expr))

    def __repr__(self) -> str:
        return repr(self.concrete("repr()"))

    def __str__(self) -> str:
        return str(self.concrete("str()"))

    def __format__(self, spec: str) -> str:
        return format(self.concrete("format()"), spec)

    def __float__(self) -> float:
        return float(self.concrete("float()"))

    def __int__(self) -> int:
        return int(self.concrete("int()"))

    def __complex__(self) -> complex:
        return complex(self.concrete("complex()"))

    def __getattr__(self, name: str) -> Any:
        """A method that has no symbolic version: call it on the concrete value."""
        if not hasattr(self.__class__, name):
            raise AttributeError(f"'{self.__class__.__name__}' object has no attribute '{name}'")
        return getattr(self.concrete(f"{self.__class__.__name__}.{name}"), name)


class SymInt(SymNumber):
    """A symbolic integer of unbounded size."""

    __slots__ = ()

    def __init__(self, expr: Term) -> None:
        self.expr = expr

    __class__ = property(lambda self: int)

    def __add__(self, other: Any) -> Any:
        if type(other) is int:
            expr = self.expr
            if type(expr) is Offset:
                return SymInt(Offset(expr.var, expr.const + other))
        return _arithmetic("+", self, other)

    def __radd__(self, other: Any) -> Any:
        if type(other) is int:
            return self.__add__(other)
        return _arithmetic("+", other, self)

    def __sub__(self, other: Any) -> Any:
        if type(other) is int:
            return self.__add__(-other)
        return _arithmetic("-", self, other)

    def __and__(self, other: Any) -> Any:
        return _bits("&", self, other)

    def __or__(self, other: Any) -> Any:
        return _bits("|", self, other)

    def __xor__(self, other: Any) -> Any:
        return _bits("^", self, other)

    def __rand__(self, other: Any) -> Any:
        return _bits("&", other, self)

    def __ror__(self, other: Any) -> Any:
        return _bits("|", other, self)

    def __rxor__(self, other: Any) -> Any:
        return _bits("^", other, self)

    def __lshift__(self, other: Any) -> Any:
        return _shift("<<", self, other)

    def __rlshift__(self, other: Any) -> Any:
        return _shift("<<", other, self)

    def __rshift__(self, other: Any) -> Any:
        return _shift(">>", self, other)

    def __rrshift__(self, other: Any) -> Any:
        return _shift(">>", other, self)

    def __invert__(self) -> Any:
        return -self - 1

    def __index__(self) -> int:
        return int(self.concrete("__index__"))

    __trunc__ = __floor__ = __ceil__ = SymNumber.__pos__

    def __round__(self, digits: int | None = None) -> Any:
        return number_of(arithmetic.round_to(self.expr, 0 if digits is None else index(digits)))

    def bit_length(self) -> Any:
        """How many bits the number takes."""
        return wrap("bit_length", (self.expr,), "int")

    def bit_count(self) -> Any:
        """How many bits of the number's size are set."""
        return wrap("bit_count", (self.expr,), "int")

    def as_integer_ratio(self) -> tuple[Any, int]:
        """The number over one."""
        return +self, 1

    def to_bytes(self, length: int = 1, byteorder: str = "big", *, signed: bool = False) -> Any:
        """The number as bytes, symbolic for a given length."""
        from pessimal.python.values.text import SymBytes  # text needs numbers for its codes

        return SymBytes.make(octets_of(self.expr, index(length), byteorder, signed))

    numerator = SymNumber.real

    @property
    def imag(self) -> int:
        """Zero, as for every integer."""
        return 0

    @property
    def denominator(self) -> int:
        """One, as for every integer."""
        return 1


class SymFloat(SymNumber):
    """A symbolic double; comparisons and arithmetic are evaluated with IEEE results."""

    __slots__ = ()

    def __init__(self, expr: Term) -> None:
        self.expr = expr

    __class__ = property(lambda self: float)

    def __trunc__(self) -> Any:
        return number_of(arithmetic.to_integer(self.expr, "int"))

    def __floor__(self) -> Any:
        return number_of(arithmetic.to_integer(self.expr, "floor"))

    def __ceil__(self) -> Any:
        return number_of(arithmetic.to_integer(self.expr, "ceil"))

    def __round__(self, digits: int | None = None) -> Any:
        if digits is None:
            return number_of(arithmetic.to_integer(self.expr, "round"))
        return number_of(arithmetic.round_to(self.expr, index(digits)))

    def is_integer(self) -> Any:
        """Whether the number is whole."""
        return as_truth(arithmetic.is_whole(self.expr))

    @property
    def imag(self) -> float:
        """Zero, as for every float."""
        return 0.0


def operand(value: Any) -> Term | None:
    """The term that a number stands for; None for anything that is not a real number."""
    kind = type(value)
    if kind is int or kind is float:
        return value  # type: ignore[no-any-return]
    if kind is SymInt or kind is SymFloat:
        return value.expr  # type: ignore[no-any-return]
    if kind is SymBool:
        return value.as_int().expr  # type: ignore[no-any-return]
    if isinstance(value, int):
        return int(value)
    return float(value) if isinstance(value, float) else None


def wrap(op: str, args: tuple[Term, ...], sort: str) -> Any:
    """The symbolic number that an operation on terms yields, a plain one if the terms are."""
    return number_of(apply(op, args, sort))


def number_of(term: Any) -> Any:
    """A term as the number that the program sees; anything else (a complex number) is returned unchanged."""
    if isinstance(term, (*PLAIN, complex)):
        return term
    return (SymFloat if term.sort == "float" else SymInt)(term)


def _compare(op: str, left: Any, right: Any) -> Any:
    expr = left.expr
    kind = type(right)
    if kind is SymInt:
        term = right.expr
    else:
        term = right if kind is int else operand(right)
        if term is None:
            known = foreign.compared(op, expr, right)
            return foreign.left_to(op, left, right) if known is None else as_truth(known)
    if isinstance(term, PLAIN) and (isinstance(expr, PLAIN) or _beyond(term, expr)):
        return COMPARE[op](expr if isinstance(expr, PLAIN) else 0, term)
    return SymBool(comparison(op, expr, term))


def _beyond(bound: Leaf, expr: Term) -> bool:
    """Whether a comparison is with infinity or NaN, whatever integer the other side is."""
    return type(bound) is float and sort_of(expr) == "int" and not math.isfinite(bound)


def _arithmetic(op: str, left: Any, right: Any) -> Any:
    a, b = operand(left), operand(right)
    if a is None or b is None:
        return foreign.combined(op, left, right)
    sort = joint_sort(a, b)
    if op == "*" and sort == "int":
        if type(a) is int:
            a, b = b, a
        if type(b) is int and b == 1:
            return number_of(a)
    if sort == "float":
        arithmetic.check_convertible(a, b)
    return wrap(op, (a, b), sort)


def _divide(op: str, left: Any, right: Any) -> Any:
    a, b = operand(left), operand(right)
    if a is None or b is None:
        return foreign.combined(op, left, right)
    return number_of(arithmetic.divide(op, a, b))


def _divmod(left: Any, right: Any) -> Any:
    a, b = operand(left), operand(right)
    if a is None or b is None:
        return foreign.combined("divmod", left, right)
    arithmetic.check_divisor(divmod, a, b)
    return wrap("//", (a, b), joint_sort(a, b)), wrap("%", (a, b), joint_sort(a, b))


def _integral(op: str, left: Any, right: Any) -> tuple[Term, Term] | None:
    """Both operands of an operation that only integers have; floats are refused in Python's own words."""
    a, b = operand(left), operand(right)
    if a is not None and b is not None and joint_sort(a, b) == "float":
        OPERATIONS[op](*(0.0 if sort_of(term) == "float" else 0 for term in (a, b)))
    return None if a is None or b is None else (a, b)


def _bits(op: str, left: Any, right: Any) -> Any:
    terms = _integral(op, left, right)
    if terms is None:
        return foreign.left_to(op, left, right)
    a, b = terms
    return wrap(op, (b, a) if op == "&" and type(a) is int else (a, b), "int")


def _shift(op: str, left: Any, right: Any) -> Any:
    terms = _integral(op, left, right)
    return foreign.left_to(op, left, right) if terms is None else number_of(arithmetic.shift(op, *terms))


def power(base: Any, exponent: Any, modulus: Any = None) -> Any:
    """``pow()`` where one of the arguments is symbolic; NotImplemented for anything that is not a real number."""
    a, b, m = operand(base), operand(exponent), 1 if modulus is None else operand(modulus)
    if a is None or b is None or m is None:
        return NotImplemented if modulus is not None else foreign.combined("**", base, exponent)
    if modulus is None:
        return number_of(arithmetic.power(a, b))
    return number_of(arithmetic.power_modulo(a, b, m))


__all__ = ["SymBool", "SymFloat", "SymInt", "SymNumber", "number_of", "operand", "power", "sort_of", "wrap"]
