"""The target's caches of results, emptied before a run is measured, so that no run profits from what another computed.

Symbolic runs do the same. A cached function without parameters stays cached: what it computes once is set-up.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from typing import Any

from pessimal.python.meters import is_installed, is_users

_CACHE = type(functools.lru_cache(lambda: None))


class TargetCaches:
    """The functions with ``lru_cache`` in modules of the target's package, and in others that are not installed."""

    def __init__(self, module: str) -> None:
        self._package = module.partition(".")[0]
        self._caches: list[Any] = []
        self._modules = 0

    def empty(self) -> None:
        """Forget all results."""
        if len(sys.modules) != self._modules:
            self._modules = len(sys.modules)
            self._caches = list(self._find())
        for cache in self._caches:
            cache.cache_clear()

    def _find(self) -> Iterator[Any]:
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None) or ""
            if file and is_users(file) and (name.partition(".")[0] == self._package or not is_installed(file)):
                for owner in (module, *(item for item in vars(module).values() if isinstance(item, type))):
                    yield from filter(_keeps_results, vars(owner).values())


def _keeps_results(thing: object) -> bool:
    if type(thing) is not _CACHE:
        return False
    code = getattr(getattr(thing, "__wrapped__", None), "__code__", None)
    return code is not None and bool(code.co_argcount or code.co_kwonlyargcount or code.co_flags & 0x0C)
