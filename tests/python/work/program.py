"""Functions of every shape that a function can have, with what their work is known to be."""

import functools
import posixpath
import sys
import textwrap
from typing import Protocol, runtime_checkable


class Base:
    def __init__(self, size):
        self.__size = size

    def area(self):
        return self.__size * self.__size


class Square(Base):
    __slots__ = ()

    def area(self):
        for _ in range(2):
            found = super().area()
        return found

    @property
    def side(self):
        return self._Base__size

    @staticmethod
    def unit():
        return Square(1)

    @classmethod
    def of(cls, size):
        return cls(size)


def shapes():
    return Square.of(3).area(), Square.unit().side, isinstance(Square.unit(), Base)


def closures():
    total = 0

    def add(x, /, *more, by=2, **rest):
        nonlocal total
        total += x * by

    for x in range(3):
        add(x, by=3)
    return total


@functools.lru_cache
def remembered(x):
    return x + 1


def cached():
    return remembered(1) + remembered(1)


def paths():
    return posixpath.join("a", "b")


def wraps():
    return textwrap.wrap("one two three four five six", 9)


def imports():
    import colorsys

    return colorsys.rgb_to_hsv(0.5, 0.25, 0.25)[1]


def recurses(depth):
    return depth and 1 + recurses(depth - 1)


def deepest():
    try:
        return deepest() + 1
    except RecursionError:
        return 0


def raises():
    raise ValueError("here")


def _closure():
    value = 3

    def inner():
        return sorted(name for frame in (sys._getframe(), sys._getframe(1)) for name in frame.f_locals if value)

    return inner


_inner = _closure()


def looks_up():
    """Look at the locals of all frames, which include free variables."""
    frame = sys._getframe()
    while frame is not None:
        frame.f_locals  # noqa: B018
        frame = frame.f_back
    return [name for name in _inner() if name == "value"]


@runtime_checkable
class _Named(Protocol):
    name: str

    def call(self): ...


class _Good:
    name = "good"

    def call(self):
        return 1


def checks_protocol():
    """Check instances of a protocol, for which typing looks at the frames of its callers."""
    return [isinstance(_Good(), _Named), isinstance(3, _Named)]
