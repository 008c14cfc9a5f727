"""Containers of drawn arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pessimal.scenario import Argument, Group, Kind, Plain


def grouped(kind: Kind, members: Sequence[Argument]) -> Argument:
    """A plain value where all members are plain, and hashable where they must be."""
    plain = [item.value for item in members if isinstance(item, Plain)]
    if len(plain) < len(members):
        return Group(kind, tuple(members))
    try:
        return Plain(_MAKE[kind](plain))
    except TypeError:
        return Plain(_MAKE[kind]([]))


_MAKE: dict[Kind, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "dict": lambda parts: dict(zip(parts[::2], parts[1::2], strict=True)),
}
