"""Scenarios that the documentation shows: the examples in docstrings, as far as they are calls of what can be imported.

They are the best inputs to start from: their arguments are of the right kinds, and the objects in them fit together.
"""

from __future__ import annotations

import ast
import builtins
import doctest
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from pessimal.inputs.looking import is_a, quietly
from pessimal.scenario import Argument, Group, Kind, Name, Plain, Result, Scenario, Step, needed

MOST_EXAMPLES = 400
LONGEST_SESSION = 12
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


class _CannotBeWrittenError(Exception):
    """An expression that no scenario says."""


def documented(modules: Sequence[ModuleType]) -> list[Scenario]:
    """The examples of modules, each with the examples of the same docstring that it needs."""
    found = [scenario for module in modules for text in _docstrings(module) for scenario in _session(text, module)]
    return found[:MOST_EXAMPLES]


def _docstrings(module: ModuleType) -> Iterator[str]:
    try:
        tree = ast.parse(Path(str(getattr(module, "__file__", None))).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text is not None and ">>>" in text:
                yield text


def _session(text: str, module: ModuleType) -> Iterator[Scenario]:
    """The scenarios of one docstring, whose examples build on each other."""
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return
    session = _Session(module)
    for example in examples:
        try:
            statements = ast.parse(example.source).body
        except (SyntaxError, ValueError):
            continue
        for statement in statements:
            scenario = session.add(statement)
            if scenario is not None:
                yield scenario


class _Session:
    """The steps of one docstring so far, and what its names mean."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._names: dict[str, Argument | None] = {}
        self._steps: list[Step] = []

    def add(self, statement: ast.stmt) -> Scenario | None:
        """Follow a statement; the scenario up to it, if it does something."""
        before = len(self._steps)
        try:
            self._follow(statement)
        except _CannotBeWrittenError:
            del self._steps[before:]
            self._names |= dict.fromkeys(_bound(statement))
        if not before < len(self._steps) <= LONGEST_SESSION:
            return None
        return needed(Scenario(tuple(self._steps)))

    def _follow(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Expr():
                self._argument(statement.value)
            case ast.Assign(targets=[ast.Name(id=name)]):
                self._names[name] = self._argument(statement.value)
            case ast.ImportFrom(module=str(origin), level=0):
                for alias in statement.names:
                    self._names[alias.asname or alias.name] = self._imported(origin, alias.name)
            case ast.Import():
                pass  # names of modules are looked up where they are used
            case _:
                raise _CannotBeWrittenError

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
        raise _CannotBeWrittenError

    def _named(self, name: str) -> Argument:
        if name in self._names:
            found = self._names[name]
            if found is None:
                raise _CannotBeWrittenError
            return found
        if name in vars(self._module) and not is_a(vars(self._module)[name], ModuleType):
            return Name(self._module.__name__, name)
        if hasattr(builtins, name):
            return Name("builtins", name)
        raise _CannotBeWrittenError

    def _imported(self, origin: str, name: str) -> Argument:
        """A name of the package under test, or of a module of the standard library."""
        package = self._module.__name__.partition(".")[0]
        if origin.partition(".")[0] not in (package, *sys.stdlib_module_names):
            raise _CannotBeWrittenError
        found: Any = quietly(lambda: getattr(import_module(origin), name), None)
        if found is None or is_a(found, ModuleType):
            raise _CannotBeWrittenError
        return Name(origin, name)

    def _attribute(self, node: ast.Attribute) -> Argument:
        dotted = ast.unparse(node.value)
        if dotted.partition(".")[0] not in self._names and dotted in sys.modules:
            return self._imported(dotted, node.attr)
        subject = self._argument(node.value)
        if isinstance(subject, Name):
            return Name(subject.module, f"{subject.qualname}.{node.attr}")
        return self._step(Step("get", subject, node.attr))

    def _call(self, node: ast.Call) -> Argument:
        args = [self._argument(item) for item in node.args]
        kwargs = [(item.arg or "", self._argument(item.value)) for item in node.keywords]
        if any(not key for key, _ in kwargs):
            raise _CannotBeWrittenError
        if isinstance(node.func, ast.Attribute):
            function = self._attribute(node.func) if self._is_name(node.func) else None
            if function is None:
                subject = self._argument(node.func.value)
                return self._step(Step("method", subject, node.func.attr, tuple(args), tuple(kwargs)))
        else:
            function = self._argument(node.func)
        return self._step(Step("call", function, "", tuple(args), tuple(kwargs)))

    def _is_name(self, node: ast.Attribute) -> bool:
        """Whether a dotted name is one that can be imported, and not an attribute of an object."""
        root = ast.unparse(node).partition(".")[0]
        known = self._names.get(root, Name("", ""))
        return root.isidentifier() and isinstance(known, Name)

    def _method(self, subject: Argument, name: str | None, right: list[ast.expr]) -> Argument:
        if name is None or isinstance(subject, Plain):
            raise _CannotBeWrittenError
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
