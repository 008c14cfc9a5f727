"""Graphs of equivalence classes with bounds and order edges, solved for the least values above a start."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pessimal.synthesis.arrays.classes import Classes, classes
from pessimal.synthesis.arrays.longest_paths import Graph
from pessimal.synthesis.arrays.reduction import Block, Reduction
from pessimal.synthesis.arrays.system import EXACT, HIGHEST, LOWEST, Ints, Unsatisfiable, Unsupported

Edges = tuple[Ints, Ints, Ints]
"""Left, right and weight: ``x[left] + weight <= x[right]``."""


@dataclass
class ClassGraph:
    """The bounds and the start value of each class, and the edges between classes."""

    classes: Classes
    low: Ints
    high: Ints
    start: Ints
    edges: Edges

    def __post_init__(self) -> None:
        crossed = np.flatnonzero(self.low > self.high)
        if len(crossed):
            raise Unsatisfiable("the bounds of equal variables contradict", self.classes.members((int(crossed[0]),)))
        self._build(self.edges)

    def least(self) -> Ints:
        """The least values above the start; if they violate an upper bound, the start is lowered as far as needed."""
        values = self._least_values(self.graph, np.clip(self.start, self.low, self.high))
        if (values <= self.high).all():
            return values
        top = self.top()
        crossed = np.flatnonzero(top < self.low)
        if len(crossed):
            raise Unsatisfiable("order and bounds contradict", self.classes.members((int(crossed[0]),)))
        return self._least_values(self.graph, np.minimum(np.clip(self.start, self.low, self.high), top))

    def bottom(self) -> Ints:
        """The least values that bounds and edges allow."""
        return self._least_values(self.graph, self.low)

    def top(self) -> Ints:
        """The greatest values that bounds and edges allow."""
        return -self._least_values(self.graph.reversed(), -self.high)

    def add(self, edges: Edges) -> None:
        """Add edges permanently."""
        self._build(concatenated([self.edges, edges]))

    def _build(self, edges: Edges) -> None:
        left, right, weight = edges
        loops = left == right
        if loops.any():
            wrong = left[loops & (weight > 0)]
            if len(wrong):
                raise Unsatisfiable("equal variables must differ", self.classes.members((int(wrong[0]),)))
            left, right, weight = left[~loops], right[~loops], weight[~loops]
        finite = [np.abs(ends[np.abs(ends) < HIGHEST]).max(initial=0) for ends in (self.low, self.high, self.start)]
        if max(map(int, finite)) + _reach(self.classes.count, weight) >= EXACT:
            raise Unsupported("values get too large")
        self.edges = left, right, weight
        self.graph = Graph(self.classes.count, left, right, weight)

    def _least_values(self, graph: Graph, start: Ints) -> Ints:
        try:
            return graph.least_values(start)
        except Unsatisfiable as error:
            raise Unsatisfiable(str(error), self.classes.members(error.core)) from None


def class_graph(reduced: Reduction, start: Ints, edges: list[Block]) -> ClassGraph:
    """Group equal variables into classes, and translate bounds, start values and edges to the classes."""
    left, right, weight = concatenated_blocks(reduced.blocks["=="])
    united = classes(len(start), left, right, weight)
    low, high = united.least_class_values(reduced.low), -_mirrored(united).least_class_values(-reduced.high)
    start = united.least_class_values(start)
    # Adding an offset must not turn an infinite bound into a finite one.
    low[low < -2 * EXACT] = LOWEST
    high[high > 2 * EXACT] = HIGHEST
    start[start < -2 * EXACT] = LOWEST
    return ClassGraph(united, low, high, start, between_classes(united, edges))


def between_classes(united: Classes, blocks: list[Block]) -> Edges:
    """Differences of variables as differences of their classes."""
    left, right, weight = concatenated_blocks(blocks)
    if united.is_trivial:
        return left, right, weight
    if united.offset.any():
        weight = weight + united.offset[left] - united.offset[right]
    return united.label[left], united.label[right], weight


def concatenated_blocks(blocks: list[Block]) -> Edges:
    """All rows of several blocks; a constant that all rows share takes no memory."""
    return concatenated([(left, right, np.broadcast_to(np.asarray(const), len(left))) for left, right, const in blocks])


def concatenated(edges: list[Edges]) -> Edges:
    """Several lists of edges as one."""
    if not edges:
        empty = np.zeros(0, np.int32)
        return empty, empty, np.zeros(0, np.int64)
    if len(edges) == 1:
        return edges[0]
    left, right, weight = zip(*edges, strict=True)
    shared = {int(column[0]) if column.strides == (0,) and len(column) else None for column in weight}
    if len(shared) == 1 and None not in shared:
        weights = np.broadcast_to(weight[0][0], sum(map(len, left)))
    else:
        weights = np.concatenate(weight)
    return np.concatenate(left), np.concatenate(right), weights


def _mirrored(united: Classes) -> Classes:
    return Classes(united.count, united.label, -united.offset)


def _reach(count: int, weight: Ints) -> int:
    """The largest distance that the edges can force between two values."""
    if not len(weight):
        return 0
    if weight.strides == (0,):
        return min(count, len(weight)) * abs(int(weight[0]))
    return min(count * max(int(weight.max()), -int(weight.min())), int(np.abs(weight).sum(dtype=float)))
