"""An existing test file: what it imports and defines, and which calls its tests make, so that none is written twice."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

_VIEWS = ("len", "list", "isinstance", "type", "itertools.islice")
"""Calls that only look at a result."""

Calls = frozenset[str]


class ExistingFile:
    """The text of a test file, read once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self.imported = imported_names(self.tree)
        self.defined = {name for node in self.tree.body for name in _defined(node)}
        self._tests = [calls for function in _tests(self.tree) for calls in _calls_of(function, self.imported)]

    def makes(self, calls: Calls) -> bool:
        """Whether one of the tests makes all of these calls."""
        return bool(calls) and any(calls <= known for known in self._tests)

    @property
    def after_imports(self) -> int:
        """The number of the line after which more imports can stand."""
        line = 0
        for number, node in enumerate(self.tree.body):
            is_docstring = number == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                break
            if is_docstring or isinstance(node, ast.Import | ast.ImportFrom):
                line = node.end_lineno or line
        return line


def imported_names(tree: ast.Module) -> dict[str, str]:
    """The names that a module imports at its top, with what they mean."""
    names: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Import):
            for item in node.names:
                names[item.asname or item.name] = item.name
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for item in node.names:
                names[item.asname or item.name] = f"{node.module}.{item.name}"
    return names


def calls_in(lines: Sequence[str], imported: Mapping[str, str]) -> Calls:
    """The calls that the body of a plain test makes."""
    function = ast.parse("\n".join(["def test():", *lines])).body[0]
    assert isinstance(function, ast.FunctionDef)
    return _actions(function.body, {}, imported)


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    for inner in ast.walk(node) if isinstance(node, ast.Assign | ast.AnnAssign | ast.If | ast.Try) else ():
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            yield inner.id


def _tests(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]


def _calls_of(function: ast.FunctionDef, imported: Mapping[str, str]) -> list[Calls]:
    """The calls of a test, once for each set of its parameters."""
    return [_actions(function.body, row, imported) for row in _rows(function)]


def _rows(function: ast.FunctionDef) -> list[dict[str, ast.expr]]:
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith("parametrize"):
            match decorator.args:
                case [names, ast.List(elts=rows) | ast.Tuple(elts=rows)]:
                    found = _parameters(names)
                    return [dict(zip(found, _values(row, len(found)), strict=False)) for row in rows]
    return [{}]


def _parameters(names: ast.expr) -> list[str]:
    if isinstance(names, ast.List | ast.Tuple):
        return [str(item.value) for item in names.elts if isinstance(item, ast.Constant)]
    return [name.strip() for name in str(getattr(names, "value", "")).split(",")]


def _values(row: ast.expr, count: int) -> list[ast.expr]:
    if isinstance(row, ast.Call) and ast.unparse(row.func).endswith("param"):
        return row.args
    return row.elts if count > 1 and isinstance(row, ast.Tuple | ast.List) else [row]


class _Resolved(ast.NodeTransformer):
    """An expression with parameters, variables and imported names replaced by what they stand for."""

    def __init__(self, values: Mapping[str, ast.expr], imported: Mapping[str, str]) -> None:
        self._values = values
        self._imported = imported

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self._values:
            return self._values[node.id]
        return ast.Name(self._imported.get(node.id, node.id))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        operators = [ast.In() if isinstance(item, ast.NotIn) else item for item in node.ops]
        return ast.Compare(node.left, operators, node.comparators)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        call = self.generic_visit(node)
        assert isinstance(call, ast.Call)
        return ast.Call(call.func, call.args, [item for keyword in call.keywords for item in _expanded(keyword)])


def _expanded(keyword: ast.keyword) -> list[ast.keyword]:
    """A keyword argument, or those that a dict after ``**`` holds."""
    if keyword.arg is None and isinstance(keyword.value, ast.Dict):
        pairs = zip(keyword.value.keys, keyword.value.values, strict=True)
        return [ast.keyword(str(getattr(key, "value", "")), value) for key, value in pairs]
    return [keyword]


def _actions(body: Sequence[ast.stmt], row: Mapping[str, ast.expr], imported: Mapping[str, str]) -> Calls:
    """What a test does: its calls, with variables replaced by their values, and without what it says about results."""
    values = {name: _resolved(value, {}, imported) for name, value in row.items()}
    found: set[str] = set()
    for statement in _flattened(body):
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            value = _resolved(statement.value, values, imported)
            values[statement.targets[0].id] = value
            found |= {ast.unparse(value)} if statement.targets[0].id == "_" else set()
        elif isinstance(statement, ast.Assert):
            for expression in _subjects(statement.test):
                found |= _shown(_stripped(_resolved(expression, values, imported)))
        else:
            found.add(ast.unparse(_resolved(statement, values, imported)))
    return frozenset(found)


def _flattened(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        if isinstance(statement, ast.With):
            yield from _flattened(statement.body)
        else:
            yield statement


def _resolved(node: Any, values: Mapping[str, ast.expr], imported: Mapping[str, str]) -> Any:
    return _Resolved(values, imported).visit(deepcopy(node))


def _shown(node: ast.expr) -> set[str]:
    has_action = any(isinstance(part, ast.Call | ast.Attribute | ast.Compare) for part in ast.walk(node))
    return {ast.unparse(node)} if has_action else set()


def _subjects(test: ast.expr) -> list[ast.expr]:
    """What an assertion is about; a comparison of two variables may itself be under test."""
    if isinstance(test, ast.UnaryOp):
        return _subjects(test.operand)
    if not isinstance(test, ast.Compare):
        return [test]
    if isinstance(test.ops[0], ast.In | ast.NotIn):
        return [test]
    is_variable = isinstance(test.left, ast.Name) and test.left.id != "result"
    return [test.left, test] if is_variable else [test.left]


def _stripped(node: ast.expr) -> ast.expr:
    """A call without what only looks at its result: attributes, slices, ``len`` and the like."""
    while True:
        match node:
            case ast.Attribute(value=ast.Call() as inner) | ast.Subscript(value=inner):
                node = inner
            case ast.Call(func=function, args=[inner, *_]) if ast.unparse(function) in _VIEWS:
                node = inner
            case _:
                return node
