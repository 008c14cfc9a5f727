"""Which sampler gets how many of the samples: each alone, and the schedule that was measured as best.

Descents are cheap and exact where the gaps are smooth, evolution and RACOS find the region where a descent succeeds.
They take turns on the best points, so that what one has found another can finish.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pessimal.solve.learning.alternating import alternating
from pessimal.solve.learning.evolution import evolution
from pessimal.solve.learning.newton import newton
from pessimal.solve.learning.problem import Array
from pessimal.solve.learning.racos import racos
from pessimal.solve.learning.sampling import Sampler, Sampling
from pessimal.solve.learning.starts import first_points, uniform

STARTS = 120
"""How many points are looked at before the first descent."""
KEPT = 4
"""How many of them a descent starts from."""
BATCH = 100
NEARLY = 1e-12
"""Where a sample came as near as this, what is missing is the last bits: another root may have them."""

Descent = Callable[[Sampling, Array], None]


def scheduled(sampling: Sampling) -> None:
    """All samplers in turns, with shares of the samples."""
    total = sampling.left
    found = sampling.ask(first_points(sampling, min(STARTS, max(total // 10, 8))))
    order = np.argsort(found.values, kind="stable")
    for place in order[:KEPT]:
        with sampling.share(total // 5):
            newton(sampling, found.points[place])
    if sampling.record.best < NEARLY:
        with sampling.share(total // 3):
            _from_anywhere(sampling)
    with sampling.share(total // 6):
        alternating(sampling, found.points[order[0]])
    with sampling.share(total // 5):
        evolution(sampling)
    with sampling.share(total // 5):
        newton(sampling, sampling.best)
    while True:
        _again(sampling, total)


def _from_anywhere(sampling: Sampling) -> None:
    """Descents from random points, as long as there are samples."""
    while True:
        newton(sampling, uniform(sampling, 1)[0])


def _again(sampling: Sampling, total: int) -> None:
    """Descents from new points, RACOS for where they lead nowhere, and chance for where nothing leads."""
    with sampling.share(total // 10):
        at_random(sampling)
    for _ in range(2):
        with sampling.share(total // 5):
            newton(sampling, uniform(sampling, 1)[0])
    with sampling.share(total // 10):
        alternating(sampling, sampling.best)
    with sampling.share(total // 10):
        racos(sampling)
    with sampling.share(total // 10):
        newton(sampling, sampling.best)


def restarted(descent: Descent) -> Sampler:
    """A descent from one point after the other, the best of the first ones first."""

    def run(sampling: Sampling) -> None:
        found = sampling.ask(first_points(sampling, 40))
        for place in np.argsort(found.values, kind="stable")[:10]:
            descent(sampling, found.points[place])
        while True:
            descent(sampling, uniform(sampling, 1)[0])

    return run


def at_random(sampling: Sampling) -> None:
    """Points spread evenly, without looking at what they are worth."""
    while True:
        sampling.ask(uniform(sampling, BATCH))


SAMPLERS: dict[str, Sampler] = {
    "scheduled": scheduled,
    "racos": racos,
    "alternating": restarted(alternating),
    "newton": restarted(newton),
    "evolution": evolution,
    "random": at_random,
}
