"""Known shapes of sequences, for inputs in which no loops are found that all sizes share.

A shape cuts a sequence into a few pieces: in the middle, before the last element and so on. A piece is written in a
period: of every so many elements the first ones are a series of equal steps, the second ones another. So a piece of
period 1 is constant, ascending or descending, one of period 2 is two of these interleaved, and text with a pattern that
the length does not divide is a piece of a longer period, cut at the end. A shape that fits a size leaves few numbers;
the laws that they follow are found as those of any program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, pairwise, product
from typing import Any, NamedTuple, TypeAlias

from pessimal.synthesis.family import models
from pessimal.synthesis.generators.recipe import Container, Cut, Item, Items, Repeat, Scalar, by_name, named, recipe
from pessimal.synthesis.generators.tokens import CLOSE, NUMBERS, OPEN, NotAValue, tokens
from pessimal.synthesis.laws import ONE, Law, N, Part, constant
from pessimal.synthesis.terms import Atom, Event, NoModel, Term

CUTS: tuple[Callable[[int], tuple[int, ...]], ...] = (
    lambda length: (),
    lambda length: (1,),
    lambda length: (length - 1,),
    lambda length: (length // 2,),
    lambda length: ((length + 1) // 2,),
    lambda length: (1, length - 1),
    lambda length: (length // 2, length // 2 + 1),
    lambda length: (1, (length + 1) // 2),
)
"""Where a sequence may be cut into pieces, simplest first."""

PERIODS = {1: range(1, 7), 2: range(1, 4), 3: range(1, 3)}
"""The periods that a piece may have, by the number of pieces."""

SEQUENCES = ("list", "tuple", "str", "bytes")
"""The containers that can be cut."""

COMBINED, MODELS = 64, 3
"""How many combinations of shapes are tried if there are several sequences, and how many laws of each."""

SMALL, SHOWN = 3, 3
"""Inputs of smaller sizes show no shape, and so many of the largest must show it."""


class Flat(NamedTuple):
    """A sequence of numbers: its kind, theirs, and the numbers."""

    kind: str
    inner: str
    numbers: tuple[int, ...]


class Shape(NamedTuple):
    """Where the cuts are, and the period of every piece."""

    cuts: int
    periods: tuple[int, ...]


SHAPES = tuple(
    sorted(
        (
            Shape(number, periods)
            for number, cuts in enumerate(CUTS)
            for periods in product(PERIODS[len(cuts(0)) + 1], repeat=len(cuts(0)) + 1)
        ),
        key=lambda shape: (sum(shape.periods), shape.cuts),
    )
)
"""All shapes, simplest first."""

Arguments: TypeAlias = Mapping[str, Any]


def shaped(inputs_by_size: Mapping[int, Sequence[Arguments]]) -> Iterator[dict[str, Items]]:
    """The arguments for all sizes, where sequences have known shapes and others follow programs; simplest first."""
    read = {n: [_read(arguments) for arguments in some] for n, some in inputs_by_size.items() if some}
    if not read or not any(isinstance(value, Flat) for value in read[max(read)][0].values()):
        return
    names = list(read[max(read)][0])
    options = [list(_options([arguments.get(name) for arguments in read[max(read)]])) for name in names]
    for chosen in islice(product(*options), COMBINED):
        shapes = dict(zip(names, chosen, strict=True))
        candidates = {n: list(filter(None, (_reduced(shapes, one) for one in some))) for n, some in read.items()}
        if not all(candidates[n] for n in sorted(candidates)[-SHOWN:]):
            continue
        try:
            for model in islice(models(candidates, max(candidates)), MODELS):
                if model.modulus == 1:
                    yield {name: _items(shapes[name], terms) for name, terms in by_name(model.program.terms).items()}
        except (NoModel, NotAValue):
            continue


def _read(arguments: Arguments) -> dict[str, Flat | list[Event]]:
    try:
        return {name: _flat(tokens(value)) for name, value in arguments.items()}
    except NotAValue:
        return {}


def _options(values: Sequence[Flat | list[Event] | None]) -> Iterator[Shape | None]:
    """The shapes that an argument may have, as it has them at the largest size; None for what is no sequence."""
    flat = [value for value in values if isinstance(value, Flat)]
    if not flat:
        yield None
    for shape in SHAPES:
        if any(_pieces(shape, value) for value in flat):
            yield shape


def _flat(events: list[Event]) -> Flat | list[Event]:
    """The events as a sequence of numbers of one kind, if they are one."""
    (opening, _), inner, (closing, _) = events[0], events[1:-1], events[-1]
    kind, kinds = str(opening).removeprefix(OPEN), {str(symbol) for symbol, _ in inner}
    if kind not in SEQUENCES or closing != CLOSE + kind or len(kinds) != 1 or not kinds <= set(NUMBERS):
        return events
    return Flat(kind, kinds.pop(), tuple(number for _, (number,) in inner))


def _pieces(shape: Shape, value: Flat) -> list[tuple[int, ...]] | None:
    """For each piece its length, and the first number and the step of each series; None if it has another shape."""
    numbers = value.numbers
    ends = (0, *CUTS[shape.cuts](len(numbers)), len(numbers))
    pieces = [
        _piece(numbers[begin:end], period) for (begin, end), period in zip(pairwise(ends), shape.periods, strict=True)
    ]
    return None if any(piece is None for piece in pieces) else [piece for piece in pieces if piece is not None]


def _piece(numbers: Sequence[int], period: int) -> tuple[int, ...] | None:
    if len(numbers) == period == 1:
        return 1, numbers[0], 0
    if len(numbers) < 2 * period:
        return None
    piece = [len(numbers)]
    for first in range(period):
        series = numbers[first::period]
        step = series[1] - series[0]
        if any(after - before != step for before, after in pairwise(series)):
            return None
        piece += [series[0], step]
    return tuple(piece)


def _reduced(shapes: Mapping[str, Shape | None], arguments: Mapping[str, Flat | list[Event]]) -> list[Event] | None:
    """What is left of an input once the shapes of its arguments are known: one event for each piece."""
    events: dict[str, list[Event]] = {}
    for name, shape in shapes.items():
        value = arguments.get(name)
        if isinstance(value, Flat):
            pieces = _pieces(shape, value) if shape else None
            if pieces is None:
                return None
            events[name] = [((value.kind, value.inner, number), piece) for number, piece in enumerate(pieces)]
        elif value is None or shape:
            return None
        else:
            events[name] = value
    return named(events)


def _items(shape: Shape | None, terms: Sequence[Term[Law]]) -> Items:
    """The argument whose numbers follow the laws of the terms."""
    if shape is None:
        return recipe(terms)
    kind = ""
    items: list[Item] = []
    for term, period in zip(terms, shape.periods, strict=True):
        if not isinstance(term, Atom) or not isinstance(term.symbol, tuple):
            raise NotAValue("the pieces of a shape are no loop")
        kind, inner, _ = term.symbol
        items.append(_looped(inner, period, [form[0] for form in term.forms]))
    return (Container(kind, tuple(items)),)


def _looped(kind: str, period: int, laws: Sequence[Law]) -> Item:
    """A piece as a loop of as many turns as its length needs, cut to that length."""
    length, *series = laws
    body = tuple(Scalar(kind, pair) for pair in zip(series[::2], series[1::2], strict=True))
    if period == 1:
        return Repeat((length,), body)
    return Cut((length,), (Repeat((_turns(length, period),), body),))


def _turns(length: Law, period: int) -> Law:
    """A law that is large enough for the length: a quotient if there is a simple one."""
    multiples = {part: times for times, part in length.terms}
    offset = multiples.pop(ONE, 0)
    if multiples == {N: 1} and length.over == 1:
        return Law(((1, ONE), (1, Part("floor", period, offset))))
    if length.is_constant:
        return constant(length(0) // period + 1)
    return length
