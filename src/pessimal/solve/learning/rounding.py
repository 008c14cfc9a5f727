"""The last bits: where an equality of floats holds up to rounding, neighbours are tried until it holds exactly.

Solutions are often plain numbers, so that those near the point come first. If the equalities leave a surface, every
point of it is a new draw: variables are moved a little at random, brought back to the surface by one linear step, and
then moved by single units in the last place. If they leave nothing but the point, its nearest neighbours are all that
can be tried, and those of the points whole turns away from it, where sines and cosines are the same again.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pessimal.solve.learning.problem import Array, Samples
from pessimal.solve.learning.sampling import Sampling

DRAWS = 24
ROUNDS = 12
UNITS = 6
STEPS = 2
SIZES = (1e-8, 1e-6, 1e-7, 1e-5, 1e-3)
DIGITS = range(9)
REACH = {1: 16, 2: 2, 3: 1}
"""How many units in the last place all neighbours of a single point are tried, by the number of variables."""
TURNS = 3
MAX_TURNED = 48
NEAR = 1e-6


def settle(sampling: Sampling, point: Array, jacobian: Array, atoms: Sequence[int]) -> None:
    """Try plain numbers near a point, its neighbours, and then other points of the same surface if it has one."""
    floats = ~sampling.problem.is_integer
    jacobian = jacobian * floats
    back = np.linalg.pinv(jacobian, rcond=1e-10)
    if floats.all() and np.linalg.matrix_rank(jacobian, tol=1e-10 * np.abs(jacobian).max()) == len(point):
        _settle_alone(sampling, point, back, atoms)
        return
    sampling.ask(plain_neighbours(point))
    sampling.ask(_neighbours(sampling, point[None, :], DRAWS))
    for number in range(ROUNDS):
        size = SIZES[number % len(SIZES)]
        moves = sampling.rng.normal(size=(DRAWS, len(point))) * np.maximum(np.abs(point), 0.1) * size * floats
        points = point + moves - (moves @ jacobian.T) @ back.T
        for _ in range(STEPS):
            found = sampling.ask(points)
            points = found.points - _gaps(found, atoms) @ back.T
        best = found.points[np.argsort(found.values)[: DRAWS // 3]]
        sampling.ask(_neighbours(sampling, best, UNITS))


def _settle_alone(sampling: Sampling, point: Array, back: Array, atoms: Sequence[int]) -> None:
    """Try the neighbours of a point that is alone, and of those whole turns away where the equalities hold as well."""
    if any(np.allclose(point, known, rtol=NEAR, atol=NEAR) for known in sampling.settled):
        return
    sampling.ask(plain_neighbours(point))
    for _ in range(STEPS):
        found = sampling.ask(point)
        point = found.points[0] - (_gaps(found, atoms) @ back.T)[0]
    sampling.settled.append(point)
    sampling.ask(_all_neighbours(point[None, :], REACH.get(len(point), 0)))
    points = point + 2 * np.pi * _turns(sampling, len(point))
    for _ in range(STEPS):
        found = sampling.ask(points)
        steps = _gaps(found, atoms) @ back.T
        near = np.abs(steps).max(axis=1) < NEAR
        if not near.any():
            return
        points = (found.points - steps)[near]
    sampling.ask(_all_neighbours(points, REACH.get(len(point), 0) // 2))


def _gaps(found: Samples, atoms: Sequence[int]) -> Array:
    return np.nan_to_num(found.gaps[list(atoms)].T, nan=0.0, posinf=0.0, neginf=0.0)


def _turns(sampling: Sampling, dimensions: int) -> Array:
    """Numbers of whole turns for each variable: all small ones, or some of them if they are many."""
    if (2 * TURNS + 1) ** dimensions > MAX_TURNED + 1:
        return sampling.rng.integers(-TURNS, TURNS + 1, (MAX_TURNED, dimensions))
    return _grid(TURNS, dimensions)


def _grid(reach: int, dimensions: int) -> Array:
    """All points with whole coordinates up to a size, those next to zero first."""
    axes = np.meshgrid(*[np.arange(-reach, reach + 1)] * dimensions)
    points = np.column_stack([axis.ravel() for axis in axes])
    return points[np.argsort(np.abs(points).max(axis=1), kind="stable")]


def _all_neighbours(points: Array, reach: int) -> Array:
    """All points that differ from some in each variable by at most so many units in the last place."""
    units = _grid(reach, points.shape[1])[:, None, :]
    return (points + units * np.spacing(np.abs(points))).reshape(-1, points.shape[1])


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
