"""Policies that ask a network: what it says of a state is remembered until it learns again."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pessimal.learn.states import State, Step, steps_before
from pessimal.python.execution import Execution
from pessimal.search.tree import Kinds
from pessimal.trace import Site

Chance = Callable[[State], float]
"""The probability with which a policy takes true at a state."""


class Advised:
    """Follows the wanted decisions, then takes true with the chance that somebody gives for the state."""

    def __init__(self, kinds: Kinds, length: int, wanted: bytes, chance: Chance, rng: Random) -> None:
        self._kinds = kinds
        self._length = length
        self._wanted = wanted
        self._chance = chance
        self._rng = rng

    def choose(self, site: Site, execution: Execution) -> bool | None:
        """The wanted decision, or a toss."""
        position = execution.position
        if position < len(self._wanted):
            return self._wanted[position] == 1
        trace, number = execution.trace, self._kinds.number

        def step(i: int) -> Step:
            return i, number(trace.sites[i], trace.conditions[i]), trace.decisions[i]

        past = steps_before(position, self._length, step)
        chance = self._chance((*past, (position, number(site, execution.condition), -1)))
        return chance >= 1 or (chance > 0 and self._rng.random() < chance)

    def pick(self, site: Site, execution: Execution) -> bool | None:
        """The wanted decision, or the input's."""
        position = execution.position
        return self._wanted[position] == 1 if position < len(self._wanted) else None
