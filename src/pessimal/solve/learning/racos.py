"""RACOS: sampling by classification, with the extensions of MLBSE.

The best samples are positive, all others negative. For each new sample a box around a positive one is learned that no
negative one lies in: one random coordinate after the other is cut between the positive and a negative sample. Of the
coordinates that were not cut all but a few are fixed, and the new sample is drawn from what is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pessimal.solve.learning.problem import Array, Samples
from pessimal.solve.learning.sampling import Sampling
from pessimal.solve.learning.starts import first_points, uniform

ATTEMPTS = 4
"""How often samples that cannot be evaluated are drawn again."""


@dataclass(frozen=True, slots=True)
class RacosOptions:
    """What can be switched, with the settings that were measured as best; ``PUBLISHED`` has the paper's."""

    positives: int = 2
    free: int = 1
    """How many coordinates that were not cut stay free."""
    probability: float = 0.95
    """How often a sample is drawn from the learned box and not from the whole one."""
    presamples: int = 200
    secant: bool = True
    """Follow each sample by a step along the line from the positive one to it, to where a condition would be met."""
    unbounded: bool = True
    """Let the box move along with the positive sample, beyond the reference box."""
    absorption: bool = True
    """Cut integers half-way between, and take a coordinate with one integer left as fixed."""
    weighted: bool = True
    """Cut coordinates more often, and fix them less often, in whose direction nothing improved."""
    elitist: bool = True
    """Keep the best samples of all rounds as the positive ones, not those of the last round."""
    normalised: bool = True
    """Divide each constraint's dissatisfaction by its largest one among the first samples."""
    domains: bool = True
    """Draw samples that cannot be evaluated again."""


PUBLISHED = RacosOptions(probability=0.99, presamples=0, weighted=False, elitist=False, normalised=False)


MEASURED = RacosOptions()


def racos(sampling: Sampling, options: RacosOptions = MEASURED) -> None:
    """Sample until the limits are reached."""
    _Racos(sampling, options).run()


