"""How values of the standard library are written: the call that makes an equal one, for text, JSON and encoding."""

from __future__ import annotations

import pathlib
import re
from array import array
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Flag
from fractions import Fraction
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from pessimal.inputs.maker import Construction

_Parts = tuple[tuple[Any, ...], Mapping[str, Any]]


def construction_of(value: Any) -> Construction | None:
    """The call that makes an equal value; None for values of other types than those known here."""
    if isinstance(value, Construction):
        return value
    if isinstance(value, Flag) and value.name not in type(value).__members__:
        return Construction(type(value), (value.value,))
    parts = _PARTS.get(type(value))
    if parts is None:
        return None
    args, fields = parts(value)
    return Construction(_BUILDERS.get(type(value), type(value)), args, fields)


def is_written_by_value(builder: Callable[..., Any]) -> bool:
    """Whether a builder makes a value that is better made and then written than written as the call."""
    return getattr(builder, "__objclass__", builder) in _BY_VALUE


def address_of(thing: Any) -> tuple[str, str]:
    """The module and the qualified name by which a class, function or method can be imported."""
    owner = getattr(thing, "__objclass__", None) or getattr(thing, "__self__", None)
    module = getattr(thing, "__module__", None)
    if module is None and isinstance(owner, type):
        module = owner.__module__
    return _PUBLIC.get(module or "builtins", module or "builtins"), thing.__qualname__


def is_known(address: tuple[str, str]) -> bool:
    """Whether :func:`rebuilt` can make the call of what has this address."""
    return address in _BY_ADDRESS


def rebuilt(module: str, name: str, args: Iterable[Any], fields: Mapping[str, Any]) -> Any:
    """The value that a written call makes; KeyError where the call is none of those known here."""
    builder = _BY_ADDRESS[module, name]
    return builder(*args, **fields)


def _clock(value: Any) -> tuple[int, ...]:
    """Hour, minute, second and microsecond, as few as say it."""
    parts = (value.hour, value.minute, value.second, value.microsecond)
    return next((parts[:count] for count in (2, 3) if not any(parts[count:])), parts)


def _zone(value: Any) -> dict[str, Any]:
    given = {} if value.tzinfo is None else {"tzinfo": value.tzinfo}
    return given | ({"fold": 1} if value.fold else {})


def _difference(value: timedelta) -> _Parts:
    parts = {"days": value.days, "seconds": value.seconds, "microseconds": value.microseconds}
    return (), {name: number for name, number in parts.items() if number}


def _offset(value: timedelta) -> Any:
    hours, rest = divmod(value, timedelta(hours=1))
    return value if rest else Construction(timedelta, (), {"hours": hours})


def _ratio(value: Fraction) -> _Parts:
    return ((value.numerator,) if value.denominator == 1 else (value.numerator, value.denominator)), {}


def _queue(value: deque[Any]) -> _Parts:
    return (list(value),), {} if value.maxlen is None else {"maxlen": value.maxlen}


def _pattern(value: re.Pattern[Any]) -> _Parts:
    flags = value.flags & ~(re.UNICODE if isinstance(value.pattern, str) else 0)
    return ((value.pattern, flags) if flags else (value.pattern,)), {}


def _steps(value: range) -> _Parts:
    parts = (value.start, value.stop, value.step)
    return (parts[1:2] if parts[::2] == (0, 1) else parts[:2] if value.step == 1 else parts), {}


def _day(value: date) -> tuple[int, int, int]:
    return value.year, value.month, value.day


_PARTS: dict[type, Callable[[Any], _Parts]] = {
    bytearray: lambda value: ((bytes(value),), {}),
    memoryview: lambda value: ((bytes(value),), {}),
    complex: lambda value: ((value.real, value.imag), {}),
    range: _steps,
    slice: lambda value: ((value.start, value.stop, value.step), {}),
    Decimal: lambda value: ((str(value),), {}),
    Fraction: _ratio,
    date: lambda value: (_day(value), {}),
    time: lambda value: (_clock(value), _zone(value)),
    datetime: lambda value: ((*_day(value), *_clock(value)), _zone(value)),
    timedelta: _difference,
    timezone: lambda value: ((_offset(value.utcoffset(None)),), {}),
    deque: _queue,
    defaultdict: lambda value: ((value.default_factory, dict(value)), {}),
    Counter: lambda value: ((dict(value),), {}),
    OrderedDict: lambda value: ((dict(value),), {}),
    ChainMap: lambda value: (tuple(value.maps), {}),
    UUID: lambda value: ((str(value),), {}),
    re.Pattern: _pattern,
    array: lambda value: ((value.typecode, list(value)), {}),
    SimpleNamespace: lambda value: ((), vars(value)),
    **{
        kind: lambda value: ((str(value),), {})
        for kind in (pathlib.PurePosixPath, pathlib.PureWindowsPath, pathlib.PosixPath, pathlib.WindowsPath)
    },
}
_BUILDERS: dict[type, Any] = {
    re.Pattern: re.compile,
    type(pathlib.Path()): pathlib.Path,
    type(pathlib.PurePath()): pathlib.PurePath,
}
"""What makes a value where it is not its class."""
_BY_VALUE = frozenset((complex, Decimal, Fraction, date, time, datetime, timedelta, timezone, UUID, range)) | frozenset(
    (pathlib.Path, pathlib.PurePath)
)
"""Builders of values that can be made without the target and have one best way to be written."""
_PUBLIC = {"_decimal": "decimal", "_pydecimal": "decimal", "_datetime": "datetime", "_pydatetime": "datetime"} | {
    **dict.fromkeys(("pathlib._local", "pathlib._abc"), "pathlib"),
    **dict.fromkeys(("_io", "io"), "io"),
    **dict.fromkeys(("posixpath", "ntpath"), "os.path"),
    "_collections": "collections",
    "asyncio.tasks": "asyncio",
}
"""Modules that are imported by another name than they have."""
_BY_ADDRESS = {address_of(builder): builder for builder in (*_PARTS, *_BUILDERS.values()) if builder is not re.Pattern}
