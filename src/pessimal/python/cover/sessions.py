"""Statements that people wrote, as steps of scenarios: calls of what can be imported, and what their names mean."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Collection
from importlib import import_module
from types import ModuleType
from typing import Any

from pessimal.inputs.looking import is_a, quietly
from pessimal.scenario import Argument, Group, Kind, Name, Plain, Result, Scenario, Step, needed

LONGEST = 12
"""How many steps a scenario may have."""
_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "__add__",
    ast.Sub: "__sub__",
    ast.Mult: "__mul__",
    ast.Div: "__truediv__",
    ast.Mod: "__mod__",
    ast.FloorDiv: "__floordiv__",
    ast.Pow: "__pow__",
    ast.BitAnd: "__and__",
    ast.BitOr: "__or__",
    ast.BitXor: "__xor__",
    ast.Eq: "__eq__",
    ast.NotEq: "__ne__",
    ast.Lt: "__lt__",
    ast.LtE: "__le__",
    ast.Gt: "__gt__",
    ast.GtE: "__ge__",
    ast.USub: "__neg__",
    ast.UAdd: "__pos__",
    ast.Invert: "__invert__",
}
_GROUPS: dict[type[ast.AST], Kind] = {ast.List: "list", ast.Tuple: "tuple", ast.Set: "set"}


_SPECIAL: dict[Name, str] = {
    Name("builtins", name): f"__{name}__"
    for name in ("str", "repr", "len", "int", "float", "bool", "bytes", "hash", "iter", "next", "abs", "reversed")
}
"""Functions that are methods of what they are given."""


class CannotBeWrittenError(Exception):
    """An expression that no scenario says."""


class Session:
    """The steps of one docstring or test so far, and what its names mean.

    What is imported must be of one of the ``packages``, or of the standard library; ``space`` has the names that are
    known without an import.
    """

    def __init__(self, packages: Collection[str], space: ModuleType | None = None) -> None:
        self._packages = packages
        self._space = space
        self._names: dict[str, Argument | None] = {}
        self._modules: dict[str, str] = {}
        self._steps: list[Step] = []

    def add(self, statement: ast.stmt) -> Scenario | None:
        """Follow a statement; the scenario up to it, if it does something."""
        before = len(self._steps)
        try:
            self._follow(statement)
        except CannotBeWrittenError:
            del self._steps[before:]
            self._names |= dict.fromkeys(_bound(statement))
        if len(self._steps) == before:
            return None
        scenario = needed(Scenario(tuple(self._steps)))
        return scenario if len(scenario.steps) <= LONGEST else None

    def _follow(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Expr():
                self._argument(statement.value)
            case ast.Assign(targets=[ast.Name() | ast.Attribute() as target]):
                self._names[ast.unparse(target)] = self._argument(statement.value)
            case ast.ImportFrom(module=str(origin), level=0):
                for alias in statement.names:
                    self._import(origin, alias)
            case ast.Import():
                self._modules |= {alias.asname: alias.name for alias in statement.names if alias.asname is not None}
            case _:
                raise CannotBeWrittenError

    def _import(self, origin: str, alias: ast.alias) -> None:
        """Know a name that is imported from a module, be it a module itself."""
        name, whole = alias.asname or alias.name, f"{origin}.{alias.name}"
        if quietly(lambda: is_a(import_module(whole), ModuleType), False):
            self._modules[name] = whole
        else:
            self._names[name] = self._imported(origin, alias.name)

    def _argument(self, node: ast.expr) -> Argument:
        try:
            return Plain(ast.literal_eval(node))
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            pass
        match node:
            case ast.Name():
                return self._named(node.id)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Call():
                return self._call(node)
            case ast.List() | ast.Tuple() | ast.Set():
                return Group(_GROUPS[type(node)], tuple(map(self._argument, node.elts)))
            case ast.BinOp():
                return self._method(self._argument(node.left), _OPERATORS.get(type(node.op)), [node.right])
            case ast.UnaryOp():
                return self._method(self._argument(node.operand), _OPERATORS.get(type(node.op)), [])
            case ast.Compare(ops=[operator], comparators=[right]):
                return self._method(self._argument(node.left), _OPERATORS.get(type(operator)), [right])
            case ast.Subscript():
                return self._method(self._argument(node.value), "__getitem__", [node.slice])
        raise CannotBeWrittenError

    def _named(self, name: str) -> Argument:
        if name in self._names:
            found = self._names[name]
            if found is None:
                raise CannotBeWrittenError
            return found
        space = {} if self._space is None else vars(self._space)
        if self._space is not None and name in space and not is_a(space[name], ModuleType):
            return Name(self._space.__name__, name)
        if hasattr(builtins, name):
            return Name("builtins", name)
        raise CannotBeWrittenError

    def _imported(self, origin: str, name: str) -> Argument:
        """A name of the package under test, or of a module of the standard library."""
        if origin.partition(".")[0] not in (*self._packages, *sys.stdlib_module_names):
            raise CannotBeWrittenError
        found: Any = quietly(lambda: getattr(import_module(origin), name), None)
        if found is None or is_a(found, ModuleType):
            raise CannotBeWrittenError
        return Name(origin, name)

    def _attribute(self, node: ast.Attribute) -> Argument:
        known = self._names.get(ast.unparse(node))
        if known is not None:
            return known
        root, dot, rest = ast.unparse(node.value).partition(".")
        module = self._modules.get(root, root) + dot + rest
        if root not in self._names and module in sys.modules:
            return self._imported(module, node.attr)
        subject = self._argument(node.value)
        if isinstance(subject, Name):
            return Name(subject.module, f"{subject.qualname}.{node.attr}")
        return self._step(Step("get", subject, node.attr))

    def _call(self, node: ast.Call) -> Argument:
        args = [self._argument(item) for item in node.args]
        kwargs = [(item.arg or "", self._argument(item.value)) for item in node.keywords]
        if any(not key for key, _ in kwargs):
            raise CannotBeWrittenError
        if isinstance(node.func, ast.Attribute):
            function = self._attribute(node.func) if self._is_name(node.func) else None
            if function is None:
                subject = self._argument(node.func.value)
                return self._step(Step("method", subject, node.func.attr, tuple(args), tuple(kwargs)))
        else:
            function = self._argument(node.func)
        special = _SPECIAL.get(function) if isinstance(function, Name) else None
        if special is not None and len(args) == 1 and isinstance(args[0], Result) and not kwargs:
            return self._step(Step("method", args[0], special))
        return self._step(Step("call", function, "", tuple(args), tuple(kwargs)))

    def _is_name(self, node: ast.Attribute) -> bool:
        """Whether a dotted name is one that can be imported, and not an attribute of an object."""
        parts = ast.unparse(node).split(".")
        prefixes = [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
        known = [self._names[prefix] for prefix in prefixes if prefix in self._names]
        return parts[0].isidentifier() and parts[0] != "self" and all(isinstance(item, Name) for item in known)

    def _method(self, subject: Argument, name: str | None, right: list[ast.expr]) -> Argument:
        if name is None or isinstance(subject, Plain):
            raise CannotBeWrittenError
        return self._step(Step("method", subject, name, tuple(map(self._argument, right))))

    def _step(self, step: Step) -> Argument:
        self._steps.append(step)
        return Result(len(self._steps) - 1)


def _bound(statement: ast.stmt) -> set[str]:
    names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    names |= {
        alias.asname or alias.name
        for node in ast.walk(statement)
        for alias in getattr(node, "names", ()) or ()
        if isinstance(alias, ast.alias)
    }
    return names | ({statement.name} if isinstance(statement, ast.FunctionDef | ast.ClassDef) else set())
