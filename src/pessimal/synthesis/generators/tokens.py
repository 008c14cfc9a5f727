"""Values as sequences of events, so that what finds loops in a path condition finds them in an input as well.

A number is one event that holds it. A container is the events of its parts between an opening and a closing one; text
is a container of characters, a dict one of keys and values by turns. All else is an event whose symbol is the value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pessimal.synthesis.terms import Event

LARGEST = 1 << 53
"""Floats beyond this are not told from their neighbours by whole numbers."""


OPEN, CLOSE, LITERAL = "open ", "close ", "is "
"""How the symbols begin that open and close a container of a kind, and those of values that have no numbers."""

NUMBERS: dict[str, Callable[[int], Any]] = {"int": int, "bool": bool, "float": float, "chr": chr, "byte": int}
"""The symbols that hold one number, and what they make of it."""

BUILDERS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "str": "".join,
    "bytes": bytes,
    "dict": lambda items: dict(zip(items[::2], items[1::2], strict=True)),
}
"""How the value of a container is made of those of its parts."""


class NotAValue(ValueError):
    """Events that are no value, or a value that has no events."""


def tokens(value: Any) -> list[Event]:
    """The events of a value; NotAValue if it is neither a number, text, None nor a container of such."""
    return list(_events(value))


def value(events: Iterable[Event]) -> Any:
    """The value that has just these events; NotAValue if none has."""
    values = parse(events)
    if len(values) != 1:
        raise NotAValue(f"one value has all the events, but got {len(values)}")
    return values[0]


def parse(events: Iterable[Event]) -> list[Any]:
    """The values, one after the other, that the events are of."""
    done: list[Any] = []
    around: list[tuple[str, list[Any]]] = []
    for event, numbers in events:
        symbol = str(event)
        if symbol.startswith(OPEN):
            around.append((symbol.removeprefix(OPEN), done))
            done = []
        elif symbol.startswith(CLOSE):
            if not around or around[-1][0] != symbol.removeprefix(CLOSE):
                raise NotAValue(f"{symbol} does not close what is open")
            kind, outer = around.pop()
            outer.append(made(BUILDERS[kind], done))
            done = outer
        elif symbol.startswith(LITERAL):
            done.append(literal(symbol))
        elif symbol in NUMBERS and len(numbers) == 1:
            done.append(made(NUMBERS[symbol], numbers[0]))
        else:
            raise NotAValue(f"{symbol} with {len(numbers)} numbers is no part of a value")
    if around:
        raise NotAValue(f"a {around[-1][0]} does not end")
    return done


def literal(symbol: str) -> Any:
    """The value whose symbol this is."""
    text = symbol.removeprefix(LITERAL)
    return None if text == "None" else float(text)


def made(make: Callable[[Any], Any], part: Any) -> Any:
    """What is made of a part: what cannot be, such as a byte of 256 or a dict without the last value, is no value."""
    try:
        return make(part)
    except (ValueError, TypeError, OverflowError) as error:
        raise NotAValue(str(error)) from None


def _events(value: Any) -> Iterator[Event]:
    kind = type(value)
    if kind in (int, bool) or (kind is float and _whole(value)):
        yield kind.__name__, (int(value),)
    elif kind in _PARTS:
        yield OPEN + kind.__name__, ()
        yield from _PARTS[kind](value)
        yield CLOSE + kind.__name__, ()
    elif value is None or kind is float:
        yield f"{LITERAL}{value!r}", ()
    else:
        raise NotAValue(f"a {kind.__name__} has no events: only numbers, text, None, lists, tuples and dicts have")


def _whole(value: float) -> bool:
    return value.is_integer() and abs(value) <= LARGEST and (value != 0 or math.copysign(1, value) > 0)


def _all(values: Iterable[Any]) -> Iterator[Event]:
    return (event for value in values for event in _events(value))


_PARTS: dict[type, Callable[[Any], Iterator[Event]]] = {
    list: _all,
    tuple: _all,
    str: lambda value: (("chr", (ord(character),)) for character in value),
    bytes: lambda value: (("byte", (byte,)) for byte in value),
    dict: lambda value: _all(part for entry in value.items() for part in entry),
}
