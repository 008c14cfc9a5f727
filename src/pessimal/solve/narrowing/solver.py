"""Branch and prune: a box is narrowed and halved until nothing of it is left, which is a proof, or a point in it holds.

Equalities of doubles leave boxes of a few neighbouring numbers around each root, all of which can be looked at; so that
it is often proved that a root exists over the reals only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

from pessimal.expr import Leaf
from pessimal.expr.blackbox import CALL
from pessimal.solve.base import UNKNOWN, UNSAT, Answer, Bounds, Literal, Query, Status
from pessimal.solve.components import relevant
from pessimal.solve.kinds import features_of
from pessimal.solve.narrowing.alone import is_refuted_alone
from pessimal.solve.narrowing.halving import float_cut, halves_of
from pessimal.solve.narrowing.interval import INF, LARGEST, Interval, hull, meet
from pessimal.solve.narrowing.narrowing import Box, narrowed

BOXES = 150
"""How many boxes are looked at."""
MAX_DEPTH = 60
MAX_CONDITIONS = 60
"""Deeper terms and more conditions are left to others."""
_PLAIN = {"float": Interval(-1e3, 1e3), "int": Interval(-(10**6), 10**6)}
"""Where solutions are looked for first, so that they are numbers that people like."""
MAX_ZEROS = 4
"""Of so many zeros both signs are tried."""


class IntervalSolver:
    """Narrows the box of a question, and looks into its parts; it proves that there is no solution, or stumbles on one.

    What is left of the box goes with an unknown answer, so that others look nowhere else.
    """

    name = "intervals"

    def __init__(self, boxes: int = BOXES) -> None:
        self._boxes = boxes

    def solve(self, query: Query) -> Answer:
        """Settle the question, or tell where solutions can only be."""
        literals, moved = relevant(query)
        features = features_of(literals)
        if features.depth > MAX_DEPTH or len(literals) > MAX_CONDITIONS or not moved:
            return UNKNOWN
        return _Search(query, literals, sorted(moved), CALL in features.operations).run(self._boxes)


class _Search:
    def __init__(self, query: Query, literals: Sequence[Literal], moved: Sequence[int], has_calls: bool) -> None:
        self._query = query
        self._literals = literals
        self._has_calls = has_calls
        self._samples = 0
        self._sorts = {var: "float" if isinstance(query.model[var], float) else "int" for var in moved}
        self._whole = {var: _range(query.domains[var], sort) for var, sort in self._sorts.items()}

    def run(self, boxes: int) -> Answer:
        """Look for plain numbers first; then at so many boxes of the whole range, the halves of one after it."""
        if is_refuted_alone(self._query.extra, self._whole, self._sorts, boxes):
            return UNSAT
        plain = {var: meet(interval, _PLAIN[self._sorts[var]]) for var, interval in self._whole.items()}
        if plain != self._whole and not any(interval.is_empty for interval in plain.values()):
            found = self._searched(plain, boxes // 3)
            if found.status is Status.SAT:
                return found
        return self._searched(self._whole, boxes)

    def _searched(self, whole: Box, boxes: int) -> Answer:
        waiting, unsettled = [whole], list[Box]()
        for _ in range(boxes):
            if not waiting or self._query.seconds_left() <= 0:
                break
            box = narrowed(self._literals, waiting.pop(), self._sorts)
            if box is None:
                continue
            halves = halves_of(box, self._sorts)
            found = self._tried(box) if halves else self._with_other_zeros(box)
            if found is not None:
                return Answer(Status.SAT, found, solver=IntervalSolver.name, samples=self._samples)
            waiting.extend(halves)
            if not halves and not self._is_sure(box):
                unsettled.append(box)
        rest = waiting + unsettled
        return Answer(Status.UNKNOWN, domains=self._domains(rest), samples=self._samples) if rest else UNSAT

    def _domains(self, rest: Sequence[Box]) -> Bounds:
        """The ranges of all leaves, narrowed to what is left."""
        domains = list(self._query.domains)
        for var in self._whole:
            low, high, _ = hull(*(box[var] for box in rest))
            domains[var] = (None if abs(low) == INF else low), (None if abs(high) == INF else high)
        return domains

    def _tried(self, box: Box) -> dict[int, Leaf] | None:
        """Some points of a box, exactly evaluated."""
        for choose in (_nearest_zero, _centre, _low, _high):
            values = {var: choose(interval, self._sorts[var]) for var, interval in box.items()}
            self._samples += 1
            if self._query.satisfied_by(values):
                return values
        return None

    def _with_other_zeros(self, box: Box) -> dict[int, Leaf] | None:
        """A box of one point, with zeros of both signs."""
        values = {var: _low(interval, self._sorts[var]) for var, interval in box.items()}
        for signs in product((0.0, -0.0), repeat=min(len(self._zeros(box)), MAX_ZEROS)):
            found = values | dict(zip(self._zeros(box), signs, strict=False))
            if self._query.satisfied_by(found):
                return found
        return None

    def _zeros(self, box: Box) -> list[int]:
        return [var for var, interval in box.items() if interval.low == 0 and self._sorts[var] == "float"]

    def _is_sure(self, box: Box) -> bool:
        """Whether a point that is no solution has none for sure: black boxes and many zeros are not looked through."""
        return not self._has_calls and len(self._zeros(box)) <= MAX_ZEROS


def _range(domain: tuple[Leaf | None, Leaf | None], sort: str) -> Interval:
    low, high = domain
    most: Leaf = LARGEST if sort == "float" else INF
    return Interval(-most if low is None else low, most if high is None else high)


def _finite(value: Leaf, sort: str) -> Leaf:
    if abs(value) == INF:
        return math.copysign(LARGEST, value) if sort == "float" else (1 << 40 if value > 0 else -(1 << 40))
    return float(value) if sort == "float" else int(value)


def _low(interval: Interval, sort: str) -> Leaf:
    return _finite(interval.low, sort)


def _high(interval: Interval, sort: str) -> Leaf:
    return _finite(interval.high, sort)


def _nearest_zero(interval: Interval, sort: str) -> Leaf:
    return _finite(min(max(0, interval.low), interval.high), sort)


def _centre(interval: Interval, sort: str) -> Leaf:
    low, high = _low(interval, sort), _high(interval, sort)
    return float_cut(float(low), float(high)) if sort == "float" else (int(low) + int(high)) // 2
