"""Recipes: how an input of any size is made, as a tree of containers and repetitions with laws of the size as numbers.

A program of events (see :mod:`tokens`) is a flat nest of loops; a recipe is the same with containers as nodes, which is
what can be written as Python and evaluated without unfolding events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pessimal.synthesis.generators.arrangements import FUNCTIONS
from pessimal.synthesis.generators.tokens import BUILDERS, CLOSE, LITERAL, NUMBERS, OPEN, NotAValue, literal, made
from pessimal.synthesis.laws import ONE, Law
from pessimal.synthesis.terms import Atom, Event, Form, Term

Number: TypeAlias = Form[Law]

NAME = "argument "
"""How the symbol of the event before an argument begins."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number of a kind: int, bool, float, chr or byte."""

    kind: str
    number: Number


@dataclass(frozen=True, slots=True)
class Fixed:
    """A value that is always the same."""

    symbol: str


@dataclass(frozen=True, slots=True)
class Container:
    """A list, tuple, str, bytes or dict of items."""

    kind: str
    items: Items


@dataclass(frozen=True, slots=True)
class Repeat:
    """Items that are repeated; their numbers have one more coefficient than the trip."""

    trip: Number
    items: Items


@dataclass(frozen=True, slots=True)
class Cut:
    """Items of which only the first ``length`` are taken."""

    length: Number
    items: Items


@dataclass(frozen=True, slots=True)
class Arranged:
    """Items in the order that a function of :mod:`arrangements` gives them."""

    function: str
    items: Items


Item: TypeAlias = Scalar | Fixed | Container | Repeat | Cut | Arranged
Items: TypeAlias = tuple[Item, ...]


def recipe(terms: Sequence[Term[Law]]) -> Items:
    """The items of a program of tokens; NotAValue if a container begins inside a loop and ends outside."""
    done: list[Item] = []
    around: list[tuple[str, list[Item]]] = []
    for term in terms:
        if not isinstance(term, Atom):
            done.append(Repeat(term.trip, recipe(term.body)))
            continue
        symbol = str(term.symbol)
        if symbol.startswith(OPEN):
            around.append((symbol.removeprefix(OPEN), done))
            done = []
        elif symbol.startswith(CLOSE):
            if not around or around[-1][0] != symbol.removeprefix(CLOSE):
                raise NotAValue(f"{symbol} does not close what is open")
            kind, outer = around.pop()
            outer.append(Container(kind, tuple(done)))
            done = outer
        else:
            done.append(Fixed(symbol) if symbol.startswith(LITERAL) else Scalar(symbol, term.forms[0]))
    if around:
        raise NotAValue(f"a {around[-1][0]} does not end")
    return tuple(done)


def named(arguments: Mapping[str, Iterable[Event]]) -> list[Event]:
    """The events of all arguments together, each after its name."""
    return [event for name, events in arguments.items() for event in ((NAME + name, ()), *events)]


def by_name(terms: Iterable[Term[Law]]) -> dict[str, list[Term[Law]]]:
    """The terms of each argument in a program of :func:`named` events."""
    parts: dict[str, list[Term[Law]]] = {}
    own: list[Term[Law]] = []
    for term in terms:
        if isinstance(term, Atom) and str(term.symbol).startswith(NAME):
            own = parts.setdefault(str(term.symbol).removeprefix(NAME), [])
        else:
            own.append(term)
    return parts


def evaluate(items: Items, n: int, turns: tuple[int, ...] = ()) -> list[Any]:
    """The values of the items at a size; NotAValue where there is none, such as a byte of 256."""
    return list(_values(items, n, turns))


def _values(items: Items, n: int, turns: tuple[int, ...]) -> Iterator[Any]:
    for item in items:
        match item:
            case Scalar(kind, number):
                yield made(NUMBERS[kind], _at(number, n, turns))
            case Fixed(symbol):
                yield literal(symbol)
            case Container(kind, inner):
                yield made(BUILDERS[kind], evaluate(inner, n, turns))
            case Repeat(trip, inner):
                for turn in range(_at(trip, n, turns)):
                    yield from _values(inner, n, (*turns, turn))
            case Cut(length, inner):
                yield from evaluate(inner, n, turns)[: _at(length, n, turns)]
            case Arranged(function, inner):
                yield from FUNCTIONS[function](evaluate(inner, n, turns))


def _at(number: Number, n: int, turns: tuple[int, ...]) -> int:
    base, *steps = number
    return base(n) + sum(step(n) * turn for step, turn in zip(steps, turns, strict=True) if turn and step.terms)


def uses(items: Items, depth: int) -> bool:
    """Whether any number depends on the iterator of the loop that has ``depth`` loops around it."""
    return any(number[depth + 1].terms for number in numbers(items))


def numbers(items: Items) -> Iterator[Number]:
    """All numbers, in the order in which they are written."""
    for item in items:
        match item:
            case Scalar():
                yield item.number
            case Container() | Arranged():
                yield from numbers(item.items)
            case Repeat():
                yield item.trip
                yield from numbers(item.items)
            case Cut():
                yield item.length
                yield from numbers(item.items)


def changed(items: Items, change: Callable[[Number], Number]) -> Items:
    """The same items with every number changed."""
    return tuple(_changed(item, change) for item in items)


def _changed(item: Item, change: Callable[[Number], Number]) -> Item:
    match item:
        case Scalar():
            return replace(item, number=change(item.number))
        case Container() | Arranged():
            return replace(item, items=changed(item.items, change))
        case Repeat():
            return Repeat(change(item.trip), changed(item.items, change))
        case Cut():
            return Cut(change(item.length), changed(item.items, change))
    return item


def without(items: Items, depth: int, turn: int = 0) -> Items:
    """The items in one turn of a loop, as if that loop were not there; Inexact if laws cannot say it."""
    return changed(
        items,
        lambda number: (plus(number[0], number[depth + 1], turn), *number[1 : depth + 1], *number[depth + 2 :]),
    )


class Inexact(Exception):
    """A sum that is no law: rounding of its parts would be lost."""


def plus(law: Law, other: Law, times: int = 1) -> Law:
    """A law and a multiple of another; Inexact unless at most one of them is rounded, and not multiplied."""
    if not other.terms or not times:
        return law
    if other.over > 1 and (times != 1 or law.over > 1):
        raise Inexact
    over = max(law.over, other.over)
    sums = {part: multiple * (over // law.over) for multiple, part in law.terms}
    for multiple, part in other.terms:
        sums[part] = sums.get(part, 0) + multiple * times * (over // other.over)
    ordered = sorted(sums.items(), key=lambda entry: (entry[0] != ONE, entry[0]))
    return Law(tuple((multiple, part) for part, multiple in ordered if multiple), over)
