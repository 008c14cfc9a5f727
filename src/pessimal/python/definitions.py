"""From compiled code back to its definition in the source."""

from __future__ import annotations

import ast
import linecache
from types import CodeType
from typing import Any, TypeAlias

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Definitions:
    """The definitions in files, each of which is read once."""

    def __init__(self) -> None:
        self._files: dict[str, ast.Module] = {}
        self._places: dict[tuple[str, int, str], list[Definition]] = {}

    def of(self, code: CodeType, namespace: dict[str, Any]) -> list[Definition]:
        """The definition of some code; several where lambdas share a line, none where there is no source."""
        self._read(code.co_filename, namespace)
        return self._places.get((code.co_filename, code.co_firstlineno, code.co_name), [])

    def rebound(self, code: CodeType, namespace: dict[str, Any]) -> set[str]:
        """The names that functions of the same file declare global, in order to give them other values."""
        tree = self._read(code.co_filename, namespace)
        return {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}

    def _read(self, file: str, namespace: dict[str, Any]) -> ast.Module:
        known = self._files.get(file)
        if known is not None:
            return known
        linecache.checkcache(file)
        try:
            tree = ast.parse("".join(linecache.getlines(file, namespace)))
        except (SyntaxError, ValueError):
            tree = ast.Module([], [])
        self._files[file] = tree
        for node in ast.walk(tree):
            if isinstance(node, Definition):
                self._places.setdefault((file, *_place(node)), []).append(node)
        return tree


def _place(node: Definition) -> tuple[int, str]:
    """The first line and the name of a definition, as its code has them."""
    if isinstance(node, ast.Lambda):
        return node.lineno, "<lambda>"
    return min(part.lineno for part in (node, *node.decorator_list)), node.name
