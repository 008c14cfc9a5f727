"""Which expressions of a function cannot depend on the input: constants, lengths, and what is computed from them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType
from typing import Any

from pessimal.python.counting.names import Names, binds
from pessimal.python.definitions import Definition

_CONSTANTS = (int, float, complex, str, bytes, bool, type(None))
_COMBINED = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Tuple)
_COMPUTING = frozenset(
    (abs, min, max, sum, round, pow, divmod, ord, chr, hash, hex, oct, bin, repr, format, ascii, isinstance)
) | frozenset((int, float, bool, str, bytes, complex, range))
"""Built-ins whose result depends on their arguments alone and is immutable; so do all functions of ``math``."""


class Plain:
    """Knows which names of a function are plain: those that only plain expressions are bound to.

    Equal names in nested functions are treated as one name, which can only make fewer names plain.
    """

    def __init__(self, definition: Definition, names: Names, parameters: frozenset[str], rebound: set[str]) -> None:
        self._names = names
        self._rebound = rebound
        self.bindings: dict[str, list[ast.expr | None]] = {}
        for name, value in _bindings(definition, parameters):
            self.bindings.setdefault(name, []).append(value)
        self._plain = parameters | self.bindings.keys()
        names.enter(set(self._plain))
        while lost := {name for name in self._plain if not all(map(self._is_plain, self.bindings.get(name, ())))}:
            self._plain -= lost
        names.leave()

    def _is_plain(self, value: ast.expr | None) -> bool:
        return value is not None and self.includes(value)

    def includes(self, expression: ast.AST) -> bool:
        """Whether an expression is plain."""
        if isinstance(expression, ast.Constant):
            return True
        if isinstance(expression, ast.Name) and (expression.id in self._plain or expression.id in self.bindings):
            return expression.id in self._plain
        if isinstance(expression, ast.Name | ast.Attribute):
            return self._is_constant(expression)
        if isinstance(expression, ast.Call):
            function = self._names.value(expression.func)
            return function is len or (computes(function) and self.takes(expression))
        parts = [part for part in ast.iter_child_nodes(expression) if isinstance(part, ast.expr)]
        return isinstance(expression, _COMBINED) and all(map(self.includes, parts))

    def _is_constant(self, expression: ast.Name | ast.Attribute) -> bool:
        is_rebound = isinstance(expression, ast.Name) and expression.id in self._rebound
        return not is_rebound and isinstance(self._names.value(expression), _CONSTANTS)

    def takes(self, call: ast.Call) -> bool:
        """Whether all arguments of a call are plain."""
        return all(map(self.includes, (*call.args, *(keyword.value for keyword in call.keywords))))

    def parameters_of(self, function: FunctionType, call: ast.Call) -> frozenset[str]:
        """The parameters of a function that get plain values by a call."""
        if any(isinstance(arg, ast.Starred) for arg in call.args) or any(k.arg is None for k in call.keywords):
            return frozenset()
        try:
            signature = inspect.signature(function, follow_wrapped=False)
            given = signature.bind(*call.args, **{str(k.arg): k.value for k in call.keywords}).arguments
        except (TypeError, ValueError):
            return frozenset()
        defaults = {name: parameter.default for name, parameter in signature.parameters.items() if name not in given}
        plain = {name for name, value in given.items() if isinstance(value, ast.expr) and self.includes(value)}
        return frozenset(plain | {name for name, value in defaults.items() if isinstance(value, _CONSTANTS)})


def computes(function: Any) -> bool:
    """Whether the result of a built-in function or class is plain if its arguments are."""
    if isinstance(function, BuiltinFunctionType):
        return function.__module__ == "math" or function in _COMPUTING
    return isinstance(function, type) and function in _COMPUTING


def _bindings(definition: Definition, plain: frozenset[str]) -> Iterator[tuple[str, ast.expr | None]]:
    """Each name that is bound, with the expression that it is bound to; None where the value is unknown."""
    own = [node for node in ast.walk(definition.args) if isinstance(node, ast.arg)]
    yield from ((node.arg, None) for node in own if node.arg not in plain)
    for node in ast.walk(definition):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _assigned(target, node.value)
        elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
            yield from _assigned(node.target, node.value) if node.value is not None else ()
        elif isinstance(node, ast.For | ast.comprehension):
            yield from _assigned(node.target, node.iter)
        elif isinstance(node, ast.withitem | ast.AsyncFor):
            yield from _named(node.optional_vars if isinstance(node, ast.withitem) else node.target)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            yield from ((name, None) for name in node.names)
        elif node not in own and not isinstance(node, ast.Name) and node is not definition:
            yield from ((name, None) for name in binds(node))


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr | None]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for part, of_part in zip(target.elts, value.elts, strict=True):
            yield from _assigned(part, of_part)
    else:
        yield from _named(target)


def _named(target: ast.expr | None) -> Iterator[tuple[str, None]]:
    """The names in a target, whose values are unknown."""
    nodes = () if target is None else ast.walk(target)
    yield from ((node.id, None) for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
