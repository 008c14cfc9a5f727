"""A query as a problem for samplers: the variables that may move, their ranges, and how far samples are from holding.

Only what shares variables with the question, however indirectly, takes part. Its conditions are brought to atoms, which
are comparisons that shall hold or not, under ``and`` and ``or``.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pessimal.expr import App, Compare, Expr, Junction, Leaf, Not
from pessimal.expr.batch import COMPARE, Batch
from pessimal.expr.columns import Result
from pessimal.expr.node import NEGATED, children
from pessimal.solve.base import Query
from pessimal.solve.components import relevant
from pessimal.solve.learning.dissatisfaction import Rule

Array: TypeAlias = Any
"""A NumPy array."""

WIDEST_INTEGER = float(1 << 62)
REFERENCE = {True: 1000.0, False: 100.0}
"""How far from zero integers and floats are looked for where their ranges are wider: the tool's own figures."""
WIDE = 1e4
"""A range up to this width is searched as a whole."""
WIDEST_FLOATS = 1e9
"""Floats in a range up to this width are drawn from all of it now and then; a wider one is as good as none."""


class Atom(NamedTuple):
    """A comparison of two slots of a batch, and whether it shall hold; ``op`` is what shall hold then."""

    compared: str
    want: bool
    left: int
    right: int

    @property
    def op(self) -> str:
        """The comparison that shall hold."""
        return self.compared if self.want else NEGATED[self.compared]


class Group(NamedTuple):
    """All (``and``) or any (``or``) of some parts: groups, or atoms by their numbers."""

    op: str
    parts: tuple[Any, ...]


class Samples(NamedTuple):
    """Points with what they are worth: the dissatisfaction, and for each atom its gap and whether it holds.

    Gaps are left side minus right side, and NaN where there is none.
    """

    points: Array
    values: Array
    gaps: Array
    holds: Array


