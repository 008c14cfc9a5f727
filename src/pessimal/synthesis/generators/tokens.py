"""Values as sequences of events, so that loops are found in inputs in the same way as in path conditions.

A number is one event with that number. A container is an opening event, the events of its parts, and a closing event;
text is a container of characters, and a dict is a container of alternating keys and values. Any other value is an event
whose symbol is the value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pessimal.synthesis.terms import Event

LARGEST = 1 << 53
"""Floats beyond this cannot be told from their neighbours by whole numbers."""


OPEN, CLOSE, LITERAL = "open ", "close ", "is "
"""Prefixes of symbols: of events that open and close a container, and of values without numbers."""

NUMBERS: dict[str, Callable[[int], Any]] = {"int": int, "bool": bool, "float": float, "chr": chr, "byte": int}
"""The symbols of events with one number, and how a value is made from it."""

BUILDERS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "str": "".join,
    "bytes": bytes,
    "dict": lambda items: dict(zip(items[::2], items[1::2], strict=True)),
}
"""How the value of a container is made from the values of its parts."""


class NotAValue(ValueError):
    """The events do not form a value, or a value cannot be written as events."""


def tokens(value: Any) -> list[Event]:
    """The events of a value; raises NotAValue unless it is a number, text, None or a container of such."""
    return list(_events(value))


def value(events: Iterable[Event]) -> Any:
    """The value with exactly these events; raises NotAValue if there is none."""
    values = parse(events)
    if len(values) != 1:
        raise NotAValue(f"the events form {len(values)} values, not one")
    return values[0]


def parse(events: Iterable[Event]) -> list[Any]:
    """The values, one after another, that the events form."""
    done: list[Any] = []
    enclosing: list[tuple[str, list[Any]]] = []
    for event, numbers in events:
        symbol = str(event)
        if symbol.startswith(OPEN):
            enclosing.append((symbol.removeprefix(OPEN), done))
            done = []
        elif symbol.startswith(CLOSE):
            if not enclosing or enclosing[-1][0] != symbol.removeprefix(CLOSE):
                raise NotAValue(f"{symbol} does not match the open container")
            kind, outer = enclosing.pop()
            outer.append(built(BUILDERS[kind], done))
            done = outer
        elif symbol.startswith(LITERAL):
            done.append(literal(symbol))
        elif symbol in NUMBERS and len(numbers) == 1:
            done.append(built(NUMBERS[symbol], numbers[0]))
        else:
            raise NotAValue(f"{symbol} with {len(numbers)} numbers is not part of a value")
    if enclosing:
        raise NotAValue(f"a {enclosing[-1][0]} is not closed")
    return done


def literal(symbol: str) -> Any:
    """The value of a literal symbol."""
    text = symbol.removeprefix(LITERAL)
    return None if text == "None" else float(text)


def built(make: Callable[[Any], Any], part: Any) -> Any:
    """Call a builder; raises NotAValue if that fails, as for a byte of 256 or a dict without its last value."""
    try:
        return make(part)
    except (ValueError, TypeError, OverflowError) as error:
        raise NotAValue(str(error)) from None


def _events(value: Any) -> Iterator[Event]:
    kind = type(value)
    if kind in (int, bool) or (kind is float and _is_integer(value)):
        yield kind.__name__, (int(value),)
    elif kind in _PARTS:
        yield OPEN + kind.__name__, ()
        yield from _PARTS[kind](value)
        yield CLOSE + kind.__name__, ()
    elif value is None or kind is float:
        yield f"{LITERAL}{value!r}", ()
    else:
        raise NotAValue(
            f"a {kind.__name__} cannot be written as events: only numbers, text, None, lists, tuples and dicts can"
        )


def _is_integer(value: float) -> bool:
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
