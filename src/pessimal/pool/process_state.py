"""The state of the interpreter that a run may change and that our own code in the same process relies on.

What a run changes is put back after it, so that neither the search nor the next run suffers from it. What an import
changes is the target's own business, and stays.
"""

from __future__ import annotations

import ast
import builtins
import gc
import io
import json
import linecache
import os
import signal
import struct
import sys
import time
import traceback
from operator import itemgetter
from types import ModuleType
from typing import Any, TypeVar

from pessimal.errors import TargetError

T = TypeVar("T")


class ProcessState:
    """What the interpreter was like when this was made; it is made before every run, and so must be quick."""

    __slots__ = ("_collects", "_limit", "_meta_path", "_module_count", "_path", "_profile", "_streams", "_trace")

    def __init__(self) -> None:
        self._trace = sys.gettrace()
        self._profile = sys.getprofile()
        self._limit = sys.getrecursionlimit()
        self._streams = sys.stdout, sys.stderr
        self._collects = gc.isenabled()
        self._path = sys.path.copy()
        self._meta_path = sys.meta_path.copy()
        self._module_count = len(sys.modules)
        if len(_known.modules) != self._module_count:
            _known.modules = sys.modules.copy()

    def restore(self) -> None:
        """Put back what is different now; built-ins first, since all that follows may need them."""
        restore_builtins()
        _restore_library()
        if sys.gettrace() is not self._trace:
            sys.settrace(self._trace)
        if sys.getprofile() is not self._profile:
            sys.setprofile(self._profile)
        if sys.getrecursionlimit() != self._limit:
            sys.setrecursionlimit(self._limit)
        sys.stdout, sys.stderr = (_usable(*pair) for pair in zip(self._streams, (1, 2), strict=True))
        if gc.isenabled() is not self._collects:
            (gc.enable if self._collects else gc.disable)()
        _put_back(self._path, sys.path)
        _put_back(self._meta_path, sys.meta_path)
        if len(sys.modules) < self._module_count:
            sys.modules.update(_known.modules | sys.modules)


def _usable(stream: Any, descriptor: int) -> Any:
    """A standard stream, made anew if the target has closed it."""
    if not getattr(stream, "closed", False):
        return stream
    try:
        return open(descriptor, "w", closefd=False)
    except OSError:  # it has closed the file itself, too
        return io.StringIO()


_NAMES = (
    *("len", "isinstance", "issubclass", "type", "object", "super", "getattr", "setattr", "hasattr", "callable"),
    *("int", "float", "bool", "str", "bytes", "bytearray", "list", "tuple", "dict", "set", "frozenset", "range"),
    *("min", "max", "sum", "any", "all", "sorted", "zip", "enumerate", "map", "iter", "next", "abs", "id", "repr"),
    *("round", "reversed", "ord", "chr", "hash", "vars", "print", "open", "property", "__import__", "__build_class__"),
)
"""The built-ins that our own code uses."""

_functions = itemgetter(*_NAMES)


def _library(module: ModuleType, *names: str) -> tuple[dict[str, Any], tuple[str, ...], Any]:
    return vars(module), names, itemgetter(*names)


_LIBRARY = (
    _library(ast, "parse", "walk"),
    _library(gc, "disable", "enable", "isenabled"),
    _library(json, "dumps", "loads"),
    _library(linecache, "checkcache", "getline", "getlines", "lazycache", "updatecache"),
    _library(os, "getpid", "read", "write"),
    _library(signal, "getitimer", "pthread_sigmask", "setitimer", "signal"),
    _library(struct, "calcsize", "pack", "pack_into", "unpack", "unpack_from"),
    _library(sys, "getprofile", "getrecursionlimit", "gettrace", "setprofile", "setrecursionlimit", "settrace"),
    _library(time, "monotonic", "perf_counter", "process_time", "sleep", "time"),
    _library(traceback, "extract_tb", "format_exc", "format_exception"),
)
"""The functions of the standard library that our own code, and what sends its messages, uses between runs."""


class _Known:
    """What belongs to the interpreter, as far as it is the same for many runs."""

    def __init__(self) -> None:
        self.builtins: dict[str, Any] = dict(vars(builtins))
        self.functions = _functions(self.builtins)
        self.library: list[tuple[Any, ...]] = [functions(namespace) for namespace, _, functions in _LIBRARY]
        self.modules: dict[str, ModuleType] = {}
        self.importable: dict[str, ModuleType] = {}


_known = _Known()


def restore_builtins() -> None:
    """Put back the built-ins that the target replaced; exceptions are not looked at, to save time."""
    try:
        is_changed = _functions(vars(builtins)) != _known.functions
    except BaseException:  # one was removed, or cannot be compared
        is_changed = True
    if is_changed:
        vars(builtins).update(_known.builtins)


def _restore_library() -> None:
    """Put back the functions of the standard library that the target replaced."""
    for (namespace, names, functions), known in zip(_LIBRARY, _known.library, strict=True):
        try:
            is_changed = functions(namespace) != known
        except BaseException:
            is_changed = True
        if is_changed:
            namespace.update(zip(names, known, strict=True))


def restore_modules() -> None:
    """Put back modules that the target made impossible to import."""
    for name, module in _known.importable.items():
        if name in sys.modules and sys.modules[name] is None:
            sys.modules[name] = module


def accept() -> None:
    """Take built-ins and modules as they are now for what belongs there; built-ins that no longer work are an error."""
    now = builtins.__dict__.copy()
    builtins.__dict__.update(_known.builtins)  # first of all, since even this function needs them
    broken = [name for name in _NAMES if not callable(now.get(name))]
    if broken:
        replaced = f"importing the target replaces the built-in {broken[0]}() by {now.get(broken[0])!r}"
        raise TargetError(f"{replaced}, without which nothing can be run: remove that")
    builtins.__dict__.update(now)
    _accept_library()
    _known.builtins = now
    _known.functions = _functions(_known.builtins)
    _known.importable |= {name: module for name, module in sys.modules.items() if module is not None}


def _accept_library() -> None:
    """Take functions of the library as they are now; those that no longer work are put back."""
    for index, (namespace, names, _) in enumerate(_LIBRARY):
        known = _known.library[index]
        now = tuple(namespace.get(name) for name in names)
        _known.library[index] = tuple(new if callable(new) else old for new, old in zip(now, known, strict=True))
    _restore_library()


def _put_back(before: list[T], now: list[T]) -> None:
    """Restore what was removed from a list, in its place; additions stay at the end."""
    if now != before:
        now[:] = [*before, *(item for item in now if item not in before)]
