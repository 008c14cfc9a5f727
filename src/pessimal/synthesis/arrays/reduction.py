"""Reduction: removes bounds on single variables and simple sums from a system.

A sum with a fixed part is an equality. A sum with a part that occurs nowhere else becomes a pair of bounds on the
difference of the other two, and that part is computed at the end. Other sums remain.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pessimal.synthesis.arrays.system import (
    EXACT,
    HIGHEST,
    LOWEST,
    NO_VARIABLE,
    Differences,
    Ints,
    Sums,
    System,
    Unsatisfiable,
    Unsupported,
    largest,
    rows_of,
)

Block = tuple[Ints, Ints, Ints | int]
"""Left, right and constant of many differences, each between two variables."""


@dataclass
class Reduction:
    """What remains of a system: bounds, differences of two variables by operator, forbidden values, and sums."""

    low: Ints
    high: Ints
    blocks: dict[str, list[Block]] = field(default_factory=lambda: {"<=": [], "==": [], "!=": []})
    forbidden_values: list[tuple[Ints, Ints]] = field(default_factory=list)
    free_sums: list[Sums] = field(default_factory=list)
    """Sums whose second part is free, and computed at the end."""
    sums: list[Sums] = field(default_factory=list)
    """Sums that cannot be expressed as differences."""
    origin: Ints | int = 0

    @property
    def start(self) -> Ints:
        """For each variable the value in its domain that is nearest to its origin."""
        nearest: Ints = np.clip(self.origin, self.low, self.high)
        return nearest

    def absorb(self, block: Differences) -> None:
        """Add a block: conditions on single variables become bounds or forbidden values, the others are kept."""
        left, right = block.left, block.right
        for rows, kept in _split_rows(right == NO_VARIABLE):
            if not kept:
                self._absorb_units(block.op, left[rows], rows_of(block.const, rows), 1)
        pairs = right != NO_VARIABLE
        for rows, kept in _split_rows(left == NO_VARIABLE, pairs):
            if not kept:
                self._absorb_units(block.op, right[rows], rows_of(block.const, rows), -1)
            elif len(left[rows]):
                self.blocks[block.op].append(
                    (_as_int32(left[rows]), _as_int32(right[rows]), rows_of(block.const, rows))
                )

    def _absorb_units(self, op: str, variables: Ints, const: Ints | int, sign: int) -> None:
        """Add conditions ``sign * x + const op 0``; those without a variable must be true."""
        if (nothing := variables == NO_VARIABLE).any():
            const = np.broadcast_to(const, len(variables))
            rest = const[nothing]
            if (rest > 0 if op == "<=" else rest != 0 if op == "==" else rest == 0).any():
                raise Unsatisfiable("a comparison of constants is false")
            variables, const = variables[~nothing], const[~nothing]
        if op == "!=":
            self.forbidden_values.append((variables, np.broadcast_to(-sign * np.asarray(const), len(variables))))
        if op == "==" or (op == "<=" and sign > 0):
            _tighten(np.minimum, self.high, variables, -const if sign > 0 else const)
        if op == "==" or (op == "<=" and sign < 0):
            _tighten(np.maximum, self.low, variables, const if sign < 0 else -const)

    def check_bounds(self) -> None:
        """Raise Unsatisfiable if the bounds leave a variable no value."""
        crossed = np.flatnonzero(self.low > self.high)
        if len(crossed):
            raise Unsatisfiable("the bounds of a variable contradict", (int(crossed[0]),))

    def with_free_parts(self, values: Ints) -> Ints:
        """The values with the free parts of sums computed from the other parts."""
        padded = np.append(values, 0)
        for block in self.free_sums:
            values[block.second] = padded[block.target] - padded[block.first] - block.const
        return values


def reduction(system: System) -> Reduction:
    """Reduce a system."""
    reduced = Reduction(system.low.astype(np.int64), system.high.astype(np.int64), origin=system.origin)
    # Very large bounds count as infinite here; the final check of the model still uses them.
    reduced.low[reduced.low <= -EXACT] = LOWEST
    reduced.high[reduced.high >= EXACT] = HIGHEST
    for block in system.differences:
        if largest(block.const) >= EXACT:
            raise Unsupported("constants are too large")
        reduced.absorb(block)
    if system.sums:
        _absorb_sums(reduced, system)
    reduced.check_bounds()
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
    unshared = _unshared(reduced, target, first, second)
    # A fixed or unshared part becomes the second one.
    swap = ~fixed[second] & (fixed[first] | (unshared[first] & ~unshared[second]))
    first, second = np.where(swap, second, first), np.where(swap, first, second)
    equal = fixed[second]
    shift = -(const + number[second])
    reduced.absorb(Differences("==", target[equal], first[equal], shift[equal]))
    for rows, into in ((~equal & unshared[second], reduced.free_sums), (~equal & ~unshared[second], reduced.sums)):
        if rows.any():
            into.append(Sums(_as_int32(target[rows]), _as_int32(first[rows]), _as_int32(second[rows]), const[rows]))


def _unshared(reduced: Reduction, target: Ints, first: Ints, second: Ints) -> npt.NDArray[np.bool_]:
    """The variables that occur in one sum, as a part, and in no other condition except their own bounds."""
    size = len(reduced.low)
    columns = [column for blocks in reduced.blocks.values() for block in blocks for column in block[:2]]
    columns += [variables for variables, _ in reduced.forbidden_values]
    count = np.zeros(size + 1, np.int64)
    for column in (*columns, target, target, first, second):  # counted twice, so that a target is never unshared
        count += np.bincount(column + 1, minlength=size + 1)
    return np.append(count[1:] == 1, False)


def _split_rows(
    unit: npt.NDArray[np.bool_], among: npt.NDArray[np.bool_] | None = None
) -> list[tuple[slice | npt.NDArray[np.bool_], bool]]:
    """The rows with a single variable and the others, without a copy if all rows are of one kind."""
    if among is None or among.all():
        if not unit.any():
            return [(slice(None), True)]
        if unit.all():
            return [(slice(None), False)]
        return [(unit, False), (~unit, True)]
    return [(unit & among, False), (~unit & among, True)] if among.any() else []


def _tighten(choose: np.ufunc, bounds: Ints, variables: Ints, const: Ints | int) -> None:
    if isinstance(const, int):  # all rows have the same constant, so repeated variables do no harm
        bounds[variables] = choose(bounds[variables], const)
    else:
        choose.at(bounds, variables, const.astype(np.int64))


def _as_int32(column: Ints) -> Ints:
    return column.astype(np.int32, copy=False)
