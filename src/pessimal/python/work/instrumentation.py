"""Counting in the functions of this process, by exchanging their code for code with counters.

The functions stay the same objects, so that classes, closures and caches are untouched. Functions have a stub for their
code until one of their file is called; then the file is compiled with counters.
"""

from __future__ import annotations

import ast
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import chain
from pathlib import Path
from signal import ITIMER_REAL, setitimer
from types import CodeType, FunctionType
from typing import Any

from pessimal.python.sites import PACKAGE
from pessimal.python.syntax import is_rewritten
from pessimal.python.work.comparisons import ComparedFile, ComparisonLog
from pessimal.python.work.counted_file import CountedFile
from pessimal.python.work.counts import Counts

ENTER = "__pessimal_enter__"
_NUMBER = 2**61 - 1
_ROOM = 2000
_LOOKS_UP = "_getframe"
"""What functions call that look at the frames of their callers."""
_LEFT_ALONE = ("pessimal", "z3", "importlib", "_frozen_importlib", "_frozen_importlib_external", "zipimport")


_Exchanged = tuple[FunctionType, CodeType, CodeType]
"""A function and two kinds of code that it can have."""


@cache
def _stub(free: tuple[str, ...]) -> CodeType:
    """The code of a stub for a function with these free variables, which a stub must have and does not use."""
    names = ", ".join(free)
    lines = [f"def outer({names}):", " def stub(*args, **kwargs):", *[f"  if 0: {names}"] * bool(free)]
    lines += [f"  return {ENTER}({_NUMBER})(*args, **kwargs)", " return stub"]
    outer = next(item for item in compile("\n".join(lines), __file__, "exec").co_consts if isinstance(item, CodeType))
    return next(item for item in outer.co_consts if isinstance(item, CodeType))


