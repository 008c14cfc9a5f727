"""Expansion: the events of terms as arrays, made loop by loop and never event by event."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pessimal.synthesis.terms import Atom, Form, Loop, Term

Ints: TypeAlias = NDArray[np.signedinteger[Any]]

MAX_INT32, MAX_INT = 2**31 - 1, 2**62


@dataclass(frozen=True, slots=True, eq=False)
class EventRows:
    """The events of one symbol: a row of numbers for each and, if requested, its position in the whole sequence.

    The rows of one atom are in the order of the sequence; the rows of several atoms follow each other atom by atom.
    """

    values: Ints
    order: Ints | None

    @property
    def positions(self) -> Ints:
        """The positions; ValueError if the expansion was made without them."""
        if self.order is None:
            raise ValueError("the expansion was made without the order of its events")
        return self.order


@dataclass(frozen=True, slots=True, eq=False)
class Expansion:
    """All events, by symbol."""

    total: int
    rows: dict[Hashable, EventRows]


def count(terms: Sequence[Term[int]]) -> int:
    """How many events the terms have; only loops around other loops are expanded to count them."""
    return int(_sizes(terms, _Iterations(1, ()))[0])


def expand(terms: Sequence[Term[int]], *, ordered: bool = True) -> Expansion:
    """The events of the terms as arrays of 32-bit integers if these suffice, otherwise of 64-bit integers."""
    total = count(terms)
    rows_by_symbol: dict[Hashable, list[EventRows]] = {}
    starts = np.zeros(1, _dtype(total)) if ordered else None
    _expand_terms(terms, _Iterations(1, ()), starts, rows_by_symbol)
    return Expansion(total, {symbol: _joined(parts) for symbol, parts in rows_by_symbol.items()})


@dataclass(frozen=True, slots=True, eq=False)
class _Iterations:
    """All iterations of the loops around a term: how many, and the iterators in each, outermost first."""

    count: int
    iterators: tuple[Ints, ...]

    def evaluate(self, form: Form[int], out: Ints | None = None) -> Ints:
        """The value of a form in each iteration."""
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
        largest = max(
            (abs(f[0]) + sum(abs(k) * top for k, top in zip(f[1:], tops, strict=True)) for f in forms), default=0
        )
        return _dtype(largest)

    def table(self, forms: Sequence[Form[int]]) -> Ints:
        """A row of numbers for each iteration, stored column by column."""
        columns = np.empty((len(forms), self.count), self._dtype(*forms))
        for form, column in zip(forms, columns, strict=True):
            self.evaluate(form, column)
        return columns.T

    def trips(self, loop: Loop[int]) -> Ints:
        """The trip count of a loop in each of these iterations."""
        return np.maximum(self.evaluate(loop.trip), 0)

    def inside(self, trips: Ints) -> _Iterations:
        """The iterations of an inner loop with these trip counts."""
        total = int(trips.sum(dtype=np.int64))
        iterators = [np.repeat(iterator, trips) for iterator in self.iterators]
        own: Ints = np.arange(total, dtype=_dtype(total))
        if len(trips) != 1:
            own -= np.repeat(_before(trips).astype(own.dtype), trips)
        return _Iterations(total, (*iterators, own))


def _dtype(largest: int) -> np.dtype[np.signedinteger[Any]]:
    """The smallest type that holds numbers up to this; OverflowError if there is none."""
    if largest >= MAX_INT:
        raise OverflowError(f"{largest} does not fit into 64 bits")
    return np.dtype(np.int32 if largest <= MAX_INT32 else np.int64)


def _before(sizes: Ints) -> Ints:
    """For each entry the sum of all entries before it."""
    return np.cumsum(sizes, dtype=np.int64) - sizes


def _sizes(terms: Sequence[Term[int]], iterations: _Iterations) -> Ints:
    """How many events the terms have in each iteration."""
    sizes = np.zeros(iterations.count, np.int64)
    for term in terms:
        sizes += 1 if isinstance(term, Atom) else _loop_sizes(term, iterations)
    return sizes


def _loop_sizes(loop: Loop[int], iterations: _Iterations) -> Ints:
    trips = iterations.trips(loop)
    if all(isinstance(term, Atom) for term in loop.body):
        return trips.astype(np.int64) * len(loop.body)
    sizes = np.concatenate(([0], np.cumsum(_sizes(loop.body, iterations.inside(trips)))))
    ends = np.cumsum(trips, dtype=np.int64)
    return np.asarray(sizes[ends] - sizes[ends - trips])


def _expand_terms(
    terms: Sequence[Term[int]],
    iterations: _Iterations,
    starts: Ints | None,
    rows_by_symbol: dict[Hashable, list[EventRows]],
) -> None:
    """Make the rows of all atoms in the terms; ``starts`` has the position at which each iteration starts."""
    for number, term in enumerate(terms):
        last = number + 1 == len(terms)
        if isinstance(term, Atom):
            rows_by_symbol.setdefault(term.symbol, []).append(EventRows(iterations.table(term.forms), starts))
            sizes: Ints | int = 1
        else:
            trips = iterations.trips(term)
            inside = iterations.inside(trips)
            _expand_terms(term.body, inside, _iteration_starts(term, trips, inside, starts), rows_by_symbol)
            sizes = 0 if last else _loop_sizes(term, iterations)
        if starts is not None and not last:
            starts = (starts + sizes).astype(starts.dtype)


def _iteration_starts(loop: Loop[int], trips: Ints, inside: _Iterations, starts: Ints | None) -> Ints | None:
    """The position at which each iteration of a loop starts, given where the loop starts in each outer iteration."""
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


def _joined(parts: Sequence[EventRows]) -> EventRows:
    if len(parts) == 1:
        return parts[0]
    orders = [rows.order for rows in parts if rows.order is not None]
    values = np.concatenate([rows.values.T for rows in parts], axis=1).T
    return EventRows(values, np.concatenate(orders) if orders else None)
