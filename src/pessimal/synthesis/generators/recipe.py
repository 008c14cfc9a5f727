"""Recipes: how to make an input of any size, as a tree of containers and loops whose numbers are laws of the size.

A program of events (see :mod:`tokens`) is a flat nest of loops; a recipe is the same with containers as nodes. It can
be written as Python, and evaluated without unfolding events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pessimal.synthesis.generators.arrangements import FUNCTIONS
from pessimal.synthesis.generators.tokens import BUILDERS, CLOSE, LITERAL, NUMBERS, OPEN, NotAValue, built, literal
from pessimal.synthesis.laws import ONE, Law
from pessimal.synthesis.terms import Atom, Event, Form, Term

Number: TypeAlias = Form[Law]

NAME = "argument "
"""The prefix of the symbol that precedes the events of an argument."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number of some kind: int, bool, float, chr or byte."""

    kind: str
    number: Number


@dataclass(frozen=True, slots=True)
class Fixed:
    """A value that does not depend on the size."""

    symbol: str


@dataclass(frozen=True, slots=True)
class Container:
    """A list, tuple, str, bytes or dict of items."""

    kind: str
    items: Items


@dataclass(frozen=True, slots=True)
class Repeat:
    """Items that are repeated; their numbers have one coefficient more than the trip count."""

    trip: Number
    items: Items


@dataclass(frozen=True, slots=True)
class Cut:
    """The first ``length`` of the items."""

    length: Number
    items: Items


@dataclass(frozen=True, slots=True)
class Arranged:
    """Items in the order that a function of :mod:`arrangements` puts them in."""

    function: str
    items: Items


Item: TypeAlias = Scalar | Fixed | Container | Repeat | Cut | Arranged
Items: TypeAlias = tuple[Item, ...]


def recipe(terms: Sequence[Term[Law]]) -> Items:
    """The items of a program of tokens; raises NotAValue if a container opens inside a loop and closes outside."""
    done: list[Item] = []
    enclosing: list[tuple[str, list[Item]]] = []
    for term in terms:
        if not isinstance(term, Atom):
            done.append(Repeat(term.trip, recipe(term.body)))
            continue
        symbol = str(term.symbol)
        if symbol.startswith(OPEN):
            enclosing.append((symbol.removeprefix(OPEN), done))
            done = []
        elif symbol.startswith(CLOSE):
            if not enclosing or enclosing[-1][0] != symbol.removeprefix(CLOSE):
                raise NotAValue(f"{symbol} does not match the open container")
            kind, outer = enclosing.pop()
            outer.append(Container(kind, tuple(done)))
            done = outer
        else:
            done.append(Fixed(symbol) if symbol.startswith(LITERAL) else Scalar(symbol, term.forms[0]))
    if enclosing:
        raise NotAValue(f"a {enclosing[-1][0]} is not closed")
    return tuple(done)


def labelled(arguments: Mapping[str, Iterable[Event]]) -> list[Event]:
    """The events of all arguments in sequence, each preceded by its name."""
    return [event for name, events in arguments.items() for event in ((NAME + name, ()), *events)]


def terms_by_argument(terms: Iterable[Term[Law]]) -> dict[str, list[Term[Law]]]:
    """The terms of each argument in a program of :func:`labelled` events."""
    parts: dict[str, list[Term[Law]]] = {}
    own: list[Term[Law]] = []
    for term in terms:
        if isinstance(term, Atom) and str(term.symbol).startswith(NAME):
            own = parts.setdefault(str(term.symbol).removeprefix(NAME), [])
        else:
            own.append(term)
    return parts


def evaluate(items: Items, n: int, iterations: tuple[int, ...] = ()) -> list[Any]:
    """The values of the items at a size; raises NotAValue if there is none, as for a byte of 256."""
    return list(_values(items, n, iterations))


def _values(items: Items, n: int, iterations: tuple[int, ...]) -> Iterator[Any]:
    for item in items:
        match item:
            case Scalar(kind, number):
                yield built(NUMBERS[kind], _at(number, n, iterations))
            case Fixed(symbol):
                yield literal(symbol)
            case Container(kind, inner):
                yield built(BUILDERS[kind], evaluate(inner, n, iterations))
            case Repeat(trip, inner):
                for iteration in range(_at(trip, n, iterations)):
                    yield from _values(inner, n, (*iterations, iteration))
            case Cut(length, inner):
                yield from evaluate(inner, n, iterations)[: _at(length, n, iterations)]
            case Arranged(function, inner):
                yield from FUNCTIONS[function](evaluate(inner, n, iterations))


def _at(number: Number, n: int, iterations: tuple[int, ...]) -> int:
    base, *steps = number
    return base(n) + sum(
        step(n) * iteration for step, iteration in zip(steps, iterations, strict=True) if iteration and step.terms
    )


def uses(items: Items, depth: int) -> bool:
    """Whether any number depends on the iterator of the loop at a depth."""
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


def map_numbers(items: Items, change: Callable[[Number], Number]) -> Items:
    """The items with a function applied to every number."""
    return tuple(_map_item(item, change) for item in items)


def _map_item(item: Item, change: Callable[[Number], Number]) -> Item:
    match item:
        case Scalar():
            return replace(item, number=change(item.number))
        case Container() | Arranged():
            return replace(item, items=map_numbers(item.items, change))
        case Repeat():
            return Repeat(change(item.trip), map_numbers(item.items, change))
        case Cut():
            return Cut(change(item.length), map_numbers(item.items, change))
    return item


def without_loop(items: Items, depth: int, iteration: int = 0) -> Items:
    """The items in one iteration of a loop, without that loop; raises Inexact if no law can express it."""
    return map_numbers(
        items,
        lambda number: (
            add_multiple(number[0], number[depth + 1], iteration),
            *number[1 : depth + 1],
            *number[depth + 2 :],
        ),
    )


class Inexact(Exception):
    """A sum cannot be written as a law, because its parts are rounded separately."""


def add_multiple(law: Law, other: Law, times: int = 1) -> Law:
    """A law plus a multiple of another; raises Inexact unless at most one is rounded, and that not multiplied."""
    if not other.terms or not times:
        return law
    if other.divisor > 1 and (times != 1 or law.divisor > 1):
        raise Inexact
    divisor = max(law.divisor, other.divisor)
    sums = {part: multiple * (divisor // law.divisor) for multiple, part in law.terms}
    for multiple, part in other.terms:
        sums[part] = sums.get(part, 0) + multiple * times * (divisor // other.divisor)
    ordered = sorted(sums.items(), key=lambda entry: (entry[0] != ONE, entry[0]))
    return Law(tuple((multiple, part) for part, multiple in ordered if multiple), divisor)
