"""Families: which of the worst paths at small sizes belong together, and the programs that they follow.

A small size often has several equally bad paths, and only some of them go on at larger sizes. Candidates are read as
nests of loops, readings of equal shape are put together, and one reading for each size is chosen so that all numbers
follow laws. A program is believed if it gives a candidate back at three sizes or more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product
from math import prod
from typing import TypeAlias

from pessimal.synthesis.fold import Terms, foldings, run, weight
from pessimal.synthesis.laws import fit
from pessimal.synthesis.program import Program, unifications
from pessimal.synthesis.terms import Event, NoModel, Term, numbers, shape, size

Candidates: TypeAlias = Mapping[int, Sequence[Sequence[Event]]]
Shape: TypeAlias = tuple[Term[None], ...]
Readings: TypeAlias = dict[int, list[Terms]]

ENOUGH = 3
"""Sizes that a program must explain."""

MODULI = (2, 3, 4)
"""If no program explains all sizes, those that leave the same rest as the wanted one are tried alone."""

ATTEMPTS = 1000
"""How many choices of readings are tried for one set of sizes."""

STARTS, COMBINATIONS, PROGRAMS = 100, 30, 20
"""For each shape, choices at three sizes; for each of these, choices at the others; for each of these, laws."""


@dataclass(frozen=True, slots=True)
class Model:
    """A program and what speaks for it.

    It was made from the ``fitted`` sizes; at the ``explained`` ones, which include these, it gives a candidate back;
    at the ``unexplained`` ones it does not. Only sizes that leave the rest of the wanted one by ``modulus`` count.
    """

    program: Program
    modulus: int
    fitted: tuple[int, ...]
    explained: tuple[int, ...]
    unexplained: tuple[int, ...]

    @property
    def complete(self) -> bool:
        """Whether all sizes are explained that are not too small to show the structure."""
        return all(n < self.fitted[0] for n in self.unexplained)


def models(candidates: Candidates, size: int) -> Iterator[Model]:
    """The models of the candidates for a wanted size, simplest first; raises :class:`NoModel` if there is none.

    Models that are the same at the wanted size are given once. Complete models of all sizes come first, then those of
    the sizes that leave the same rest as the wanted one, last those which leave a size unexplained that should not be.
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
            if model.complete:
                yield model
            else:
                partial.append(model)
        reasons.append(family.reason or family.no_shape())
    yield from partial
    if not is_found:
        raise reasons[0]


def _read(some: Iterable[tuple[Event, ...]]) -> list[Terms]:
    """All nests that the candidates of one size can be, lightest first."""
    found = dict.fromkeys(terms for events in some for terms in foldings(events))
    return sorted(found, key=weight)


