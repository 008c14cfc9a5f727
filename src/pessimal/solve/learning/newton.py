"""Gauss-Newton steps on the comparisons that do not hold: slopes by differences, all candidates of a step in one batch.

A condition tells more than one number: the gap of each of its comparisons. Near a solution these are smooth in most
variables, so that a few steps bring all of them to zero together. What is left of an equality is rounding, which
:mod:`pessimal.solve.learning.rounding` deals with.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pessimal.solve.learning.problem import Array, Samples
from pessimal.solve.learning.rounding import settle
from pessimal.solve.learning.sampling import Sampling

STEP = 1e-7
MARGINS = (1e-9, 1e-2, 0.1)
"""How far beyond its limit an inequality is aimed at; one of them is drawn for each descent."""
DAMPING = (1e-4, 1e-2, 1.0, 100.0)
LENGTHS = (1.0, 0.5, 0.2, 0.05)
MAX_STEPS = 30
NEAR = 1e-6
"""Below this distance from where all gaps would be zero, the rest may be rounding."""
_SIDE = {"<": 1.0, "<=": 1.0, ">": -1.0, ">=": -1.0}


class Slopes(NamedTuple):
    """Residuals at a point, which shall be zero, and how they change with each variable."""

    atoms: Sequence[int]
    residuals: Array
    jacobian: Array


def newton(sampling: Sampling, start: Array) -> None:
    """Descend from a point until nothing improves; what comes near is settled among its neighbours."""
    margin = float(sampling.rng.choice(MARGINS))
    here = sampling.ask(start)
    for _ in range(MAX_STEPS):
        atoms, residuals = _residuals(sampling, here, 0, margin)
        if not len(atoms) or not np.isfinite(residuals).all():
            return
        slopes = Slopes(atoms, residuals, _jacobian(sampling, here, atoms, margin))
        if nearness(slopes) < NEAR:
            settle(sampling, here.points[0], slopes.jacobian, slopes.atoms)
            return
        found = sampling.ask(_candidates(sampling, here.points[0], slopes))
        best = _best(sampling, found, slopes, margin)
        if best is None:
            return
        here = _one(found, best)


def _residuals(sampling: Sampling, here: Samples, place: int, margin: float) -> tuple[list[int], Array]:
    """What of each atom that matters must become zero: the gap of an equality, an inequality's up to its margin."""
    problem = sampling.problem
    atoms = [atom for atom in problem.active(here, place) if problem.atoms[atom].op != "!="]
    residuals = _hinges(sampling, here, atoms, margin)[:, place]
    kept = [k for k, atom in enumerate(atoms) if residuals[k] != 0 or problem.atoms[atom].op == "=="]
    return [atoms[k] for k in kept], residuals[kept]


def _hinges(sampling: Sampling, samples: Samples, atoms: Sequence[int], margin: float) -> Array:
    rows = []
    for atom in atoms:
        gap, side = samples.gaps[atom], _SIDE.get(sampling.problem.atoms[atom].op, 0.0)
        rows.append(gap if side == 0 else side * np.maximum(side * gap + margin, 0.0))
    return np.array(rows).reshape(len(atoms), len(samples.points))


def _jacobian(sampling: Sampling, here: Samples, atoms: Sequence[int], margin: float) -> Array:
    """By differences: one sample for each variable."""
    problem, point = sampling.problem, here.points[0]
    steps = np.where(problem.is_integer, 1.0, STEP * np.maximum(np.abs(point), 1e-2))
    steps = np.where(point + steps > problem.high, -steps, steps)
    moved = sampling.ask(point + np.diag(steps))
    places = range(len(moved.points))
    result = np.zeros((len(atoms), problem.dimensions))
    with np.errstate(all="ignore"):
        changes = moved.points[places, places] - point[: len(moved.points)]
        result[:, : len(moved.points)] = (moved.gaps[atoms] - here.gaps[atoms, :1]) / changes
    return np.nan_to_num(result, nan=0.0, posinf=0.0, neginf=0.0)


def nearness(slopes: Slopes) -> float:
    """How far the point is from where all residuals would be zero, by the slopes."""
    sizes = np.abs(slopes.jacobian).max(axis=1)
    with np.errstate(all="ignore"):
        return float(np.nan_to_num(np.abs(slopes.residuals) / np.maximum(sizes, 1e-12), nan=np.inf).max())


def _candidates(sampling: Sampling, point: Array, slopes: Slopes) -> Array:
    """The end points of steps of several lengths and dampings, and of one that keeps the integers."""
    scales = np.maximum(np.abs(slopes.jacobian).max(axis=1), 1e-300)
    matrix, wanted = slopes.jacobian / scales[:, None], -slopes.residuals / scales
    square, right = matrix.T @ matrix, matrix.T @ wanted
    full = _solved(matrix, wanted)
    steps = [length * full for length in LENGTHS]
    steps += [_solved(square + np.diag(d * np.maximum(np.diag(square), 1e-12)), right) for d in DAMPING]
    if sampling.problem.is_integer.any():
        steps.append(_solved(matrix * ~sampling.problem.is_integer, wanted))
    return point + np.array(steps)


def _best(sampling: Sampling, found: Samples, slopes: Slopes, margin: float) -> int | None:
    """The candidate with the smallest residuals, if they are smaller than they were."""
    scales = np.maximum(np.abs(slopes.jacobian).max(axis=1), 1e-300)[:, None]
    others = [atom for atom in range(len(sampling.problem.atoms)) if atom not in slopes.atoms]
    with np.errstate(all="ignore"):
        merits = np.abs(_hinges(sampling, found, slopes.atoms, margin) / scales).sum(axis=0)
    merits = np.nan_to_num(merits, nan=np.inf)
    before = float(np.abs(slopes.residuals / scales[:, 0]).sum())
    broken = (~found.holds[others]).sum(axis=0) if others else np.zeros(len(merits))
    with np.errstate(over="ignore"):
        place = int(np.argmin(merits * (1 + 0.2 * broken)))
    return place if merits[place] < before * (1 - 1e-3) else None


def _solved(matrix: Array, wanted: Array) -> Array:
    try:
        return np.linalg.lstsq(matrix, wanted, rcond=1e-12)[0]
    except np.linalg.LinAlgError:
        return np.zeros(matrix.shape[1])


def _one(samples: Samples, place: int) -> Samples:
    rows = slice(place, place + 1)
    return Samples(samples.points[rows], samples.values[rows], samples.gaps[:, rows], samples.holds[:, rows])
