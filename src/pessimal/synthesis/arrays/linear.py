"""Linear programs for sums that nothing simpler solves: solutions in floats, rounded, to be checked exactly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from pessimal.synthesis.arrays.system import EXACT, NO_VARIABLE, Differences, Ints, System, Unsupported, with_sums

MAX_CONDITIONS = 1_000_000
"""The largest program that is tried."""

MAX_INTEGER_CONDITIONS = 20_000
"""The largest program that is solved in integers if rounding fails."""

MAX_ROUNDS = 4
"""How often violated disequalities are replaced by orders."""

SECONDS = 20.0
"""The time limit of one program."""

MAX_ROUNDED = 1 << 50
"""Floats beyond this are too coarse to be rounded to the right integer."""

_Block = tuple[Sequence[tuple[Ints, int]], Ints | int]
_Program = tuple[csr_array | None, npt.NDArray[np.float64] | None]


def solved_linearly(system: System) -> Ints:
    """A model by linear programming; that a program has no solution proves nothing, since it is solved in floats."""
    if system.conditions > MAX_CONDITIONS:
        raise Unsupported("too many conditions for a linear program")
    for is_integral in (False, True):
        if is_integral and system.conditions > MAX_INTEGER_CONDITIONS:
            break
        for is_nonnegative in (True, False):
            for side in (1, -1):
                values = _with_disequalities(system, is_nonnegative, is_integral, side)
                if values is not None:
                    return values
    raise Unsupported("no linear program gave a model")


def _with_disequalities(system: System, is_nonnegative: bool, is_integral: bool, side: int) -> Ints | None:
    """Solve without disequalities, then replace those that are violated by orders, all in the same direction."""
    strict: list[Differences] = []
    for _ in range(MAX_ROUNDS):
        values = _attempt(system, strict, is_nonnegative, is_integral)
        if values is None:
            return None
        if not system.violated(values):
            return values
        violated = [_violated_as_orders(block, values, side) for block in system.differences if block.op == "!="]
        if not any(len(block.left) for block in violated):
            return None
        strict += violated
    return None


def _violated_as_orders(block: Differences, values: Ints, side: int) -> Differences:
    """The disequalities that the values violate, as strict orders."""
    padded = np.append(values, 0)
    rows = padded[block.left] - padded[block.right] + block.const == 0
    left, right, const = block.left[rows], block.right[rows], np.broadcast_to(block.const, len(rows))[rows]
    return Differences("<=", left, right, const + 1) if side < 0 else Differences("<=", right, left, 1 - const)


def _attempt(system: System, strict: list[Differences], is_nonnegative: bool, is_integral: bool) -> Ints | None:
    """Solve with small inputs preferred; ``is_nonnegative`` forbids negative ones where the domain allows zero."""
    from scipy.optimize import linprog  # slow to load and rarely needed

    upper, equal = _rows(system, strict)
    low, high = system.low.astype(float), system.high.astype(float)
    if is_nonnegative:
        low[: system.leaves] = np.clip(0, low[: system.leaves], high[: system.leaves])
    low[system.low <= -EXACT], high[system.high >= EXACT] = -np.inf, np.inf
    cost = np.zeros(system.size)
    cost[: system.leaves] = np.isfinite(low[: system.leaves])
    found = linprog(
        cost,
        *upper,
        *equal,
        bounds=np.column_stack([low, high]),
        method="highs",
        integrality=np.ones(system.size) if is_integral else None,
        options={"time_limit": SECONDS},
    )
    if found.x is None or np.abs(found.x).max(initial=0) > MAX_ROUNDED:
        return None
    values = np.round(found.x).astype(np.int64)
    return with_sums(system.sums, values)


def _rows(system: System, strict: list[Differences]) -> tuple[_Program, _Program]:
    """The matrices and right-hand sides of inequalities and of equalities."""
    upper: list[_Block] = []
    equal: list[_Block] = []
    for block in (*system.differences, *strict):
        if block.op != "!=":
            (upper if block.op == "<=" else equal).append((((block.left, 1), (block.right, -1)), block.const))
    for group in system.sums:
        equal.append((((group.first, 1), (group.second, 1), (group.target, -1)), group.const))
    return _program(system.size, upper), _program(system.size, equal)


def _program(size: int, blocks: list[_Block]) -> _Program:
    rows, columns, entries, bounds = [], [], [], []
    count = 0
    for parts, const in blocks:
        length = len(parts[0][0])
        for variables, sign in parts:
            some = variables != NO_VARIABLE
            rows.append(np.arange(count, count + length)[some])
            columns.append(variables[some])
            entries.append(np.full(len(columns[-1]), float(sign)))
        bounds.append(np.broadcast_to(-np.asarray(const, float), length))
        count += length
    if not count:
        return None, None
    place = np.concatenate(rows), np.concatenate(columns)
    return csr_array((np.concatenate(entries), place), shape=(count, size)), np.concatenate(bounds)
