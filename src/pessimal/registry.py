"""Plug-ins by name: entry points of installed packages, imported only when they are asked for."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from pessimal.errors import UnknownNameError, UsageError


class Registry:
    """The plug-ins of one kind, from one entry-point group."""

    def __init__(self, kind: str, group: str) -> None:
        self._kind = kind
        self._group = group

    def names(self) -> list[str]:
        """The names that can be asked for."""
        return sorted(self._points())

    def get(self, name: str) -> Any:
        """The class or function behind a name."""
        point = self._points().get(name)
        if point is None:
            raise UnknownNameError(self._unknown(name))
        return point.load()

    def loader(self, name: str) -> Callable[[], Any]:
        """Loads the class or function behind a name when it is called; the name is looked up now."""
        return self._points()[self.checked(name)].load

    def checked(self, name: str) -> str:
        """The name itself, if it can be asked for: a mistake should show before anything is run."""
        if name not in self._points():
            raise UnknownNameError(self._unknown(name))
        return name

    def make(self, name: str, options: dict[str, Any] | None = None) -> Any:
        """An instance of the named class, built from its options."""
        cls = self.get(name)
        try:
            return cls(**(options or {}))
        except TypeError as error:
            raise UsageError(f"{self._kind} {name!r} does not take these options: {error}") from None

    def _points(self) -> Mapping[str, EntryPoint]:
        return _installed(entry_points, self._group, tuple(map(str, sys.path)))

    def _unknown(self, name: str) -> str:
        close = difflib.get_close_matches(name, self.names(), 1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        return f"unknown {self._kind} {name!r}: {hint}known are {', '.join(self.names())}"


@lru_cache(maxsize=32)
def _installed(find: Callable[[], Any], group: str, path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """The entry points of a group on a path."""
    return {point.name: point for point in _of_all_groups(find, path).select(group=group)}


@lru_cache(maxsize=8)
def _of_all_groups(find: Callable[[], Any], path: tuple[str, ...]) -> Any:
    """All entry points on a path, to select from; remembered, since every file of metadata there is read."""
    return find()


STRATEGIES = Registry("strategy", "pessimal.strategies")
SOLVERS = Registry("solver", "pessimal.solvers")

FRONT_ENDS = Registry("front-end", "pessimal.front_ends")
"""Front-ends by the kind of target that they run: ``python``, or the suffix of its files."""

OBJECTIVES = Registry("objective", "pessimal.objectives")
"""What searches may be after."""
