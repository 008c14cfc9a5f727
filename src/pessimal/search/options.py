"""Reads the options of strategies as users write them; a bad one is reported in one line."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isfinite, isinf
from typing import Any

from pessimal.errors import UsageError


def sizes(name: str, given: str | int | Sequence[int], *, allows_none: bool = False) -> list[int]:
    """Sizes given as a number, a list or text such as ``3,4``; with ``allows_none`` the list may be empty."""
    parts: Sequence[Any] = [given]
    if isinstance(given, str):
        parts = [int(part) if part.strip().isdecimal() else part for part in given.split(",")]
    elif isinstance(given, Sequence):
        parts = given
    if (not parts and not allows_none) or any(type(part) is not int or part < 0 for part in parts):
        raise UsageError(f"{name} must be a list of sizes such as 3,4, but is {given!r}")
    return list(parts)


def natural(name: str, value: object, least: int = 0) -> int:
    """A whole number of at least ``least``."""
    if type(value) is not int or value < least:
        raise UsageError(f"{name} must be a whole number of at least {least}, but is {value!r}")
    return value


def number(name: str, value: object, least: float, most: float) -> float:
    """A finite number from ``least`` to ``most``."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise UsageError(f"{name} must be a number, but is {value!r}")
    if not least <= value <= most:
        bounds = f"at least {least:g}" if most == inf else f"at most {most:g}"
        bounds = bounds if isinf(least) or isinf(most) else f"between {least:g} and {most:g}"
        raise UsageError(f"{name} must be {bounds}, but is {value!r}")
    return value


def truth(name: str, value: bool | str) -> bool:
    """True or false, in upper or lower case."""
    try:
        return {"true": True, "false": False}[str(value).lower()]
    except KeyError:
        raise UsageError(f"{name} must be true or false, but is {value!r}") from None


def names(name: str, given: object, example: str) -> list[str]:
    """Names of strategies given as a list or as text such as ``climb,wise``."""
    parts = given.split(",") if isinstance(given, str) else given
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
        raise UsageError(f"{name} must be a list of strategies such as {example}, but is {given!r}")
    return [part.strip() for part in parts]
