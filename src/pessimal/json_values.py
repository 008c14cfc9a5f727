"""Values read from JSON files, each checked to be of its type: a damaged file must not cost a search later on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from math import isfinite
from pathlib import Path
from types import UnionType
from typing import Any

from pessimal.expr import Leaf


def read(file: Path, finite: bool = True) -> Any:
    """The values in a file; ``OSError`` if it cannot be read, ``ValueError`` for whatever is wrong with its content."""
    return parsed(file.read_text(encoding="utf-8"), finite)


def parsed(text: str, finite: bool = True) -> Any:
    """The values in a text; ``ValueError`` for whatever is wrong with it, by default also for infinite numbers."""
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite) if finite else json.loads(text)
    except (RecursionError, SystemError):  # the latter by an error in CPython, of which the former is the cause
        raise ValueError("it is nested too deeply") from None


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not a number in JSON")


def _finite(text: str) -> float:
    value = float(text)
    return value if isfinite(value) else _refuse(text)


def sealed(data: Mapping[str, Any]) -> str:
    """An object as JSON text with a checksum, for what would mislead if it were damaged."""
    text = json.dumps(data)
    return f'{{"checksum": "{_checksum(text)}", {text[1:]}\n'


def unsealed(data: Mapping[str, Any]) -> dict[str, Any]:
    """The object that :func:`sealed` wrote, after it was read; ``ValueError`` if it is another one."""
    content = {name: value for name, value in data.items() if name != "checksum"}
    if data.get("checksum") != _checksum(json.dumps(content)):
        raise ValueError("the checksum does not fit")
    return content


def _checksum(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def typed(value: Any, kind: type | UnionType) -> Any:
    """The value, if it is of a type; ``TypeError`` otherwise."""
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is not of type {kind}")
    return value


def leaves(data: Any) -> tuple[Leaf, ...]:
    """The leaves of an input, each of which must be a number."""
    return tuple(typed(value, int | float) for value in typed(data, list | tuple))
