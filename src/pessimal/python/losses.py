"""What counted values would lose in code as it is, so that their runs need the rewritten code."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pessimal.python.syntax import is_truth

_FORMATTING = frozenset(("str", "repr", "format", "hex", "oct", "bin", "ascii"))
_LOSSY = {
    "text": frozenset(("ord", "bytes", "join", "int", "float")) | _FORMATTING,
    "number": frozenset(("int", "float", "bool", "chr", "type", "index", "bytes")) | _FORMATTING,
}
_MESSAGES = (ast.Raise, ast.Assert)
"""Statements whose text is for people: what is lost in it is no loss."""


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
        if not isinstance(node, _MESSAGES):
            stack += [child for name, child in _parts(node) if name not in ("annotation", "returns")]
    return found


def _losses(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Call):
        used = _names_in_call(node)
        return {kind for kind, names in _LOSSY.items() if used & names}
    if _formats(node):
        return {"text", "number"}
    if isinstance(node, ast.Compare) and any(isinstance(op, ast.In | ast.NotIn) for op in node.ops):
        return {"text"}
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot):
        return {"number"} if any(map(is_truth, node.comparators)) else set()
    decides = isinstance(node, ast.FunctionDef) and node.name == "__bool__"
    return {"number"} if decides or (isinstance(node, ast.MatchSingleton) and node.value is not None) else set()


def _formats(node: ast.AST) -> bool:
    """Whether a value becomes part of a text here."""
    if isinstance(node, ast.BinOp):
        left = node.left
        return isinstance(node.op, ast.Mod) and isinstance(left, ast.Constant) and isinstance(left.value, str | bytes)
    return isinstance(node, ast.FormattedValue)


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