class _Racos:
    def __init__(self, sampling: Sampling, options: RacosOptions) -> None:
        self._sampling = sampling
        self._options = options
        self._problem = sampling.problem
        self._rng = sampling.rng
        self._weights = np.ones(self._problem.dimensions)

    def run(self) -> None:
        """Rounds of as many samples as there are rounds, half of them if each is followed by a secant step."""
        budget = self._sampling.left
        size = max(int(np.sqrt(budget)), 4)
        batch = max(size // 2, 2) if self._options.secant else size
        found = self._first(size)
        scales = self._problem.scales
        try:
            while True:
                positive, negative = self._classified(found)
                drawn = self._draw(positive, negative, batch)
                found = _merged(positive, drawn) if self._options.elitist else drawn
        finally:
            self._problem.scales = np.ones_like(scales)

    def _first(self, size: int) -> Samples:
        count = max(min(self._options.presamples, self._sampling.left // 4), size)
        found = self._sampling.ask(first_points(self._sampling, count))
        if self._options.normalised:
            self._problem.normalise(found)
            found = self._problem.rated(found.points, found.gaps, found.holds)
        return _part(found, np.argsort(found.values, kind="stable")[:size])

    def _classified(self, found: Samples) -> tuple[Samples, Array]:
        order = np.argsort(found.values, kind="stable")
        count = min(self._options.positives, len(order))
        return _part(found, order[:count]), found.points[order[count:]]

    def _draw(self, positive: Samples, negative: Array, batch: int) -> Samples:
        """A round of samples from learned boxes, each with its secant step where that is better."""
        chosen = self._rng.integers(len(positive.points), size=batch)
        low, high, free = self._boxes(positive.points[chosen], negative)
        points = self._rng.uniform(low, high)
        anywhere = self._rng.random(batch) >= self._options.probability
        points[anywhere] = uniform(self._sampling, int(anywhere.sum()))
        found = self._evaluated(points, low, high)
        if self._options.weighted:
            failed = found.values >= positive.values.min()
            self._weights += (free[: len(failed)] & failed[:, None]).sum(axis=0)
        if not self._options.secant:
            return found
        stepped = self._sampling.ask(self._secants(positive, chosen[: len(found.points)], found))
        return _better(found, stepped)

    def _evaluated(self, points: Array, low: Array, high: Array) -> Samples:
        found = self._sampling.ask(points)
        for _ in range(ATTEMPTS if self._options.domains else 0):
            invalid = np.isnan(found.gaps).any(axis=0)
            if not invalid.any():
                break
            rows = np.flatnonzero(invalid)
            again = self._sampling.ask(self._rng.uniform(low[rows], high[rows]))
            _replace(found, rows[: len(again.points)], again)
        return found

    def _boxes(self, centres: Array, negative: Array) -> tuple[Array, Array, Array]:
        """For each centre a box without negative samples, and which of its coordinates are free."""
        low, high = self._reset(centres)
        rows = np.arange(len(centres))
        is_open = np.ones(centres.shape, dtype=bool)
        inside = np.ones((len(centres), len(negative)), dtype=bool)
        for _ in range(self._problem.dimensions):
            active = inside.any(axis=1) & is_open.any(axis=1)
            if not active.any():
                break
            place = rows[active]
            k = self._choose(is_open[place], self._weights**2)
            j = _random_true(inside[place], self._rng)
            self._cut(low, high, centres, negative[j, k], place, k)
            is_open[place, k] = False
            column = negative[:, k].T
            inside[place] &= (column >= low[place, k][:, None]) & (column <= high[place, k][:, None])
        return self._shrunk(low, high, centres, is_open)

    def _reset(self, centres: Array) -> tuple[Array, Array]:
        """The reference box, united with one of its size around the centre."""
        low = np.broadcast_to(self._problem.box_low, centres.shape).copy()
        high = np.broadcast_to(self._problem.box_high, centres.shape).copy()
        if self._options.unbounded:
            half = (self._problem.box_high - self._problem.box_low) / 2
            low, high = np.minimum(low, centres - half), np.maximum(high, centres + half)
        low, high = np.maximum(low, self._problem.low), np.minimum(high, self._problem.high)
        return np.minimum(low, centres), np.maximum(high, centres)

    def _cut(self, low: Array, high: Array, centres: Array, others: Array, place: Array, k: Array) -> None:
        here = centres[place, k]
        cut = here + (others - here) * self._rng.random(len(place))
        if self._options.absorption:
            whole = self._problem.is_integer[k]
            cut = np.where(whole, np.where(others < here, np.ceil(cut) - 0.5, np.floor(cut) + 0.5), cut)
        is_below = others <= here
        low[place, k] = np.where(is_below, np.maximum(low[place, k], np.minimum(cut, here)), low[place, k])
        high[place, k] = np.where(is_below, high[place, k], np.minimum(high[place, k], np.maximum(cut, here)))

    def _shrunk(self, low: Array, high: Array, centres: Array, is_open: Array) -> tuple[Array, Array, Array]:
        """Fix coordinates that were not cut, until so many are left as may be free."""
        if self._options.absorption:
            alone = self._problem.is_integer & (high - low < 1)
            low, high = np.where(alone, centres, low), np.where(alone, centres, high)
            is_open = is_open & ~alone
        while (place := np.flatnonzero(is_open.sum(axis=1) > self._options.free)).size:
            k = self._choose(is_open[place], self._weights**-2.0)
            low[place, k] = high[place, k] = centres[place, k]
            is_open[place, k] = False
        return low, high, high > low

    def _choose(self, allowed: Array, weights: Array) -> Array:
        """A random allowed coordinate for each row, by weight."""
        shares = allowed * (weights if self._options.weighted else np.ones_like(weights))
        limits = np.cumsum(shares, axis=1)
        drawn = self._rng.random(len(allowed)) * limits[:, -1]
        return np.minimum((limits <= drawn[:, None]).sum(axis=1), allowed.shape[1] - 1)

    def _secants(self, positive: Samples, chosen: Array, found: Samples) -> Array:
        """On the line from the positive sample through the new one, where a random condition would change its sign."""
        rows = np.arange(len(chosen))
        atom = self._rng.integers(max(len(self._problem.atoms), 1), size=len(chosen))
        before, after = positive.gaps[atom, chosen], found.gaps[atom, rows]
        with np.errstate(all="ignore"):
            steps = -before / (after - before)
        flat = ~np.isfinite(steps)
        steps = np.where(flat, self._rng.uniform(-1, 1, len(chosen)), np.clip(steps, -1e6, 1e6))
        start = positive.points[chosen]
        moved = start + steps[:, None] * (found.points - start)
        return np.where(self._problem.is_integer, found.points, moved)


def _random_true(flags: Array, rng: Any) -> Array:
    """The place of a random true flag in each row, each of which has one."""
    order = rng.random(flags.shape)
    return np.argmax(np.where(flags, order, -1.0), axis=1)


def _part(samples: Samples, places: Array) -> Samples:
    return Samples(samples.points[places], samples.values[places], samples.gaps[:, places], samples.holds[:, places])


def _merged(first: Samples, second: Samples) -> Samples:
    return Samples(
        np.vstack([first.points, second.points]),
        np.concatenate([first.values, second.values]),
        np.hstack([first.gaps, second.gaps]),
        np.hstack([first.holds, second.holds]),
    )


def _replace(samples: Samples, places: Array, others: Samples) -> None:
    samples.points[places] = others.points
    samples.values[places] = others.values
    samples.gaps[:, places] = others.gaps
    samples.holds[:, places] = others.holds


def _better(first: Samples, second: Samples) -> Samples:
    """Of two samples at each place the better one."""
    count = len(second.points)
    better = np.flatnonzero(second.values < first.values[:count])
    _replace(first, better, _part(second, better))
    return first
