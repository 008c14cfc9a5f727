"""Functions that have measured code while a run is measured, and their own code otherwise."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType

from pessimal.python.measured.log import DistanceLog
from pessimal.python.measured.tests_of_code import LOG, TestRewriter
from pessimal.python.work import instrumentation
from pessimal.python.work.counted_file import Place, codes_by_place
from pessimal.python.work.instrumentation import countable_functions, fits, path_of


class MeasuredFunctions:
    """Exchanges the code of functions for code that writes a log of its tests."""

    def __init__(self) -> None:
        self.log = DistanceLog()
        self._files: dict[str, dict[Place, CodeType]] = {}
        self._measured: list[tuple[FunctionType, CodeType]] = []
        self._taken_at: tuple[object, ...] = ()

    def take(self, modules: Collection[str]) -> None:
        """Let the functions of these modules, and of the packages among them, be measured."""
        now = len(sys.modules), instrumentation().changes, frozenset(modules)
        if now == self._taken_at:
            return
        self._taken_at = now
        own = [item for item in countable_functions() if _is_inside(str(item.__globals__.get("__name__")), modules)]
        found = ((function, self._code(function)) for function in own)
        self._measured = [(function, code) for function, code in found if code is not None]
        for function, _ in self._measured:
            function.__globals__[LOG] = self.log

    @contextmanager
    def measuring(self) -> Iterator[DistanceLog]:
        """Let the functions have their measured code, and note what they test."""
        before = [function.__code__ for function, _ in self._measured]
        try:
            for function, code in self._measured:
                function.__code__ = code
            self.log.begin()
            yield self.log
        finally:
            self.log.end()
            for (function, _), code in zip(self._measured, before, strict=True):
                function.__code__ = code

    def _code(self, function: FunctionType) -> CodeType | None:
        """The measured code of a function; None if it makes no tests, or has no source that fits."""
        code = function.__code__
        path = path_of(function, code)
        if path not in self._files:
            self._files[path] = self._compiled(path, code.co_filename)
        measured = self._files[path].get((code.co_qualname, code.co_firstlineno))
        return measured if measured is not None and fits(measured, code) else None

    def _compiled(self, path: str, shown_path: str) -> dict[Place, CodeType]:
        rewriter = TestRewriter(shown_path, len(self.log.sites))
        try:
            tree = rewriter.visit(ast.parse(Path(path).read_bytes(), path))
            codes = codes_by_place(compile(tree, shown_path, "exec", dont_inherit=True))
        except (OSError, SyntaxError, ValueError, RecursionError):
            return {}
        self.log.sites += rewriter.sites
        return {place: code for place, code in codes.items() if _tests(code)}


def _tests(code: CodeType) -> bool:
    """Whether code, or a function inside of it, writes to the log."""
    return LOG in code.co_names or any(_tests(item) for item in code.co_consts if isinstance(item, CodeType))


def _is_inside(module: str, modules: Collection[str]) -> bool:
    return module in modules or any(module.startswith(f"{package}.") for package in modules)
