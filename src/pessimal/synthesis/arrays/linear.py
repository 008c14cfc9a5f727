"""Linear programs for sums that nothing simpler solves: answers in floats, rounded, and left to be checked exactly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from pessimal.synthesis.arrays.system import EXACT, NOTHING, Differences, Ints, System, Unsupported, defined

ROWS = 1_000_000
"""The largest program that is tried."""

WHOLE = 20_000
"""The largest program that is asked for integers where rounding fails."""

ROUNDS = 4
"""How often broken disequalities are asked for as orders."""

SECONDS = 20.0
"""How long one program may take."""

TRUSTED = 1 << 50
"""Floats beyond this are no integers any more that one could round."""

_Block = tuple[Sequence[tuple[Ints, int]], Ints | int]
_Program = tuple[csr_array | None, npt.NDArray[np.float64] | None]


def programmed(system: System) -> Ints:
    """A model by linear programming; a program without a solution proves nothing, since it was solved in floats."""
    if system.conditions > ROWS:
        raise Unsupported("too many conditions for a linear program")
    for whole in (False, True):
        if whole and system.conditions > WHOLE:
            break
        for natural in (True, False):
            for side in (1, -1):
                values = _separated(system, natural, whole, side)
                if values is not None:
                    return values
    raise Unsupported("no linear program gave a model")


def _separated(system: System, natural: bool, whole: bool, side: int) -> Ints | None:
    """Solve without disequalities; those that are broken are then asked for as an order, all to the same side."""
    strict: list[Differences] = []
    for _ in range(ROUNDS):
        values = _attempt(system, strict, natural, whole)
        if values is None:
            return None
        if not system.violated(values):
            return values
        touching = [_ordered(block, values, side) for block in system.differences if block.op == "!="]
        if not any(len(block.left) for block in touching):
            return None
        strict += touching
    return None


def _ordered(block: Differences, values: Ints, side: int) -> Differences:
    """The disequalities that values break as strict orders."""
    padded = np.append(values, 0)
    rows = padded[block.left] - padded[block.right] + block.const == 0
    left, right, const = block.left[rows], block.right[rows], np.broadcast_to(block.const, len(rows))[rows]
    return Differences("<=", left, right, const + 1) if side < 0 else Differences("<=", right, left, 1 - const)


def _attempt(system: System, strict: list[Differences], natural: bool, whole: bool) -> Ints | None:
    """Solve with small inputs preferred, ``natural`` ones without going below zero where the domain has it."""
    from scipy.optimize import linprog  # it takes as long to load as all the rest, and is seldom needed

    upper, equal = _rows(system, strict)
    low, high = system.low.astype(float), system.high.astype(float)
    if natural:
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
        integrality=np.ones(system.size) if whole else None,
        options={"time_limit": SECONDS},
    )
    if found.x is None or np.abs(found.x).max(initial=0) > TRUSTED:
        return None
    values = np.round(found.x).astype(np.int64)
    return defined(system.sums, values)


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
            some = variables != NOTHING
            rows.append(np.arange(count, count + length)[some])
            columns.append(variables[some])
            entries.append(np.full(len(columns[-1]), float(sign)))
        bounds.append(np.broadcast_to(-np.asarray(const, float), length))
        count += length
    if not count:
        return None, None
    place = np.concatenate(rows), np.concatenate(columns)
    return csr_array((np.concatenate(entries), place), shape=(count, size)), np.concatenate(bounds)
