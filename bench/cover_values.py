"""Random values by type, for the plain random rival of bench-cover and for the bytes of atheris."""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import io
import math
import re
import types
import typing
from collections.abc import Callable
from typing import Any, Protocol

from bench.cover_targets import Call

DEEPEST = 3
POOLED = 40
"""How many values of a type are kept."""
LONGEST = 60
"""A longer value is not kept."""
FROM_POOL = 0.35
SPECIAL_FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, math.inf, -math.inf, math.nan, 1e-9, 1e300)
BASIC = (int, str, float, bool, bytes, list, dict, tuple, set, type(None))


class Source(Protocol):
    """Where decisions come from: ``random.Random`` has these, and so have the bytes of a fuzzer."""

    def random(self) -> float: ...
    def randrange(self, start: int, stop: int) -> int: ...
    def choice(self, items: Any) -> Any: ...


class Values:
    """Makes values of types, from literals of the module and from what earlier calls returned."""

    def __init__(self, source: Source, constants: list[object], calls: list[Call]) -> None:
        self._source = source
        self._constants = {
            kind: [item for item in constants if type(item) is kind] for kind in (int, float, str, bytes)
        }
        texts = "".join(map(str, self._constants[str]))
        self._letters = "".join(sorted(set(texts) | set("abzAZ019 -.,:_/\n"), key=ord))
        self._classes = {call.function: call for call in calls if isinstance(call.function, type)}
        self._pool: dict[type, list[Any]] = {}
        self._makers: dict[Any, Callable[[int], Any]] = {
            int: self._int,
            float: self._float,
            str: self._str,
            bytes: self._bytes,
            bool: lambda depth: self._source.random() < 0.5,
            type(None): lambda depth: None,
            complex: lambda depth: complex(self._float(), self._float()),
            bytearray: lambda depth: bytearray(self._bytes()),
            decimal.Decimal: lambda depth: decimal.Decimal(self._int()) / 4,
            fractions.Fraction: lambda depth: fractions.Fraction(self._int(), abs(self._int()) + 1),
            datetime.date: lambda depth: datetime.date.fromordinal(self._between(1, 1_000_000)),
            datetime.datetime: lambda depth: datetime.datetime.fromtimestamp(self._between(0, 2**31)),
            datetime.timedelta: lambda depth: datetime.timedelta(seconds=self._int()),
            re.Pattern: lambda depth: re.compile(re.escape(self._str())),
            typing.TextIO: lambda depth: io.StringIO(self._str()),
            typing.BinaryIO: lambda depth: io.BytesIO(self._bytes()),
            object: self._anything,
            Any: self._anything,
        }

    def keep(self, value: Any) -> None:
        """Let later calls use a value as receiver or argument."""
        if type(value) in BASIC and not (
            isinstance(value, list | tuple | dict | set | str) and 0 < len(value) <= LONGEST
        ):
            return
        kept = self._pool.setdefault(type(value), [])
        if len(kept) < POOLED:
            kept.append(value)
        else:
            kept[self._source.randrange(0, POOLED)] = value

    def of(self, hint: Any, depth: int = 0) -> Any:
        """A value of a type, or of any type if the hint is not understood."""
        kind = typing.get_origin(hint) or hint
        pooled = self._pooled(kind)
        if pooled and self._source.random() < FROM_POOL:
            return self._source.choice(pooled)
        if kind in (typing.Union, types.UnionType):
            return self.of(self._source.choice(typing.get_args(hint)), depth)
        if kind is typing.Literal:
            return self._source.choice(typing.get_args(hint))
        if kind is typing.Annotated or isinstance(kind, typing.NewType):
            return self.of(getattr(kind, "__supertype__", None) or typing.get_args(hint)[0], depth)
        maker = self._makers.get(kind) if _is_hashable(kind) else None
        return maker(depth) if maker else self._structured(kind, typing.get_args(hint), depth)

    def arguments(self, call: Call, depth: int = 0) -> tuple[list[Any], dict[str, Any]]:
        """Arguments for a call, with half of those that have defaults."""
        given = [item for item in call.parameters if item.is_required or self._source.random() < 0.5]
        values = {item.name: self.of(item.hint, depth) for item in given}
        positional = [item.name for item in given if item.is_required and not item.is_keyword]
        return [values.pop(name) for name in positional], values

    def _structured(self, kind: Any, parts: tuple[Any, ...], depth: int) -> Any:
        if not isinstance(kind, type):
            bound = getattr(kind, "__bound__", None)
            return self.of(bound, depth) if bound else self._anything(depth)
        if kind is type or issubclass(kind, enum.Enum):
            return self._source.choice(list(kind if kind is not type else self._classes) or [int])
        if kind is tuple and parts and parts[-1] is not Ellipsis:
            return tuple(self.of(part, depth + 1) for part in parts)
        abstract = kind.__module__ in ("collections.abc", "builtins", "collections", "typing")
        if abstract and issubclass(kind, typing.Mapping):
            key, value = parts if len(parts) == 2 else (str, Any)
            return {self._hashable(key, depth): self.of(value, depth + 1) for _ in range(self._length(depth))}
        if abstract and issubclass(kind, typing.AbstractSet):
            return {self._hashable(parts[0] if parts else str, depth) for _ in range(self._length(depth))}
        if kind is typing.get_origin(Callable[..., Any]):
            answer = self.of(parts[-1] if parts else Any, depth + 1)
            return lambda *args, **kwargs: answer
        if abstract and issubclass(kind, typing.Iterable):
            items = [self.of(parts[0] if parts else Any, depth + 1) for _ in range(self._length(depth))]
            return (
                tuple(items) if kind is tuple else iter(items) if kind is typing.get_origin(typing.Iterator) else items
            )
        return self._instance(kind, depth)

    def _instance(self, kind: type, depth: int) -> Any:
        """An instance of a class: of the module's own ones, or by a constructor without arguments."""
        known = [call for owner, call in self._classes.items() if issubclass(owner, kind)]
        if not known or depth > DEEPEST:
            return kind()
        call = self._source.choice(known)
        args, kwargs = self.arguments(call, depth + 1)
        made = call.function(*args, **kwargs)
        self.keep(made)
        return made

    def _pooled(self, kind: Any) -> list[Any]:
        if not isinstance(kind, type):
            return []
        if kind is object or kind is Any:
            return [item for items in self._pool.values() for item in items]
        return [item for own, items in self._pool.items() if own is kind or kind in own.__mro__ for item in items]

    def _anything(self, depth: int = 0) -> Any:
        pooled = self._pooled(object)
        if pooled and self._source.random() < FROM_POOL:
            return self._source.choice(pooled)
        basic = (str, int, float, bool, bytes, type(None), list[str], list[int], dict[str, str], tuple[int, int])
        return self.of(self._source.choice(basic if depth < DEEPEST else basic[:6]), depth + 1)

    def _hashable(self, hint: Any, depth: int) -> Any:
        value = self.of(hint, depth + 1)
        return value if _is_hashable(value) else str(value)

    def _between(self, low: int, high: int) -> int:
        return self._source.randrange(low, high + 1)

    def _length(self, depth: int) -> int:
        return 0 if depth > DEEPEST else self._between(0, 4)

    def _int(self, depth: int = 0) -> int:
        chance = self._source.random()
        if chance < 0.35 and self._constants[int]:
            return int(self._source.choice(self._constants[int])) + self._between(-1, 1)
        return self._between(-3, 12) if chance < 0.75 else self._between(-1000, 3000) if chance < 0.95 else 2**63

    def _float(self, depth: int = 0) -> float:
        chance = self._source.random()
        if chance < 0.3 and self._constants[float]:
            return float(self._source.choice(self._constants[float]))
        return float(self._source.choice(SPECIAL_FLOATS)) if chance < 0.6 else self._between(-40_000, 40_000) / 100

    def _str(self, depth: int = 0) -> str:
        chance = self._source.random()
        texts = self._constants[str]
        if chance < 0.3 and texts:
            return str(self._source.choice(texts))
        if chance < 0.6 and texts:
            return "".join(self._source.choice((*texts, *self._letters)) for _ in range(self._between(2, 4)))
        if chance < 0.75:
            return str(self._source.choice((self._int(), self._float())))
        return "".join(self._source.choice(self._letters) for _ in range(self._between(0, 8)))

    def _bytes(self, depth: int = 0) -> bytes:
        if self._source.random() < 0.4 and self._constants[bytes]:
            return bytes(self._source.choice(self._constants[bytes]))
        return self._str().encode(errors="replace")


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except Exception:
        return False
    return True
