"""A program for each kind of hint: all return 1 and 0, on inputs that differ."""

import collections
import datetime
import decimal
import fractions
import pathlib
import re
import typing
import uuid
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum, Flag


class Colour(Enum):
    RED = 1
    GREEN = 2


class Permission(Flag):
    READ = 1
    WRITE = 2


@dataclass
class Node:
    value: int
    next: "Node | None" = None


@dataclass
class Tree:
    value: int
    children: "list[Tree]"


class Shape(ABC):
    @abstractmethod
    def area(self) -> float: ...


class Square(Shape):
    def __init__(self, side: float):
        self.side = side

    def area(self) -> float:
        return self.side


class HasArea(typing.Protocol):
    def area(self) -> float: ...


class Named(typing.Protocol):
    name: str

    def rename(self, name: str) -> int: ...


T = typing.TypeVar("T")


class Box(typing.Generic[T]):
    def __init__(self, item: T):
        self.item = item


class Movie(typing.TypedDict, total=False):
    year: int


class Failure(Exception):
    pass


class Position:
    def __init__(self, x: int, /, note: str):
        self.x = x


def bytearray_(x: bytearray):
    return 1 if len(x) > 1 and x[0] == 7 else 0


def memoryview_(x: memoryview):
    return 1 if len(x) > 1 and x[0] == 7 else 0


def decimal_number(x: decimal.Decimal):
    return 1 if x > decimal.Decimal("10.5") else 0


def fraction(x: fractions.Fraction):
    return 1 if x.denominator == 3 and isinstance(x, fractions.Fraction) else 0


def date(x: datetime.date):
    return 1 if x.month == 2 and x.day == 29 and isinstance(x, datetime.date) else 0


def time(x: datetime.time):
    return 1 if x.hour == 13 and x > datetime.time(13, 30) else 0


def moment(x: datetime.datetime):
    return 1 if x.year == 2024 and x.tzinfo is not None else 0


def timedelta(x: datetime.timedelta):
    return 1 if x.days == 3 and isinstance(x, datetime.timedelta) else 0


def deque(x: collections.deque[int]):
    return 1 if x and x.popleft() == 5 else 0


def default_dict(x: collections.defaultdict[str, list[int]]):
    return 1 if x["k"] and x["k"][0] == 3 else 0


def counter(x: collections.Counter[int]):
    return 1 if x[3] == 4 else 0


def ordered_dict(x: collections.OrderedDict[int, int]):
    return 1 if x and next(iter(x)) == 4 else 0


def chain_map(x: collections.ChainMap[int, int]):
    return 1 if 7 in x else 0


def path(x: pathlib.Path):
    return 1 if x.suffix == ".x" else 0


def identifier(x: uuid.UUID):
    return 1 if x.int == 1234567 else 0


def pattern(x: re.Pattern[str]):
    return 1 if x.match("12") else 0


def range_(x: range):
    return 1 if len(x) == 3 else 0


def slice_(x: slice):
    return 1 if x.start is not None and x.start == 3 else 0


def class_(x: type[Shape]):
    return 1 if x is Square else 0


def iterator(x: typing.Iterator[int]):
    return 1 if next(x, None) == 3 else 0


def generator(x: typing.Generator[int, None, None]):
    return 1 if sum(x) == 3 else 0


def function(x: typing.Callable[[int], int]):
    return 1 if x(1) > 3 and x(2) < 0 else 0


def anything(x: object):
    return 1 if isinstance(x, str) and x == "hi" else 0


def node(x: Node):
    return 1 if x.next and x.next.value > x.value + 3 else 0


def tree(x: Tree):
    return 1 if x.children and x.children[0].value > x.value + 3 else 0


def shape(x: Shape):
    return 1 if isinstance(x, Square) and x.side > 100 else 0


def protocol(x: HasArea):
    return 1 if x.area() > 100 else 0


def stand_in(x: Named):
    return 1 if x.rename("") == 77 and x.name == "k" else 0


def box(x: Box[str]):
    return 1 if x.item == "hey" else 0


def movie(x: Movie):
    return 1 if "year" in x and x["year"] > 2000 else 0


def permission(x: Permission):
    return 1 if Permission.READ in x and Permission.WRITE in x else 0


def failure(x: Failure):
    return 1 if str(x) == "q" else 0


def position(x: Position):
    return 1 if x.x == 3 else 0


def colour(x: Colour):
    return 1 if x is Colour.GREEN else 0


def colours(x: list[Colour]):
    return 1 if x == [Colour.GREEN, Colour.RED] else 0


def own_class(x: Square):
    return 1 if isinstance(x, Square) and x.area() > 3 else 0
