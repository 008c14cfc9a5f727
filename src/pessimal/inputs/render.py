"""Python text of values, ready to be pasted: what a report shows as the call that hurts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

from pessimal.inputs.codec import safe_repr
from pessimal.inputs.maker import Construction


def render_call(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """The text of a call."""
    parts = [render(value) for value in args]
    parts += [f"{key}={render(value)}" for key, value in kwargs.items()]
    return f"{name}({', '.join(parts)})"


def render(value: Any) -> str:
    """The text of a value: an expression that evaluates to an equal one, wherever Python has one."""
    if isinstance(value, Enum) and value.name is not None:
        return f"{type(value).__qualname__}.{value.name}"
    writer = _WRITERS.get(type(value))
    return writer(value) if writer else safe_repr(value, limit=None)


def _float(value: float) -> str:
    return repr(value) if math.isfinite(value) else f"float({str(value)!r})"


def _tuple(value: tuple[Any, ...]) -> str:
    return f"({_joined(value)}{',' if len(value) == 1 else ''})"


def _dict(value: dict[Any, Any]) -> str:
    return f"{{{', '.join(f'{render(key)}: {render(item)}' for key, item in value.items())}}}"


def _set(value: set[Any]) -> str:
    return f"{{{_sorted(value)}}}" if value else "set()"


def _frozenset(value: frozenset[Any]) -> str:
    return f"frozenset({{{_sorted(value)}}})" if value else "frozenset()"


def _construction(value: Construction) -> str:
    return render_call(value.cls.__qualname__, (), value.fields)


def _joined(values: Iterable[Any]) -> str:
    return ", ".join(map(render, values))


def _sorted(values: Iterable[Any]) -> str:
    """Members in an order that does not depend on hashes, so that the same input has the same text."""
    try:
        return _joined(sorted(values))
    except TypeError:
        return ", ".join(sorted(map(render, values)))


_WRITERS: dict[type, Callable[[Any], str]] = {
    float: _float,
    list: lambda value: f"[{_joined(value)}]",
    tuple: _tuple,
    dict: _dict,
    set: _set,
    frozenset: _frozenset,
    Construction: _construction,
}
