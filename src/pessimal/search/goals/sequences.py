"""Texts and lists among the leaves of an input: inserting, removing and repeating elements.

A growing sequence is a leaf with its length, named ``len(NAME)``, and one leaf for each element that it may have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from pessimal.expr import Leaf
from pessimal.inputs import Domain

Input = list[Leaf]


@dataclass(frozen=True, slots=True)
class Run:
    """A sequence: the leaf of its length, its first element, and how many it may have."""

    length: int
    first: int
    most: int

    def count(self, leaves: Sequence[Leaf]) -> int:
        """How many elements an input has."""
        return min(int(leaves[self.length]), self.most)


def runs(domains: Sequence[Domain]) -> tuple[Run, ...]:
    """The sequences whose elements are single leaves."""
    return _runs(tuple((domain.kind, domain.name) for domain in domains))


@lru_cache(maxsize=64)
def _runs(named: tuple[tuple[str, str], ...]) -> tuple[Run, ...]:
    found = []
    for at, (kind, name) in enumerate(named):
        if kind == "choice" and name.startswith("len("):
            inside, most = name[4:-1], 0
            while at + 1 + most < len(named) and named[at + 1 + most][1] == f"{inside}[{most}]":
                most += 1
            if most > 1:
                found.append(Run(at, at + 1, most))
    return tuple(found)


def inserted(leaves: Input, run: Run, at: int, value: Leaf) -> Input:
    """The input with one more element; the last one is lost if there is no room."""
    start, end = run.first + at, run.first + run.most
    changed = [*leaves[:start], value, *leaves[start : end - 1], *leaves[end:]]
    changed[run.length] = min(run.count(leaves) + 1, run.most)
    return changed


def removed(leaves: Input, run: Run, at: int) -> Input:
    """The input with one element less."""
    start, end = run.first + at, run.first + run.most
    changed = [*leaves[:start], *leaves[start + 1 : end], leaves[start], *leaves[end:]]
    changed[run.length] = max(run.count(leaves) - 1, 0)
    return changed


def repeated(leaves: Input, run: Run, start: int, count: int) -> Input:
    """The input with some elements twice."""
    changed = list(leaves)
    for offset in range(min(count, run.most - run.count(leaves))):
        changed = inserted(changed, run, start + count + offset, leaves[run.first + start + offset])
    return changed


def edited(leaves: Input, run: Run, domains: Sequence[Domain], rng: Random) -> Input:
    """The input with an element inserted or removed, or some repeated."""
    count = run.count(leaves)
    at = rng.randrange(count + 1)
    kind = rng.random()
    if kind < 0.5 or count == 0:
        place = min(at, run.most - 1)
        return inserted(leaves, run, place, domains[run.first + place].sample(rng))
    at = min(at, count - 1)
    if kind < 0.8:
        return removed(leaves, run, at)
    return repeated(leaves, run, at, rng.randrange(1, count - at + 1))
