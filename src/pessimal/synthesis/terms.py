"""Terms: a sequence of events written as nested loops, for one size or for all sizes.

An event is a symbol and a vector of integers. An atom is an event whose numbers depend on the loops around it; a loop
repeats terms. The numbers are affine forms: a constant and one coefficient for each enclosing loop, outermost first.
For one size the entries of a form are integers; for all sizes they are laws of the size.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

T = TypeVar("T")
U = TypeVar("U")

Event: TypeAlias = tuple[Hashable, tuple[int, ...]]
"""A symbol, which identifies the kind of event, and its numbers, which differ from one occurrence to the next."""

Form: TypeAlias = tuple[T, ...]
"""A constant, then the coefficient of the iterator of each enclosing loop, outermost first."""


class NoModel(Exception):
    """There is no model, or a model does not hold; the message says why."""


@dataclass(frozen=True, slots=True)
class Atom(Generic[T]):
    """One event per iteration of the loops around it."""

    symbol: Hashable
    forms: tuple[Form[T], ...]


@dataclass(frozen=True, slots=True)
class Loop(Generic[T]):
    """Terms that are repeated ``trip`` times; the iterator counts from zero, and a negative trip count means none."""

    trip: Form[T]
    body: tuple[Term[T], ...]


Term: TypeAlias = Atom[T] | Loop[T]


def atoms(terms: Sequence[Term[T]]) -> Iterator[Atom[T]]:
    """All atoms, in the order in which they are written."""
    for term in terms:
        if isinstance(term, Atom):
            yield term
        else:
            yield from atoms(term.body)


def forms(terms: Sequence[Term[T]]) -> Iterator[Form[T]]:
    """All forms, in the order in which they are written."""
    for term in terms:
        if isinstance(term, Atom):
            yield from term.forms
        else:
            yield term.trip
            yield from forms(term.body)


def numbers(terms: Sequence[Term[T]]) -> Iterator[T]:
    """All entries of all forms, in the order in which they are written."""
    for form in forms(terms):
        yield from form


def map_numbers(terms: Sequence[Term[T]], change: Callable[[T], U]) -> tuple[Term[U], ...]:
    """The terms with a function applied to every entry of every form, in the order of :func:`numbers`."""
    return map_forms(terms, lambda form: tuple(map(change, form)))


def map_forms(terms: Sequence[Term[T]], change: Callable[[Form[T]], Form[U]]) -> tuple[Term[U], ...]:
    """The terms with a function applied to every form, in the order in which they are written."""
    return tuple(
        Atom(term.symbol, tuple(map(change, term.forms)))
        if isinstance(term, Atom)
        else Loop(change(term.trip), map_forms(term.body, change))
        for term in terms
    )


def shape(terms: Sequence[Term[T]]) -> tuple[Term[None], ...]:
    """The terms without their numbers: what the sequences of all sizes must have in common."""
    return map_numbers(terms, lambda _: None)


def size(terms: Sequence[Term[T]]) -> int:
    """How many atoms and loops there are."""
    return sum(1 if isinstance(term, Atom) else 1 + size(term.body) for term in terms)
