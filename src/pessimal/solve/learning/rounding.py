"""The last bits: where an equality of floats holds up to rounding, neighbours are tried until it holds exactly.

Solutions are often plain numbers, so that those near the point come first. Otherwise the equalities leave a surface, on
which every point is a new draw: variables are moved a little at random, brought back to the surface by one linear step,
and then moved by single units in the last place.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pessimal.solve.learning.problem import Array
from pessimal.solve.learning.sampling import Sampling

DRAWS = 24
ROUNDS = 12
UNITS = 6
STEPS = 2
SIZES = (1e-8, 1e-6, 1e-7, 1e-5, 1e-3)
DIGITS = range(9)


def settle(sampling: Sampling, point: Array, jacobian: Array, atoms: Sequence[int]) -> None:
    """Try plain numbers near a point, its neighbours, and then other points of the same surface."""
    sampling.ask(plain_neighbours(point))
    sampling.ask(_neighbours(sampling, point[None, :], DRAWS))
    floats = ~sampling.problem.is_integer
    jacobian = jacobian * floats
    back = np.linalg.pinv(jacobian, rcond=1e-10)
    for number in range(ROUNDS):
        size = SIZES[number % len(SIZES)]
        moves = sampling.rng.normal(size=(DRAWS, len(point))) * np.maximum(np.abs(point), 0.1) * size * floats
        points = point + moves - (moves @ jacobian.T) @ back.T
        for _ in range(STEPS):
            found = sampling.ask(points)
            gaps = np.nan_to_num(found.gaps[list(atoms)].T, nan=0.0, posinf=0.0, neginf=0.0)
            points = found.points - gaps @ back.T
        best = found.points[np.argsort(found.values)[: DRAWS // 3]]
        sampling.ask(_neighbours(sampling, best, UNITS))


def plain_neighbours(point: Array) -> Array:
    """The point with its coordinates rounded to few digits, and to multiples of simple fractions."""
    rounded = [np.round(point, digits) for digits in DIGITS]
    with np.errstate(all="ignore"):
        multiples = [np.rint(point / unit) * unit for unit in (0.25, 1 / 3, np.pi / 2, np.pi / 4)]
    return np.array([*rounded, *multiples])


def _neighbours(sampling: Sampling, points: Array, count: int) -> Array:
    """For each point so many that differ from it by units in the last place, mostly few."""
    repeated = np.repeat(points, count, axis=0)
    units = np.rint(sampling.rng.normal(size=repeated.shape) * np.exp2(sampling.rng.uniform(0, 4, (len(repeated), 1))))
    moved = repeated + units * np.spacing(np.abs(repeated))
    return np.where(sampling.problem.is_integer, repeated, moved)
