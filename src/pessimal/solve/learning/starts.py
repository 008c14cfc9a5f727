"""The first points that a search by samples looks at: simple values, constants of the conditions, all magnitudes."""

from __future__ import annotations

import numpy as np

from pessimal.solve.learning.problem import Array
from pessimal.solve.learning.sampling import Sampling

PLAIN = (0.0, 1.0, -1.0, 2.0, 0.5, -2.0, 10.0, 3.0)
MAX_CONSTANTS = 12
MAX_MOVED = 64
EXTREME = 0.2
"""The part of the points with all magnitudes whose magnitudes are all that doubles have."""


def uniform(sampling: Sampling, count: int) -> Array:
    """Points spread evenly over the reference box, every other one over the whole ranges where they are wider."""
    problem, rng, shape = sampling.problem, sampling.rng, (count, sampling.problem.dimensions)
    points = rng.uniform(problem.box_low, problem.box_high, shape)
    if not problem.is_wide:
        return points
    return np.where(rng.random((count, 1)) < 0.5, rng.uniform(problem.wide_low, problem.wide_high, shape), points)


def magnitudes(sampling: Sampling, count: int) -> Array:
    """Points whose coordinates have all magnitudes and both signs, within the ranges."""
    shape = (count, sampling.problem.dimensions)
    sizes = np.exp2(sampling.rng.uniform(-8, 12, shape))
    extreme = sampling.rng.random((count, 1)) < EXTREME
    sizes = np.where(extreme, np.exp2(sampling.rng.uniform(-1074, 1023, shape)), sizes)
    return sizes * sampling.rng.choice((-1.0, 1.0), shape)


def simple(sampling: Sampling) -> Array:
    """Points with equal coordinates, and the start with one of the conditions' constants at each place."""
    problem = sampling.problem
    numbers = [*PLAIN, *problem.constants()[:MAX_CONSTANTS]]
    equal = np.repeat(np.array(numbers)[:, None], problem.dimensions, axis=1)
    moved = [
        np.where(np.arange(problem.dimensions) == place, number, problem.start)
        for place in range(problem.dimensions)
        for number in problem.constants()[:MAX_CONSTANTS]
    ]
    return np.array([problem.start, *problem.hints(), *equal, *moved[:MAX_MOVED]])


def first_points(sampling: Sampling, count: int) -> Array:
    """A mixture of all kinds."""
    known = simple(sampling)[: max(count // 2, 1)]
    rest = max(count - len(known), 0)
    return np.vstack([known, uniform(sampling, rest - rest // 4), magnitudes(sampling, rest // 4)])
