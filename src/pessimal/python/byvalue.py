"""The rewrite of a function that came without its module."""

from __future__ import annotations

import ast
import inspect
from types import CodeType, FunctionType
from typing import Any

from pessimal.python.rewrite import NAMES, Rewriter


def rewrite_function(function: FunctionType) -> FunctionType:
    """A function that came without its module, rewritten with those beside it from their own source.

    What has no source, and what is no plain function, stays as it is.
    """
    globals_ = {**function.__globals__, **NAMES}
    for name, value in function.__globals__.items():
        if isinstance(value, FunctionType) and value.__globals__ is function.__globals__:
            globals_[name] = _rewritten(value, globals_)
    return _rewritten(function, globals_)


def _rewritten(function: FunctionType, globals_: dict[str, Any]) -> FunctionType:
    definition = _definition(function)
    if definition is None:
        return function
    free = [ast.arg(name) for name in function.__code__.co_freevars]
    arguments = ast.arguments(posonlyargs=[], args=free, kwonlyargs=[], kw_defaults=[], defaults=[])
    body: list[ast.stmt] = [definition]
    if definition.name not in function.__code__.co_freevars:
        body.insert(0, ast.Global([definition.name], lineno=1, col_offset=0))  # a function that names itself means that
    outer = ast.FunctionDef("__pessimal_outer__", arguments, body, [], lineno=1, col_offset=0)
    module = ast.fix_missing_locations(ast.Module([Rewriter().visit(outer)], []))
    code = compile(module, function.__code__.co_filename, "exec", dont_inherit=True)
    inner = _code_named(_code_named(code, "__pessimal_outer__"), definition.name)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    inner = inner.replace(co_qualname=function.__code__.co_qualname)
    copy = FunctionType(
        inner,
        globals_,
        function.__name__,
        function.__defaults__,
        tuple(cells[name] for name in inner.co_freevars),
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def _definition(function: FunctionType) -> ast.FunctionDef | None:
    """The definition in the source, at its own lines and columns; None for lambdas and what has no source."""
    try:
        source = inspect.getsource(function.__code__)  # of this very code, not of what a decorator wrapped
        # An indented definition is parsed inside a block, which keeps its columns; the block's line is taken back.
        tree = ast.parse(f"if 1:\n{source}" if source[:1].isspace() else source)
    except (OSError, TypeError, SyntaxError):
        return None
    shift = -1 if source[:1].isspace() else 0
    ast.increment_lineno(tree, function.__code__.co_firstlineno - 1 + shift)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == function.__code__.co_name:
            node.decorator_list = []
            return node
    return None


def _code_named(code: CodeType, name: str) -> CodeType:
    return next(const for const in code.co_consts if isinstance(const, CodeType) and const.co_name == name)
