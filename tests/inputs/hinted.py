"""Classes and hints of every kind, for the tests of what is made from them."""

import array
import asyncio
import collections
import collections.abc as abc
import datetime
import decimal
import fractions
import io
import itertools
import numbers
import os
import pathlib
import re
import types
import typing
import uuid
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import Enum, Flag
from typing import Any, Generic, NamedTuple, Protocol, TypedDict, TypeVar
from unittest import mock

T = TypeVar("T")
P = typing.ParamSpec("P")


class Colour(Enum):
    RED = 1
    GREEN = 2


class Permission(Flag):
    READ = 1
    WRITE = 2


class Pair(NamedTuple):
    left: int
    right: str


class Movie(TypedDict, total=False):
    year: int
    title: typing.Required[str]


@dataclass
class Node:
    value: int
    next: "Node | None" = None
    seen: int = field(default=0, init=False)


@dataclass
class Tree:
    value: int
    children: "list[Tree]"


class Shape(ABC):
    @abstractmethod
    def area(self) -> float: ...


@dataclass
class Square(Shape):
    side: float

    def area(self) -> float:
        return self.side**2


class HasArea(Protocol):
    def area(self) -> float: ...


class Labelled(Protocol):
    label: str

    def size(self) -> int: ...

    @property
    def is_open(self) -> bool: ...


class Comparable(Protocol):
    def __lt__(self, other: Any) -> bool: ...


@dataclass
class Box(Generic[T]):
    item: T


@dataclass
class Holder:
    boxes: list[Box[str]]
    kind: type[Shape]


class Position:
    def __init__(self, x: int, /, y: int, note=None) -> None:
        self.at = x, y

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.at == other.at


@dataclass
class Empty:
    pass


class Ids(list):
    pass


class Failure(Exception):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Failure) and self.args == other.args


COMPARABLE = [
    *(bytearray, memoryview, complex, decimal.Decimal, fractions.Fraction, array.array),
    *(datetime.date, datetime.time, datetime.datetime, datetime.timedelta, datetime.timezone, datetime.tzinfo),
    *(collections.deque[int], collections.deque, collections.Counter[str], collections.OrderedDict[str, int]),
    *(collections.defaultdict[str, list[int]], collections.defaultdict, collections.ChainMap[str, int]),
    *(pathlib.Path, pathlib.PurePath, os.PathLike[str], uuid.UUID, re.Pattern[str], re.Pattern[bytes]),
    *(range, slice, type[Shape], type[int], type, type[Any], type(None), types.EllipsisType, typing.LiteralString),
    *(typing.SupportsAbs[int], typing.SupportsInt, typing.SupportsIndex, abc.Sized, abc.Hashable, numbers.Number),
    *(numbers.Real, numbers.Integral, object, Any, list[Any], dict[str, Any], T, typing.AnyStr, abc.Iterable[str]),
    *(abc.Mapping[str, abc.Sequence[int]], set[decimal.Decimal], dict[fractions.Fraction, datetime.date]),
    *(Colour, list[Colour], set[Colour], dict[Colour, int], Permission, Pair, Movie, Node, Tree, Shape, HasArea),
    *(Comparable, Box[str], Box, Box[Box[int]], Holder, Position, Empty, Ids, Failure, collections.UserList[int]),
    *(abc.KeysView[str], abc.ItemsView[str, int]),
]
"""Hints of values that can be compared."""

TAKEN_APART = {
    typing.Iterator[int]: list,
    typing.Generator[str, None, None]: list,
    abc.Iterator[Colour]: list,
    typing.Callable[[int], int]: lambda function: [function(1), function(a=2), function(), function()],
    typing.Callable[..., Colour]: lambda function: [function(1), function(), function()],
    typing.Callable: lambda function: [function(1), function(), function()],
    typing.Callable[P, T]: lambda function: [function(1), function(), function()],
    typing.IO[str]: lambda file: file.read(),
    typing.TextIO: lambda file: file.read(),
    typing.BinaryIO: lambda file: file.read(),
    io.StringIO: lambda file: file.read(),
    abc.Awaitable[int]: lambda awaitable: asyncio.run(awaitable),
    Exception: lambda error: (type(error), error.args),
    Labelled: lambda thing: (thing.label, thing.size(), thing.is_open),
}
"""Hints of values that cannot be compared, and what of them can."""

NAMES = {**vars(), "mock": mock, "itertools": itertools}
