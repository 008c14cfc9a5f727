"""Compiling a function again from its source, as it is written there or changed, with the values that it has."""

from __future__ import annotations

import ast
from collections.abc import Callable
from copy import deepcopy
from types import CodeType, FunctionType
from typing import Any

from pessimal.python.definitions import Definitions
from pessimal.python.syntax import is_rewritten

_OUTER = "__pessimal_outer__"
Transform = Callable[[ast.FunctionDef], ast.AST]


def recompiled(
    function: FunctionType, globals_: dict[str, Any], transform: Transform, definitions: Definitions
) -> FunctionType:
    """A function made of its definition, which is transformed first; its decorators are left out.

    A function without source, and anything but a plain function, is returned unchanged.
    """
    found = definitions.of(function.__code__, function.__globals__)[:1]
    if not found or not isinstance(found[0], ast.FunctionDef):
        return function
    inner = _compiled(deepcopy(found[0]), function, transform)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    closure = tuple(cells[name] for name in inner.co_freevars)
    copy = FunctionType(inner, globals_, function.__name__, function.__defaults__, closure)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def _compiled(definition: ast.FunctionDef, function: FunctionType, transform: Transform) -> CodeType:
    """The code of a definition inside of a function that has the names around it, so that it is bound to the same."""
    definition.decorator_list = []
    around = function.__code__.co_freevars
    arguments = ast.arguments([], [ast.arg(name) for name in around], None, [], [], None, [])
    body: list[ast.stmt] = [definition]
    if definition.name not in around:
        body.insert(0, ast.Global([definition.name], lineno=1, col_offset=0))  # a function that names itself means that
    outer = ast.FunctionDef(_OUTER, arguments, body, [], lineno=1, col_offset=0)
    module = ast.fix_missing_locations(ast.Module([transform(outer)], []))  # type: ignore[list-item]
    code = compile(module, function.__code__.co_filename, "exec", dont_inherit=True)
    inner = _code_named(_code_named(code, _OUTER), definition.name)
    return inner.replace(co_qualname=function.__code__.co_qualname)


def as_written(function: Any) -> Any:
    """A function of rewritten code as it stands in the source; anything else as it is."""
    if not isinstance(function, FunctionType) or not is_rewritten(function.__globals__):
        return function
    return recompiled(function, function.__globals__, lambda definition: definition, Definitions())


def _code_named(code: CodeType, name: str) -> CodeType:
    return next(const for const in code.co_consts if isinstance(const, CodeType) and const.co_name == name)
