"""Protocols of classes: context managers, registration, dispatch, attributes, descriptors, calls."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, NamedTuple


class Recorder:
    """A context manager that swallows one kind of error."""

    def __init__(self) -> None:
        self.swallowed = False

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self.swallowed = kind is not None and issubclass(kind, ZeroDivisionError)
        return self.swallowed


def swallowed_error(x: int) -> int:
    with Recorder() as recorder:
        return int(1000 // (x - 731) > 2000)
    return 1 if recorder.swallowed else 0


@contextlib.contextmanager
def counted(log: list[str]) -> Iterator[None]:
    """Log the start and the end of a block."""
    log.append("start")
    try:
        yield
    finally:
        log.append("end")


def generator_manager(x: int) -> int:
    log: list[str] = []
    with contextlib.suppress(LookupError), counted(log):
        if x == 1313:
            raise KeyError(x)
        log.append("done")
    return 1 if log == ["start", "end"] else 0


def exit_stack(x: int) -> int:
    order: list[int] = []
    with contextlib.ExitStack() as stack:
        for number in (x, 5, 6):
            stack.callback(order.append, number)
    return 1 if order == [6, 5, 929] else 0


class Shape:
    """The base of a small hierarchy."""

    registry: dict[str, type[Shape]] = {}  # noqa: RUF012

    def __init_subclass__(cls) -> None:
        Shape.registry[cls.__name__.lower()] = cls

    def __init__(self, size: int) -> None:
        self.size = size

    def area(self) -> int:
        return self.size

    @classmethod
    def parse(cls, name: str, size: int) -> Shape:
        return cls.registry.get(name, cls)(size)


class Square(Shape):
    """A shape that squares."""

    def area(self) -> int:
        return super().area() * self.size


class Cube(Square):
    """A shape that multiplies once more."""

    def area(self) -> int:
        return super().area() * self.size


def registered_shape(name: str, size: int) -> int:
    return 1 if Shape.parse(name, size).area() == 343 and size < 10 else 0


@functools.singledispatch
def weight(value: object) -> int:
    """What a value of any kind weighs."""
    return 0


@weight.register
def _(value: int) -> int:
    return value * 2


@weight.register
def _(value: str) -> int:
    return len(value)


def dispatched(x: int) -> int:
    return 1 if weight(x) + weight("abc") == 4445 else 0


class Lazy:
    """Attributes that come into being when asked for."""

    def __init__(self, base: int) -> None:
        self.base = base

    def __getattr__(self, name: str) -> int:
        if name.startswith("plus_"):
            return self.base + int(name.removeprefix("plus_"))
        raise AttributeError(name)

    @functools.cached_property
    def tripled(self) -> int:
        return 3 * self.base


def lazy_attribute(x: int) -> int:
    lazy = Lazy(x)
    return 1 if lazy.plus_40 + lazy.tripled == 4840 and getattr(lazy, "minus", None) is None else 0


class Positive:
    """A descriptor that guards a number."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = "_" + name

    def __get__(self, holder: Any, owner: type | None = None) -> int:
        return int(getattr(holder, self.name))

    def __set__(self, holder: Any, value: int) -> None:
        if value <= 0:
            raise ValueError(self.name)
        setattr(holder, self.name, value)


class Box:
    """Two guarded sides."""

    width = Positive()
    height = Positive()

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height


def guarded_sides(width: int, height: int) -> int:
    try:
        box = Box(width, height)
    except ValueError:
        return 0
    return 1 if box.width * 10 == box.height * 3 and box.width + box.height == 377 else 0


class Employee(NamedTuple):
    """A record."""

    name: str
    wage: int


def best_paid(wage: int) -> int:
    staff = [Employee("ann", 4100), Employee("bob", wage), Employee("cid", 4120)]
    return 1 if sorted(staff, key=lambda one: one.wage)[1].name == "bob" else 0


@dataclass
class Node:
    """A node of a search tree."""

    key: int
    left: Node | None = None
    right: Node | None = None

    def insert(self, key: int) -> None:
        side = "left" if key < self.key else "right"
        child = getattr(self, side)
        if child is None:
            setattr(self, side, Node(key))
        else:
            child.insert(key)

    def depth(self) -> int:
        return 1 + max((child.depth() for child in (self.left, self.right) if child), default=0)


def tree_depth(keys: list[int]) -> int:
    if len(keys) < 4:
        return 0
    root = Node(keys[0])
    for key in keys[1:]:
        root.insert(key)
    return 1 if root.depth() == 4 and keys[0] > 0 and root.left is None else 0


class Stack:
    """A stack machine's stack."""

    def __init__(self) -> None:
        self._items: list[int] = []

    def __call__(self, *items: int) -> Stack:
        self._items.extend(items)
        return self

    def __iadd__(self, item: int) -> Stack:
        self._items.append(item)
        return self

    def __bool__(self) -> bool:
        return bool(self._items)

    def apply(self, name: str) -> None:
        right, left = self._items.pop(), self._items.pop()
        self._items.append({"add": left + right, "mul": left * right}[name])


def stack_machine(x: int) -> int:
    stack = Stack()(x, 4)
    stack.apply("mul")
    stack += 2
    stack.apply("add")
    return 1 if stack and stack._items == [1378] else 0


def partial_call(x: int) -> int:
    parse = functools.partial(int, base=10)
    shift = functools.partial(lambda a, b, *, c: a * b + c, 3, c=9)
    return 1 if shift(x) == parse("3000") else 0


# fmt: off
WITNESSES: dict[str, tuple[object, ...]] = {
    "swallowed_error": (731,), "generator_manager": (1313,), "exit_stack": (929,), "registered_shape": ("cube", 7),
    "dispatched": (2221,), "lazy_attribute": (1200,), "guarded_sides": (87, 290), "best_paid": (4110,),
    "tree_depth": ([1, 2, 3, 4],), "stack_machine": (344,), "partial_call": (997,),
}
# fmt: on