class _Family:
    """The candidates of some sizes, their readings, and why nothing came of them."""

    def __init__(self, candidates: dict[int, set[tuple[Event, ...]]], readings: Readings, modulus: int) -> None:
        self.candidates = candidates
        self.readings = readings
        self.modulus = modulus
        self.reason: NoModel | None = None
        self.attempts = ATTEMPTS

    def models(self) -> list[Model]:
        """All models, those that explain most first and the simplest of these."""
        found: dict[Program, Model] = {}
        for readings in self._shapes():
            for program, fitted, needed in self._programs(readings):
                model = self._model(program, fitted)
                if program not in found and len(model.explained) >= needed:
                    found[program] = model
        return sorted(found.values(), key=lambda model: (len(model.unexplained), model.program.complexity))

    def _shapes(self) -> list[Readings]:
        """The readings of each shape that two sizes share: many sizes first, then few loops and events."""
        shapes: dict[Shape, Readings] = {}
        for n, some in self.readings.items():
            for terms in some:
                shapes.setdefault(shape(terms), {}).setdefault(n, []).append(terms)
        shared = [(kind, readings) for kind, readings in shapes.items() if len(readings) > 1]
        shared.sort(key=lambda pair: (-len(pair[1]), size(pair[0])))
        return [readings for _, readings in shared]

    def _programs(self, readings: Readings) -> Iterator[tuple[Program, tuple[int, ...], int]]:
        """Programs through readings of one shape, through which sizes, and how many sizes each must explain.

        If the smallest sizes do not fit, they are left out. A program whose laws leave no points over must explain
        more sizes than it was made from.
        """
        sizes = sorted(readings)
        for first in range(len(sizes) - 1):
            rest = {n: readings[n] for n in sizes[first:]}
            sure = [(program, fitted, ENOUGH) for program, fitted in self._unified(rest, 1)]
            yield from sure
            if sure:
                return
            more = max(ENOUGH, len(rest)) + 1
            yield from ((program, fitted, more) for program, fitted in self._unified(rest, 0))

    def _unified(self, readings: Readings, spare: int) -> Iterator[tuple[Program, tuple[int, ...]]]:
        for chosen in _choices(readings):
            if len(chosen) < ENOUGH and spare:
                continue
            self.attempts -= 1
            if self.attempts < 0:
                return
            try:
                for program in islice(unifications(chosen, spare), PROGRAMS):
                    yield program, tuple(sorted(chosen))
            except NoModel as refused:
                if spare:
                    self.reason = self.reason or refused

    def _model(self, program: Program, fitted: tuple[int, ...]) -> Model:
        explained = tuple(n for n, some in self.candidates.items() if _gives(program.at(n), some))
        unexplained = tuple(n for n in self.candidates if n not in explained)
        return Model(program, self.modulus, fitted, explained, unexplained)

    def no_shape(self) -> NoModel:
        """Why there is nothing if no number is to blame."""
        lengths = ", ".join(str(min(map(size, some))) for some in self.readings.values())
        sizes = ", ".join(map(str, self.readings))
        if len(self.readings) < ENOUGH:
            return NoModel(f"{ENOUGH} sizes are needed, and there are sequences at {len(self.readings)}")
        return NoModel(f"no structure is common to {ENOUGH} sizes: {lengths} loops and events remain at sizes {sizes}")


def _gives(terms: Terms, some: set[tuple[Event, ...]]) -> bool:
    """Whether the terms are one of the sequences; no more events are made than the longest of these has."""
    longest = max(map(len, some))
    return tuple(islice(run(terms), longest + 1)) in some


def _choices(readings: Readings) -> Iterator[dict[int, Terms]]:
    """Choices of one reading for each size, lightest first.

    All combinations would be too many: three sizes are combined, and the numbers that follow laws at these tell which
    readings to take at the others; a size where none does is left out.
    """
    order = sorted(readings, key=lambda n: (len(readings[n]), -n))
    others = order[ENOUGH:]
    for chosen in _starts({n: readings[n] for n in order[:ENOUGH]}):
        agreeing = {n: some for n in others if (some := _agreeing(chosen, n, readings[n]))}
        for more in islice(product(*agreeing.values()), COMBINATIONS):
            yield chosen | dict(zip(agreeing, more, strict=True))


def _starts(readings: Readings) -> Iterator[dict[int, Terms]]:
    """Choices at up to three sizes: all of them if they are few, else those that are in line, and some others."""
    everything: Iterator[tuple[Terms, ...]] = islice(product(*readings.values()), STARTS)
    if len(readings) == ENOUGH and prod(map(len, readings.values())) > STARTS:
        everything = chain(islice(_in_line(readings), STARTS), everything)
    return (dict(zip(readings, combination, strict=True)) for combination in everything)


def _in_line(readings: Readings) -> Iterator[tuple[Terms, ...]]:
    """Choices at three sizes whose numbers are on lines, save those numbers about which no size leaves a choice."""
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
        if k is not None and not any(rest for _, rest in steps):
            yield readings[a][i], readings[b][j], readings[c][k]


def _agreeing(chosen: Mapping[int, Terms], n: int, some: list[Terms]) -> list[Terms]:
    """The readings at a size that go on where the chosen ones have laws."""
    if len(some) == 1:
        return some
    rows = zip(*(numbers(terms) for terms in chosen.values()), strict=True)
    laws = [fit(dict(zip(chosen, row, strict=True))) for row in rows]
    return [
        terms
        for terms in some
        if all(law is None or law(n) == number for law, number in zip(laws, numbers(terms), strict=True))
    ]
