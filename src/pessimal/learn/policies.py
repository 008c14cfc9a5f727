"""Policies that ask a network: what it says of a state is remembered until it learns again.

The network answers one question about a state: true or false? A branch with more outcomes is as many questions, one for
each outcome: this one or another?
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from pessimal.learn.states import State, Step, steps_before
from pessimal.runs import RunView
from pessimal.tree import Kinds

Chance = Callable[[State], float]
"""The probability with which a policy takes true at a state."""


class Advised:
    """Follows the wanted decisions, then takes true with the chance that is given for the state."""

    def __init__(self, kinds: Kinds, length: int, wanted: bytes, chance: Chance, rng: Random) -> None:
        self._kinds = kinds
        self._length = length
        self._wanted = wanted
        self._chance = chance
        self._rng = rng

    def choose(self, run: RunView) -> int | None:
        """The wanted decision, or a random one by its chance."""
        position, kinds = run.position, self._kinds
        if position < len(self._wanted):
            return self._wanted[position]

        def step(i: int) -> Step:
            site, condition, taken, arity = run.step(i)
            return i, *answered(kinds, kinds.number(site, condition), arity, taken)

        past = steps_before(position, self._length, step)
        kind = kinds.number(run.site, run.condition)
        if run.arity != 2:
            return drawn(chances(kinds, past, position, kind, run.arity, self._chance), self._rng)
        chance = self._chance((*past, (position, kind, -1)))
        return int(chance >= 1 or (chance > 0 and self._rng.random() < chance))

    def pick(self, run: RunView) -> int | None:
        """The wanted decision, or the input's."""
        position = run.position
        return self._wanted[position] if position < len(self._wanted) else None


def answered(kinds: Kinds, kind: int, arity: int, taken: int) -> tuple[int, int]:
    """A decision as the network sees it: a question, by its kind, and the answer."""
    return (kind, taken) if arity == 2 else (kinds.outcome(kind, taken), 1)


def chances(kinds: Kinds, past: State, position: int, kind: int, arity: int, chance: Chance) -> list[float]:
    """The chance of each outcome of a branch, as answers to as many questions; two outcomes are one question."""
    if arity == 2:
        true = chance((*past, (position, kind, -1)))
        return [1 - true, true]
    return [chance((*past, (position, kinds.outcome(kind, outcome), -1))) for outcome in range(arity)]


def drawn(weights: Sequence[float], rng: Random) -> int:
    """An outcome drawn by its weight; any if none has one."""
    (outcome,) = rng.choices(range(len(weights)), weights if any(weights) else None)
    return outcome
