"""Branch and prune: a box is narrowed and halved until nothing of it is left, which is a proof, or a point in it holds.

Equalities of doubles leave boxes of a few neighbouring numbers around each root, all of which can be looked at; so that
it is often proved that a root exists over the reals only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

from pessimal.expr import Leaf
from pessimal.expr.blackbox import CALL, is_opaque
from pessimal.solve.base import UNKNOWN, UNSAT, Answer, Bounds, Literal, Query, Status
from pessimal.solve.components import relevant
from pessimal.solve.kinds import features_of
from pessimal.solve.narrowing.alone import is_refuted_alone
from pessimal.solve.narrowing.enumeration import all_values
from pessimal.solve.narrowing.halving import float_cut, halves_of
from pessimal.solve.narrowing.interval import INF, LARGEST, Interval, hull, meet
from pessimal.solve.narrowing.narrowing import Box, narrowed

BOXES = 150
"""How many boxes are looked at."""
ONE_IN, SAMPLES = 4, 750
"""How many points are tried: one in four of what samplers have, by default."""
MAX_POINTS = 400
"""If a box has no more points than this, all of them are tried."""
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

    def __init__(self, boxes: int = BOXES, samples: int = SAMPLES) -> None:
        self._boxes = boxes
        self._samples = samples

    def solve(self, query: Query) -> Answer:
        """Settle the question, or tell where solutions can only be."""
        literals, moved = relevant(query)
        features = features_of(literals)
        if features.depth > MAX_DEPTH or len(literals) > MAX_CONDITIONS:
            return UNKNOWN
        most = min(self._samples, ONE_IN * self._samples - query.evaluated)
        is_sealed = CALL in features.operations and any(is_opaque(condition) for condition, _ in literals)
        return _Search(query, literals, sorted(moved), most, is_sealed).run(self._boxes)


class _Search:
    def __init__(
        self, query: Query, literals: Sequence[Literal], moved: Sequence[int], most: int, is_opaque: bool
    ) -> None:
        self._query = query
        self._literals = literals
        self._most = most
        self._is_opaque = is_opaque
        self._samples = 0
        self._sorts = {var: "float" if isinstance(query.model[var], float) else "int" for var in moved}
        self._whole = {var: _range(query.domains[var], sort) for var, sort in self._sorts.items()}

    def run(self, boxes: int) -> Answer:
        """Look for plain numbers first; then at so many boxes of the whole range, the halves of one after it."""
        if is_refuted_alone(self._query.extra, self._whole, self._sorts, boxes):
            return UNSAT
        if (found := self._enumerated()) is not None:
            return found
        plain = {var: meet(interval, _PLAIN[self._sorts[var]]) for var, interval in self._whole.items()}
        if plain != self._whole and not any(interval.is_empty for interval in plain.values()):
            found = self._searched(plain, boxes // 3)
            if found.status is Status.SAT:
                return found
        return self._searched(self._whole, boxes)

    def _enumerated(self) -> Answer | None:
        """The answer by trying every point, if there are few."""
        box = narrowed(self._literals, self._whole, self._sorts)
        if box is None:
            return UNSAT
        values = all_values(box, self._sorts, min(self._most, MAX_POINTS))
        if values is None or self._most < 1:
            return None
        for chosen in product(*values.values()):
            if self._query.seconds_left() <= 0:
                return None
            if self._is_solution(found := dict(zip(values, chosen, strict=True))):
                return Answer(Status.SAT, found, solver=IntervalSolver.name, samples=self._samples)
        return None if self._is_opaque else Answer(Status.UNSAT, solver=IntervalSolver.name, samples=self._samples)

    def _is_solution(self, values: dict[int, Leaf]) -> bool:
        """Whether a point is a solution; beyond the number of points that may be tried, none is known to be."""
        if self._samples >= self._most:
            return False
        self._samples += 1
        return self._query.satisfied_by(values)

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
            if self._is_solution(values):
                return values
        return None

    def _with_other_zeros(self, box: Box) -> dict[int, Leaf] | None:
        """A box of one point, with zeros of both signs."""
        values = {var: _low(interval, self._sorts[var]) for var, interval in box.items()}
        for signs in product((0.0, -0.0), repeat=min(len(self._zeros(box)), MAX_ZEROS)):
            found = values | dict(zip(self._zeros(box), signs, strict=False))
            if self._is_solution(found):
                return found
        return None

    def _zeros(self, box: Box) -> list[int]:
        return [var for var, interval in box.items() if interval.low == 0 and self._sorts[var] == "float"]

    def _is_sure(self, box: Box) -> bool:
        """Whether a box of one point that is no solution has none for sure: it was tried, with zeros of both signs."""
        is_tried = self._samples < self._most and len(self._zeros(box)) <= MAX_ZEROS
        return is_tried and not self._is_opaque


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
