"""Policies that ask a network: its answer for a state is remembered until the network learns again.

The network answers one yes-or-no question about a state: is the next outcome true? A branch with more than two
outcomes is one such question per outcome: is it this one, or another?
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from pessimal.learn.states import NumberedStep, State, steps_before
from pessimal.runs import RunView
from pessimal.tree import Kinds

ProbabilityOfTrue = Callable[[State], float]
"""The probability with which a policy takes true at a state."""


class NetworkPolicy:
    """Follows a prefix of decisions, then takes true with the probability that is given for the state."""

    def __init__(
        self, kinds: Kinds, length: int, prefix: bytes, probability_of_true: ProbabilityOfTrue, rng: Random
    ) -> None:
        self._kinds = kinds
        self._length = length
        self._prefix = prefix
        self._probability_of_true = probability_of_true
        self._rng = rng

    def choose(self, run: RunView) -> int | None:
        """The decision of the prefix, or after it a random one by the network's probabilities."""
        position, kinds = run.position, self._kinds
        if position < len(self._prefix):
            return self._prefix[position]

        def step(i: int) -> NumberedStep:
            site, condition, taken, arity = run.step(i)
            return i, *as_answer(kinds, kinds.number(site, condition), arity, taken)

        past = steps_before(position, self._length, step)
        kind = kinds.number(run.site, run.condition)
        if run.arity != 2:
            return drawn(probabilities(kinds, past, position, kind, run.arity, self._probability_of_true), self._rng)
        probability = self._probability_of_true((*past, (position, kind, -1)))
        return int(probability >= 1 or (probability > 0 and self._rng.random() < probability))

    def pick(self, run: RunView) -> int | None:
        """The decision of the prefix; after it choices are left to the input."""
        position = run.position
        return self._prefix[position] if position < len(self._prefix) else None


def as_answer(kinds: Kinds, kind: int, arity: int, taken: int) -> tuple[int, int]:
    """A decision as the network sees it: the kind of a yes-or-no question, and the answer."""
    return (kind, taken) if arity == 2 else (kinds.outcome_number(kind, taken), 1)


def probabilities(
    kinds: Kinds, past: State, position: int, kind: int, arity: int, probability_of_true: ProbabilityOfTrue
) -> list[float]:
    """The probability of each outcome of a branch; with more than two, each outcome is a question of its own."""
    if arity == 2:
        true = probability_of_true((*past, (position, kind, -1)))
        return [1 - true, true]
    questions = [(position, kinds.outcome_number(kind, outcome), -1) for outcome in range(arity)]
    return [probability_of_true((*past, question)) for question in questions]


def drawn(weights: Sequence[float], rng: Random) -> int:
    """An outcome drawn by its weight; any outcome if all weights are zero."""
    (outcome,) = rng.choices(range(len(weights)), weights if any(weights) else None)
    return outcome
