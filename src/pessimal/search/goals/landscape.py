"""What search algorithms climb down, and the changes of inputs that they share.

A :class:`Landscape` evaluates inputs, in batches where an algorithm can give many at once, and raises :class:`Reached`
when there is nothing left to gain, or when the evaluations of this descent are used up.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol

from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.search.goals.sequences import edited, runs

Input = list[Leaf]
EDITS = 0.3
"""How often a text or list is edited, where there is one, instead of a leaf changed."""


class Reached(Exception):
    """The minimum was reached, or the evaluations of a descent are used up."""


class Landscape(Protocol):
    """What an algorithm minimises."""

    domains: Sequence[Domain]
    rng: Random

    def fitness(self, inputs: Sequence[Input]) -> list[float]:
        """The values of inputs, of which smaller ones are better; may raise :class:`Reached`."""
        ...


class Algorithm(Protocol):
    """Minimises; it never ends by itself."""

    name: str

    def descend(self, landscape: Landscape, start: Input) -> None:
        """Go on from an input until the landscape ends it."""
        ...


def sample(landscape: Landscape) -> Input:
    """A random input."""
    return [domain.sample(landscape.rng) for domain in landscape.domains]


def moved(leaves: Input, at: int, step: float, domain: Domain) -> Input:
    """The input with one leaf changed by a step, within its domain."""
    value = leaves[at]
    changed = list(leaves)
    changed[at] = domain.clip(value + step if domain.kind == "float" else int(value) + int(step))
    return changed


def crossed(one: Input, other: Input, rng: Random) -> Input:
    """The first part of one input and the rest of another."""
    cut = rng.randrange(len(one) + 1)
    return [*one[:cut], *other[cut:]]


def mutated(leaves: Input, landscape: Landscape) -> Input:
    """The input with one leaf, or a few, drawn anew, moved, or copied from another leaf, or with a text edited."""
    rng, domains = landscape.rng, landscape.domains
    changed, sequences = list(leaves), runs(domains)
    if not changed:
        return changed
    while True:
        at = rng.randrange(len(changed))
        kind = rng.random()
        if sequences and rng.random() < EDITS:
            changed = edited(changed, rng.choice(sequences), domains, rng)
        elif kind < 0.35:
            changed[at] = domains[at].sample(rng)
        elif kind < 0.9:
            step = rng.choice((1, 1, 2, 3, 8, 16, 100, 1000)) * rng.choice((1, -1))
            changed = moved(changed, at, step * (rng.random() if domains[at].kind == "float" else 1), domains[at])
        else:
            changed[at] = domains[at].clip(changed[rng.randrange(len(changed))])
        if rng.random() < 0.6:
            return changed
