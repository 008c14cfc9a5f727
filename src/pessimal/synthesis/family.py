"""Families: which of the worst paths of small sizes belong together, and the programs that they follow.

A small size often has several equally bad paths, and only some of them follow the pattern of larger sizes. Candidates
are read as nests of loops, readings of equal shape are grouped, and one reading per size is chosen such that all
numbers follow laws. A program is accepted if it reproduces a candidate at three sizes or more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product
from math import prod
from typing import TypeAlias

from pessimal.synthesis.fold import Terms, description_length, foldings, unfold
from pessimal.synthesis.laws import fit
from pessimal.synthesis.program import Program, fit_programs
from pessimal.synthesis.terms import Event, NoModel, Term, numbers, shape, size

Candidates: TypeAlias = Mapping[int, Sequence[Sequence[Event]]]
Shape: TypeAlias = tuple[Term[None], ...]
Readings: TypeAlias = dict[int, list[Terms]]

MIN_SIZES = 3
"""The number of sizes that a program must explain."""

MODULI = (2, 3, 4)
"""If no program explains all sizes, only those with the same remainder as the requested size are used."""

MAX_ATTEMPTS = 1000
"""How many combinations of readings are tried for one set of sizes."""

MAX_STARTS, MAX_COMBINATIONS, MAX_PROGRAMS = 100, 30, 20
"""How many combinations at three sizes, for each of these at the other sizes, and for each of these of laws."""


@dataclass(frozen=True, slots=True)
class Model:
    """A program and the evidence for it.

    It was made from the ``fitted`` sizes; at the ``explained`` sizes, which include these, it reproduces a candidate;
    at the ``unexplained`` sizes it does not. Only sizes with the same remainder modulo ``modulus`` as the requested one
    were used.
    """

    program: Program
    modulus: int
    fitted: tuple[int, ...]
    explained: tuple[int, ...]
    unexplained: tuple[int, ...]

    @property
    def is_complete(self) -> bool:
        """Whether all sizes are explained, except those too small to show the structure."""
        return all(n < self.fitted[0] for n in self.unexplained)


def models(candidates: Candidates, size: int) -> Iterator[Model]:
    """The models of the candidates for a requested size, simplest first; raises :class:`NoModel` if there is none.

    Models that are equal at the requested size are given once. Complete models of all sizes come first, then those of
    the sizes with the same remainder as the requested one, and last those that are not complete.
    """
    seen: set[Terms] = set()
    for model in _models(candidates, size):
        terms = model.program.at(size)
        if terms not in seen:
            seen.add(terms)
            yield model


def _models(candidates: Candidates, size: int) -> Iterator[Model]:
    sizes = {n: {tuple(events): None for events in some} for n, some in sorted(candidates.items()) if some}
    readings = {n: _read(some) for n, some in sizes.items()}
    partial: list[Model] = []
    reasons: list[NoModel] = []
    is_found = False
    for modulus in (1, *MODULI):
        members = [n for n in sizes if n % modulus == size % modulus]
        family = _Family({n: set(sizes[n]) for n in members}, {n: readings[n] for n in members}, modulus)
        for model in family.models():
            is_found = True
            if model.is_complete:
                yield model
            else:
                partial.append(model)
        reasons.append(family.reason or family.no_shape_reason())
    yield from partial
    if not is_found:
        raise reasons[0]


def _read(some: Iterable[tuple[Event, ...]]) -> list[Terms]:
    """All nests of loops that the candidates of one size can be read as, shortest description first."""
    found = dict.fromkeys(terms for events in some for terms in foldings(events))
    return sorted(found, key=description_length)


class _Family:
    """The candidates of some sizes, their readings, and why there is no model, if so."""

    def __init__(self, candidates: dict[int, set[tuple[Event, ...]]], readings: Readings, modulus: int) -> None:
        self.candidates = candidates
        self.readings = readings
        self.modulus = modulus
        self.reason: NoModel | None = None
        self.attempts = MAX_ATTEMPTS

    def models(self) -> list[Model]:
        """All models: those that explain the most sizes first, then the simplest."""
        found: dict[Program, Model] = {}
        for readings in self._shapes():
            for program, fitted, min_explained in self._programs(readings):
                model = self._model(program, fitted)
                if program not in found and len(model.explained) >= min_explained:
                    found[program] = model
        return sorted(found.values(), key=lambda model: (len(model.unexplained), model.program.complexity))

    def _shapes(self) -> list[Readings]:
        """The readings of each shape that two or more sizes share: many sizes first, then few loops and events."""
        shapes: dict[Shape, Readings] = {}
        for n, some in self.readings.items():
            for terms in some:
                shapes.setdefault(shape(terms), {}).setdefault(n, []).append(terms)
        shared = [(kind, readings) for kind, readings in shapes.items() if len(readings) > 1]
        shared.sort(key=lambda pair: (-len(pair[1]), size(pair[0])))
        return [readings for _, readings in shared]

    def _programs(self, readings: Readings) -> Iterator[tuple[Program, tuple[int, ...], int]]:
        """Programs that fit readings of one shape, the sizes fitted, and how many sizes each program must explain.

        If the smallest sizes do not fit, they are left out. A program whose laws are not overdetermined must explain
        more sizes than it was made from.
        """
        sizes = sorted(readings)
        for first in range(len(sizes) - 1):
            larger = {n: readings[n] for n in sizes[first:]}
            confirmed = [(program, fitted, MIN_SIZES) for program, fitted in self._fitted(larger, 1)]
            yield from confirmed
            if confirmed:
                return
            more = max(MIN_SIZES, len(larger)) + 1
            yield from ((program, fitted, more) for program, fitted in self._fitted(larger, 0))

    def _fitted(self, readings: Readings, spare: int) -> Iterator[tuple[Program, tuple[int, ...]]]:
        for chosen in _choices(readings):
            if len(chosen) < MIN_SIZES and spare:
                continue
            self.attempts -= 1
            if self.attempts < 0:
                return
            try:
                for program in islice(fit_programs(chosen, spare), MAX_PROGRAMS):
                    yield program, tuple(sorted(chosen))
            except NoModel as refused:
                if spare:
                    self.reason = self.reason or refused

    def _model(self, program: Program, fitted: tuple[int, ...]) -> Model:
        explained = tuple(n for n, some in self.candidates.items() if _reproduces(program.at(n), some))
        unexplained = tuple(n for n in self.candidates if n not in explained)
        return Model(program, self.modulus, fitted, explained, unexplained)

    def no_shape_reason(self) -> NoModel:
        """Why there is no model, if it is not because of a number that follows no law."""
        lengths = ", ".join(str(min(map(size, some))) for some in self.readings.values())
        sizes = ", ".join(map(str, self.readings))
        if len(self.readings) < MIN_SIZES:
            return NoModel(f"{MIN_SIZES} sizes with sequences are needed, found {len(self.readings)}")
        return NoModel(
            f"no structure is common to {MIN_SIZES} sizes: {lengths} loops and events remain at sizes {sizes}"
        )


def _reproduces(terms: Terms, some: set[tuple[Event, ...]]) -> bool:
    """Whether the terms unfold to one of the sequences; not more events are made than the longest one has."""
    longest = max(map(len, some))
    return tuple(islice(unfold(terms), longest + 1)) in some


def _choices(readings: Readings) -> Iterator[dict[int, Terms]]:
    """Combinations of one reading per size, shortest description first.

    All combinations would be too many: only three sizes are combined, and the laws of their numbers select the readings
    at the other sizes; a size without such a reading is left out.
    """
    order = sorted(readings, key=lambda n: (len(readings[n]), -n))
    others = order[MIN_SIZES:]
    for chosen in _starts({n: readings[n] for n in order[:MIN_SIZES]}):
        agreeing = {n: some for n in others if (some := _agreeing(chosen, n, readings[n]))}
        for more in islice(product(*agreeing.values()), MAX_COMBINATIONS):
            yield chosen | dict(zip(agreeing, more, strict=True))


def _starts(readings: Readings) -> Iterator[dict[int, Terms]]:
    """Combinations at up to three sizes: all if they are few, otherwise the collinear ones first, then some others."""
    everything: Iterator[tuple[Terms, ...]] = islice(product(*readings.values()), MAX_STARTS)
    if len(readings) == MIN_SIZES and prod(map(len, readings.values())) > MAX_STARTS:
        everything = chain(islice(_collinear(readings), MAX_STARTS), everything)
    return (dict(zip(readings, combination, strict=True)) for combination in everything)


def _collinear(readings: Readings) -> Iterator[tuple[Terms, ...]]:
    """Combinations at three sizes whose numbers are linear in the size, where a size has several readings."""
    vectors = {n: [tuple(numbers(terms)) for terms in some] for n, some in readings.items()}
    open_ = [
        p for p in range(len(vectors[min(vectors)][0])) if any(len({v[p] for v in vs}) > 1 for vs in vectors.values())
    ]
    (a, firsts), (b, seconds), (c, thirds) = (
        (n, [tuple(v[p] for p in open_) for v in vs]) for n, vs in vectors.items()
    )
    ends = {vector: number for number, vector in reversed(list(enumerate(thirds)))}
    for (i, x), (j, y) in product(enumerate(firsts), enumerate(seconds)):
        steps = [divmod((q - p) * (c - a), b - a) for p, q in zip(x, y, strict=True)]
        k = ends.get(tuple(p + step for p, (step, _) in zip(x, steps, strict=True)))
        if k is not None and not any(remainder for _, remainder in steps):
            yield readings[a][i], readings[b][j], readings[c][k]


def _agreeing(chosen: Mapping[int, Terms], n: int, some: list[Terms]) -> list[Terms]:
    """The readings at a size that agree with the laws of the chosen ones."""
    if len(some) == 1:
        return some
    rows = zip(*(numbers(terms) for terms in chosen.values()), strict=True)
    laws = [fit(dict(zip(chosen, row, strict=True))) for row in rows]
    return [
        terms
        for terms in some
        if all(law is None or law(n) == number for law, number in zip(laws, numbers(terms), strict=True))
    ]
