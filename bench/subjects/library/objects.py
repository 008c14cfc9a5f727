"""Classes: data classes, enumerations, properties, operators, iteration."""

from __future__ import annotations

import enum
import functools
import json
from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass, field, replace


@dataclass(order=True)
class Release:
    """A version in its order."""

    major: int
    minor: int = 0
    tags: list[str] = field(default_factory=list, compare=False)


def release_order(minor: int) -> int:
    return 1 if Release(2, 407) < Release(2, minor, ["rc"]) <= Release(2, 408) else 0


def release_equality(major: int) -> int:
    newer = replace(Release(major), minor=3)
    return 1 if newer == Release(615, 3, ["x"]) else 0


def release_fields(major: int) -> int:
    return 1 if asdict(Release(major, 1)) == {"major": 88, "minor": 1, "tags": []} else 0


@dataclass(frozen=True)
class Point:
    """A point that can be a key."""

    x: int
    y: int

    def __add__(self, other: Point) -> Point:
        return Point(self.x + other.x, self.y + other.y)

    def __neg__(self) -> Point:
        return Point(-self.x, -self.y)

    def __abs__(self) -> int:
        return abs(self.x) + abs(self.y)


def point_sum(x: int) -> int:
    return 1 if Point(x, 2) + Point(5, -x) == Point(405, -398) else 0


def point_as_key(x: int, y: int) -> int:
    labels = {Point(0, 0): "origin", Point(312, -45): "treasure"}
    return 1 if labels.get(Point(x, y)) == "treasure" else 0


def point_size(x: int) -> int:
    return 1 if abs(-Point(x, 8)) == 1508 and astuple(Point(x, 8))[0] < 0 else 0


class Status(enum.Enum):
    """The life of an order."""

    NEW = 1
    PAID = 207
    SENT = 311


def status_of(code: int) -> int:
    try:
        status = Status(code)
    except ValueError:
        return 0
    return 1 if status is Status.SENT else 0


def status_by_name(name: str) -> int:
    return 1 if name in Status.__members__ and Status[name].value > 300 else 0


class Permission(enum.IntFlag):
    """What may be done with a file."""

    READ = 4
    WRITE = 2
    EXECUTE = 1


def permission_bits(mode: int) -> int:
    if not 0 <= mode <= 0o777:
        return 0
    owner, others = Permission(mode >> 6), Permission(mode & 7)
    return 1 if owner == Permission.READ | Permission.EXECUTE and Permission.WRITE in others and mode & 0o70 == 0 else 0


class Account:
    """A balance that refuses to be overdrawn."""

    def __init__(self, balance: int) -> None:
        self._balance = balance
        self.history: list[int] = []

    @property
    def balance(self) -> int:
        return self._balance

    @balance.setter
    def balance(self, value: int) -> None:
        if value < 0:
            raise ValueError("overdrawn")
        self.history.append(value - self._balance)
        self._balance = value


def withdrawals(amount: int) -> int:
    account = Account(1000)
    try:
        account.balance -= amount
        account.balance -= 2 * amount
    except ValueError:
        return 0
    return 1 if account.balance == 1 and sum(account.history) < 0 else 0


@functools.total_ordering
class Card:
    """A playing card, ordered by rank and then by suit."""

    def __init__(self, rank: int, suit: str) -> None:
        self.rank, self.suit = rank, suit

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Card) and (self.rank, self.suit) == (other.rank, other.suit)

    def __lt__(self, other: Card) -> bool:
        return (self.rank, self.suit) < (other.rank, other.suit)

    def __hash__(self) -> int:
        return hash((self.rank, self.suit))


def card_order(rank: int, suit: str) -> int:
    return 1 if Card(11, "hearts") < Card(rank, suit) <= Card(11, "spades") and len(suit) == 6 else 0


class Matrix:
    """A small matrix with the operators that people expect."""

    def __init__(self, rows: list[list[int]]) -> None:
        self.rows = rows

    def __matmul__(self, other: Matrix) -> Matrix:
        columns = list(zip(*other.rows, strict=True))
        return Matrix(
            [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in self.rows]
        )

    def __getitem__(self, place: tuple[int, int]) -> int:
        return self.rows[place[0]][place[1]]


def matrix_product(a: int, b: int) -> int:
    product = Matrix([[a, 1], [0, b]]) @ Matrix([[2, 0], [5, 3]])
    return 1 if product[0, 0] == 1005 and product[1, 1] == -27 else 0


class Countdown:
    """An iterator with a state of its own."""

    def __init__(self, start: int) -> None:
        self.left = start

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        if self.left <= 0:
            raise StopIteration
        self.left -= 3
        return self.left


def countdown_steps(start: int) -> int:
    if start > 60:
        return 0
    seen = list(Countdown(start))
    return 1 if len(seen) == 14 and seen[-1] == -1 else 0


class Interval:
    """A range of numbers with a membership test, a length and a truth value."""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def __contains__(self, value: int) -> bool:
        return self.low <= value < self.high

    def __len__(self) -> int:
        return max(0, self.high - self.low)

    def __and__(self, other: Interval) -> Interval:
        return Interval(max(self.low, other.low), min(self.high, other.high))


def interval_overlap(low: int) -> int:
    common = Interval(low, low + 50) & Interval(400, 500)
    return 1 if common and 449 in common and 450 not in common else 0


def serialised(x: int) -> int:
    text = json.dumps({"point": asdict(Point(x, 1)), "ok": x > 0}, sort_keys=True)
    return 1 if text == '{"ok": true, "point": {"x": 555, "y": 1}}' else 0


# fmt: off
WITNESSES: dict[str, tuple[object, ...]] = {
    "release_order": (408,), "release_equality": (615,), "release_fields": (88,), "point_sum": (400,),
    "point_as_key": (312, -45), "point_size": (-1500,), "status_of": (311,), "status_by_name": ("SENT",),
    "permission_bits": (0o502,), "withdrawals": (333,), "card_order": (11, "spades"), "matrix_product": (500, -9),
    "countdown_steps": (41,), "interval_overlap": (400,), "serialised": (555,),
}
# fmt: on
