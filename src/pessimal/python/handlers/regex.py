"""Handlers of ``re``: its functions and the methods of compiled patterns, on symbolic text."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from inspect import Signature, signature
from typing import Any

from pessimal.python import regex
from pessimal.python.handlers.registry import handles, handles_kind
from pessimal.python.values import SymBytes, SymStr

_TEXT = (SymStr, SymBytes)
_NUMBERS = ("pos", "endpos", "maxsplit", "count")


def _sub(pattern: re.Pattern[Any], repl: Any, string: Any, count: int = 0) -> Any:
    return regex.subn(pattern, repl, string, count)[0]


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "match": regex.match,
    "fullmatch": regex.fullmatch,
    "search": regex.search,
    "findall": regex.findall,
    "finditer": regex.finditer,
    "split": regex.split,
    "sub": _sub,
    "subn": regex.subn,
}


_METHODS: dict[str, Callable[..., Any]] = {}


def _is_for_us(repl: Any, string: Any) -> bool:
    """Whether the native function cannot do it: for symbolic text, or where a function may return some."""
    return type(string) in _TEXT or type(repl) in _TEXT or (callable(repl) and type(string) in (str, bytes))


def _concrete(value: Any, reason: str) -> Any:
    return value.concrete(reason) if type(value) in _TEXT else value


def _perform(name: str, pattern: re.Pattern[Any], values: dict[str, Any]) -> Any:
    """An operation on a compiled pattern; one that depends on the locale sees concrete text only."""
    if pattern.flags & re.LOCALE:
        return getattr(pattern, name)(**{key: _concrete(value, "re.LOCALE") for key, value in values.items()})
    numbers = {key: operator.index(value) for key, value in values.items() if key in _NUMBERS}
    return _OPERATIONS[name](pattern, **{**values, **numbers})


def _arguments(of: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any] | None:
    """The arguments by name; None where the call is wrong, which the native function says best."""
    try:
        return of.bind(*args, **kwargs).arguments
    except TypeError:
        return None


def _register(name: str) -> None:
    """Make the handlers of a function of ``re`` and of the method of the same name."""
    function, method = getattr(re, name), getattr(re.Pattern, name)
    of_function, of_method = signature(function), signature(method)

    @handles(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        values = _arguments(of_function, args, kwargs)
        if values is None:
            return function(*args, **kwargs)
        if type(values["pattern"]) in _TEXT:
            values["pattern"] = _concrete(values["pattern"], "the pattern of a regular expression")
        if not _is_for_us(values.get("repl"), values["string"]):
            return function(**values)
        pattern = re.compile(values.pop("pattern"), values.pop("flags", 0))
        return _perform(name, pattern, values)

    @handles(method)
    def call_method(*args: Any, **kwargs: Any) -> Any:
        values = _arguments(of_method, args, kwargs)
        if values is None or not _is_for_us(values.get("repl"), values["string"]):
            return method(*args, **kwargs)
        return _perform(name, values.pop("self"), values)

    _METHODS[name] = call_method


for _name in _OPERATIONS:
    _register(_name)


@handles_kind(type(re.compile("").match))
def _bound(method: Any, *args: Any, **kwargs: Any) -> Any:
    """Methods that are given the class which defines them, such as those of patterns, are a kind of their own."""
    handler = _METHODS.get(method.__name__) if type(method.__self__) is re.Pattern else None
    return method(*args, **kwargs) if handler is None else handler(method.__self__, *args, **kwargs)


@handles(re.compile)
def _compile(pattern: Any, flags: Any = 0) -> Any:
    return re.compile(_concrete(pattern, "the pattern of a regular expression"), flags)
