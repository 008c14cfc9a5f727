"""Systems: one large path condition as arrays, without a Python object for each condition.

Variables are numbered from zero: the inputs first, then the variables that are defined by terms. A condition is a row
of a block, and a block is a few arrays of equal length; a bound on one variable is a difference to ``NO_VARIABLE``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.signedinteger[Any]]

LOWEST, HIGHEST = -(1 << 62), 1 << 62
"""The bounds of an integer that is unbounded."""

NO_VARIABLE = -1
"""Takes the place of a variable and has the value 0."""

EXACT = 1 << 60
"""Three values or constants below this can be added without overflow."""

CHUNK = 1 << 20
"""How many rows are evaluated at once, so that a check needs little extra memory."""


class Unsatisfiable(Exception):
    """It is proved that no values satisfy the system; ``core`` has variables of the contradiction, if known."""

    def __init__(self, reason: str, core: tuple[int, ...] = ()) -> None:
        super().__init__(reason)
        self.core = core


class Unsupported(Exception):
    """The array solver has no answer; a general solver must be asked."""


@dataclass
class Differences:
    """Conditions ``x[left] - x[right] + const op 0``, one per row; ``op`` is ``<=``, ``==`` or ``!=``."""

    op: str
    left: Ints
    right: Ints
    const: Ints | int = 0

    def __post_init__(self) -> None:
        if self.op not in ("<=", "==", "!="):
            raise ValueError(f"the operator of a difference must be <=, == or !=, but is {self.op!r}")
        self.const = _plain(self.const)
        _check_lengths(self.const, self.left, self.right)


@dataclass
class Sums:
    """Definitions ``x[target] = x[first] + x[second] + const``, one per row; a target comes after its parts."""

    target: Ints
    first: Ints
    second: Ints
    const: Ints | int = 0

    def __post_init__(self) -> None:
        self.const = _plain(self.const)
        _check_lengths(self.const, self.target, self.first, self.second)


@dataclass
class System:
    """Inclusive bounds of all variables, and the conditions on them; the first ``leaves`` variables are inputs.

    ``origin`` is the preferred value of each variable, zero by default.
    """

    low: Ints
    high: Ints
    leaves: int
    differences: list[Differences] = field(default_factory=list)
    sums: list[Sums] = field(default_factory=list)
    origin: Ints | int = 0

    @property
    def size(self) -> int:
        """How many variables there are."""
        return len(self.low)

    @property
    def conditions(self) -> int:
        """How many conditions there are, not counting bounds."""
        return sum(len(block.left) for block in self.differences) + sum(len(block.target) for block in self.sums)

    def violated(self, values: Ints) -> int:
        """How many bounds and conditions the values violate, evaluated exactly: every model is checked by this."""
        broken = int(np.count_nonzero((values < self.low) | (values > self.high)))
        padded = np.append(values.astype(np.int64), 0)  # NO_VARIABLE is the last index
        for block in self.differences:
            for part in chunks(len(block.left)):
                terms = (padded[block.left[part]], -padded[block.right[part]], rows_of(block.const, part))
                broken += _count(block.op, terms)
        for group in self.sums:
            for part in chunks(len(group.target)):
                parts = padded[group.first[part]], padded[group.second[part]], rows_of(group.const, part)
                broken += _count("==", (*parts, -padded[group.target[part]]))
        return broken


def with_sums(sums: list[Sums], values: Ints) -> Ints:
    """The values with all sums computed from their parts, in the order of definition."""
    if not sums:
        return values
    columns = [[getattr(block, name) for block in sums] for name in ("target", "first", "second")]
    columns.append([np.broadcast_to(block.const, len(block.target)) for block in sums])
    target, first, second, const = map(np.concatenate, columns)
    order = np.argsort(target, kind="stable")
    found = [*values.tolist(), 0]  # NO_VARIABLE is the last index
    for t, a, b, c in zip(*(column[order].tolist() for column in (target, first, second, const)), strict=True):
        found[t] = value = found[a] + found[b] + c
        if not -EXACT < value < EXACT:
            raise Unsupported("sums get too large")
    return np.array(found[:-1], np.int64)


def chunks(length: int) -> Iterator[slice]:
    """Slices of at most ``CHUNK`` rows."""
    return (slice(begin, min(begin + CHUNK, length)) for begin in range(0, length, CHUNK))


def rows_of(const: Ints | int, rows: slice | Ints | npt.NDArray[np.bool_]) -> Ints | int:
    """The constants of some rows; a constant that all rows share stays a single number."""
    return const if isinstance(const, int) else const[rows]


def largest(numbers: Ints | int) -> int:
    """The largest absolute value."""
    if isinstance(numbers, int):
        return abs(numbers)
    return max(int(numbers.max()), -int(numbers.min())) if len(numbers) else 0


def _count(op: str, terms: tuple[Ints | int, ...]) -> int:
    """In how many rows the sum of the terms does not compare to zero as ``op`` demands."""
    if max(map(largest, terms)) >= EXACT:
        terms = tuple(np.asarray(term).astype(object) for term in terms)
    total = terms[0] + terms[1]
    for term in terms[2:]:
        total = total + term
    wrong = total > 0 if op == "<=" else total != 0 if op == "==" else total == 0
    return int(np.count_nonzero(wrong))


def _plain(const: Ints | np.integer[Any] | int) -> Ints | int:
    return int(const) if isinstance(const, np.integer) else const


def _check_lengths(const: Ints | int, *columns: Ints) -> None:
    lengths = {len(column) for column in columns} | (set() if isinstance(const, int) else {len(const)})
    if len(lengths) > 1:
        raise ValueError(f"the columns of a block must have equal lengths, but have {sorted(lengths)}")
