"""Solvers by samples behind the one protocol: each sampler alone, and all of them by schedule."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, ClassVar

import numpy as np

from pessimal.errors import UsageError
from pessimal.solve.base import UNKNOWN, Answer, Query, Status
from pessimal.solve.kinds import features_of
from pessimal.solve.learning import SAMPLES
from pessimal.solve.learning.confidence import checked, estimate
from pessimal.solve.learning.dissatisfaction import Rule
from pessimal.solve.learning.problem import Problem
from pessimal.solve.learning.racos import MEASURED, racos
from pessimal.solve.learning.sampling import Exhausted, Record, Sampling, Solved
from pessimal.solve.learning.schedule import SAMPLERS

THRESHOLD = 0.1
"""While the confidence is above this, a guided solver doubles the samples."""
ATTEMPTS = 5
MAX_CONDITIONS = 400
"""Questions on which more conditions than this bear are left to others."""
WORK = 4_000_000
"""How many operations on single samples a question may take in one attempt, however long its conditions are."""


class SamplingSolver:
    """Looks for a solution among samples; it never proves that there is none.

    With ``guided`` it goes on, with twice the samples each time, while its confidence stays above the threshold.
    """

    name = "sampling"
    sampler: ClassVar[str] = "scheduled"

    def __init__(
        self,
        samples: int = SAMPLES,
        rule: str = "even",
        confidence: str = "calibrated",
        level: int | None = None,
        guided: bool = False,
        threshold: float = THRESHOLD,
        attempts: int = ATTEMPTS,
    ) -> None:
        if samples < 1:
            raise UsageError(f"a solver needs at least one sample, not {samples}")
        self._samples = samples
        self._rule = Rule(rule)
        self._confidence = checked(confidence)
        self._level = level
        self._threshold = threshold
        self._attempts = attempts if guided else 1

    def solve(self, query: Query) -> Answer:
        """Sample until a solution is found or the samples are used up."""
        if len(query.path) > MAX_CONDITIONS:
            return UNKNOWN
        problem = Problem(query, self._rule)
        if not problem.dimensions:
            return UNKNOWN
        rng = np.random.default_rng(query.rng.getrandbits(64))
        samples, record, answer = self._samples, Record(), UNKNOWN
        for attempt in range(self._attempts):
            left = samples - (0 if attempt else query.evaluated)
            sampling = Sampling(problem, min(left, WORK // max(problem.steps, 1)), rng, record)
            with np.errstate(all="ignore"):  # samples may overflow: they are no solutions then
                answer = self._attempt(sampling)
            is_open = answer.confidence is not None and answer.confidence > self._threshold
            if not is_open or query.seconds_left() <= 0:
                break
            samples *= 2
        return answer

    def _attempt(self, sampling: Sampling) -> Answer:
        record, problem = sampling.record, sampling.problem
        try:
            self._sample(sampling)
        except Solved as solved:
            return Answer(Status.SAT, solved.values, solver=self.name, samples=record.samples)
        except Exhausted:
            pass
        confidence = estimate(self._confidence, features_of(problem.literals), record, self._level)
        near = problem.values_of(sampling.best)
        return Answer(Status.UNKNOWN, confidence=confidence, near=near, solver=self.name, samples=record.samples)

    def _sample(self, sampling: Sampling) -> None:
        SAMPLERS[self.sampler](sampling)


class RacosSolver(SamplingSolver):
    """RACOS alone, with the extensions of MLBSE, each of which is a switch (see :class:`RacosOptions`)."""

    name = "racos"

    def __init__(
        self,
        samples: int = SAMPLES,
        rule: str = "even",
        confidence: str = "calibrated",
        level: int | None = None,
        guided: bool = False,
        threshold: float = THRESHOLD,
        attempts: int = ATTEMPTS,
        **switches: Any,
    ) -> None:
        super().__init__(samples, rule, confidence, level, guided, threshold, attempts)
        known = {field.name: type(getattr(MEASURED, field.name)) for field in fields(MEASURED)}
        for name, value in switches.items():
            if name not in known:
                raise UsageError(f"racos has no option {name!r}: known are {', '.join(known)}")
            if type(value) is not known[name]:
                raise UsageError(f"the option {name} of racos must be {known[name].__name__}, but is {value!r}")
        self._switches = replace(MEASURED, **switches)

    def _sample(self, sampling: Sampling) -> None:
        racos(sampling, self._switches)


class AlternatingSolver(SamplingSolver):
    """The alternating variable method alone, with restarts."""

    name = "alternating"
    sampler = "alternating"


class NewtonSolver(SamplingSolver):
    """Gauss-Newton descents alone, with restarts."""

    name = "newton"
    sampler = "newton"


class EvolutionSolver(SamplingSolver):
    """Differential evolution alone."""

    name = "evolution"
    sampler = "evolution"


class RandomSolver(SamplingSolver):
    """Samples spread evenly, for comparison."""

    name = "random"
    sampler = "random"
