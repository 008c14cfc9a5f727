"""Symbolic truth values: a condition that is not yet decided."""

from __future__ import annotations

from collections.abc import Callable
from sys import _getframe
from typing import TYPE_CHECKING, Any

from pessimal.expr import App, Expr, conjunction, disjunction, negation
from pessimal.python import current
from pessimal.python.symbolic_value import SymbolicValue

if TYPE_CHECKING:
    from pessimal.python.values.number import SymInt


class SymBool(SymbolicValue):
    """The truth value of a condition, not yet decided; testing it is a branch."""

    __slots__ = ("expr",)

    def __init__(self, expr: Expr) -> None:
        self.expr = expr

    def __bool__(self) -> bool:
        return current.execution.branch(self.expr, _getframe(1))

    __class__ = property(lambda self: bool)

    def as_int(self) -> SymInt:
        """The number 1 or 0 that a truth value is in arithmetic."""
        from pessimal.python.values.number import SymInt  # numbers need truth values to compare at all

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
        return current.execution.settle(self.expr, reason, _getframe(1))

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


def _exclusive(parts: list[Expr]) -> Expr:
    a, b = parts
    return disjunction([conjunction([a, negation(b)]), conjunction([negation(a), b])])


def truth(value: Any) -> Expr | None:
    """The condition that a truth value stands for; None for anything that is not a truth value."""
    if type(value) is SymBool:
        return value.expr
    return value if type(value) is bool else None


def as_truth(expr: Expr) -> Any:
    """The truth value of a condition, a plain one where the condition is decided."""
    return expr if isinstance(expr, bool) else SymBool(expr)


def _as_number(name: str) -> Callable[..., Any]:
    def method(self: SymBool, *others: Any) -> Any:
        return getattr(self.as_int(), name)(*others)

    return method


_TWO_SIDED = ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "lshift", "rshift")
_ONE_SIDED = ("lt", "le", "gt", "ge", "neg", "pos", "abs", "invert", "trunc", "floor", "ceil", "round")
for _name in (*_TWO_SIDED, *(f"r{name}" for name in _TWO_SIDED), *_ONE_SIDED):
    setattr(SymBool, f"__{_name}__", _as_number(f"__{_name}__"))
