"""Known shapes of sequences, for inputs in which all sizes do not share the same loops.

A shape cuts a sequence into a few pieces: in the middle, before the last element and so on. A piece has a period: the
elements at equal positions within the period form a series of equal steps. So a piece of period 1 is constant,
ascending or descending, a piece of period 2 is two of these interleaved, and text with a pattern that does not divide
the length is a piece of a longer period, cut at the end. A shape that fits a size leaves few numbers, whose laws are
found in the same way as those of any program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, pairwise, product
from typing import Any, NamedTuple, TypeAlias

from pessimal.synthesis.family import models
from pessimal.synthesis.generators.recipe import (
    Container,
    Cut,
    Item,
    Items,
    Repeat,
    Scalar,
    labelled,
    recipe,
    terms_by_argument,
)
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

MAX_COMBINATIONS, MAX_MODELS = 64, 3
"""How many combinations of shapes of several arguments are tried, and how many models of each combination."""

MIN_SIZE, MIN_SHOWN = 3, 3
"""Smaller sizes than this show no shape; the largest sizes, this many, must show it."""


class NumberSequence(NamedTuple):
    """A sequence of numbers: its kind, their kind, and the numbers."""

    kind: str
    inner: str
    numbers: tuple[int, ...]


class Shape(NamedTuple):
    """The index of its cuts in ``CUTS``, and the period of each piece."""

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


def arguments_by_shape(inputs_by_size: Mapping[int, Sequence[Arguments]]) -> Iterator[dict[str, Items]]:
    """Recipes of the arguments: sequences with known shapes, other arguments by programs; simplest first."""
    read = {n: [_read(arguments) for arguments in some] for n, some in inputs_by_size.items() if some}
    if not read or not any(isinstance(value, NumberSequence) for value in read[max(read)][0].values()):
        return
    names = list(read[max(read)][0])
    options = [list(_options([arguments.get(name) for arguments in read[max(read)]])) for name in names]
    for chosen in islice(product(*options), MAX_COMBINATIONS):
        shapes = dict(zip(names, chosen, strict=True))
        candidates = {n: list(filter(None, (_reduced(shapes, one) for one in some))) for n, some in read.items()}
        if not all(candidates[n] for n in sorted(candidates)[-MIN_SHOWN:]):
            continue
        try:
            for model in islice(models(candidates, max(candidates)), MAX_MODELS):
                if model.modulus == 1:
                    yield {
                        name: _items(shapes[name], terms)
                        for name, terms in terms_by_argument(model.program.terms).items()
                    }
        except (NoModel, NotAValue):
            continue


def _read(arguments: Arguments) -> dict[str, NumberSequence | list[Event]]:
    try:
        return {name: _number_sequence(tokens(value)) for name, value in arguments.items()}
    except NotAValue:
        return {}


def _options(values: Sequence[NumberSequence | list[Event] | None]) -> Iterator[Shape | None]:
    """The shapes of an argument at the largest size; None if it is not a sequence of numbers."""
    flat = [value for value in values if isinstance(value, NumberSequence)]
    if not flat:
        yield None
    for shape in SHAPES:
        if any(_pieces(shape, value) for value in flat):
            yield shape


def _number_sequence(events: list[Event]) -> NumberSequence | list[Event]:
    """The events as a sequence of numbers of one kind, if they form one."""
    (opening, _), inner, (closing, _) = events[0], events[1:-1], events[-1]
    kind, kinds = str(opening).removeprefix(OPEN), {str(symbol) for symbol, _ in inner}
    if kind not in SEQUENCES or closing != CLOSE + kind or len(kinds) != 1 or not kinds <= set(NUMBERS):
        return events
    return NumberSequence(kind, kinds.pop(), tuple(number for _, (number,) in inner))


def _pieces(shape: Shape, value: NumberSequence) -> list[tuple[int, ...]] | None:
    """For each piece its length, and the first number and the step of each series; None if the shape does not fit."""
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


def _reduced(
    shapes: Mapping[str, Shape | None], arguments: Mapping[str, NumberSequence | list[Event]]
) -> list[Event] | None:
    """An input with its sequences reduced to one event per piece of their shapes; None if a shape does not fit."""
    events: dict[str, list[Event]] = {}
    for name, shape in shapes.items():
        value = arguments.get(name)
        if isinstance(value, NumberSequence):
            pieces = _pieces(shape, value) if shape else None
            if pieces is None:
                return None
            events[name] = [((value.kind, value.inner, number), piece) for number, piece in enumerate(pieces)]
        elif value is None or shape:
            return None
        else:
            events[name] = value
    return labelled(events)


def _items(shape: Shape | None, terms: Sequence[Term[Law]]) -> Items:
    """The recipe of an argument whose numbers follow the laws of the terms."""
    if shape is None:
        return recipe(terms)
    kind = ""
    items: list[Item] = []
    for term, period in zip(terms, shape.periods, strict=True):
        if not isinstance(term, Atom) or not isinstance(term.symbol, tuple):
            raise NotAValue("the pieces of a shape must not form a loop")
        kind, inner, _ = term.symbol
        items.append(_loop(inner, period, [form[0] for form in term.forms]))
    return (Container(kind, tuple(items)),)


def _loop(kind: str, period: int, laws: Sequence[Law]) -> Item:
    """A piece as a loop of as many iterations as its length needs, cut to that length."""
    length, *series = laws
    body = tuple(Scalar(kind, pair) for pair in zip(series[::2], series[1::2], strict=True))
    if period == 1:
        return Repeat((length,), body)
    return Cut((length,), (Repeat((_trip_count(length, period),), body),))


def _trip_count(length: Law, period: int) -> Law:
    """A trip count that is large enough for the length: the quotient, if it is a simple law."""
    multiples = {part: times for times, part in length.terms}
    offset = multiples.pop(ONE, 0)
    if multiples == {N: 1} and length.divisor == 1:
        return Law(((1, ONE), (1, Part("floor", period, offset))))
    if length.is_constant:
        return constant(length(0) // period + 1)
    return length
