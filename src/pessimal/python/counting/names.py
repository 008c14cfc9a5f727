"""What the names in a function's source stand for, as far as that is known before the function runs."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from importlib.util import resolve_name
from operator import attrgetter
from types import CellType, FunctionType, ModuleType
from typing import Any, Final, TypeAlias

Scope: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


_BUILTINS = attrgetter("__builtins__")  # which every function has


class Unknown:
    """Stands for a value that is known only in a run."""


UNKNOWN: Final = Unknown()


class Names:
    """Looks names up as the function would, in its closure, its globals and the built-ins as they are now.

    A name that the function or one inside of it binds is unknown, except for modules that it imports.
    """

    def __init__(self, function: FunctionType) -> None:
        self._globals = function.__globals__
        self._closure = closure_of(function)
        self._builtins: dict[str, Any] = _BUILTINS(function)
        self._scopes: list[set[str]] = []
        self._modules: dict[str, ModuleType] = {}

    def enter(self, bound: set[str]) -> None:
        """Go into a scope that binds these names."""
        self._scopes.append(bound)

    def leave(self) -> None:
        """Leave the innermost scope."""
        self._scopes.pop()

    def is_local(self, name: str) -> bool:
        """Whether a name is bound by the function itself."""
        return any(name in bound for bound in self._scopes)

    def value(self, expression: ast.expr) -> Any:
        """What a name, or an attribute of a module or class, stands for."""
        if isinstance(expression, ast.Name):
            return self._named(expression.id)
        if not isinstance(expression, ast.Attribute):
            return UNKNOWN
        owner = self.value(expression.value)
        if isinstance(owner, ModuleType):
            return vars(owner).get(expression.attr, UNKNOWN)
        return inspect.getattr_static(owner, expression.attr, UNKNOWN) if isinstance(owner, type) else UNKNOWN

    def _named(self, name: str) -> Any:
        if self.is_local(name):
            return self._modules.get(name, UNKNOWN)
        for space in (self._closure, self._globals, self._builtins):
            if name in space:
                return space[name]
        return UNKNOWN

    def imported(self, node: ast.Import | ast.ImportFrom) -> Iterator[Any]:
        """What an import inside the function brings; modules are remembered under the names that they get."""
        if isinstance(node, ast.ImportFrom):
            module = self._module("." * node.level + (node.module or ""))
            yield from (vars(module).get(alias.name, UNKNOWN) if module else UNKNOWN for alias in node.names)
            return
        for alias in node.names:
            found = self._module(alias.name if alias.asname else alias.name.partition(".")[0])
            if found is None:
                yield UNKNOWN
            else:
                self._modules[alias.asname or alias.name.partition(".")[0]] = found

    def _module(self, name: str) -> ModuleType | None:
        package = self._globals.get("__package__") or ""
        try:
            return sys.modules.get(resolve_name(name, package))
        except ImportError:
            return None


def closure_of(function: FunctionType) -> dict[str, Any]:
    """The names that a function takes from those around it, with their present values."""
    names = function.__code__.co_freevars
    return {name: _content(cell) for name, cell in zip(names, function.__closure__ or (), strict=True)}


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return UNKNOWN


def bound_in(scope: ast.AST) -> set[str]:
    """The names that a function or comprehension binds itself, those of scopes inside of it apart."""
    bound: set[str] = set()
    shared: set[str] = set()
    stack = list(_inside(scope))
    while stack:
        node = stack.pop()
        bound.update(binds(node))
        if isinstance(node, ast.Global):
            shared.update(node.names)
        if isinstance(node, Comprehension):
            bound.update(n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr))
        elif not isinstance(node, Scope | ast.ClassDef):
            stack += ast.iter_child_nodes(node)
    return bound - shared


def _inside(scope: ast.AST) -> Iterator[ast.AST]:
    if isinstance(scope, Comprehension):
        return (generator.target for generator in scope.generators)
    return ast.iter_child_nodes(scope)


def binds(node: ast.AST) -> Iterator[str]:
    """The names that one piece of syntax binds, not counting its parts."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest
