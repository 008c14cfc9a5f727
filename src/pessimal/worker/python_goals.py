"""The outcomes of a Python function's tests as goals of walks, measured by runs in a process of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from random import Random

import numpy as np

from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.search.agent.arena import Floats, Ints
from pessimal.search.agent.columns import Columns, Words
from pessimal.worker.run_client import RunClient

FIRST_INPUTS = 100
"""How many random inputs are run to come upon the tests."""

Distances = dict[tuple[str, int], float]


class PythonGoals:
    """The arena of one Python function; goals are numbered as runs come upon their tests.

    So there is no approach level but one: whether the test is reached.
    """

    def __init__(self, target: str, size: int, inputs: Mapping[str, str], allow_side_effects: bool = False) -> None:
        self._client = RunClient(target, size, inputs, "domains", allow_side_effects)
        self.domains: Sequence[Domain] = [Domain(*item) for item in self._client.first["domains"]]
        self._columns = Columns(self.domains)
        self._numbers: dict[tuple[str, int], int] = {}
        rng = Random(0)
        drawn = [[domain.sample(rng) for domain in self.domains] for _ in range(FIRST_INPUTS)]
        self._run([[domain.initial for domain in self.domains], *drawn])
        self.literals: Sequence[float] = self._client.first["literals"]

    @property
    def goals(self) -> Sequence[int]:
        """The outcomes of all tests that were reached."""
        return range(len(self._numbers))

    def measure(self, words: Words, goals: Ints) -> tuple[Ints, Floats]:
        """Whether each input misses the test of its goal, and its distance; 1 where that is not known."""
        names = list(self._numbers)
        runs = zip(self._run(self._columns.decoded(words)), goals.tolist(), strict=True)
        distances = np.array([run.get(names[goal], inf) for run, goal in runs], np.float64)
        reached = np.isfinite(distances)
        return np.where(reached, 0, 1), np.where(reached, distances, 1.0)

    def _run(self, inputs: Sequence[Sequence[Leaf]]) -> list[Distances]:
        """The least distance of each input to each outcome; an input that ends the process has none."""
        answer = self._client.ask({"inputs": [list(leaves) for leaves in inputs]})
        if answer is None:
            return [{}] if len(inputs) == 1 else [self._run([leaves])[0] for leaves in inputs]
        found: list[Distances] = [{(site, outcome): distance for site, outcome, distance in run} for run in answer]
        for key in (key for run in found for key in run):
            self._numbers.setdefault(key, len(self._numbers))
        return found

    def close(self) -> None:
        """End the process that runs the function."""
        self._client.close()
