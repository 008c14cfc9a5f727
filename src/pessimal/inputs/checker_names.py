"""The names that a module defines for type checkers alone, under ``if TYPE_CHECKING:``, which hints may use."""

from __future__ import annotations

import ast
import inspect
import sys
from contextlib import suppress
from functools import lru_cache
from typing import Any

_DEFINING = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.ClassDef)
_MOST_MODULES = 1000


@lru_cache(_MOST_MODULES)
def checker_names(module: str) -> dict[str, Any]:
    """The names, as far as their definitions can be executed now."""
    loaded = sys.modules.get(module)
    try:
        tree = ast.parse(inspect.getsource(loaded))  # type: ignore[arg-type]
    except (OSError, TypeError, SyntaxError, ValueError):
        return {}
    names = dict(vars(loaded))
    known = set(names)
    for block in tree.body:
        if isinstance(block, ast.If) and _is_for_checkers(block.test):
            _define(block.body, names)
    return {name: value for name, value in names.items() if name not in known}


def _is_for_checkers(test: ast.expr) -> bool:
    return ast.unparse(test).rpartition(".")[2] == "TYPE_CHECKING"


def _define(body: list[ast.stmt], names: dict[str, Any]) -> None:
    for statement in body:
        if isinstance(statement, _DEFINING):
            with suppress(Exception):  # what is not installed, or leads back to the module
                exec(compile(ast.Module([statement], []), "<names for type checkers>", "exec"), names)