class Instrumentation:
    """The functions that are counted, file by file, from their first call while ``is_active`` on.

    ``changes`` counts the files and modules that were added.
    """

    def __init__(self) -> None:
        self.counts = Counts()
        self.changes = 0
        self.is_active = False
        self._originals: dict[int, FunctionType] = {}
        self._stubbed: list[tuple[FunctionType, CodeType]] = []
        self._waiting: dict[str, list[int]] = {}
        self._known: dict[str, CountedFile | None] = {}
        self._counted_first: set[str] = set()
        self._counting: dict[str, list[_Exchanged]] = {}
        self._compared_files: dict[str, ComparedFile] = {}
        self._noting: list[_Exchanged] = []
        self._compared_at = -1
        self._log = ComparisonLog()
        self._own_code: set[int] = set()
        self._copies: set[int] = set()
        self._modules = 0

    @property
    def is_outdated(self) -> bool:
        """Whether modules were imported since functions were last taken in."""
        return len(sys.modules) != self._modules

    def extend(self) -> None:
        """Take in the functions of modules that were imported since the last time."""
        if not self.is_outdated:
            return
        self._modules = len(sys.modules)
        self.changes += 1
        known = self._own_code, self._copies
        new = [item for item in countable_functions() if id(item.__code__) not in known[0] and id(item) not in known[1]]
        looking_up = {item.__name__ for item in new if _LOOKS_UP in item.__code__.co_names and not _is_special(item)}
        for function in new:
            names = function.__code__.co_names
            self._take_in(function, is_stubbed=_LOOKS_UP not in names and looking_up.isdisjoint(names))

    def count_from_the_start(self, path: str) -> None:
        """Count in a file before any of its functions is called: that of the target, which may have no stub."""
        self._counted_first.add(path)
        self._modules = 0

    def counts_in(self, path: str) -> bool:
        """Whether the statements of a file are counted, at least since one of its functions was called."""
        return self._known.get(path) is not None

    def _take_in(self, function: FunctionType, is_stubbed: bool) -> None:
        """Let a function be counted from the first call of one in its file on.

        A stub would be one frame more than functions expect that look at the frames of their callers.
        """
        path = path_of(function, function.__code__)
        if path not in self._known and path in self._counted_first:
            self._count(path, function.__code__.co_filename)
        if path in self._known:
            self._exchange(function, function.__code__, self._known[path])
            return
        number = len(self._stubbed)
        code = function.__code__
        self._stubbed.append((function, code))
        self._waiting.setdefault(path, []).append(number)
        if not is_stubbed:
            self._own_code.add(id(code))
            return
        stub = _stub(code.co_freevars)
        consts = tuple(number if const == _NUMBER else const for const in stub.co_consts)
        stub = stub.replace(co_consts=consts, co_name=code.co_name, co_qualname=code.co_qualname)
        self._own_code.add(id(stub))
        function.__globals__[ENTER] = self._enter
        function.__code__ = stub

    def _enter(self, number: int) -> FunctionType:
        """A stub was called: count in its file from now on if the target runs; otherwise run the original."""
        if not self.is_active:
            return self._originals.get(number) or self._original(number)
        function, code = self._stubbed[number]
        limit = sys.getrecursionlimit()
        self.is_active = False
        deadline = setitimer(ITIMER_REAL, 0)  # what we do here does not belong to the time of the run
        sys.setrecursionlimit(limit + _ROOM)  # the target's calls may be nested as deeply as it may
        try:
            self._count(path_of(function, code), code.co_filename)
        finally:
            sys.setrecursionlimit(limit)
            self.is_active = True
            setitimer(ITIMER_REAL, *deadline)
        return function

    def _original(self, number: int) -> FunctionType:
        """A copy of a function with the code that it had."""
        function, code = self._stubbed[number]
        make = type(function)  # at the end of the process our own globals are gone
        copy = make(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
        copy.__kwdefaults__ = function.__kwdefaults__
        self._originals[number] = copy
        self._copies.add(id(copy))
        return copy

    def _count(self, path: str, shown_path: str) -> None:
        if path not in self._known:
            self._known[path] = self._counted(path, shown_path)
        for number in self._waiting.get(path, ()):
            self._exchange(*self._stubbed[number], self._known[path])
        self._waiting.pop(path, None)

    def _counted(self, path: str, shown_path: str) -> CountedFile | None:
        """The file with counters; None if it has no source that can be compiled."""
        self.changes += 1
        try:
            with self._unstubbed(ast.__file__):
                file = CountedFile(path, Path(path).read_bytes(), shown_path, self.counts)
        except (OSError, SyntaxError, ValueError):
            return None
        self._own_code |= set(map(id, file.codes.values()))
        return file

    @contextmanager
    def _unstubbed(self, path: str) -> Iterator[None]:
        """Let the functions of a file that we use ourselves have their own code, since stubs are slow."""
        functions = [self._stubbed[number] for number in self._waiting.get(path, ())]
        stubs = [function.__code__ for function, _ in functions]
        for function, code in functions:
            function.__code__ = code
        try:
            yield
        finally:
            for (function, _), stub in zip(functions, stubs, strict=True):
                function.__code__ = stub

    def _exchange(self, function: FunctionType, code: CodeType, file: CountedFile | None) -> None:
        """Give a function its code with counters; its own code where there is none that fits."""
        counted = None if file is None else file.codes.get((code.co_qualname, code.co_firstlineno))
        if file is None or counted is None or not fits(counted, code):
            function.__code__ = code
            self._own_code.add(id(code))
            return
        file.define_names(function.__globals__)
        function.__code__ = counted
        self._counting.setdefault(file.path, []).append((function, code, counted))

    @contextmanager
    def comparing(self) -> Iterator[ComparisonLog]:
        """Let the functions that are counted note their comparisons instead."""
        if self._compared_at != self.changes:
            self._noting = [
                pair for path, functions in self._counting.items() for pair in self._compared(path, functions)
            ]
            self._compared_at = self.changes
        self._log.clear()
        for function, _, compared in self._noting:
            function.__code__ = compared
        try:
            yield self._log
        finally:
            for function, counted, _ in self._noting:
                function.__code__ = counted

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Give the functions that are counted the code that they had."""
        for function, code, _ in chain.from_iterable(self._counting.values()):
            function.__code__ = code
        try:
            yield
        finally:
            for function, _, counted in chain.from_iterable(self._counting.values()):
                function.__code__ = counted

    def _compared(self, path: str, functions: list[_Exchanged]) -> Iterator[_Exchanged]:
        """The functions of a file, each with its code that counts and its code that notes comparisons."""
        if path not in self._compared_files:
            with self._unstubbed(ast.__file__):
                file = ComparedFile(path, Path(path).read_bytes(), functions[0][1].co_filename)
            self._compared_files[path] = file
            self._own_code |= set(map(id, file.codes.values()))
        for function, code, counted in functions:
            compared = self._compared_files[path].codes.get((code.co_qualname, code.co_firstlineno))
            if compared is not None and fits(compared, code):
                self._log.define_names(function.__globals__)
                yield function, counted, compared

    def counted_functions(self) -> Iterator[tuple[str, FunctionType, CodeType]]:
        """The functions of files that a run has executed: the file, the function, and its code without counters."""
        for path, functions in self._counting.items():
            for function, code, _ in functions:
                yield path, function, code


def countable_functions() -> Iterator[FunctionType]:
    """The Python functions of this process that have a file and are not our own or rewritten."""
    for thing in _objects():
        if type(thing) is FunctionType and _is_countable(thing):
            yield thing


def _objects() -> list[Any]:
    """All objects of this process, also those that were frozen before it was forked, which the collector hides."""
    is_frozen = gc.get_freeze_count() > 0
    gc.unfreeze()
    objects = gc.get_objects()
    if is_frozen:
        gc.freeze()
    return objects


def _is_special(function: FunctionType) -> bool:
    """Whether it is a special method, whose callers do not call it by its name."""
    return function.__name__.startswith("__") and function.__name__.endswith("__")


def _is_countable(function: FunctionType) -> bool:
    package = str(function.__globals__.get("__name__")).partition(".")[0]
    if package in _LEFT_ALONE or is_rewritten(function.__globals__):
        return False
    path = path_of(function, function.__code__)
    return path.endswith(".py") and not path.startswith(PACKAGE)


def path_of(function: FunctionType, code: CodeType) -> str:
    """The file with a function's source; what is built into the interpreter as frozen code has one, too."""
    path = code.co_filename
    return str(function.__globals__.get("__file__")) if path.startswith("<frozen ") else path


def fits(counted: CodeType, code: CodeType) -> bool:
    """Whether code with counters can take the place of other code: the same parameters and free variables."""
    arguments = code.co_argcount + code.co_kwonlyargcount
    same = counted.co_varnames[:arguments] == code.co_varnames[:arguments]
    return same and counted.co_freevars == code.co_freevars
