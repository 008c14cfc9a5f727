"""Equivalence classes: variables whose differences are known constants, as one value and an offset each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from pessimal.synthesis.arrays.system import EXACT, Ints, Unsatisfiable, Unsupported


@dataclass
class Classes:
    """The value of variable ``v`` is that of class ``label[v]`` plus ``offset[v]``."""

    count: int
    label: Ints
    offset: Ints

    @property
    def is_trivial(self) -> bool:
        """Whether each variable is a class of its own."""
        return self.count == len(self.label)

    def members(self, classes: tuple[int, ...]) -> tuple[int, ...]:
        """One variable of each class."""
        if self.is_trivial:
            return classes
        first = np.zeros(self.count, np.int64)
        first[self.label[::-1]] = np.arange(len(self.label))[::-1]
        return tuple(first[list(classes)].tolist())

    def least_class_values(self, values: Ints) -> Ints:
        """The least value of each class for which every member is at least its given value."""
        if self.is_trivial:
            return values.copy()
        found = np.full(self.count, (values - self.offset).min(initial=0), np.int64)
        np.maximum.at(found, self.label, values - self.offset)
        return found

    def expand(self, values: Ints) -> Ints:
        """The values of the variables from those of the classes."""
        return values[self.label] + self.offset


def classes(size: int, left: Ints, right: Ints, const: Ints) -> Classes:
    """Group variables by equalities ``x[left] - x[right] + const == 0``; raises Unsatisfiable if these contradict."""
    if not len(left):
        return Classes(size, np.arange(size), np.zeros(size, np.int64))
    matrix = csr_array((np.ones(len(left), bool), (left, right)), shape=(size, size))
    count, label = connected_components(matrix, directed=False)
    offset = np.zeros(size, np.int64)
    if const.any():
        if float(np.abs(const).sum(dtype=float)) >= EXACT:
            raise Unsupported("the constants of equalities are too large")
        offset = _offsets(size, label, left, right, const)
        wrong = np.flatnonzero(offset[left] - offset[right] + const)
        if len(wrong):
            raise Unsatisfiable("equalities contradict", (int(left[wrong[0]]), int(right[wrong[0]])))
    return Classes(count, label, offset)


def _offsets(size: int, label: Ints, left: Ints, right: Ints, const: Ints) -> Ints:
    """The offset of each variable from the root of its class, along a spanning tree of equalities."""
    both = np.concatenate([left, right]), np.concatenate([right, left])
    key = both[0].astype(np.int64) * size + both[1]
    key, index = np.unique(key, return_index=True)
    step = np.concatenate([-const, const])[index]  # x[u] = x[v] + step for the key of (u, v)
    _, roots = np.unique(label, return_index=True)
    # An extra node, connected to all roots, makes the forest one tree.
    hub = np.full(len(roots), size)
    rows, columns = np.concatenate([key // size, hub]), np.concatenate([key % size, roots])
    matrix = csr_array((np.ones(len(rows), bool), (rows, columns)), shape=(size + 1, size + 1))
    _, parent = breadth_first_order(matrix, size, return_predecessors=True)
    parent = parent[:size].astype(np.int64)
    parent[roots] = roots
    offset: Ints = step[np.minimum(np.searchsorted(key, np.arange(size) * size + parent), len(step) - 1)]
    offset[roots] = 0
    # Pointer jumping: each step doubles the part of the way to the root that is summed up.
    while not np.array_equal(parent, parent[parent]):
        offset += offset[parent]
        parent = parent[parent]
    return offset
