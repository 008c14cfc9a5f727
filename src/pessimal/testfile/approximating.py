"""Floats in assertions: exact where a person would write them so, and approximate where they were computed."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from pessimal.performing import look_up
from pessimal.scenario import Argument, Build, Group, Name, Plain

_APPROX = Name("pytest", "approx")
_DIGITS = 6
"""How many digits a float has at most that is taken to be exact."""


def approximated(argument: Argument) -> Argument | None:
    """An expression of a value as it is compared with; None if it contains NaN where nothing can be compared."""
    if isinstance(argument, Plain):
        return _plain(argument.value)
    if isinstance(argument, Group):
        if argument.kind in ("set", "frozenset"):
            return argument
        is_dict = argument.kind == "dict"  # whose keys are looked up, not compared
        members = tuple(
            member if is_dict and index % 2 == 0 else approximated(member)
            for index, member in enumerate(argument.members)
        )
        found = tuple(member for member in members if member is not None)
        return Group(argument.kind, found) if len(found) == len(members) else None
    if isinstance(argument, Build) and _is_complex(argument):
        parts = [float(part.value) for part in argument.args if isinstance(part, Plain)]
        return argument if all(map(_is_exact, parts)) else _approx(argument, any(part != part for part in parts))
    if isinstance(argument, Build) and _is_record(argument):
        return _record(argument)
    return argument


def _record(built: Build) -> Argument | None:
    pairs = [(key, approximated(value)) for key, value in built.kwargs]
    found = tuple((key, value) for key, value in pairs if value is not None)
    return Build(built.function, built.args, found) if len(found) == len(pairs) else None


def _plain(value: Any) -> Argument | None:
    if _is_number(value):
        return Plain(value) if _is_exact(value) else _approx(Plain(value), value != value)
    if isinstance(value, list | tuple) and all(map(_is_number, value)):
        if all(map(_is_exact, value)):
            return Plain(value)
        return _approx(Plain(value), any(item != item for item in value))
    if isinstance(value, list | tuple | dict):
        members = _members(value)
        if all(isinstance(member, Plain) for member in members):
            return Plain(value)
        found = tuple(member for member in members if member is not None)
        kind = type(value).__name__
        return Group(kind, found) if len(found) == len(members) else None  # type: ignore[arg-type]
    if isinstance(value, set | frozenset) and any(item != item for item in value):
        return None
    return Plain(value)


def _members(value: Any) -> list[Argument | None]:
    if isinstance(value, dict):
        return [part for key, item in value.items() for part in (Plain(key), _plain(item))]
    return [_plain(item) for item in value]


def _approx(expected: Argument, has_nan: bool) -> Build:
    return Build(_APPROX, (expected,), (("nan_ok", Plain(True)),) if has_nan else ())


def _is_number(value: Any) -> bool:
    return isinstance(value, float) or type(value) is int


def _is_exact(value: float) -> bool:
    """Whether a number looks as if it was meant to be just this one: an int, infinite, or of few digits."""
    return not isinstance(value, float) or math.isinf(value) or float(f"{value:.{_DIGITS}g}") == value


def _is_complex(built: Build) -> bool:
    return built.function == Name("builtins", "complex")


def _is_record(built: Build) -> bool:
    """Whether a class keeps its arguments as they are, so that they may be approximate ones."""
    kind = look_up(built.function)
    return isinstance(kind, type) and (dataclasses.is_dataclass(kind) or hasattr(kind, "_fields"))
