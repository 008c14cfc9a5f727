"""The target's caches of results, emptied before a run is measured, so that no run profits from what another computed.

Symbolic runs do the same. A cached function without parameters stays cached: what it computes once is set-up.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from pessimal.inputs.looking import is_a
from pessimal.python.meters import is_executed, is_installed

_CACHE = type(functools.lru_cache(lambda: None))


class TargetCaches:
    """The functions with ``lru_cache`` in the target's package, in the standard library and in modules of the user.

    Other packages keep theirs, which often hold what is read once. Of the ``re`` module, which keeps what is written in
    the code, only patterns are forgotten that were made of the input.
    """

    def __init__(self, module: str) -> None:
        self._package = module.partition(".")[0]
        self._caches: list[Any] = []
        self._modules = 0
        self._patterns = PatternCache()

    def empty(self) -> None:
        """Forget all results."""
        if len(sys.modules) != self._modules:
            self._modules = len(sys.modules)
            self._caches = list(self._find())
        for cache in self._caches:
            cache.cache_clear()
        self._patterns.forget()

    def _find(self) -> Iterator[Any]:
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None) or ""
            package = name.partition(".")[0]
            is_emptied = package == self._package or not is_installed(file)
            if file and is_executed(file) and is_emptied and package != re.__name__:
                yield from _caches_of(name, module)


_known: dict[str, tuple[object, int, list[Any]]] = {}
"""The caches of modules by their names, and which module it was, with how many names in it."""


def know_caches() -> None:
    """Look at all modules that are loaded now, once for all processes that are forked from this one."""
    TargetCaches("").empty()


def _caches_of(name: str, module: ModuleType) -> list[Any]:
    """The caches in a module and in its classes; remembered, since worlds change what is loaded again and again."""
    known = _known.get(name)
    if known is not None and known[0] is module and known[1] == len(vars(module)):
        return known[2]
    owners = (module, *(item for item in vars(module).values() if is_a(item, type)))
    caches = [item for owner in owners for item in vars(owner).values() if _keeps_results(item)]
    _known[name] = module, len(vars(module)), caches
    return caches


class PatternCache:
    """The compiled patterns that the ``re`` module keeps: those that a run made are forgotten, constants stay.

    A pattern is a constant if something else than the cache holds its text, such as the code that it is written in.
    """

    def __init__(self) -> None:
        # Private, and a second one since Python 3.12; without them nothing is forgotten.
        self._caches: list[dict[Any, Any]] = [vars(re)[name] for name in ("_cache", "_cache2") if name in vars(re)]
        self._kept = 0

    def forget(self) -> None:
        """Forget the patterns that no code holds."""
        if not self._caches or len(self._caches[0]) == self._kept:
            return
        for key in list(self._caches[0])[self._kept :]:
            if sys.getrefcount(key[1]) <= _UNHELD:
                for cache in self._caches:
                    cache.pop(key, None)
        self._kept = len(self._caches[0])


_UNHELD = 3
"""The references to the text of a pattern that only the cache holds: by its key, by the pattern, by the question."""


def _keeps_results(thing: object) -> bool:
    if type(thing) is not _CACHE:
        return False
    code = getattr(getattr(thing, "__wrapped__", None), "__code__", None)
    return code is not None and bool(code.co_argcount or code.co_kwonlyargcount or code.co_flags & 0x0C)
