"""Symbolic integers, floats and truth values.

They hold an expression and nothing else; what they are worth is the live model's business. A truth test is a branch;
whatever needs a concrete number (hash, index, a C function) makes the value concrete and says so in the trace.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from sys import _getframe
from typing import Any

from pessimal.expr import App, Compare, Expr, Leaf, Offset, Term, conjunction, disjunction, negation
from pessimal.expr.evaluate import COMPARE, OPERATIONS
from pessimal.python import live

PLAIN = (int, float)


class SymBool:
    """The truth value of a condition, not yet decided; testing it is a branch."""

    __slots__ = ("expr",)

    def __init__(self, expr: Expr) -> None:
        self.expr = expr

    def __bool__(self) -> bool:
        return live.execution.branch(self.expr, _getframe(1))

    __class__ = property(lambda self: bool)

    def as_int(self) -> SymInt:
        """The number 1 or 0 that a truth value is in arithmetic."""
        return SymInt(App("ite", (self.expr, 1, 0), "int"))

    def __and__(self, other: Any) -> Any:
        return self._connect(other, conjunction, "__and__")

    def __or__(self, other: Any) -> Any:
        return self._connect(other, disjunction, "__or__")

    def __xor__(self, other: Any) -> Any:
        return self._connect(other, _exclusive, "__xor__")

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def _connect(self, other: Any, connect: Callable[[list[Expr]], Expr], name: str) -> Any:
        expr = truth(other)
        if expr is None:
            return getattr(self.as_int(), name)(other)
        return SymBool(connect([self.expr, expr]))

    def __eq__(self, other: Any) -> Any:
        expr = truth(other)
        if expr is None:
            return self.as_int().__eq__(other)
        return SymBool(negation(_exclusive([self.expr, expr])))

    def __ne__(self, other: Any) -> Any:
        expr = truth(other)
        return self.as_int().__ne__(other) if expr is None else SymBool(_exclusive([self.expr, expr]))

    def __hash__(self) -> int:
        return hash(self.concrete("hash()"))

    def concrete(self, reason: str) -> bool:
        """Decide the value now, as a choice and not as a branch of the program."""
        return live.execution.settle(self.expr, reason, _getframe(1))

    def __index__(self) -> int:
        return int(self.concrete("__index__"))

    __int__ = __index__

    def __float__(self) -> float:
        return float(self.concrete("float()"))

    def __repr__(self) -> str:
        return repr(self.concrete("repr()"))

    def __format__(self, spec: str) -> str:
        return format(self.concrete("format()"), spec)

    def __getattr__(self, name: str) -> Any:
        """In everything else a truth value is the number 1 or 0."""
        return getattr(self.as_int(), name)

    def __copy__(self) -> SymBool:
        return self

    def __deepcopy__(self, memo: object) -> SymBool:
        return self


def _exclusive(parts: list[Expr]) -> Expr:
    a, b = parts
    return disjunction([conjunction([a, negation(b)]), conjunction([negation(a), b])])


def truth(value: Any) -> Expr | None:
    """The condition that a truth value stands for; None for what is no truth value."""
    if type(value) is SymBool:
        return value.expr
    return value if type(value) is bool else None


class SymNumber:
    """What symbolic integers and floats have in common."""

    __slots__ = ("expr",)
    expr: Term

    def __bool__(self) -> bool:
        if isinstance(self.expr, PLAIN):
            return bool(self.expr)
        return live.execution.branch(Compare("!=", self.expr, 0), _getframe(1))

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
        if live.execution.identity_hash:
            return id(self)
        self.expr = self.concrete("hash()")  # from here on a constant: what a dictionary asks of it is no branch
        return hash(self.expr)

    def concrete(self, reason: str) -> Any:
        """Give the number the value that it has now, recorded as a concretisation."""
        if isinstance(self.expr, PLAIN):
            return self.expr
        return live.execution.concretise((self.expr,), reason, _getframe(1))[0]

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
        quotient = _divide("//", self, other)
        return quotient if quotient is NotImplemented else (quotient, _arithmetic("%", self, other))

    def __rdivmod__(self, other: Any) -> Any:
        quotient = _divide("//", other, self)
        return quotient if quotient is NotImplemented else (quotient, _arithmetic("%", other, self))

    def __pow__(self, other: Any, modulus: Any = None) -> Any:
        return _power(self, other, modulus)

    def __rpow__(self, other: Any) -> Any:
        return _power(other, self, None)

    def __neg__(self) -> Any:
        return wrap("neg", (self.expr,), self.expr_sort)

    def __pos__(self) -> Any:
        return wrap_term(self.expr, self.expr_sort)  # an object of its own: hashing one leaves the other as it is

    def __abs__(self) -> Any:
        return wrap("abs", (self.expr,), self.expr_sort)

    expr_sort = "int"

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

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: object) -> Any:
        return self

    def __getattr__(self, name: str) -> Any:
        """A method that has no symbolic version: call it on the concrete value."""
        if name.startswith("__") or not hasattr(self.__class__, name):
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

    __trunc__ = __floor__ = __ceil__ = conjugate = SymNumber.__pos__

    def __round__(self, digits: int | None = None) -> Any:
        if digits is None or digits >= 0:
            return +self
        return round(self.concrete("round()"), digits)

    @property
    def real(self) -> Any:
        """The integer itself."""
        return +self

    numerator = real

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
    expr_sort = "float"

    def __init__(self, expr: Term) -> None:
        self.expr = expr

    __class__ = property(lambda self: float)

    def __add__(self, other: Any) -> Any:
        return _arithmetic("+", self, other)

    def __radd__(self, other: Any) -> Any:
        return _arithmetic("+", other, self)

    def __trunc__(self) -> Any:
        return math.trunc(self.concrete("int()"))

    def __floor__(self) -> Any:
        return math.floor(self.concrete("math.floor"))

    def __ceil__(self) -> Any:
        return math.ceil(self.concrete("math.ceil"))

    def __round__(self, digits: int | None = None) -> Any:
        return round(self.concrete("round()"), digits)


def _as_number(name: str) -> Callable[..., Any]:
    def method(self: SymBool, *others: Any) -> Any:
        return getattr(self.as_int(), name)(*others)

    return method


_TWO_SIDED = ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "lshift", "rshift")
_ONE_SIDED = ("lt", "le", "gt", "ge", "neg", "pos", "abs", "invert", "trunc", "floor", "ceil", "round")
for _name in (*_TWO_SIDED, *(f"r{name}" for name in _TWO_SIDED), *_ONE_SIDED):
    setattr(SymBool, f"__{_name}__", _as_number(f"__{_name}__"))


def operand(value: Any) -> Term | None:
    """The term that a number stands for; None for what is no real number."""
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
    if all(isinstance(arg, PLAIN) for arg in args):
        return OPERATIONS[op](*args)
    return wrap_term(App(op, args, sort), sort)


def wrap_term(term: Term, sort: str) -> Any:
    """The symbolic number that a term is."""
    return (SymFloat if sort == "float" else SymInt)(term)


def sort_of(term: Term) -> str:
    """Whether a term is an integer or a float."""
    if type(term) is int:
        return "int"
    return "float" if type(term) is float else term.sort  # type: ignore[union-attr]


def _compare(op: str, left: Any, right: Any) -> Any:
    expr = left.expr
    kind = type(right)
    if kind is SymInt:
        term = right.expr
    else:
        term = right if kind is int else operand(right)
        if term is None:
            return NotImplemented
    if isinstance(term, PLAIN) and (isinstance(expr, PLAIN) or _beyond(term, expr)):
        return COMPARE[op](expr if isinstance(expr, PLAIN) else 0, term)
    return SymBool(Compare(op, expr, term))


def _beyond(bound: Leaf, expr: Term) -> bool:
    """Whether a comparison is with infinity or NaN, so that it is no matter of which integer the other side is."""
    return type(bound) is float and sort_of(expr) == "int" and not math.isfinite(bound)


def _arithmetic(op: str, left: Any, right: Any) -> Any:
    a, b = operand(left), operand(right)
    if a is None or b is None:
        return NotImplemented
    sort = "float" if "float" in (sort_of(a), sort_of(b)) else "int"
    if op == "*" and sort == "int":
        if type(a) is int:
            a, b = b, a
        if type(b) is int and b == 1:
            return SymInt(a)
    return wrap(op, (a, b), sort)


def _divide(op: str, left: Any, right: Any) -> Any:
    """A division first decides, as a choice, whether it fails."""
    a, b = operand(left), operand(right)
    if a is None or b is None:
        return NotImplemented
    is_zero = not b if isinstance(b, int | float) else _choice(Compare("==", b, 0))
    if is_zero:
        _raise_division(op, "float" in (sort_of(a), sort_of(b)))
    sort = "float" if op == "/" or "float" in (sort_of(a), sort_of(b)) else "int"
    return wrap(op, (a, b), sort)


def _choice(condition: Expr) -> bool:
    return live.execution.choice(condition, _getframe(2))


def _raise_division(op: str, is_float: bool) -> None:
    """Raise what Python raises for a division by zero, with its own words."""
    OPERATIONS[op](1.0 if is_float else 1, 0)


def _bits(op: str, left: Any, right: Any) -> Any:
    a, b = operand(left), operand(right)
    if a is None or b is None or "float" in (sort_of(a), sort_of(b)):
        return NotImplemented
    if op == "&" and type(a) is int:
        a, b = b, a
    return wrap(op, (a, b), "int")


def _shift(op: str, left: Any, right: Any) -> Any:
    """The number of bits is made concrete: what a symbolic shift yields has no bound on its size."""
    bits = right.concrete(f"shift {op}") if isinstance(right, SymNumber) or type(right) is SymBool else right
    term = operand(left)
    if term is None or not isinstance(bits, int) or sort_of(term) == "float":
        return NotImplemented
    if isinstance(term, int):
        return term << bits if op == "<<" else term >> bits
    if bits < 0:
        raise ValueError("negative shift count")
    return wrap(op, (term, bits), "int")


def _power(base: Any, exponent: Any, modulus: Any) -> Any:
    """Powers stay symbolic for small constant exponents; otherwise the operands become concrete."""
    term = operand(base)
    if type(exponent) is int and 0 <= exponent <= 8 and modulus is None and term is not None:
        return wrap("**", (term, exponent), sort_of(term)) if exponent != 1 else +base
    plain = [
        value.concrete("pow()") if isinstance(value, SymNumber) or type(value) is SymBool else value
        for value in (base, exponent, modulus)
    ]
    return pow(plain[0], plain[1]) if modulus is None else pow(*plain)


__all__ = ["SymBool", "SymFloat", "SymInt", "SymNumber", "operand", "sort_of", "truth", "wrap"]
