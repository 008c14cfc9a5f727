"""Values read from JSON files, each checked to be of its type: a damaged file must not cost a search later on."""

from __future__ import annotations

from types import UnionType
from typing import Any

from pessimal.expr import Leaf


def typed(value: Any, kind: type | UnionType) -> Any:
    """The value, if it is of a type; ``TypeError`` otherwise."""
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is not of type {kind}")
    return value


def leaves(data: Any) -> tuple[Leaf, ...]:
    """The leaves of an input, each of which must be a number."""
    return tuple(typed(value, int | float) for value in typed(data, list | tuple))
