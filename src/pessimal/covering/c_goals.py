"""The outcomes of a C function's own tests as goals, and how far inputs are from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pessimal.c.control import parents
from pessimal.c.executor import Status
from pessimal.c.frontend import CFrontEnd
from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.search.agent.arena import Floats, Ints
from pessimal.search.agent.columns import Words
from pessimal.search.goals.fitness import Fitness

MOST_STEPS = 200_000
NEAR = 1e-3
"""The distance of a run that takes its goal and then fails: it comes near, and does not count."""
COVERING = (Status.RETURNED, Status.EXITED, Status.ABORTED)


class CGoals:
    """The arena of one C function; as many inputs as there are rows are run in few requests."""

    def __init__(self, front_end: CFrontEnd) -> None:
        built = front_end.built
        self._front_end = front_end
        self.domains: Sequence[Domain] = front_end.domains
        owners = [(test.slot, test.arity) for test in built.tests for _ in range(test.arity)]
        self._fitness = Fitness(owners, parents(built))
        own = [test for test in built.tests if test.site.function == built.signature.name]
        self.goals: Sequence[int] = [slot for test in own for slot in range(test.slot, test.slot + test.arity)]
        self.names = {
            test.slot + outcome: f"{test.site.line}: {test.site.text} -> {label}"
            for test in own
            for outcome, label in enumerate(test.labels)
        }
        self.literals = [float(item) for item in front_end.literals() if isinstance(item, int | float)]

    def measure(self, words: Words, goals: Ints) -> tuple[Ints, Floats]:
        """The approach level and the distance of each input to its goal."""
        rows, statuses, _ = self._front_end.distances_of_words(words, MOST_STEPS)
        failed = ~np.isin(statuses, COVERING)
        if failed.any():
            rows[failed] = np.where(rows[failed] == 0.0, NEAR, rows[failed])
        return self._fitness.parts(rows, goals)

    def describe(self, leaves: Sequence[Leaf]) -> str:
        """The call with an input, as C."""
        return self._front_end.describe_call(leaves)

    def close(self) -> None:
        """End the process that runs the function."""
        self._front_end.close()
