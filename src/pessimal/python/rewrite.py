"""The selective source rewrite: calls, ``in`` and ``is`` go through handlers; everything else is left alone.

Tests, comparisons and operators are not touched: overloading sees them exactly. Positions of the original source are
kept, so that sites, tracebacks and coverage speak of the user's own lines.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from pessimal.python.handlers import operators, resolve

NAMES: dict[str, Any] = {
    "__pessimal_resolve__": resolve,
    "__pessimal_in__": operators.contains,
    "__pessimal_not_in__": operators.lacks,
    "__pessimal_is__": operators.same,
    "__pessimal_is_not__": operators.differs,
    "__pessimal_bool__": operators.decided,
    "__pessimal_truths__": operators.TRUTHS,
}
"""What rewritten code refers to; the loader puts these into the module's globals."""

_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.In: "__pessimal_in__",
    ast.NotIn: "__pessimal_not_in__",
    ast.Is: "__pessimal_is__",
    ast.IsNot: "__pessimal_is_not__",
}


_LOSSY = {
    "text": frozenset(("ord", "str", "bytes", "join", "int", "float")),
    "number": frozenset(("int", "float", "bool", "chr", "type", "index")),
}


class Rewriter(ast.NodeTransformer):
    """Replaces what overloading cannot see by calls of the handlers."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """``f(x)`` becomes ``resolve(f)(x)``."""
        self.generic_visit(node)
        node.func = _call("__pessimal_resolve__", [node.func], node.func)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """``a in b`` and ``a is True`` become calls; chains are left alone."""
        self.generic_visit(node)
        if len(node.ops) != 1:
            return node
        name = _COMPARISONS.get(type(node.ops[0]))
        right = node.comparators[0]
        if name is None or (name.startswith("__pessimal_is") and not _is_truth(right)):
            return node
        return _call(name, [node.left, right], node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A handler is left alone, or its own call of what it handles would come back to it."""
        names = [d.func for d in node.decorator_list if isinstance(d, ast.Call)]
        if any("handles" in (getattr(name, "id", None), getattr(name, "attr", None)) for name in names):
            return node
        self.generic_visit(node)
        return _deciding(node) if node.name == "__bool__" else node

    def visit_MatchSingleton(self, node: ast.MatchSingleton) -> ast.AST:
        """``case True`` asks for identity, which a symbolic truth value cannot answer; it compares with a twin."""
        if node.value is None:
            return node
        truths = ast.copy_location(ast.Name("__pessimal_truths__", ast.Load()), node)
        twin = ast.copy_location(ast.Attribute(truths, str(node.value).lower(), ast.Load()), node)
        return ast.copy_location(ast.MatchValue(twin), node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Annotations are for people and type checkers: only the value is rewritten."""
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """Annotations of parameters stay as they are."""
        return node


class _Deciding(ast.NodeTransformer):
    """Decides what a ``__bool__`` returns, because Python takes nothing but a real bool from it."""

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if node.value is not None:
            node.value = _call("__pessimal_bool__", [node.value], node.value)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node


def _deciding(function: ast.FunctionDef) -> ast.FunctionDef:
    function.body = [_Deciding().visit(statement) for statement in function.body]
    return function


def _is_truth(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


def _call(name: str, args: list[ast.expr], at: ast.expr) -> ast.Call:
    function = ast.copy_location(ast.Name(name, ast.Load()), at)
    return ast.copy_location(ast.Call(function, args, []), at)


def rewrite(tree: ast.Module) -> ast.Module:
    """A module's syntax tree with the rewrite applied."""
    return ast.fix_missing_locations(Rewriter().visit(tree))  # type: ignore[no-any-return]


def losses(tree: ast.AST) -> set[str]:
    """What counted values would lose in the code as it is, so that their runs need the rewritten code.

    ``text`` is lost where a plain text answers for itself whether a counted one is in it, or a built-in makes a plain
    value of it; ``number`` where a built-in does so with numbers, or code looks at the identity or type of a truth.
    """
    found: set[str] = set()
    stack = [tree]
    while stack:
        node = stack.pop()
        found |= _losses(node)
        stack += [child for name, child in _parts(node) if name not in ("annotation", "returns")]
    return found


def _losses(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Call):
        used = _names_in_call(node)
        return {kind for kind, names in _LOSSY.items() if used & names}
    if isinstance(node, ast.Compare) and any(isinstance(op, ast.In | ast.NotIn) for op in node.ops):
        return {"text"}
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot):
        return {"number"} if any(map(_is_truth, node.comparators)) else set()
    decides = isinstance(node, ast.FunctionDef) and node.name == "__bool__"
    return {"number"} if decides or (isinstance(node, ast.MatchSingleton) and node.value is not None) else set()


def _names_in_call(node: ast.Call) -> set[str]:
    """What is called, or handed on to be called; the types that ``isinstance`` asks for are neither."""
    names = [node.func, *node.args, *(keyword.value for keyword in node.keywords)]
    if isinstance(node.func, ast.Name) and node.func.id in ("isinstance", "issubclass"):
        return set()
    simple = {name.id for name in names if isinstance(name, ast.Name)}
    return simple | {name.attr for name in names if isinstance(name, ast.Attribute)}


def _parts(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for name, value in ast.iter_fields(node):
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ast.AST):
                yield name, item


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
    outer = ast.FunctionDef("__pessimal_outer__", arguments, [definition], [], lineno=1, col_offset=0)
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
