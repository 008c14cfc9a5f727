"""Differential evolution: a population whose members move by the differences between others."""

from __future__ import annotations

import numpy as np

from pessimal.solve.learning.sampling import Sampling
from pessimal.solve.learning.starts import first_points

CROSSING = 0.9
MIN_SIZE, MAX_SIZE = 16, 60
SMALL = 1e-12
"""A population whose values differ by less than this has nothing more to tell."""


def evolution(sampling: Sampling) -> None:
    """Evolve until the limits are reached or all members agree."""
    rng, dimensions = sampling.rng, sampling.problem.dimensions
    size = int(np.clip(6 * dimensions, MIN_SIZE, MAX_SIZE))
    found = sampling.ask(first_points(sampling, 3 * size))
    order = np.argsort(found.values, kind="stable")[:size]
    points, values = found.points[order], found.values[order]
    while np.ptp(values) > SMALL * max(abs(values.max()), SMALL):
        count = len(points)
        a, b, c = (rng.integers(count, size=count) for _ in range(3))
        factor = rng.uniform(0.4, 0.95, (count, 1))
        towards = rng.random((count, 1)) < 0.5
        base = np.where(towards, points + factor * (points[np.argmin(values)] - points), points[a])
        mutant = base + factor * (points[b] - points[c])
        kept = rng.random((count, dimensions)) < CROSSING
        kept[np.arange(count), rng.integers(dimensions, size=count)] = True
        tried = sampling.ask(np.where(kept, mutant, points))
        better = np.flatnonzero(tried.values <= values[: len(tried.values)])
        points[better], values[better] = tried.points[better], tried.values[better]
