"""Expressions as text: Python over the vector of leaves ``x``, so that what is printed can be evaluated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pessimal.expr.bits import BITS
from pessimal.expr.blackbox import CALL
from pessimal.expr.functions import INTEGER, REAL
from pessimal.expr.marked import MARK
from pessimal.expr.node import App, Compare, Expr, Junction, Not, Offset, Term, Var

_PREFIX = {"neg": "-", "~": "~"}
_CALLS = frozenset(("abs", "float", "int", "round", *REAL, *INTEGER, *BITS))
_METHODS = frozenset(("bit_length", "bit_count"))
MAX_DEPTH = 100
"""Deeper terms are cut: they are unreadable, and an accumulator is as deep as its path is long."""


def show(node: Term | Expr, names: Sequence[str] | None = None) -> str:
    """The text of a term or condition; with names, leaves are called by them."""
    if isinstance(node, Offset):
        sign = "+" if node.const > 0 else "-"
        return f"({_leaf(node.var, names)} {sign} {abs(node.const)})" if node.const else _leaf(node.var, names)
    if isinstance(node, Var):
        return _leaf(node.var, names)
    if isinstance(node, App):
        return _app(node, names)
    if isinstance(node, Compare):
        return f"({show(node.left, names)} {node.op} {show(node.right, names)})"
    if isinstance(node, Junction):
        return "(" + f" {node.op} ".join(show(part, names) for part in node.parts) + ")"
    return f"(not {show(node.part, names)})" if isinstance(node, Not) else repr(node)


def _leaf(var: int, names: Sequence[str] | None) -> str:
    return f"x[{var}]" if names is None else names[var]


def _app(node: App, names: Sequence[str] | None) -> str:
    if node.depth > MAX_DEPTH:
        return "..."
    args: list[Any] = [show(arg, names) for arg in node.args]
    if node.op == MARK:
        return str(args[0])
    if node.op == CALL:
        return f"{args[0]}({', '.join(args[1:])})"
    if node.op == "ite":
        return f"({args[1]} if {args[0]} else {args[2]})"
    if node.op == "table":
        return f"({', '.join(args[2:])})[{args[0]} - {args[1]}]"
    if node.op in _METHODS:
        return f"{args[0]}.{node.op}()"
    if node.op in _CALLS:
        return f"{node.op}({', '.join(args)})"
    return f"({_PREFIX[node.op]}{args[0]})" if node.op in _PREFIX else f"({args[0]} {node.op} {args[1]})"
