"""Handlers of functions that take or make text."""

from __future__ import annotations

from typing import Any

from pessimal.python.counted import CountedStr
from pessimal.python.handlers.registry import handles
from pessimal.python.values import SymStr


@handles(print)
def _print(*args: Any, **kwargs: Any) -> None:
    """What a target prints goes nowhere, so nothing needs to become concrete for it."""


@handles(str.join)
def _join(separator: str, parts: Any) -> Any:
    items = list(parts)
    if not any(type(item) is SymStr for item in items):
        text = separator.join(items)
        return CountedStr(text) if any(type(item) is CountedStr for item in items) else text
    joined: Any = ""
    for i, item in enumerate(items):
        joined = joined + separator + item if i else item
    return joined
