"""The state of the interpreter that a run may change and that our own code in the same process relies on.

What a run changes is put back after it, so that neither the search nor the next run suffers from it. What an import
changes is the target's own business, and stays.
"""

from __future__ import annotations

import builtins
import gc
import sys
from types import ModuleType
from typing import Any, TypeVar

T = TypeVar("T")


class ProcessState:
    """What the interpreter was like when this was made; it is made before every run, and so must be quick."""

    __slots__ = ("_collects", "_limit", "_meta_path", "_path", "_profile", "_streams", "_trace")

    _builtins: dict[str, Any] = dict(vars(builtins))  # noqa: RUF012 one for all
    _modules: dict[str, ModuleType] = {}  # noqa: RUF012

    def __init__(self) -> None:
        self._trace = sys.gettrace()
        self._profile = sys.getprofile()
        self._limit = sys.getrecursionlimit()
        self._streams = sys.stdout, sys.stderr
        self._collects = gc.isenabled()
        self._path = sys.path.copy()
        self._meta_path = sys.meta_path.copy()
        if len(sys.modules) != len(self._modules):
            ProcessState._modules = sys.modules.copy()

    def restore(self) -> None:
        """Put back what is different now; built-ins first, since all that follows may need them."""
        if vars(builtins) != self._builtins:
            vars(builtins).update(self._builtins)
        sys.settrace(self._trace)
        sys.setprofile(self._profile)
        if sys.getrecursionlimit() != self._limit:
            sys.setrecursionlimit(self._limit)
        sys.stdout, sys.stderr = self._streams
        if gc.isenabled() is not self._collects:
            (gc.enable if self._collects else gc.disable)()
        _put_back(self._path, sys.path)
        _put_back(self._meta_path, sys.meta_path)
        if len(sys.modules) < len(self._modules):
            for name, module in self._modules.items():
                sys.modules.setdefault(name, module)

    @classmethod
    def accept(cls) -> None:
        """Take the built-ins as they are now for what belongs there."""
        cls._builtins = dict(vars(builtins))


def _put_back(before: list[T], now: list[T]) -> None:
    """Restore what was removed from a list, in its place; additions stay at the end."""
    if now != before:
        now[:] = [*before, *(item for item in now if item not in before)]
