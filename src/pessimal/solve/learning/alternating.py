"""The alternating variable method: one variable at a time is moved by steps of all sizes, down to one unit in the last
place, as long as that improves something."""

from __future__ import annotations

import numpy as np

from pessimal.solve.learning.problem import Array, Samples
from pessimal.solve.learning.sampling import Sampling

RATIO = 4.0
"""How much larger each step is than the one before it."""
MAX_CYCLES = 30
LARGEST = float(np.finfo(np.float64).max)


def alternating(sampling: Sampling, start: Array) -> None:
    """Descend from a point until no step of one variable improves it."""
    here = sampling.ask(start)
    point, value = here.points[0], here.values[0]
    for _ in range(MAX_CYCLES):
        before, old = point, value
        for place in sampling.rng.permutation(sampling.problem.dimensions):
            point, value = _moved(sampling, point, value, int(place))
        if not value < old:
            return
        leap = sampling.ask(point + (point - before) * np.array([[1.0], [2.0], [4.0]]))
        point, value = _best(leap, point, value)


def _moved(sampling: Sampling, point: Array, value: float, place: int) -> tuple[Array, float]:
    steps = _steps(sampling, point[place], place)
    points = np.repeat(point[None, :], len(steps), axis=0)
    points[:, place] += steps
    return _best(sampling.ask(points), point, value)


def _steps(sampling: Sampling, here: float, place: int) -> Array:
    """Steps of both signs: integers from one on, floats from one unit in the last place on."""
    problem = sampling.problem
    smallest = 1.0 if problem.is_integer[place] else max(float(np.spacing(abs(here))), 1e-18)
    with np.errstate(over="ignore"):
        width = min(problem.high[place] - problem.low[place], max(1e4, 4 * abs(here)), LARGEST)
    count = int(np.ceil(np.log(max(width / smallest, 2.0)) / np.log(RATIO))) + 1
    sizes = smallest * RATIO ** np.arange(count) * (sampling.rng.uniform(0.7, 1.4, count) if count > 20 else 1.0)
    return np.concatenate([sizes, -sizes])


def _best(found: Samples, point: Array, value: float) -> tuple[Array, float]:
    place = int(np.argmin(found.values))
    return (found.points[place], found.values[place]) if found.values[place] < value else (point, value)
