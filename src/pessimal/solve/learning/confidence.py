"""How probable it is that a condition is satisfiable when samples have found no solution.

``published`` is Bayes' rule with the failure probability that the theory of RACOS gives for a number of samples, by
level of difficulty. ``calibrated`` is ours: a linear score of what the search has seen and how often conditions with
such a score turned out to be satisfiable, fitted to conditions whose answer is known: ``bench/mlbse_confidence.py``
fits it and prints how reliable it is. Of a texture that the fit has not seen it says how often conditions were
satisfiable in all: how good samplers are at one texture says nothing of how good they are at another.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import pairwise
from typing import Any

from pessimal.errors import UsageError
from pessimal.solve.kinds import TEXTURES, Features, level_of
from pessimal.solve.learning.sampling import Record

ESTIMATES = ("calibrated", "published")
PRIOR = 0.5
"""How probable it is before any sample that a condition is satisfiable, by the published rule."""
_MODEL: dict[str, Any] = json.loads(files("pessimal.solve.learning").joinpath("confidence.json").read_text())
LEAST, MOST = 1e-4, 1 - 1e-4
ENOUGH = 50
"""So many conditions of a texture must have been seen for the model to be believed as it is."""


def estimate(name: str, features: Features, record: Record, level: int | None = None) -> float:
    """The confidence by one of the two estimates; the level is that of the condition unless it is given.

    Without any sample nothing is known.
    """
    if not record.samples:
        return PRIOR
    if name == "published":
        return published(record.samples, features.variables, level_of(features) if level is None else level)
    return calibrated(features, record)


def checked(name: str) -> str:
    """The name of an estimate, if there is such a one."""
    if name not in ESTIMATES:
        raise UsageError(f"unknown estimate of confidence {name!r}: known are {', '.join(ESTIMATES)}")
    return name


def published(samples: int, variables: int, level: int) -> float:
    """P(satisfiable | not found), from the probability to miss a solution with so many samples.

    That probability is exp(-samples / (100 * complexity)), where the complexity grows with the number of variables.
    """
    missed = math.exp(-samples / (100 * math.ceil(max(complexity(variables, level), 1.0))))
    return missed * PRIOR / (missed * PRIOR + 1 - PRIOR)


def complexity(variables: int, level: int) -> float:
    """The published tool's measure of a problem, by its level of difficulty."""
    n = max(variables, 1)
    if level == 0:
        return 9.0 * n
    return 8 * n * math.log2(n) + math.log2(math.sqrt(2 * math.pi) if level == 1 else 7.0 * n)


def calibrated(features: Features, record: Record) -> float:
    """The same probability, learned from searches whose conditions have a known answer."""
    return of_observations(observations(features, record))


def of_observations(seen: Mapping[str, float], model: Mapping[str, Any] = _MODEL) -> float:
    """The probability by what a model reads, the shipped one unless another is given.

    A number beyond all that the fit has seen counts as the nearest one that it has seen.
    """
    within = {name: min(max(seen[name], low), high) for name, (low, high) in model["ranges"].items()}
    score = float(model["constant"]) + sum(weight * within[name] for name, weight in model["weights"].items())
    base, found = float(model["base"]), _corrected(score, model["knots"])
    return min(max(base + _familiarity(seen, model["seen"]) * (found - base), LEAST), MOST)


def _familiarity(seen: Mapping[str, float], counts: Mapping[str, int]) -> float:
    """How far a model is to be believed, from 0 to 1: by how many conditions of the texture it was fitted on."""
    return sum(seen[texture] * min(counts.get(texture, 0) / ENOUGH, 1.0) for texture in TEXTURES)


def _corrected(score: float, knots: Sequence[Sequence[float]]) -> float:
    """The probability of a score, by interpolation between what was counted."""
    for (a, p), (b, q) in pairwise(knots):
        if score < b:
            return p + (q - p) * max(score - a, 0.0) / (b - a)
    return knots[-1][1]


def observations(features: Features, record: Record) -> dict[str, float]:
    """What the model reads: the texture, the effort, how near the search came, whether it was still getting nearer.

    ``unseen`` is the part of all points that were not looked at, where their number is known. How near a sample came
    tells much where values change smoothly, and little where they jump or are integers. Where there are as many
    equations as variables, single points are left, and that no double next to them is a solution tells much, too.
    """
    tries = math.log10(max(record.samples, 1))
    best = math.log10(min(max(record.best, 1e-18), 1e3))
    steps = math.log1p(len(record.bests))
    texture = features.texture
    smooth, other = float(texture == "smooth"), float(texture != "smooth")
    return {
        **{name: float(name == texture) for name in TEXTURES},
        "samples": tries,
        "unseen": math.log10(max(1 - record.samples / record.points, 1e-3)),
        "variables": math.log2(features.variables + 1),
        "far, not smooth": other * (best > -2),
        "steps, not smooth": other * steps,
        "samples, smooth": smooth * tries,
        "best, smooth": smooth * best,
        "near, smooth": smooth * (best < -9),
        "near, determined, smooth": smooth * (best < -9) * (features.equalities >= features.variables),
        "best by samples, smooth": smooth * best * tries / 10,
        "steps, smooth": smooth * steps,
        "equalities, smooth": smooth * min(features.equalities, 4),
        "comparisons, smooth": smooth * math.log2(features.comparisons + 1),
    }
