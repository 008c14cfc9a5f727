"""Leaves as columns of 64-bit words, so that many inputs are drawn, changed and run at once.

A column of floats holds their bits. Integers beyond 63 bits are left to other algorithms: their column ends there.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.inputs.domain import MAGNITUDES

Words = NDArray[np.int64]
Floats = NDArray[np.float64]
UNIFORM = 1 << 17
"""Integers of ranges up to this wide are drawn evenly, others as their domain draws them: mostly small."""
LEAST, MOST = -(1 << 63), (1 << 63) - 1
LARGEST = 1e300
_MAGNITUDES = np.array([min(item, MOST) for item in MAGNITUDES], np.int64)


class Columns:
    """The domains of all leaves of an input."""

    def __init__(self, domains: Sequence[Domain]) -> None:
        self.domains = domains
        self.is_float = np.array([item.kind == "float" for item in domains], bool)
        lows = [LEAST if item.low is None else max(int(item.low), LEAST) for item in _numbers(domains)]
        highs = [MOST if item.high is None else min(int(item.high), MOST) for item in _numbers(domains)]
        self._low, self._high = np.array(lows, np.int64), np.array(highs, np.int64)
        self.low = np.array([_bound(item, item.low, -1) for item in domains], np.float64)
        self.high = np.array([_bound(item, item.high, 1) for item in domains], np.float64)
        self.span = self.high - self.low
        whole = ~self.is_float
        self._even = np.flatnonzero(whole & (self.span <= UNIFORM))
        self._wide = np.flatnonzero(whole & (self.span > UNIFORM) & [item.kind == "int" for item in domains])
        self._others = np.setdiff1d(np.arange(len(domains)), np.concatenate([self._even, self._wide]))
        centres = [min(max(int(domains[at].initial), LEAST), MOST) for at in self._wide.tolist()]
        self._centres = np.array(centres, np.int64)

    def __len__(self) -> int:
        return len(self.domains)

    def encoded(self, inputs: Sequence[Sequence[Leaf]]) -> Words:
        """Inputs as rows of words."""
        words = np.zeros((len(inputs), len(self)), np.int64)
        for at, is_float in enumerate(self.is_float):
            column = [leaves[at] for leaves in inputs]
            if is_float:
                words[:, at] = np.array(column, np.float64).view(np.int64)
            else:
                words[:, at] = [min(max(int(value), LEAST), MOST) for value in column]
        return words

    def decoded(self, words: Words) -> list[list[Leaf]]:
        """Rows of words as inputs."""
        columns: list[list[Leaf]] = [
            (words[:, at].copy().view(np.float64) if is_float else words[:, at]).tolist()
            for at, is_float in enumerate(self.is_float)
        ]
        return [list(leaves) for leaves in zip(*columns, strict=True)] if columns else [[] for _ in words]

    def values(self, words: Words) -> Floats:
        """The leaves as numbers; large integers are rounded."""
        found = words.astype(np.float64)
        if self.is_float.any():
            floats = np.ascontiguousarray(words[..., self.is_float]).view(np.float64)
            found[..., self.is_float] = np.clip(np.nan_to_num(floats), -LARGEST, LARGEST)
        return found

    def moved(self, words: Words, steps: Floats) -> Words:
        """Every leaf changed by a step of its own, within its domain; whole steps of integers are exact."""
        target = np.clip(self.values(words) + steps, self.low, self.high)
        inside = np.clip(np.rint(steps), -9e18, 9e18).astype(np.int64)
        with np.errstate(over="ignore"):
            sums = np.clip(words + inside, self._low, self._high)
        found = np.where(target >= self.high, self._high, np.where(target <= self.low, self._low, sums))
        return self._with_floats(found, target)

    def placed(self, values: Floats) -> Words:
        """Numbers as words, each within the domain of its leaf."""
        target = np.clip(values, self.low, self.high)
        whole = np.clip(np.rint(np.clip(target, -9e18, 9e18)).astype(np.int64), self._low, self._high)
        return self._with_floats(whole, target)

    def _with_floats(self, words: Words, numbers: Floats) -> Words:
        if self.is_float.any():
            words[..., self.is_float] = np.ascontiguousarray(numbers[..., self.is_float]).view(np.int64)
        return words

    def drawn(self, count: int, rng: np.random.Generator) -> Words:
        """Random inputs."""
        words = np.zeros((count, len(self)), np.int64)
        even, wide = self._even, self._wide
        if len(even):
            words[:, even] = rng.integers(self._low[even], self._high[even], (count, len(even)), endpoint=True)
        if len(wide):
            words[:, wide] = self._windows(count, rng)
        if len(self._others):
            plain = Random(int(rng.integers(1 << 62)))
            for at in self._others.tolist():
                column = [[self.domains[at].sample(plain)] for _ in range(count)]
                words[:, at] = Columns([self.domains[at]]).encoded(column)[:, 0]
        return words

    def _windows(self, count: int, rng: np.random.Generator) -> Words:
        """Integers of wide ranges, as their domains draw them: each in a window around where the search starts."""
        low, high, centres = self._low[self._wide], self._high[self._wide], self._centres
        magnitudes = rng.choice(_MAGNITUDES, (count, len(centres)))
        least = np.where(centres < LEAST + magnitudes, low, np.maximum(centres - magnitudes, low))
        most = np.where(centres > MOST - magnitudes, high, np.minimum(centres + magnitudes, high))
        found: Words = rng.integers(least, most, endpoint=True)
        return found


def _numbers(domains: Sequence[Domain]) -> list[Domain]:
    """The domains, floats without their bounds, which need not be whole."""
    return [Domain.of("int") if item.kind == "float" else item for item in domains]


def _bound(domain: Domain, bound: Leaf | None, sign: int) -> float:
    if bound is None:
        return sign * (LARGEST if domain.kind == "float" else 2.0**63)
    return float(bound)
