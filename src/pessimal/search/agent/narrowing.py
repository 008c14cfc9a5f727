"""Inputs with many leaves: which of them a goal depends on, and walks in which only these can change."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pessimal.inputs import Domain
from pessimal.search.agent.arena import Arena, Floats, Ints
from pessimal.search.agent.columns import Columns, Words

MOST_LEAVES = 24
"""How many leaves of a wide input walks may change."""


class Narrowed:
    """An arena whose inputs differ from one input in some leaves only."""

    def __init__(self, arena: Arena, base: Words, leaves: Ints) -> None:
        self._arena, self._base, self._leaves = arena, base, leaves
        self.domains: Sequence[Domain] = [arena.domains[at] for at in leaves.tolist()]

    @property
    def goals(self) -> Sequence[int]:
        """The goals that walks may have."""
        return self._arena.goals

    def measure(self, words: Words, goals: Ints) -> tuple[Ints, Floats]:
        """For each input, of which only the chosen leaves are given, the approach level and the distance."""
        return self._arena.measure(_changed(self._base, self._leaves, words), goals)


def _changed(base: Words, leaves: Ints, words: Words) -> Words:
    whole = np.repeat(base[None, :], len(words), axis=0)
    whole[:, leaves] = words
    return whole


def depended_on(arena: Arena, columns: Columns, base: Words, goal: int, rng: np.random.Generator) -> Ints:
    """The leaves on which the level or the distance of a goal depends, by halving; any if that tells nothing.

    Some leaves are drawn anew. Where that changes nothing, none of them matters; otherwise both halves are tried.
    """
    before = arena.measure(base[None, :], np.array([goal]))
    spans, found = [(0, len(base))], []
    while spans:
        drawn, inputs = columns.drawn(len(spans), rng), np.repeat(base[None, :], len(spans), axis=0)
        for row, (start, end) in enumerate(spans):
            inputs[row, start:end] = drawn[row, start:end]
        levels, distances = arena.measure(inputs, np.full(len(spans), goal))
        matters = (levels != before[0]) | (distances != before[1])
        kept = [span for span, is_kept in zip(spans, matters, strict=True) if is_kept]
        found += [start for start, end in kept if end - start == 1]
        halves = [half for span in kept for half in _halves(*span)]
        spans = [halves[at] for at in rng.permutation(len(halves))[: 2 * MOST_LEAVES].tolist()]
    return np.sort(rng.permutation(np.array(found or range(len(base)), np.int64))[:MOST_LEAVES])


def _halves(start: int, end: int) -> list[tuple[int, int]]:
    middle = (start + end) // 2
    return [(start, middle), (middle, end)] if end - start > 1 else []
