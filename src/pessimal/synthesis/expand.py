"""Expansion: the events of terms as arrays, made loop by loop and never event by event."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pessimal.synthesis.terms import Atom, Form, Loop, Term

Ints: TypeAlias = NDArray[np.signedinteger[Any]]

SMALL, LARGEST = 2**31 - 1, 2**62


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The events of one symbol: a row of numbers each, and their positions in the whole sequence, if asked for.

    Rows of one atom are in the order of the sequence; rows of several atoms follow each other atom by atom.
    """

    values: Ints
    order: Ints | None

    @property
    def positions(self) -> Ints:
        """The order, for those who cannot do without it."""
        if self.order is None:
            raise ValueError("the expansion was made without the order of its events")
        return self.order


@dataclass(frozen=True, slots=True, eq=False)
class Expansion:
    """All events, by symbol."""

    total: int
    rows: dict[Hashable, Rows]


def count(terms: Sequence[Term[int]]) -> int:
    """How many events the terms have; only loops around loops are expanded for it."""
    return int(_sizes(terms, _Turns(1, ()))[0])


def expand(terms: Sequence[Term[int]], *, ordered: bool = True) -> Expansion:
    """The events of the terms as arrays of 32 bits if they fit, else of 64."""
    total = count(terms)
    made: dict[Hashable, list[Rows]] = {}
    starts = np.zeros(1, _dtype(total)) if ordered else None
    _place(terms, _Turns(1, ()), starts, made)
    return Expansion(total, {symbol: _joined(parts) for symbol, parts in made.items()})


@dataclass(frozen=True, slots=True, eq=False)
class _Turns:
    """All turns of the loops around a term: how many, and the iterators in each, outermost first."""

    count: int
    iterators: tuple[Ints, ...]

    def evaluate(self, form: Form[int], out: Ints | None = None) -> Ints:
        """A form's number in each turn."""
        result: Ints = np.empty(self.count, self._dtype(form)) if out is None else out
        result[:] = form[0]
        for coefficient, iterator in zip(form[1:], self.iterators, strict=True):
            if coefficient == 1:
                result += iterator
            elif coefficient == -1:
                result -= iterator
            elif coefficient:
                result += np.multiply(iterator, coefficient, dtype=result.dtype)
        return result

    def _dtype(self, *forms: Form[int]) -> np.dtype[np.signedinteger[Any]]:
        tops = [int(iterator.max(initial=0)) for iterator in self.iterators]
        reach = max(
            (abs(f[0]) + sum(abs(k) * top for k, top in zip(f[1:], tops, strict=True)) for f in forms), default=0
        )
        return _dtype(reach)

    def table(self, forms: Sequence[Form[int]]) -> Ints:
        """A row of numbers for each turn, stored column by column."""
        columns = np.empty((len(forms), self.count), self._dtype(*forms))
        for form, column in zip(forms, columns, strict=True):
            self.evaluate(form, column)
        return columns.T

    def trips(self, loop: Loop[int]) -> Ints:
        """How often a loop turns in each of these turns."""
        return np.maximum(self.evaluate(loop.trip), 0)

    def inside(self, trips: Ints) -> _Turns:
        """The turns of a loop that turns so often in each of these."""
        total = int(trips.sum(dtype=np.int64))
        iterators = [np.repeat(iterator, trips) for iterator in self.iterators]
        own: Ints = np.arange(total, dtype=_dtype(total))
        if len(trips) != 1:
            own -= np.repeat(_before(trips).astype(own.dtype), trips)
        return _Turns(total, (*iterators, own))


def _dtype(reach: int) -> np.dtype[np.signedinteger[Any]]:
    """The smaller type that holds numbers up to this; OverflowError if there is none."""
    if reach >= LARGEST:
        raise OverflowError(f"{reach} does not fit into 64 bits")
    return np.dtype(np.int32 if reach <= SMALL else np.int64)


def _before(sizes: Ints) -> Ints:
    """The sum of all earlier sizes, for each."""
    return np.cumsum(sizes, dtype=np.int64) - sizes


def _sizes(terms: Sequence[Term[int]], turns: _Turns) -> Ints:
    """How many events the terms have in each turn."""
    sizes = np.zeros(turns.count, np.int64)
    for term in terms:
        sizes += 1 if isinstance(term, Atom) else _loop_sizes(term, turns)
    return sizes


def _loop_sizes(loop: Loop[int], turns: _Turns) -> Ints:
    trips = turns.trips(loop)
    if all(isinstance(term, Atom) for term in loop.body):
        return trips.astype(np.int64) * len(loop.body)
    sizes = np.concatenate(([0], np.cumsum(_sizes(loop.body, turns.inside(trips)))))
    ends = np.cumsum(trips, dtype=np.int64)
    return np.asarray(sizes[ends] - sizes[ends - trips])


def _place(terms: Sequence[Term[int]], turns: _Turns, starts: Ints | None, made: dict[Hashable, list[Rows]]) -> None:
    """Make the rows of all atoms in terms of which each turn starts at a position."""
    for number, term in enumerate(terms):
        last = number + 1 == len(terms)
        if isinstance(term, Atom):
            made.setdefault(term.symbol, []).append(Rows(turns.table(term.forms), starts))
            sizes: Ints | int = 1
        else:
            trips = turns.trips(term)
            inside = turns.inside(trips)
            _place(term.body, inside, _turn_starts(term, trips, inside, starts), made)
            sizes = 0 if last else _loop_sizes(term, turns)
        if starts is not None and not last:
            starts = (starts + sizes).astype(starts.dtype)


def _turn_starts(loop: Loop[int], trips: Ints, inside: _Turns, starts: Ints | None) -> Ints | None:
    """Where each turn of a loop starts, given where the loop does in each turn around it."""
    if starts is None:
        return None
    if all(isinstance(term, Atom) for term in loop.body):
        within = inside.iterators[-1].astype(starts.dtype)
        within *= len(loop.body)
        within += np.repeat(starts, trips)
        return within
    sizes = _sizes(loop.body, inside)
    before = _before(sizes)
    firsts = _before(trips)
    offsets = starts - np.concatenate((before, [0]))[firsts]
    return (before + np.repeat(offsets, trips)).astype(starts.dtype)


def _joined(parts: Sequence[Rows]) -> Rows:
    if len(parts) == 1:
        return parts[0]
    orders = [rows.order for rows in parts if rows.order is not None]
    values = np.concatenate([rows.values.T for rows in parts], axis=1).T
    return Rows(values, np.concatenate(orders) if orders else None)
