"""Arithmetic of Counters whose keys may be symbolic: the counts are combined key by key, each found by choices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from pessimal.python.values.keyed import MISSING, Count, SymCount, find, get, store


def _items(table: Any) -> list[tuple[Any, Any]]:
    return list(dict.items(table))


def _positive(pairs: Iterator[tuple[Any, Any]]) -> Any:
    result = Count()
    for key, count in pairs:
        if count > 0:
            store(result, key, count)
    return result


def _others(table: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    """The entries of the other Counter whose keys the first one lacks."""
    return ((key, count) for key, count in _items(other) if find(table, key) is MISSING)


def _sum(table: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    yield from ((key, count + get(other, key, 0)) for key, count in _items(table))
    yield from _others(table, other)


def _difference(table: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    yield from ((key, count - get(other, key, 0)) for key, count in _items(table))
    yield from ((key, 0 - count) for key, count in _others(table, other))


def _most(table: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    for key, count in _items(table):
        rival = get(other, key, 0)
        yield key, rival if count < rival else count
    yield from _others(table, other)


def _least(table: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    for key, count in _items(table):
        rival = get(other, key, 0)
        yield key, count if count < rival else rival


def subtract(table: Any, iterable: Any = None, /, **named: Any) -> None:
    """``Counter.subtract``: counts may become negative."""
    if iterable is not None:
        pairs = _items(iterable) if isinstance(iterable, dict) else ((key, 1) for key in iterable)
        for key, count in pairs:
            store(table, key, get(table, key, 0) - count)
    for key, count in named.items():
        store(table, key, get(table, key, 0) - count)


def _compared(holds: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A comparison of all counts, where a missing key counts zero."""

    def method(table: Any, other: Any) -> Any:
        if not isinstance(other, Counter):
            return NotImplemented
        pairs = [(count, get(other, key, 0)) for key, count in _items(table)]
        pairs += [(0, count) for _, count in _others(table, other)]
        return all(holds(a, b) for a, b in pairs)

    return method


_same = _compared(lambda a, b: a == b)
_within = _compared(lambda a, b: a <= b)


def _differs(table: Any, other: Any) -> Any:
    answer = _same(table, other)
    return answer if answer is NotImplemented else not answer


def _less(table: Any, other: Any) -> Any:
    return _within(table, other) and _differs(table, other) if isinstance(other, Counter) else NotImplemented


def _combining(combined: Callable[[Any, Any], Iterator[tuple[Any, Any]]]) -> Callable[[Any, Any], Any]:
    def method(table: Any, other: Any) -> Any:
        return _positive(combined(table, other)) if isinstance(other, Counter) else NotImplemented

    return method


def _replacing(combined: Callable[[Any, Any], Iterator[tuple[Any, Any]]]) -> Callable[[Any, Any], Any]:
    def method(table: Any, other: Any) -> Any:
        result = _positive(combined(table, other))
        table.clear()
        for key, count in _items(result):
            store(table, key, count)
        return table

    return method


_OPERATIONS = {"add": _sum, "sub": _difference, "or": _most, "and": _least}
_METHODS: dict[str, Any] = {
    **{f"__{name}__": _combining(combined) for name, combined in _OPERATIONS.items()},
    **{f"__i{name}__": _replacing(combined) for name, combined in _OPERATIONS.items()},
    "__eq__": _same,
    "__ne__": _differs,
    "__le__": _within,
    "__lt__": _less,
    "__ge__": lambda table, other: _within(other, table) if isinstance(other, Counter) else NotImplemented,
    "__gt__": lambda table, other: _less(other, table) if isinstance(other, Counter) else NotImplemented,
    "__pos__": lambda table: _positive(iter(_items(table))),
    "__neg__": lambda table: _positive((key, 0 - count) for key, count in _items(table)),
    "subtract": subtract,
}


def give_arithmetic() -> None:
    """Put the arithmetic into the classes of Counters, before what they have of dicts."""
    for name, method in _METHODS.items():
        setattr(Count, name, method)
        setattr(SymCount, name, method)
