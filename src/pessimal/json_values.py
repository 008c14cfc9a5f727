"""Values read from JSON, each checked to be of its type: neither a damaged file nor a worker that a target took over
must cost a search later on.
"""

from __future__ import annotations

import errno
import json
import stat
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from hashlib import sha256
from math import isfinite
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from pessimal.expr import Leaf

KIND = "$kind"
"""The key of an object under which the name of its dataclass is."""

_Reader: TypeAlias = Callable[[Any], Any]
_NUMBERS = frozenset((int, float, bool))


def read(file: Path, finite: bool = True) -> Any:
    """The values in a file; ``OSError`` if it cannot be read, ``ValueError`` for whatever is wrong with its content."""
    return parsed(not_a_device(file).read_text(encoding="utf-8"), finite)


def not_a_device(file: Path) -> Path:
    """The file; ``OSError`` if it is a device, such as /dev/zero, of which there would be no end."""
    mode = file.stat().st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise OSError(errno.EINVAL, "it is a device")
    return file


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
    found = tuple(typed(data, list | tuple))
    if not _NUMBERS.issuperset(map(type, found)):
        raise TypeError("the leaves of an input must be numbers")
    return found


def rebuilt(kind: Any, data: Any) -> Any:
    """The value of a type that JSON values stand for; ``KeyError``, ``TypeError`` or ``ValueError`` if they do not fit.

    Types are dataclasses, named tuples, enums, rows of them and plain ones; ``Any`` stays as it is.
    """
    return _reader(kind)(data)


@cache
def _reader(kind: Any) -> _Reader:
    """What builds the values of a type."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda data: data
    if kind == tuple[Leaf, ...] or kind == list[Leaf]:
        return lambda data: origin(leaves(data))
    if origin is UnionType:
        return _reader_of_union(arguments)
    if origin is Literal:
        return lambda data: arguments[arguments.index(data)]
    if origin is tuple and arguments[-1] is not ...:
        return lambda data: _row(data, tuple(map(_reader, arguments)))
    if origin in (tuple, list, Sequence):
        return lambda data: (list if origin is list else tuple)(map(_reader(arguments[0]), typed(data, list)))
    return _reader_of_class(origin or kind)


def _reader_of_class(kind: Any) -> _Reader:
    build: Any = kind
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        parts = {item.name: _reader(hints[item.name]) for item in fields(kind)}
        return lambda data: build(**{name: read(data[name]) for name, read in parts.items()})
    if issubclass(kind, Enum):
        return lambda data: build(data)
    if hasattr(kind, "_fields"):
        columns = tuple(map(_reader, get_type_hints(kind).values()))
        return lambda data: build(*_row(data, columns))
    return lambda data: typed(data, int | float if kind is float else kind)


def _reader_of_union(kinds: Sequence[Any]) -> _Reader:
    """A dataclass is chosen by its name; of the others, the first that fits."""
    named = {str(kind.__name__): _reader(kind) for kind in kinds if hasattr(kind, "__dataclass_fields__")}
    others = [_reader(kind) for kind in kinds if kind is not NoneType and not is_dataclass(kind)]

    def read(data: Any) -> Any:
        if data is None and NoneType in kinds:
            return None
        if isinstance(data, dict) and data.get(KIND) in named:
            return named[data[KIND]](data)
        for other in others:
            with suppress(TypeError):
                return other(data)
        raise TypeError(f"{data!r} is none of {kinds}")

    return read


def _row(data: Any, parts: Sequence[_Reader]) -> tuple[Any, ...]:
    """A row of fixed length."""
    return tuple(read(value) for read, value in zip(parts, typed(data, list), strict=True))
