"""Functions of every shape that a function can have, with what their work is known to be."""

import functools
import posixpath
import textwrap


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
