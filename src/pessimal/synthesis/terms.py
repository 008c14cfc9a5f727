"""Terms: what a sequence of events is made of once its loops are found, at one size and at all of them.

An event is a symbol and a vector of integers. Atoms are events whose numbers depend on the loops around them; loops
repeat terms. The numbers are forms: a constant and one coefficient for each loop around, outermost first. At one size
the entries of a form are integers; for all sizes they are laws of the size.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

T = TypeVar("T")
U = TypeVar("U")

Event: TypeAlias = tuple[Hashable, tuple[int, ...]]
"""A symbol, which says what kind of thing happened, and the numbers that differ from one time to the next."""

Form: TypeAlias = tuple[T, ...]
"""A constant, then the coefficient of the iterator of each loop around, outermost first."""


class NoModel(Exception):
    """The sequences have no common law; the message tells people why."""


@dataclass(frozen=True, slots=True)
class Atom(Generic[T]):
    """One event per turn of the loops around it."""

    symbol: Hashable
    forms: tuple[Form[T], ...]


@dataclass(frozen=True, slots=True)
class Loop(Generic[T]):
    """Terms that are repeated ``trip`` times; the iterator goes from zero up, and a negative trip is none."""

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


def mapped(terms: Sequence[Term[T]], change: Callable[[T], U]) -> tuple[Term[U], ...]:
    """The same terms with every entry of every form changed, in the order of :func:`numbers`."""
    return reformed(terms, lambda form: tuple(map(change, form)))


def reformed(terms: Sequence[Term[T]], change: Callable[[Form[T]], Form[U]]) -> tuple[Term[U], ...]:
    """The same terms with every form changed, in the order in which they are written."""
    return tuple(
        Atom(term.symbol, tuple(map(change, term.forms)))
        if isinstance(term, Atom)
        else Loop(change(term.trip), reformed(term.body, change))
        for term in terms
    )


def shape(terms: Sequence[Term[T]]) -> tuple[Term[None], ...]:
    """The terms without their numbers: what the sequences of all sizes must share."""
    return mapped(terms, lambda _: None)


def size(terms: Sequence[Term[T]]) -> int:
    """How many atoms and loops there are."""
    return sum(1 if isinstance(term, Atom) else 1 + size(term.body) for term in terms)
