"""An equation solved for one of its variables, for all values of the others at once that are near zero.

The root is computed in doubles and tried modulo ``2**64``, which no root fails. Where all numbers on the way are small
enough to be exact, no root is missed either.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pessimal.expr import Leaf
from pessimal.solve.base import Bounds
from pessimal.solve.equations.polynomial import Polynomial, by_power, variables_of

Array: TypeAlias = Any
"""A NumPy array."""

MAX_TRIED, MAX_COMPLETE = 1 << 16, 1 << 20
"""How many combinations of values of the other variables are tried, and up to how many if these are all."""
EXACT = float(1 << 52)
LARGEST_ROOT = float(1 << 62)


class Roots(NamedTuple):
    """Points at which a polynomial is zero, the smallest first, and whether they are all within the domains."""

    variables: Sequence[int]
    points: list[tuple[int, ...]]
    are_all: bool


def roots_of(equation: Polynomial, domains: Bounds) -> Iterator[Roots]:
    """The roots for each of the variables that the equation can be solved for."""
    names = variables_of(equation)
    added = [var for var in names if var < 0]
    for var in added or names:
        factors = by_power(equation, var)
        if len(added) < 2 and (max(factors) <= 2 or set(factors) <= {0, max(factors)}):
            yield _roots(factors, var, [other for other in names if other != var], domains)


def _roots(factors: Mapping[int, Polynomial], var: int, others: Sequence[int], domains: Bounds) -> Roots:
    columns, are_all = _tried(others, domains)
    values = {power: _value(factor, columns, np.float64) for power, factor in factors.items()}
    highest = max(factors)
    with np.errstate(all="ignore"):
        estimates = _quadratic(values) if highest <= 2 else _of_power(values, highest)
        is_exact = all(4 * np.abs(one).max() ** (2 if highest == 2 else 1) < EXACT for one in values.values())
        is_proper = bool(values[highest].all())
    found = [_confirmed(factors, np.rint(one), columns) for one in estimates]
    points = np.vstack([np.column_stack(part) for part in found])
    order = np.argsort(np.abs(points).max(axis=1), kind="stable")
    unique = dict.fromkeys(tuple(point) for point in points[order].tolist())
    return Roots((*others, var), list(unique), are_all and is_exact and is_proper)


def _quadratic(values: Mapping[int, Array]) -> list[Array]:
    """Where ``a*x*x + b*x + c`` is zero; ``b*x + c`` if there is no square."""
    b, c = values.get(1, 0.0), values.get(0, 0.0)
    if 2 not in values:
        return [-c / b]
    root = np.sqrt(b * b - 4 * values[2] * c)
    return [(-b - root) / (2 * values[2]), (-b + root) / (2 * values[2])]


def _of_power(values: Mapping[int, Array], power: int) -> list[Array]:
    """Where ``a*x**power + c`` is zero."""
    wanted = -values.get(0, 0.0) / values[power]
    root = np.abs(wanted) ** (1 / power)
    return [np.copysign(root, wanted)] if power % 2 else [root, -root]


def _confirmed(factors: Mapping[int, Polynomial], roots: Array, columns: Mapping[int, Array]) -> list[Array]:
    """The values of the other variables and the root, as columns, where the polynomial is zero modulo ``2**64``."""
    kept = np.flatnonzero(np.abs(roots) < LARGEST_ROOT)  # not so for what is no number
    part = {var: column[kept] for var, column in columns.items()}
    whole = roots[kept].astype(np.int64)
    word = whole.astype(np.uint64)
    total, is_small = np.zeros(len(kept), dtype=np.uint64), len(kept) > 0
    for power in sorted(factors, reverse=True) if is_small else ():
        total += _value(factors[power], part, np.uint64) * word ** np.uint64(power)
    zero = total == 0
    return [*(column[zero] for column in part.values()), whole[zero]]


def _value(polynomial: Polynomial, columns: Mapping[int, Array], dtype: Any) -> Array:
    """What a polynomial is for columns of values, in doubles or modulo ``2**64``."""
    count = len(next(iter(columns.values()))) if columns else 1
    total = np.zeros(count, dtype=dtype)
    for powers, factor in polynomial.items():
        term = np.full(count, factor % (1 << 64) if dtype is np.uint64 else float(factor), dtype=dtype)
        for var in powers:
            term = term * columns[var].astype(dtype)
        total = total + term
    return total


def _tried(others: Sequence[int], domains: Bounds) -> tuple[dict[int, Array], bool]:
    """Columns of all combinations of values near zero, and whether these are all that the domains have."""
    ranges: dict[int, Array] = {}
    are_few = math.prod(_size(domains[var]) for var in others) <= MAX_COMPLETE
    left = MAX_COMPLETE if are_few else MAX_TRIED
    for place, var in enumerate(sorted(others, key=lambda one: _size(domains[one]))):
        most = left if are_few else max(int(left ** (1 / (len(others) - place))), 1)
        ranges[var] = _nearest(*domains[var], most)
        left //= max(len(ranges[var]), 1)
    grids = np.meshgrid(*(ranges[var] for var in others), indexing="ij") if others else []
    return {var: grid.ravel() for var, grid in zip(others, grids, strict=True)}, are_few


def _size(domain: tuple[Leaf | None, Leaf | None]) -> float:
    low, high = domain
    return math.inf if low is None or high is None else float(high - low + 1)


def _nearest(low: Leaf | None, high: Leaf | None, most: int) -> Array:
    """The whole numbers of a range that are nearest to zero, at most so many."""
    centre = min(max(0, low if low is not None else 0), high if high is not None else 0)
    centre = min(max(int(centre), -(1 << 60)), 1 << 60)
    least = centre - most // 2 if low is None else max(int(low), centre - most + 1)
    largest = centre + most // 2 if high is None else min(int(high), centre + most - 1)
    if largest - least >= most:
        least, largest = max(least, centre - (most - 1) // 2), min(largest, centre + (most - 1) // 2)
    return np.arange(least, largest + 1, dtype=np.int64)
