"""Handlers of enumerations: a symbolic value or name is decided among the members instead of being hashed."""

from __future__ import annotations

from enum import Enum, EnumMeta, Flag
from typing import Any

from pessimal.python.deciding import select
from pessimal.python.handlers.registry import handles_kind
from pessimal.python.values import SYMBOLIC, SymStr
from pessimal.python.values.keyed import alike


@handles_kind(EnumMeta)
def _member(kind: Any, *args: Any, **kwargs: Any) -> Any:
    """``Colour(value)``; the values of flags are concrete, since what is made of several is kept for ever."""
    if len(args) != 1 or kwargs or type(args[0]) not in SYMBOLIC:
        return kind(*args, **kwargs)
    (value,) = args
    if issubclass(kind, Flag):
        return kind(value.concrete("value of a flag"))
    found = select([(alike(value, member.value), member) for member in kind], None)
    if found is not None:
        return found
    if kind._missing_.__func__ is Enum._missing_.__func__:  # type: ignore[attr-defined]
        raise ValueError(f"a value is not a valid {kind.__qualname__}")
    return kind(value.concrete("value of an enumeration"))


def named(kind: Any, name: SymStr) -> Any:
    """``Colour[name]``, decided among the names, those of aliases included."""
    found = select([(alike(name, option), member) for option, member in kind.__members__.items()], None)
    if found is None:
        raise KeyError(name)
    return found
