"""The functions that users name as black boxes: ``module.function``, with wildcards."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from types import BuiltinFunctionType, FunctionType
from typing import Any

from pessimal.errors import TargetError, UsageError
from pessimal.importing import import_name
from pessimal.inputs.signatures import underlying
from pessimal.python.handlers.black_boxes.box import Box
from pessimal.python.handlers.black_boxes.calls import calling
from pessimal.python.handlers.black_boxes.watch import SampleWatch
from pessimal.python.handlers.registry import handles, resolve
from pessimal.target import Target

_WILDCARDS = frozenset("*?[")


class NamedBoxes:
    """The black boxes that users named, found in each copy of the target's modules.

    The function that is called is that of the first copy, which is the code as it is.
    """

    def __init__(self, patterns: Sequence[str], watch: SampleWatch) -> None:
        self._patterns = patterns
        self._watch = watch
        self._boxes: dict[str, Box] = {}

    @property
    def run_python(self) -> bool:
        """Whether a box is written in Python, so that its lines are executed inside of it."""
        return any(not isinstance(box.function, BuiltinFunctionType) for box in self._boxes.values())

    def register(self, target: Target) -> None:
        """Handle the functions of the copy of the modules that is entered now."""
        for pattern in self._patterns:
            for name, function in _functions(pattern, target):
                box = self._boxes.setdefault(name, Box(name, function, watch=self._watch))
                handles(function)(calling(box, resolve(function)))


def _functions(pattern: str, target: Target) -> list[tuple[str, Any]]:
    """The functions that a pattern means, and their names."""
    prefix, _, name = pattern.rpartition(".")
    found = [
        (f"{module}.{attribute}", value)
        for module, names in _namespaces(prefix, pattern, target)
        for attribute, value in list(names.items())
        if fnmatchcase(attribute, name) and _is_meant(value, name, module)
    ]
    wanted = [(full, value) for full, value in found if value is not underlying(target.call)]
    if found and not wanted:
        raise _error(f"{pattern!r} is the target itself: name a function that it calls")
    if not wanted:
        raise _error(f"{pattern!r} names no function: write module.function, where * stands for any name")
    return wanted


def _namespaces(prefix: str, pattern: str, target: Target) -> list[tuple[str, Mapping[str, Any]]]:
    """The modules that the first part of a pattern means, by name; without one, the module of the target."""
    if not prefix or prefix in (target.module, _stem(target)):
        return [(target.module, _own_names(target))]
    if not _WILDCARDS.isdisjoint(prefix):
        return [(name, vars(module)) for name, module in sorted(sys.modules.items()) if fnmatchcase(name, prefix)]
    try:
        return [(prefix, vars(import_name(prefix)))]
    except TargetError as error:
        raise _error(f"{pattern!r}: {error}") from None


def _own_names(target: Target) -> Mapping[str, Any]:
    """The names beside the target, which may have been sent without its module."""
    module = None if target.module == "__main__" else sys.modules.get(target.module)
    return getattr(underlying(target.call), "__globals__", {}) if module is None else vars(module)


def _stem(target: Target) -> str:
    return (target.file or "").rpartition("/")[2].removesuffix(".py")


def _is_meant(value: Any, name: str, module: str) -> bool:
    """Whether a value is a function; one that only matches a wildcard must be defined in the module."""
    if isinstance(value, type) or not callable(value):
        return False
    if _WILDCARDS.isdisjoint(name):
        return True
    return isinstance(value, FunctionType | BuiltinFunctionType) and value.__module__ == module


def _error(message: str) -> UsageError:
    return UsageError(f"--black-box {message}", slug="black-box")
