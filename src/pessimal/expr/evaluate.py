"""Evaluation under a model with exactly Python's semantics: unbounded ints, IEEE doubles, floor division.

Values of shared sub-terms are memoised on the node with the stamp of the model version that they belong to, so that
a condition on a long accumulator costs only what changed since the last look.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from pessimal.expr.bits import BITS
from pessimal.expr.blackbox import CALL, value_of
from pessimal.expr.functions import INTEGER, LOOKUP, REAL
from pessimal.expr.node import App, Compare, Expr, Junction, Leaf, Not, Offset, Var, operations

_RECURSION = 60
"""Deeper terms are evaluated bottom-up: in the conditions of a term each level takes several frames."""


def _if_then_else(test: Any, then: Any, other: Any) -> Any:
    return then if test else other


OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "neg": operator.neg,
    "abs": abs,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "~": operator.invert,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "float": float,
    "int": int,
    "round": round,
    "ite": _if_then_else,
    "marked": lambda value: value,
    **REAL,
    **INTEGER,
    **LOOKUP,
    **BITS,
    CALL: value_of,
}
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


class Evaluator:
    """Reads terms and conditions under one live model; call :meth:`changed` after the model was written to."""

    __slots__ = ("model", "stamp")

    def __init__(self, model: Sequence[Leaf]) -> None:
        self.model = model
        self.stamp: object = object()

    def changed(self) -> None:
        """Forget what was memoised, because a variable got a new value."""
        self.stamp = object()

    def term(self, node: Any) -> Any:
        """The value of a term; of a condition where a term contains one."""
        kind = type(node)
        if kind is Offset:
            return self.model[node.var] + node.const
        if kind is App:
            if node.stamp is self.stamp:
                return node.value
            if node.depth > _RECURSION:
                self._settle(node)
            return self._apply(node)
        if kind is Var:
            return self.model[node.var]
        if kind in _CONDITIONS:
            return self.condition(node)
        return node

    def condition(self, node: Expr) -> bool:
        """The truth value of a condition."""
        if type(node) is Compare:
            return COMPARE[node.op](self.term(node.left), self.term(node.right))
        if type(node) is Junction:
            if node.op == "and":
                return all(self.condition(part) for part in node.parts)
            return any(self.condition(part) for part in node.parts)
        if type(node) is Not:
            return not self.condition(node.part)
        return bool(node)

    def agrees(self, condition: Expr, want: bool) -> bool:
        """Whether a condition has a truth value; one that cannot be evaluated has none."""
        try:
            return self.condition(condition) is want
        except (ArithmeticError, ValueError):
            return False

    def _apply(self, node: App) -> Any:
        if node.op == "ite":  # the alternative that is not chosen may have no value
            test, then, other = node.args
            value = self.term(then if self.term(test) else other)
        else:
            value = OPERATIONS[node.op](*[self.term(arg) for arg in node.args])
        node.value = value
        node.stamp = self.stamp
        return value

    def _settle(self, root: App) -> None:
        """Evaluate a deep term bottom-up, so that no recursion is deeper than one level."""
        stack: list[tuple[App, bool]] = [(root, False)]
        while stack:
            node, ready = stack.pop()
            if node.stamp is self.stamp:
                continue
            if ready:
                with suppress(ArithmeticError, ValueError):  # raised again if anybody needs its value
                    self._apply(node)
                continue
            stack.append((node, True))
            stack.extend((part, False) for part in operations(node.args))


_CONDITIONS = frozenset((Compare, Junction, Not))


def holds(condition: Expr, leaves: Sequence[Leaf]) -> bool:
    """Whether a condition is true of an input."""
    return Evaluator(leaves).condition(condition)