class Problem:
    """The samplers' view of a query."""

    def __init__(self, query: Query, rule: Rule) -> None:
        self.query = query
        self._rule = rule
        literals, moved = relevant(query)
        self.variables = sorted(moved)
        self.literals = literals
        self._batch = Batch()
        self.atoms: list[Atom] = []
        self.constraints = [part for condition, want in literals for part in self._flattened(condition, want)]
        self.scales = np.ones(len(self.constraints))
        model = [query.model[var] for var in self.variables]
        self.is_integer = np.array([not isinstance(value, float) for value in model], dtype=bool)
        self.start = np.array([_position(value) for value in model], dtype=np.float64)
        self.low, self.high = self._bounds()
        self.box_low, self.box_high = self._reference()
        self.wide_low, self.wide_high = self._wide()
        self.is_whole = bool(self.is_integer.all())
        self.points = float(np.prod(self.high - self.low + 1)) if self.is_whole else np.inf

    @property
    def dimensions(self) -> int:
        """How many variables move."""
        return len(self.variables)

    @property
    def is_wide(self) -> bool:
        """Whether a range goes beyond the reference box, and is not without end."""
        return bool((self.wide_low < self.box_low).any() or (self.wide_high > self.box_high).any())

    @property
    def steps(self) -> int:
        """How many operations one sample takes."""
        return self._batch.steps

    def _bounds(self) -> tuple[Array, Array]:
        domains = [self.query.domains[var] for var in self.variables]
        ends = np.where(self.is_integer, WIDEST_INTEGER, np.finfo(np.float64).max)
        low = np.array([_position(low) if low is not None else -np.inf for low, _ in domains])
        high = np.array([_position(high) if high is not None else np.inf for _, high in domains])
        return np.maximum(low, -ends), np.minimum(high, ends)

    def _reference(self) -> tuple[Array, Array]:
        """The box that is looked at first: the whole range, or the part of a wide one that is next to zero."""
        with np.errstate(over="ignore"):
            is_narrow = self.high - self.low <= WIDE
        half = np.where(self.is_integer, REFERENCE[True], REFERENCE[False])
        centre = np.clip(0.0, self.low, self.high)
        low, high = np.maximum(self.low, centre - half), np.minimum(self.high, centre + half)
        return np.where(is_narrow, self.low, low), np.where(is_narrow, self.high, high)

    def _wide(self) -> tuple[Array, Array]:
        """The ranges where both of their ends were given, and the reference box where one was not."""
        with np.errstate(over="ignore"):
            is_given = self.high - self.low <= np.where(self.is_integer, WIDEST_INTEGER, WIDEST_FLOATS)
        return np.where(is_given, self.low, self.box_low), np.where(is_given, self.high, self.box_high)

    def admitted(self, points: Array) -> Array:
        """Points moved into the ranges, integers to whole numbers."""
        inside = np.clip(np.where(np.isfinite(points), points, self.start), self.low, self.high)
        return np.where(self.is_integer, np.rint(inside) + 0.0, inside)  # no integer is -0.0

    def values_of(self, point: Array) -> dict[int, Leaf]:
        """A point as values of leaves, without those that stay as they are."""
        found: dict[int, Leaf] = {}
        for var, is_integer, number in zip(self.variables, self.is_integer, point.tolist(), strict=True):
            value: Leaf = int(number) if is_integer else number
            if is_integer and value == _position(self.query.model[var]):
                continue  # perhaps an integer that no double is
            found[var] = value
        return found

    def evaluate(self, points: Array) -> Samples:
        """What admitted points are worth."""
        return self.rated(points, *self._compared(points))

    def _compared(self, points: Array) -> tuple[Array, Array]:
        """The gap of each atom at each point, and whether it holds there."""
        samples = {var: self._column(points, place) for place, var in enumerate(self.variables)}
        results = self._batch.run(samples)
        count = len(points)
        gaps = np.empty((len(self.atoms), count))
        holds = np.empty((len(self.atoms), count), dtype=bool)
        for number, atom in enumerate(self.atoms):
            gaps[number], holds[number] = _compared(atom, results[atom.left], results[atom.right], count)
        return gaps, holds

    def rated(self, points: Array, gaps: Array, holds: Array) -> Samples:
        """What points are worth whose comparisons are known."""
        rates = self._rule([atom.op for atom in self.atoms], gaps, holds)
        values = np.zeros(len(points))
        for constraint, scale in zip(self.constraints, self.scales, strict=True):
            values += _rate(constraint, rates) / scale
        return Samples(points, values, gaps, holds)

    def normalise(self, samples: Samples) -> None:
        """Let each constraint count by the largest dissatisfaction that it had in some samples."""
        rates = self._rule([atom.op for atom in self.atoms], samples.gaps, samples.holds)
        for number, constraint in enumerate(self.constraints):
            found = _rate(constraint, rates)
            known = found[np.isfinite(found) & (found < Rule.INVALID)]
            largest = known.max() if known.size else 0.0
            self.scales[number] = largest if largest > 0 else 1.0

    def _column(self, points: Array, place: int) -> Array:
        column = points[:, place]
        return column.astype(np.int64) if self.is_integer[place] else column

    def _flattened(self, condition: Expr, want: bool) -> list[Any]:
        """The constraints that a condition is: the parts of a conjunction count one by one."""
        group = self._group(condition, want)
        return list(group.parts) if type(group) is Group and group.op == "and" else [group]

    def _group(self, condition: Expr, want: bool) -> Any:
        while type(condition) is Not:
            condition, want = condition.part, not want
        if type(condition) is Junction:
            parts = tuple(self._group(part, want) for part in condition.parts)
            return Group("and" if (condition.op == "and") is want else "or", parts)
        if type(condition) is not Compare:
            condition = Compare("==", int(bool(condition)), 1)
        slots = self._batch.slot(condition.left), self._batch.slot(condition.right)
        self.atoms.append(Atom(condition.op, want, *slots))
        return len(self.atoms) - 1

    def active(self, samples: Samples, place: int) -> list[int]:
        """The atoms that one sample must make or keep true: all, but of alternatives only those of the nearest."""
        rates = self._rule([atom.op for atom in self.atoms], samples.gaps, samples.holds)[:, place : place + 1]
        found: list[int] = []
        stack = list(self.constraints)
        while stack:
            part = stack.pop()
            if type(part) is not Group:
                found.append(part)
            elif part.op == "and":
                stack.extend(part.parts)
            else:
                stack.append(min(part.parts, key=lambda inner: float(_rate(inner, rates)[0])))
        return found

    def hints(self) -> list[Array]:
        """The points that the query says may be close to a solution."""
        model = self.query.model
        return [np.array([_position(hint.get(var, model[var])) for var in self.variables]) for hint in self.query.hints]

    def constants(self) -> list[float]:
        """The numbers that the conditions mention, which solutions are often made of."""
        found: dict[float, None] = {}
        stack: list[Any] = [condition for condition, _ in self.literals]
        seen: set[int] = set()
        while stack:
            node = stack.pop()
            if type(node) is App:
                if id(node) in seen:
                    continue
                seen.add(id(node))
            if isinstance(node, int | float) and not isinstance(node, bool) and abs(node) < WIDEST_INTEGER:
                found[float(node)] = None
            stack.extend(children(node))
        return list(found)


def _position(value: Leaf) -> float:
    return float(max(min(value, WIDEST_INTEGER), -WIDEST_INTEGER)) if isinstance(value, int) else value


def _compared(atom: Atom, left: Result, right: Result, count: int) -> tuple[Array, Array]:
    (a, no_a), (b, no_b) = left, right
    with np.errstate(all="ignore"):
        holds = np.broadcast_to(np.asarray(COMPARE[atom.compared](a, b), dtype=bool) == atom.want, count)
        gap = np.broadcast_to(_difference(a, b), count)
    for missing in (no_a, no_b):
        if missing is not None:
            gap, holds = np.where(missing, np.nan, gap), holds & ~missing
    return gap, holds


def _difference(a: Any, b: Any) -> Array:
    try:
        return np.asarray(np.subtract(a, b), dtype=np.float64)
    except OverflowError:  # integers beyond all doubles
        return np.asarray(np.where(np.greater(a, b), np.inf, -np.inf), dtype=np.float64)


def _rate(part: Any, rates: Array) -> Array:
    """The dissatisfaction of a constraint: of all parts together, or of the nearest of several."""
    if type(part) is not Group:
        return rates[part]
    inner = [_rate(one, rates) for one in part.parts]
    if not inner:
        return np.zeros(rates.shape[1]) if part.op == "and" else np.full(rates.shape[1], Rule.INVALID)
    return np.sum(inner, axis=0) if part.op == "and" else np.min(inner, axis=0)
