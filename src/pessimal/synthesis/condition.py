"""The path condition of a large size as arrays: solved by the array solver, or written out for a general solver."""

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
    NO_VARIABLE,
    Differences,
    Ints,
    Sums,
    System,
    Unsatisfiable,
    Unsupported,
    rows_of,
)
from pessimal.synthesis.expand import EventRows, Expansion
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
Disjunction: TypeAlias = list[list[Differences]]
"""Alternatives, each a list of differences: in every row at least one alternative must hold."""

HOLDS: dict[str, Callable[[Any], Any]] = {"<=": lambda v: v <= 0, "==": lambda v: v == 0, "!=": lambda v: v != 0}


class _Operand(NamedTuple):
    """An operand of a comparison: a variable or NO_VARIABLE, plus a constant."""

    variable: Column
    const: Column


class Condition:
    """The conditions of all events of an expansion, on an input with given domains.

    The expansion must be ordered if some events define terms. ``absolute`` says how events refer to terms, as in
    :func:`pessimal.synthesis.points.read`.
    """

    def __init__(self, expansion: Expansion, domains: Sequence[Domain], *, absolute: bool = False) -> None:
        self._blocks: dict[Point, EventRows] = cast("dict[Point, EventRows]", expansion.rows)
        self._domains = domains
        self._absolute = absolute
        lets = [rows.positions for point, rows in self._blocks.items() if point.kind == LET]
        self._lets = np.sort(np.concatenate(lets)) if lets else np.empty(0, np.int64)

    @property
    def branches(self) -> int:
        """The number of branches of the program."""
        return sum(len(rows.values) for point, rows in self._blocks.items() if point.kind == BRANCH)

    @property
    def conditions(self) -> int:
        """The number of conditions, including those of preconditions and choices."""
        return sum(len(rows.values) for point, rows in self._blocks.items() if point.kind != LET)

    def solve(self) -> list[Leaf]:
        """An input of small values that satisfies all conditions; raises Unsupported if the array solver finds none."""
        is_float = [domain.kind == "float" for domain in self._domains]
        try:
            values = self._values()
        except Unsatisfiable as error:
            if any(is_float):
                raise Unsupported("no whole numbers satisfy it") from None
            raise NoModel(f"the path condition contradicts itself: {error}") from None
        found = values[: len(self._domains)].tolist()
        return [float(value) if real else value for value, real in zip(found, is_float, strict=True)]

    def _values(self) -> Ints:
        """A model of the required conditions that also satisfies all disjunctions.

        Disjunctions that a model does not satisfy are replaced by one of their alternatives, the first ones first.
        """
        system, disjunctions = self.system()
        values = solving.solve(system)
        for number in range(max((len(disjunction) for disjunction in disjunctions), default=0)):
            unsatisfied = [
                (disjunction, rows) for disjunction in disjunctions if (rows := _unsatisfied(disjunction, values)).any()
            ]
            if not unsatisfied:
                break
            required = len(system.differences)
            for disjunction, rows in unsatisfied:
                system.differences += [
                    _selected(block, rows) for block in disjunction[min(number, len(disjunction) - 1)]
                ]
            try:
                values = solving.solve(system)
            except Unsatisfiable:
                del system.differences[required:]
        if any(_unsatisfied(disjunction, values).any() for disjunction in disjunctions):
            raise Unsupported("it has alternatives between which it does not decide")
        return values

    def system(self) -> tuple[System, list[Disjunction]]:
        """The condition as arrays: the required differences and sums, and the disjunctions.

        Raises Unsupported if it has parts other than orders, differences and sums.
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
        disjunctions: list[Disjunction] = []
        for point, rows in self._blocks.items():
            reader = _Columns(point.shape, rows.values, leaves, self._term_variables(rows))
            if point.kind == LET:
                _define(system, reader, leaves + np.searchsorted(self._lets, rows.positions))
            else:
                _require(system.differences, disjunctions, reader, point.shape, bool(point.taken))
        return system, disjunctions

    def _term_variables(self, rows: EventRows) -> Callable[[Ints], Ints]:
        """How to turn the number of a term into its variable: counted from the first term, or back from the event."""
        leaves = len(self._domains)

        def variable(numbers: Ints) -> Ints:
            before = np.searchsorted(self._lets, rows.positions)
            terms = numbers if self._absolute else before - numbers
            if ((terms < 0) | (terms >= before)).any():
                raise NoModel("it refers to a term that is not defined")
            return np.asarray(leaves + terms)

        return variable

    def literals(self) -> Iterator[tuple[Expr, bool]]:
        """The conditions as expressions in the order of the path, each with whether it must hold."""
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
        self._term_variables = terms
        self._next = 0

    def operand(self, shape: Shape) -> _Operand:
        """An operand of a comparison or of a sum."""
        if shape in (VARIABLE, FLOAT):
            return _Operand(self._variable(), 0)
        if shape == SHIFTED:
            return _Operand(self._variable(), self._column())
        if shape == NUMBER:
            return _Operand(NO_VARIABLE, self._column())
        if shape == TERM:
            return _Operand(self._term_variables(self._column()), 0)
        value = shape.value if isinstance(shape, Constant) else None
        if isinstance(value, float) and value.is_integer() and abs(value) < LARGEST:
            return _Operand(NO_VARIABLE, int(value))
        raise Unsupported("it compares something that is neither a whole number nor a variable")

    def _variable(self) -> Ints:
        column = self._column()
        if len(column) and (column.min() < 0 or column.max() >= self._leaves):
            raise NoModel("it refers to an element that the input does not have")
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
    """Add the definition of a term to the system."""
    op, sort, *parts = reader.shape
    if op != "+" or sort != "int":
        raise Unsupported(f"it has terms with the operator {op}")
    first, second = (reader.operand(part) for part in parts)
    const = _plus(first.const, second.const)
    if isinstance(first.variable, int):
        first, second = second, first
    if isinstance(first.variable, int):
        raise Unsupported("it adds constants")
    if isinstance(second.variable, int):
        system.differences.append(Differences("==", target, first.variable, _minus(0, const)))
    else:
        system.sums.append(Sums(target, first.variable, second.variable, const))


def _require(
    required: list[Differences], disjunctions: list[Disjunction] | None, reader: _Columns, shape: Shape, want: bool
) -> None:
    """Add what must hold for a condition to be true, or false; without ``disjunctions`` it must not contain any."""
    if isinstance(shape, Constant):
        if bool(shape.value) is not want:
            raise Unsatisfiable("it requires a constant to have another value")
        return
    name, *parts = shape
    if name == "not":
        _require(required, disjunctions, reader, parts[0], not want)
    elif name in ("and", "or"):
        if want is not (name == "or"):
            for part in parts:
                _require(required, disjunctions, reader, part, want)
        elif disjunctions is None:
            raise Unsupported("it has alternatives within alternatives")
        else:
            alternatives: Disjunction = [[] for _ in parts]
            for part, alternative in zip(parts, alternatives, strict=True):
                _require(alternative, None, reader, part, want)
            disjunctions.append(alternatives)
    else:
        left, right = reader.operand(parts[0]), reader.operand(parts[1])
        _compare(required, name if want else NEGATED[name], left, right, reader.count)


def _compare(required: list[Differences], op: str, left: _Operand, right: _Operand, count: int) -> None:
    if op in (">", ">="):
        left, right, op = right, left, "<" if op == ">" else "<="
    const = _minus(left.const, right.const)
    if op == "<":
        op, const = "<=", _plus(const, 1)
    if isinstance(left.variable, int) and isinstance(right.variable, int):
        if count and not np.all(HOLDS[op](const)):
            raise Unsatisfiable("a comparison of constants is false")
        return
    required.append(Differences(op, _column(left.variable, count), _column(right.variable, count), const))


def _unsatisfied(disjunction: Disjunction, values: Ints) -> npt.NDArray[np.bool_]:
    """The rows of a disjunction in which no alternative holds."""
    padded = np.append(values, 0)  # NO_VARIABLE is the last index
    holds = [
        np.logical_and.reduce([HOLDS[d.op](padded[d.left] - padded[d.right] + d.const) for d in alternative])
        for alternative in disjunction
    ]
    return np.asarray(~np.logical_or.reduce(holds))


def _selected(block: Differences, rows: npt.NDArray[np.bool_]) -> Differences:
    return Differences(block.op, block.left[rows], block.right[rows], rows_of(block.const, rows))


def _plus(a: Column, b: Column) -> Column:
    return a + b if isinstance(a, int) and isinstance(b, int) else np.asarray(a, np.int64) + b


def _minus(a: Column, b: Column) -> Column:
    return a - b if isinstance(a, int) and isinstance(b, int) else np.asarray(a, np.int64) - b


def _column(variable: Column, count: int) -> Ints:
    return np.broadcast_to(np.int32(variable), count) if isinstance(variable, int) else variable


class _Builder:
    """Builds the expressions of one event."""

    def __init__(self, numbers: Iterator[int], terms: Sequence[App], leaves: int, absolute: bool) -> None:
        self._numbers = numbers
        self._term_variables = terms
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
            number = number if self._absolute else len(self._term_variables) - number
            if not 0 <= number < len(self._term_variables):
                raise NoModel("it refers to a term that is not defined")
            return self._term_variables[number]
        if not 0 <= number < self._leaves:
            raise NoModel("it refers to an element that the input does not have")
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
