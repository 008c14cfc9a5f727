"""Integers that count how often they are compared: the concrete judge of a path's length."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Program = Callable[[list[Any]], object]


class Counted(int):
    """An integer whose sums and differences count as well."""

    comparisons = 0

    __hash__ = int.__hash__


def _counting(name: str) -> Callable[[int, object], bool]:
    def compare(a: int, b: object) -> bool:
        Counted.comparisons += 1
        return bool(getattr(int, name)(a, b))

    return compare


def _closed(name: str) -> Callable[[int, int], Counted]:
    return lambda a, b: Counted(getattr(int, name)(a, int(b)))


for _name in ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"):
    setattr(Counted, _name, _counting(_name))
for _name in ("__add__", "__radd__", "__sub__", "__rsub__"):
    setattr(Counted, _name, _closed(_name))


def count(program: Program, xs: list[int]) -> int:
    """How many comparisons the program makes on a concrete input."""
    Counted.comparisons = 0
    program([Counted(x) for x in xs])
    return Counted.comparisons
