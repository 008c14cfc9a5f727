"""The path condition of a large size: made of arrays, solved as arrays where it can be, by a general solver else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil, floor
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from pessimal.expr import NEGATED, App, Compare, Expr, Junction, Leaf, Not, Offset, Var
from pessimal.inputs import Domain
from pessimal.synthesis.arrays import solving
from pessimal.synthesis.arrays.system import (
    HIGHEST,
    LOWEST,
    NOTHING,
    Differences,
    Ints,
    Sums,
    System,
    Unsatisfiable,
    Unsupported,
    cut,
)
from pessimal.synthesis.expand import Expansion, Rows
from pessimal.synthesis.points import (
    BRANCH,
    FLOAT,
    LARGEST,
    LET,
    NUMBER,
    SHIFTED,
    TERM,
    VARIABLE,
    WIDTH,
    Constant,
    Point,
    Shape,
)
from pessimal.synthesis.terms import NoModel

Column: TypeAlias = Ints | int
Choice: TypeAlias = list[list[Differences]]
"""Alternatives, row by row: of each row one must hold."""

HOLDS: dict[str, Callable[[Any], Any]] = {"<=": lambda v: v <= 0, "==": lambda v: v == 0, "!=": lambda v: v != 0}


class _Side(NamedTuple):
    """A side of a comparison: a variable, or nothing, plus a constant."""

    variable: Column
    const: Column


class Condition:
    """What must hold of an input of some domains, for all events of an expansion.

    The events must be in order if some define terms. ``absolute`` is how terms are referred to, as in reading them.
    """

    def __init__(self, expansion: Expansion, domains: Sequence[Domain], *, absolute: bool = False) -> None:
        self._blocks: dict[Point, Rows] = cast("dict[Point, Rows]", expansion.rows)
        self._domains = domains
        self._absolute = absolute
        lets = [rows.positions for point, rows in self._blocks.items() if point.kind == LET]
        self._lets = np.sort(np.concatenate(lets)) if lets else np.empty(0, np.int64)

    @property
    def branches(self) -> int:
        """How many branches of the program there are."""
        return sum(len(rows.values) for point, rows in self._blocks.items() if point.kind == BRANCH)

    @property
    def conditions(self) -> int:
        """How many conditions there are, those of preconditions and choices included."""
        return sum(len(rows.values) for point, rows in self._blocks.items() if point.kind != LET)

    def solve(self) -> list[Leaf]:
        """A small input that satisfies everything, if the fast path finds one; else it is Unsupported."""
        is_float = [domain.kind == "float" for domain in self._domains]
        try:
            values = self._values()
        except Unsatisfiable as error:
            if any(is_float):
                raise Unsupported("there are no whole numbers that satisfy it") from None
            raise NoModel(f"the path condition contradicts itself: {error}") from None
        found = values[: len(self._domains)].tolist()
        return [float(value) if real else value for value, real in zip(found, is_float, strict=True)]

    def _values(self) -> Ints:
        """A model of what is demanded for certain that happens to satisfy all choices, or is made to."""
        system, choices = self.system()
        values = solving.solve(system)
        for number in range(max((len(choice) for choice in choices), default=0)):
            open_rows = [(choice, rows) for choice in choices if (rows := _unsettled(choice, values)).any()]
            if not open_rows:
                break
            certain = len(system.differences)
            for choice, rows in open_rows:
                system.differences += [_some(block, rows) for block in choice[min(number, len(choice) - 1)]]
            try:
                values = solving.solve(system)
            except Unsatisfiable:
                del system.differences[certain:]
        if any(_unsettled(choice, values).any() for choice in choices):
            raise Unsupported("it leaves the choice between conditions")
        return values

    def system(self) -> tuple[System, list[Choice]]:
        """The condition as arrays: what is certain, and the choices between alternatives, one of which must hold.

        It is Unsupported if it has parts that are no orders, differences or sums.
        """
        leaves = len(self._domains)
        low = np.full(leaves + len(self._lets), LOWEST, np.int64)
        high = np.full(leaves + len(self._lets), HIGHEST, np.int64)
        lows = [LOWEST if d.low is None else max(LOWEST, ceil(d.low)) for d in self._domains]
        highs = [HIGHEST if d.high is None else min(HIGHEST, floor(d.high)) for d in self._domains]
        if max(lows, default=0) > HIGHEST or min(highs, default=0) < LOWEST:
            raise Unsupported("it has inputs that arrays cannot hold")
        low[:leaves], high[:leaves] = lows, highs
        origin = np.zeros(len(low), np.int64)
        origin[:leaves] = [0 if d.kind == "int" else int(d.initial) for d in self._domains]
        system = System(low, high, leaves, origin=origin)
        choices: list[Choice] = []
        for point, rows in self._blocks.items():
            reader = _Columns(point.shape, rows.values, leaves, self._terms(rows))
            if point.kind == LET:
                _define(system, reader, leaves + np.searchsorted(self._lets, rows.positions))
            else:
                _demand(system.differences, choices, reader, point.shape, bool(point.taken))
        return system, choices

    def _terms(self, rows: Rows) -> Callable[[Ints], Ints]:
        """How the number of a term is read: counted from the first, or back from the last before the event."""
        leaves = len(self._domains)

        def variable(numbers: Ints) -> Ints:
            before = np.searchsorted(self._lets, rows.positions)
            terms = numbers if self._absolute else before - numbers
            if ((terms < 0) | (terms >= before)).any():
                raise NoModel("it refers to a term before there is one")
            return np.asarray(leaves + terms)

        return variable

    def literals(self) -> Iterator[tuple[Expr, bool]]:
        """The conditions in the order of the path, one by one, with the direction that is wanted."""
        rows = []
        for point, block in self._blocks.items():
            vectors = zip(block.positions.tolist(), block.values.tolist(), strict=True)
            rows += [(position, point, numbers) for position, numbers in vectors]
        rows.sort(key=lambda row: row[0])
        terms: list[App] = []
        for _, point, numbers in rows:
            builder = _Builder(iter(numbers), terms, len(self._domains), self._absolute)
            if point.kind == LET:
                op, sort, *parts = point.shape
                terms.append(App(op, tuple(builder.term(part) for part in parts), sort))
            else:
                yield builder.condition(point.shape), bool(point.taken)


class _Columns:
    """Reads the columns of a block in the order of its shape."""

    def __init__(self, shape: Shape, values: Ints, leaves: int, terms: Callable[[Ints], Ints]) -> None:
        self.shape = shape
        self._values = values
        self._leaves = leaves
        self._terms = terms
        self._next = 0

    def side(self, shape: Shape) -> _Side:
        """A side of a comparison, or a part of a sum."""
        if shape in (VARIABLE, FLOAT):
            return _Side(self._variable(), 0)
        if shape == SHIFTED:
            return _Side(self._variable(), self._column())
        if shape == NUMBER:
            return _Side(NOTHING, self._column())
        if shape == TERM:
            return _Side(self._terms(self._column()), 0)
        value = shape.value if isinstance(shape, Constant) else None
        if isinstance(value, float) and value.is_integer() and abs(value) < LARGEST:
            return _Side(NOTHING, int(value))
        raise Unsupported("it compares what is neither a whole number nor a variable")

    def _variable(self) -> Ints:
        column = self._column()
        if len(column) and (column.min() < 0 or column.max() >= self._leaves):
            raise NoModel("it speaks of an element that the input does not have")
        return column

    def _column(self) -> Ints:
        self._next += 1
        column: Ints = self._values[:, self._next - 1]
        return column

    @property
    def count(self) -> int:
        """How many events the block has."""
        return len(self._values)


def _define(system: System, reader: _Columns, target: Ints) -> None:
    """Add the definition of a term."""
    op, sort, *parts = reader.shape
    if op != "+" or sort != "int":
        raise Unsupported(f"it has terms made by {op}")
    first, second = (reader.side(part) for part in parts)
    const = _plus(first.const, second.const)
    if isinstance(first.variable, int):
        first, second = second, first
    if isinstance(first.variable, int):
        raise Unsupported("it adds constants")
    if isinstance(second.variable, int):
        system.differences.append(Differences("==", target, first.variable, _minus(0, const)))
    else:
        system.sums.append(Sums(target, first.variable, second.variable, const))


def _demand(
    certain: list[Differences], choices: list[Choice] | None, reader: _Columns, shape: Shape, want: bool
) -> None:
    """Add what must hold for a condition to be true, or false; without choices there may be none in it."""
    if isinstance(shape, Constant):
        if bool(shape.value) is not want:
            raise Unsatisfiable("it demands that a constant is something else")
        return
    name, *parts = shape
    if name == "not":
        _demand(certain, choices, reader, parts[0], not want)
    elif name in ("and", "or"):
        if want is not (name == "or"):
            for part in parts:
                _demand(certain, choices, reader, part, want)
        elif choices is None:
            raise Unsupported("it has choices within choices")
        else:
            alternatives: Choice = [[] for _ in parts]
            for part, alternative in zip(parts, alternatives, strict=True):
                _demand(alternative, None, reader, part, want)
            choices.append(alternatives)
    else:
        left, right = reader.side(parts[0]), reader.side(parts[1])
        _compare(certain, name if want else NEGATED[name], left, right, reader.count)


def _compare(certain: list[Differences], op: str, left: _Side, right: _Side, count: int) -> None:
    if op in (">", ">="):
        left, right, op = right, left, "<" if op == ">" else "<="
    const = _minus(left.const, right.const)
    if op == "<":
        op, const = "<=", _plus(const, 1)
    if isinstance(left.variable, int) and isinstance(right.variable, int):
        if count and not np.all(HOLDS[op](const)):
            raise Unsatisfiable("it compares constants that are not so")
        return
    certain.append(Differences(op, _column(left.variable, count), _column(right.variable, count), const))


def _unsettled(choice: Choice, values: Ints) -> npt.NDArray[np.bool_]:
    """The rows of a choice of which no alternative holds."""
    padded = np.append(values, 0)  # NOTHING is the last index
    holds = [
        np.logical_and.reduce([HOLDS[d.op](padded[d.left] - padded[d.right] + d.const) for d in alternative])
        for alternative in choice
    ]
    return np.asarray(~np.logical_or.reduce(holds))


def _some(block: Differences, rows: npt.NDArray[np.bool_]) -> Differences:
    return Differences(block.op, block.left[rows], block.right[rows], cut(block.const, rows))


def _plus(a: Column, b: Column) -> Column:
    return a + b if isinstance(a, int) and isinstance(b, int) else np.asarray(a, np.int64) + b


def _minus(a: Column, b: Column) -> Column:
    return a - b if isinstance(a, int) and isinstance(b, int) else np.asarray(a, np.int64) - b


def _column(variable: Column, count: int) -> Ints:
    return np.broadcast_to(np.int32(variable), count) if isinstance(variable, int) else variable


class _Builder:
    """Makes the expressions of one event."""

    def __init__(self, numbers: Iterator[int], terms: Sequence[App], leaves: int, absolute: bool) -> None:
        self._numbers = numbers
        self._terms = terms
        self._leaves = leaves
        self._absolute = absolute

    def term(self, shape: Shape) -> Any:
        """A term, or a condition inside one."""
        if isinstance(shape, Constant):
            return shape.value
        if shape not in WIDTH:
            return self.condition(shape)
        number = next(self._numbers)
        if shape == NUMBER:
            return number
        if shape == TERM:
            number = number if self._absolute else len(self._terms) - number
            if not 0 <= number < len(self._terms):
                raise NoModel("it refers to a term before there is one")
            return self._terms[number]
        if not 0 <= number < self._leaves:
            raise NoModel("it speaks of an element that the input does not have")
        if shape == FLOAT:
            return Var(number)
        return Offset(number, next(self._numbers) if shape == SHIFTED else 0)

    def condition(self, shape: Shape) -> Any:
        """A condition."""
        if isinstance(shape, Constant):
            return shape.value
        name, *parts = shape
        if name == "not":
            return Not(self.condition(parts[0]))
        if name in ("and", "or"):
            return Junction(name, tuple(self.condition(part) for part in parts))
        left = self.term(parts[0])
        return Compare(name, left, self.term(parts[1]))
