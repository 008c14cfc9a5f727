"""Functions and classes that return, change, print and raise in every way that a written test must cope with."""

from __future__ import annotations

import datetime
import enum
import random
import sys
import time
from collections import namedtuple
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any


class Colour(enum.Enum):
    RED = 1
    GREEN = "green"


class Flags(enum.Flag):
    A = 1
    B = 2


Pair = namedtuple("Pair", "left right")


@dataclass
class Point:
    x: Any
    y: Any = 0
    tags: list[str] = field(default_factory=list)


class Opaque:
    """No equality, no repr; public attributes."""

    def __init__(self, value: Any, other: Any = None) -> None:
        self.value = value
        self.other = other
        self._hidden = object()


class Hidden:
    """Nothing to see."""

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value = value

    @property
    def size(self) -> int:
        return 1 if self._value else 0


class Stack:
    """A container with operators."""

    def __init__(self, *items: Any) -> None:
        self._items = list(items)

    def push(self, item: Any) -> None:
        self._items.append(item)

    def pop(self) -> Any:
        if not self._items:
            raise IndexError("pop from an empty stack (sorry)")
        return self._items.pop()

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, item: Any) -> bool:
        return item in self._items

    def __getitem__(self, index: Any) -> Any:
        return self._items[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self._items[index] = value

    def __delitem__(self, index: Any) -> None:
        del self._items[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stack) and self._items == other._items

    def __lt__(self, other: Any) -> bool:
        if not isinstance(other, Stack):
            return NotImplemented
        return len(self) < len(other)

    def __add__(self, other: Any) -> Stack:
        return Stack(*self._items, *other)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __neg__(self) -> int:
        return -len(self)

    def __call__(self, value: Any = 1) -> Any:
        return value

    def __enter__(self) -> Stack:
        return self


def echo(value: Any) -> Any:
    return value


def both(value: Any, other: Any = None, *, option: Any = 3) -> Any:
    return (value, other, option)


def everything(*values: Any, **options: Any) -> Any:
    return [values, options]


def only_by_place(value: Any, other: Any = 1, /) -> Any:
    return [other, value]


def point(x: Any, y: Any) -> Point:
    return Point(x, y)


def pair(left: Any, right: Any) -> Any:
    return Pair(left, right)


def opaque(value: Any) -> Opaque:
    return Opaque(value)


def hidden(value: Any) -> Hidden:
    return Hidden(value)


def colour(value: Any) -> Any:
    return Colour.RED if value else Flags.A | Flags.B


def made(number: int) -> Any:
    several = (
        Decimal("1.50"),
        Fraction(1, 3),
        datetime.date(2020, 1, 2),
        datetime.timedelta(seconds=number % 1000 + 0.1),
        Path("a/b"),
        complex(0.1, 1 / 3),
        1 / 3,
        [1 / 3, 2.0],
        {"a": 1 / 3},
        Stack,
        echo,
        {1 / 3},
        range(3),
        Ellipsis,
        bytearray(b"ab"),
        frozenset({1, 2}),
        {"k": [Point(1 / 3, None)]},
        10**500,
        object,
        list(range(200)),
        "word " * 100,
        {number: number for number in range(100)},
        {"a": 1}.keys(),
        memoryview(b"abc"),
    )
    return several[number % len(several)]


def items(count: int) -> Iterator[int]:
    for number in range(abs(count) % 40):
        if number == 13:
            raise ValueError(f"item {number} is not wanted")
        yield number


def endless(value: Any) -> Iterator[Any]:
    while True:
        yield value


async def later(value: Any) -> Any:
    return value


async def stream(value: Any) -> AsyncIterator[Any]:
    yield value


def sort_in_place(values: list[Any]) -> None:
    values.sort(key=repr)


def extended(values: list[Any], value: Any) -> int:
    values.append(value)
    return len(values)


def say(value: Any) -> None:
    print("It is", value)


def say_and_return(value: Any) -> Any:
    print(value)
    return value


def fail(value: Any) -> None:
    if value == 1:
        raise ValueError("must not be 1 (ever)")
    if value == 2:
        raise KeyError(value)
    if value == 3:
        raise SystemExit(3)
    raise TypeError("cannot take %r" % (value,))  # noqa: UP031


def call(function: Callable[..., Any], *args: Any) -> Any:
    return [function(*args), function(*args)]


def by_hash(value: str) -> list[str]:
    return list({value, "a", "b", "c"})


def fail_by_hash(value: str) -> None:
    if hash(value) % 2:
        raise ValueError(value)


def by_time() -> float:
    return time.perf_counter()


def by_chance(number: int) -> float:
    return random.random() + number


def by_address() -> str:
    return repr(object())


class Lists:
    """Names that are taken: a method and a class like built-ins."""

    def list(self, input: Any, id: Any = 1) -> Any:
        return [input, id]


@contextmanager
def guarded(kind: int) -> Iterator[int]:
    """Leaves with an error, lets errors pass, or keeps them."""
    if kind == 0:
        yield kind
        raise LookupError("left")
    if kind == 1:
        yield kind
        return
    try:
        yield kind
    except ValueError:
        return


def arguments(start: int) -> list[str]:
    return sys.argv[start:]
