"""What remains of a system to be solved once bounds on one variable and simple sums are taken out of it.

A sum with a part that is fixed is an equality. A sum with an input that occurs nowhere else is a pair of bounds on the
difference of the other two, and that input is computed at the end. Other sums remain.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pessimal.synthesis.arrays.system import (
    EXACT,
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
    largest,
)

Block = tuple[Ints, Ints, Ints | int]
"""Left, right and constant of many differences between two variables each."""


@dataclass
class Reduction:
    """Bounds, differences of two variables by operator, values that a variable must not have, and sums."""

    low: Ints
    high: Ints
    blocks: dict[str, list[Block]] = field(default_factory=lambda: {"<=": [], "==": [], "!=": []})
    holes: list[tuple[Ints, Ints]] = field(default_factory=list)
    loose: list[Sums] = field(default_factory=list)
    """Sums whose second part is computed at the end."""
    sums: list[Sums] = field(default_factory=list)
    """Sums that no difference can say."""
    origin: Ints | int = 0

    @property
    def start(self) -> Ints:
        """The number nearest to its origin in the domain of each variable."""
        nearest: Ints = np.clip(self.origin, self.low, self.high)
        return nearest

    def absorb(self, block: Differences) -> None:
        """Take a block in: bounds and holes of single variables go where they belong, the rest is kept."""
        left, right = block.left, block.right
        for rows, kept in _split(right == NOTHING):
            if not kept:
                self._absorb_units(block.op, left[rows], cut(block.const, rows), 1)
        pairs = right != NOTHING
        for rows, kept in _split(left == NOTHING, pairs):
            if not kept:
                self._absorb_units(block.op, right[rows], cut(block.const, rows), -1)
            elif len(left[rows]):
                self.blocks[block.op].append((_small(left[rows]), _small(right[rows]), cut(block.const, rows)))

    def _absorb_units(self, op: str, variables: Ints, const: Ints | int, sign: int) -> None:
        """Conditions ``sign * x + const op 0``; those on nothing at all are true or false."""
        if (nothing := variables == NOTHING).any():
            const = np.broadcast_to(const, len(variables))
            rest = const[nothing]
            if (rest > 0 if op == "<=" else rest != 0 if op == "==" else rest == 0).any():
                raise Unsatisfiable("a condition on constants is false")
            variables, const = variables[~nothing], const[~nothing]
        if op == "!=":
            self.holes.append((variables, np.broadcast_to(-sign * np.asarray(const), len(variables))))
        if op == "==" or (op == "<=" and sign > 0):
            _tighten(np.minimum, self.high, variables, -const if sign > 0 else const)
        if op == "==" or (op == "<=" and sign < 0):
            _tighten(np.maximum, self.low, variables, const if sign < 0 else -const)

    def bounds_crossed(self) -> None:
        """Complain of a variable without any value."""
        crossed = np.flatnonzero(self.low > self.high)
        if len(crossed):
            raise Unsatisfiable("the bounds of a variable cross", (int(crossed[0]),))

    def complete(self, values: Ints) -> Ints:
        """Give the loose parts of sums the values that the others leave them."""
        padded = np.append(values, 0)
        for block in self.loose:
            values[block.second] = padded[block.target] - padded[block.first] - block.const
        return values


def reduction(system: System) -> Reduction:
    """Take bounds and simple sums out of a system."""
    reduced = Reduction(system.low.astype(np.int64), system.high.astype(np.int64), origin=system.origin)
    # Bounds so far away are none for the solver; the check of the model knows them still.
    reduced.low[reduced.low <= -EXACT] = LOWEST
    reduced.high[reduced.high >= EXACT] = HIGHEST
    for block in system.differences:
        if largest(block.const) >= EXACT:
            raise Unsupported("constants are too large")
        reduced.absorb(block)
    if system.sums:
        _absorb_sums(reduced, system)
    reduced.bounds_crossed()
    if (reduced.low >= EXACT).any() or (reduced.high <= -EXACT).any():
        raise Unsupported("bounds are too large")
    return reduced


def _absorb_sums(reduced: Reduction, system: System) -> None:
    target, first, second = (
        np.concatenate([getattr(block, name) for block in system.sums]) for name in ("target", "first", "second")
    )
    const = np.concatenate([np.broadcast_to(block.const, len(block.target)) for block in system.sums])
    if largest(const) >= EXACT:
        raise Unsupported("constants are too large")
    number = np.append(np.where(reduced.low == reduced.high, reduced.low, 0), 0)
    fixed = np.append(reduced.low == reduced.high, True)
    lonely = _lonely(reduced, target, first, second)
    # What is fixed or lonely becomes the second part.
    swap = ~fixed[second] & (fixed[first] | (lonely[first] & ~lonely[second]))
    first, second = np.where(swap, second, first), np.where(swap, first, second)
    equal = fixed[second]
    shift = -(const + number[second])
    reduced.absorb(Differences("==", target[equal], first[equal], shift[equal]))
    for rows, into in ((~equal & lonely[second], reduced.loose), (~equal & ~lonely[second], reduced.sums)):
        if rows.any():
            into.append(Sums(_small(target[rows]), _small(first[rows]), _small(second[rows]), const[rows]))


def _lonely(reduced: Reduction, target: Ints, first: Ints, second: Ints) -> npt.NDArray[np.bool_]:
    """The variables that a single sum has as a part, and nothing else speaks of but their own bounds."""
    size = len(reduced.low)
    columns = [column for blocks in reduced.blocks.values() for block in blocks for column in block[:2]]
    columns += [variables for variables, _ in reduced.holes]
    count = np.zeros(size + 1, np.int64)
    for column in (*columns, target, target, first, second):  # a target is never lonely
        count += np.bincount(column + 1, minlength=size + 1)
    return np.append(count[1:] == 1, False)


def _split(
    unit: npt.NDArray[np.bool_], among: npt.NDArray[np.bool_] | None = None
) -> list[tuple[slice | npt.NDArray[np.bool_], bool]]:
    """The rows of units and of the rest, without a copy where all rows are of one kind."""
    if among is None or among.all():
        if not unit.any():
            return [(slice(None), True)]
        if unit.all():
            return [(slice(None), False)]
        return [(unit, False), (~unit, True)]
    return [(unit & among, False), (~unit & among, True)] if among.any() else []


def _tighten(choose: np.ufunc, bounds: Ints, variables: Ints, const: Ints | int) -> None:
    if isinstance(const, int):  # repeated rows agree, so that a plain assignment will do
        bounds[variables] = choose(bounds[variables], const)
    else:
        choose.at(bounds, variables, const.astype(np.int64))


def _small(column: Ints) -> Ints:
    return column.astype(np.int32, copy=False)
