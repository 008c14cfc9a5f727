"""Handlers of ``os.path``, which ``os`` shares with both worlds: its rewritten twin is called for symbolic text."""

from __future__ import annotations

import os
import os.path
import sys
from importlib import import_module
from types import FunctionType
from typing import Any

from pessimal.python.deciding import decide
from pessimal.python.handlers.registry import handles
from pessimal.python.values import SymBytes, SymStr
from pessimal.python.values.keyed import alike

_TEXT = (SymStr, SymBytes)
_SEEN_OUTSIDE = frozenset(("exists", "lexists", "isfile", "isdir", "islink", "ismount", "realpath", "samefile"))
"""What asks the file system, which knows real names only."""


@handles(os.fspath)
def _fspath(path: Any) -> Any:
    """Text is a path as it is."""
    return path if type(path) in _TEXT else os.fspath(path)


def _normalised(path: Any) -> Any:
    """A path without empty and ``.`` parts, and without a part before each ``..``; which they are is decided."""
    text = type(path)
    slash, here, above = (text(tuple(code)) for code in (b"/", b".", b".."))
    lead = _slashes(path)
    kept: list[Any] = []
    for part in path.split(slash):
        if len(part) == 0 or _is(part, here):
            continue
        if not _is(part, above) or (not lead and not kept) or (kept and _is(kept[-1], above)):
            kept.append(part)
        elif kept:
            kept.pop()
    return slash * lead + slash.join(kept) if lead or kept else here


def _slashes(path: Any) -> int:
    """How many slashes a normal path keeps at its beginning: two are special, more are as one."""
    found = 0
    while found < min(3, len(path)) and _is(path[found : found + 1], type(path)((ord("/"),))):
        found += 1
    return 1 if found == 3 else found


def _is(part: Any, other: Any) -> bool:
    return decide(alike(part, other))


def _normalises(native: Any) -> None:
    """Handle the compiled part of ``normpath``, which some versions have."""

    @handles(native)
    def function(path: Any) -> Any:
        return _normalised(path) if type(path) in _TEXT else native(path)


if hasattr(sys.modules.get("posix"), "_path_normpath"):
    _normalises(sys.modules["posix"]._path_normpath)


def _has_text(value: Any) -> bool:
    return type(value) in _TEXT or (type(value) in (list, tuple) and any(map(_has_text, value)))


def _twin(name: str, native: FunctionType) -> None:
    """Handle a function by that of the rewritten module where text is symbolic."""

    @handles(native)
    def function(*args: Any, **kwargs: Any) -> Any:
        if not any(map(_has_text, (*args, *kwargs.values()))):
            return native(*args, **kwargs)
        return getattr(import_module(os.path.__name__), name)(*args, **kwargs)


for _name in os.path.__all__:
    _native = getattr(os.path, _name)
    if isinstance(_native, FunctionType) and _name not in _SEEN_OUTSIDE:
        _twin(_name, _native)
