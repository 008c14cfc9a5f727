"""Classes whose special methods raise, lie or do not end, and functions that return, raise and take such objects."""

from __future__ import annotations

import sys


class Broken:
    """Nothing that Python asks of an object by itself works."""

    @property
    def __class__(self):
        raise RuntimeError("no class")

    def __getattr__(self, name):
        raise RuntimeError(f"no {name}")

    def __repr__(self):
        raise RuntimeError("no repr")

    def __str__(self):
        raise RuntimeError("no str")

    def __eq__(self, other):
        raise RuntimeError("no equality")

    def __hash__(self):
        raise RuntimeError("no hash")

    def __len__(self):
        raise RuntimeError("no length")

    def __bool__(self):
        raise RuntimeError("no truth")


class Exits(Broken):
    """Its text ends the program, and its equality is interrupted."""

    def __repr__(self):
        raise SystemExit(3)

    def __eq__(self, other):
        raise KeyboardInterrupt


class Lies:
    """Its class is said to be int, its equality is a text, its attributes are not names, and its repr is a number."""

    __class__ = int

    def __init__(self):
        self.__dict__[1] = "not a name"

    def __eq__(self, other):
        return "yes"

    def __hash__(self):
        return 1

    def __repr__(self):
        return "1"

    def __len__(self):
        return 10**9


class Endless:
    """Its repr and its equality never end."""

    def __repr__(self):
        while True:
            pass

    def __eq__(self, other):
        while True:
            pass

    __hash__ = None


class Silent(ValueError):
    """An exception without a text."""

    def __str__(self):
        raise RuntimeError("no message")


proxy = Broken()


def make(kind: int) -> object:
    """One of the objects."""
    if kind == 0:
        return Broken()
    if kind == 1:
        return [Lies(), Exits()]
    if kind == 2:
        return {"inner": Endless()}
    if kind == 3:
        raise Silent
    return Lies()


def compare(first: object, number: int) -> str:
    """Something that takes any object, and never looks at it."""
    if number > 1000:
        return "large"
    return "small"


def close_output(text: str) -> int:
    """Say something for the last time."""
    print(text)
    sys.stdout.close()
    return len(text)
