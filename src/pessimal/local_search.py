"""Local search that a front-end makes by itself, beside the target, and what comes of it: types for both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

from pessimal.expr import Leaf
from pessimal.inputs import Domain


@dataclass(frozen=True, slots=True)
class LocalSearch:
    """Run inputs, each chosen by how the one before it went, from ``start`` on.

    What is searched for is the ``goal``, given by the slots of its levels, from its own outwards, or without one the
    largest cost. ``wanted`` are slots of which the first that is taken ends the search. ``fresh`` is the share of
    inputs that are drawn anew: all of them make a random search. ``sequences`` are the texts and lists among the
    leaves: the leaf of the length, the first element, and how many there may be.
    """

    start: Sequence[Leaf]
    domains: Sequence[Domain]
    seed: int
    most: int
    sequences: Sequence[tuple[int, int, int]] = ()
    ends_at: float = inf
    goal: Sequence[Sequence[int]] = ()
    wanted: Sequence[int] = ()
    fresh: float = 0.0


@dataclass(frozen=True, slots=True)
class LocalFindings:
    """The best input, how many were run, one that took a wanted slot, and inputs that failed with status and code."""

    best: list[Leaf]
    runs: int
    found: list[Leaf] | None = None
    failures: list[tuple[int, int, list[Leaf]]] = field(default_factory=list)
