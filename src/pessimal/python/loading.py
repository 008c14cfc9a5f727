"""The loader of rewritten modules."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import SourceFileLoader
from types import CodeType, ModuleType

from pessimal.python.rewrite import NAMES, rewrite
from pessimal.python.scope import ACCELERATORS, Scope

_ROOM = 3000
"""How many more calls may be nested while a module is rewritten."""


class RewritingLoader(SourceFileLoader):
    """Compiles a module's source after the rewrite; never reads or writes cached bytecode."""

    def __init__(self, name: str, path: str, scope: Scope) -> None:
        super().__init__(name, path)
        self._scope = scope

    def get_code(self, fullname: str) -> CodeType:
        """The rewritten module's code."""
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path), path)
        with _room():
            code = compile(rewrite(tree), path, "exec", dont_inherit=True)
        assert isinstance(code, CodeType)
        return code

    def exec_module(self, module: ModuleType) -> None:
        """Run the module with the handlers in its globals, without the compiled version of itself."""
        module.__dict__.update(NAMES)
        self._scope.note_loading(self.name, self.path)
        compiled = ACCELERATORS.get(self.name)
        if compiled is None:
            super().exec_module(module)
            return
        with _hidden(compiled):
            super().exec_module(module)


@contextmanager
def _room() -> Iterator[None]:
    """Let calls be nested more deeply: modules that import each other leave little room for walking a tree."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + _ROOM)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


@contextmanager
def _hidden(name: str) -> Iterator[None]:
    """Let the import of a module fail, and bring back what was there before, also if that was hidden already."""
    before = sys.modules.get(name, ...)
    sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[name]
        if before is not ...:
            sys.modules[name] = before
