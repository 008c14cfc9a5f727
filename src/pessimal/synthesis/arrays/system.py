"""Systems: one large path condition as arrays, with no Python object for any single condition.

Variables are numbered from zero: the inputs first, then the variables that a single assignment defines. A condition is
a row of a block, a block is a few arrays of equal length; a bound on one variable is a difference to ``NOTHING``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.signedinteger[Any]]

LOWEST, HIGHEST = -(1 << 62), 1 << 62
"""The bounds of an integer that has none."""

NOTHING = -1
"""Stands for the constant 0 in place of a variable."""

EXACT = 1 << 60
"""Values and constants below this are added three at a time without overflow."""

CHUNK = 1 << 20
"""How many rows are evaluated at once, so that a check needs little memory beside the rows."""


class Unsatisfiable(Exception):
    """It is proved that no values satisfy the system; ``core`` names variables of the contradiction, where known."""

    def __init__(self, reason: str, core: tuple[int, ...] = ()) -> None:
        super().__init__(reason)
        self.core = core


class Unsupported(Exception):
    """The fast path does not know the answer; a general solver has to be asked."""


@dataclass
class Differences:
    """Conditions ``x[left] - x[right] + const op 0``, one per row; ``op`` is ``<=``, ``==`` or ``!=``."""

    op: str
    left: Ints
    right: Ints
    const: Ints | int = 0

    def __post_init__(self) -> None:
        if self.op not in ("<=", "==", "!="):
            raise ValueError(f"a difference is compared by <=, == or !=, but got {self.op!r}")
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
    """Bounds of all variables, both ends included, and the conditions on them; the first ``leaves`` are inputs.

    ``origin`` is the value that each variable has if nothing speaks against it, zero by default.
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
        """How many conditions there are, bounds of the domain not counted."""
        return sum(len(block.left) for block in self.differences) + sum(len(block.target) for block in self.sums)

    def violated(self, values: Ints) -> int:
        """How many bounds and conditions the values break, each evaluated exactly: the last word on every model."""
        broken = int(np.count_nonzero((values < self.low) | (values > self.high)))
        padded = np.append(values.astype(np.int64), 0)  # NOTHING is the last index
        for block in self.differences:
            for part in chunks(len(block.left)):
                terms = (padded[block.left[part]], -padded[block.right[part]], cut(block.const, part))
                broken += _count(block.op, terms)
        for group in self.sums:
            for part in chunks(len(group.target)):
                parts = padded[group.first[part]], padded[group.second[part]], cut(group.const, part)
                broken += _count("==", (*parts, -padded[group.target[part]]))
        return broken


def defined(sums: list[Sums], values: Ints) -> Ints:
    """The values with all sums computed from their parts, one by one in the order of definition."""
    if not sums:
        return values
    columns = [[getattr(block, name) for block in sums] for name in ("target", "first", "second")]
    columns.append([np.broadcast_to(block.const, len(block.target)) for block in sums])
    target, first, second, const = map(np.concatenate, columns)
    order = np.argsort(target, kind="stable")
    found = [*values.tolist(), 0]  # NOTHING is the last index
    for t, a, b, c in zip(*(column[order].tolist() for column in (target, first, second, const)), strict=True):
        found[t] = value = found[a] + found[b] + c
        if not -EXACT < value < EXACT:
            raise Unsupported("sums get too large")
    return np.array(found[:-1], np.int64)


def chunks(length: int) -> Iterator[slice]:
    """The slices by which many rows are evaluated."""
    return (slice(begin, min(begin + CHUNK, length)) for begin in range(0, length, CHUNK))


def cut(const: Ints | int, rows: slice | Ints | npt.NDArray[np.bool_]) -> Ints | int:
    """The constants of some rows; one that all rows share stays one."""
    return const if isinstance(const, int) else const[rows]


def largest(numbers: Ints | int) -> int:
    """The largest absolute value."""
    if isinstance(numbers, int):
        return abs(numbers)
    return max(int(numbers.max()), -int(numbers.min())) if len(numbers) else 0


def _count(op: str, terms: tuple[Ints | int, ...]) -> int:
    """How many rows of a sum of terms do not compare to zero as they should."""
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
        raise ValueError(f"the columns of a block have one length, but got {sorted(lengths)}")
