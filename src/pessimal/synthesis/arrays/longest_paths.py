"""Longest paths: the least values that satisfy ``x[left] + weight <= x[right]`` on every edge.

An edge is processed once the value of its left node is final. Where many nodes become final at a time they are handled
as arrays, where few do, one by one over the same memory; so a single chain of millions of nodes and a single wide level
both take linear time. Cycles are contracted: a cycle of positive weight is a contradiction, the nodes of a cycle of
zeros become one node. The remaining cycles have edges of negative weight; edges along an order of the nodes and edges
against it are then processed alternately.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from pessimal.synthesis.arrays.system import CHUNK, EXACT, Ints, Unsatisfiable, Unsupported

WIDE = 64
"""The number of nodes, or of edges of one node, from which on arrays are faster than a loop."""

MAX_WORK = 1 << 26
"""How many edges may be processed in alternating passes before the solver gives up."""


@dataclass
class EdgeRows:
    """Edges grouped by their left node: those of node ``u`` are ``first[u]`` to ``first[u + 1]``."""

    first: Ints
    right: Ints
    weight: Ints
    entering: Ints


class Graph:
    """Edges between ``size`` nodes, prepared once and solved from any start.

    The caller ensures that no path leads beyond ``EXACT`` from the start.
    """

    def __init__(self, size: int, left: Ints, right: Ints, weight: Ints) -> None:
        self.size = size
        self.left, self.right, self.weight = left, right, weight
        self._rows = _group(size, left, right, weight)
        self._contracted: tuple[npt.NDArray[np.int32], Graph, Graph] | None = None

    def reversed(self) -> Graph:
        """The graph of the negated values, whose least values are the negated greatest values of this one."""
        return Graph(self.size, self.right, self.left, self.weight)

    def least_values(self, start: Ints) -> Ints:
        """The least values, not below the start, that satisfy all edges."""
        if self._contracted is None:
            values, unprocessed = _longest(self._rows, start)
            if not unprocessed.any():
                return values
            self._contracted = self._contract_cycles(unprocessed > 0)
        label, forward, backward = self._contracted
        return self._alternate_passes(start, label, forward, backward)

    def depths(self) -> Ints:
        """A number for each node that increases along every edge, except within contracted cycles."""
        if self._contracted is None:
            rows = EdgeRows(self._rows.first, self._rows.right, _uniform(1, len(self.right)), self._rows.entering)
            depths, unprocessed = _longest(rows, np.zeros(self.size, np.int64))
            if not unprocessed.any():
                return depths
            self._contracted = self._contract_cycles(unprocessed > 0)
        label, forward, _ = self._contracted
        return forward.depths()[label]

    def _alternate_passes(self, start: Ints, label: Ints, forward: Graph, backward: Graph) -> Ints:
        """Raise values along forward and backward edges until both agree, or a cycle of positive weight is found."""
        values = np.full(forward.size, start.min(initial=0), np.int64)
        np.maximum.at(values, label, start)
        # A path takes each backward edge at most once, so more passes mean a cycle of positive weight.
        for pass_number in range(min(len(backward.left), backward.size) + 1):
            before = forward.least_values(values)
            values = backward.least_values(before)
            if np.array_equal(values, before):
                return values[label]
            if pass_number & (pass_number - 1) == 0:
                self._check_positive_cycle(before[label])
            if values.max() >= EXACT:  # beyond the reach of any path
                break
            if pass_number * (len(self.left) + self.size) > MAX_WORK:
                raise Unsupported("cycles of differences need too many passes")
        raise Unsatisfiable("a cycle of differences has positive weight")

    def _check_positive_cycle(self, values: Ints) -> None:
        """Look for a cycle whose edges all demand at least the current values, and one of them more."""
        slack = values[self.left] + self.weight - values[self.right]
        edges = np.flatnonzero(slack >= 0)
        inside = self._inside(edges, _strong(self.size, self.left[edges], self.right[edges]))
        increasing = inside[slack[inside] > 0]
        if len(increasing):
            raise Unsatisfiable("a cycle of differences has positive weight", self._cycle(int(increasing[0]), inside))

    def _contract_cycles(self, is_in_cycle: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.int32], Graph, Graph]:
        """Contract cycles of zeros; return the node of each node, and the forward and backward edges between them."""
        kept = np.flatnonzero(is_in_cycle[self.left] & is_in_cycle[self.right])
        label = _strong(self.size, self.left[kept], self.right[kept])
        inside = self._inside(kept, label)
        negative = inside[self.weight[inside] < 0]
        if len(negative):
            kept = np.setdiff1d(kept, negative, assume_unique=True)
            label = _strong(self.size, self.left[kept], self.right[kept])
            inside = self._inside(kept, label)
        increasing = inside[self.weight[inside] > 0]
        if len(increasing):
            raise Unsatisfiable("a cycle of differences has positive weight", self._cycle(int(increasing[0]), inside))
        is_outer = np.ones(len(self.left), bool)
        is_outer[inside] = is_outer[negative] = False
        forward = self._mapped(label, np.flatnonzero(is_outer))
        if not len(negative):
            return label, forward, self._mapped(label, negative)
        rank = np.empty(forward.size, np.int64)
        rank[np.argsort(forward.depths(), kind="stable")] = np.arange(forward.size)
        rank_change = rank[label[self.right[negative]]] - rank[label[self.left[negative]]]
        is_outer[negative[rank_change > 0]] = True
        return label, self._mapped(label, np.flatnonzero(is_outer)), self._mapped(label, negative[rank_change < 0])

    def _inside(self, edges: Ints, label: Ints) -> Ints:
        """The edges within a component."""
        inside: Ints = edges[label[self.left[edges]] == label[self.right[edges]]]
        return inside

    def _mapped(self, label: npt.NDArray[np.int32], edges: Ints) -> Graph:
        """Some of the edges, as edges between components."""
        return Graph(int(label.max()) + 1, label[self.left[edges]], label[self.right[edges]], self.weight[edges])

    def _cycle(self, edge: int, inside: Ints) -> tuple[int, ...]:
        """The nodes of a cycle through an edge, from its right node around to its left node."""
        begin, end = int(self.right[edge]), int(self.left[edge])
        matrix = _matrix(self.size, self.left[inside], self.right[inside])
        _, before = breadth_first_order(matrix, begin, return_predecessors=True)
        nodes = [end]
        while nodes[-1] != begin:
            nodes.append(int(before[nodes[-1]]))
        return tuple(reversed(nodes))


def _uniform(weight: int, length: int) -> Ints:
    """One weight for all edges, without taking memory for each."""
    return np.broadcast_to(np.int64(weight), length)


def _group(size: int, left: Ints, right: Ints, weight: Ints) -> EdgeRows:
    """Group edges by their left node in linear time, by transposing a matrix with one entry per edge."""
    entering = np.bincount(right, minlength=size)
    if len(left) and (left[1:] < left[:-1]).any():
        uniform = weight.strides == (0,)
        column = right if uniform else np.arange(len(left), dtype=np.int32)
        matrix = csr_array((column, left, np.arange(len(left) + 1, dtype=np.int32)), shape=(len(left), size))
        column = matrix.tocsc().data
        right, weight = (column, weight) if uniform else (right[column], weight[column])
    first = np.zeros(size + 1, np.int64)
    np.cumsum(np.bincount(left, minlength=size), out=first[1:])
    return EdgeRows(first, np.ascontiguousarray(right), weight, entering)


def _longest(rows: EdgeRows, start: Ints) -> tuple[Ints, Ints]:
    """The longest paths from a start, and how many edges into each node were not processed: those of cycles."""
    values, unprocessed = start.astype(np.int64), rows.entering.astype(np.int64)
    frontier: Ints = np.flatnonzero(unprocessed == 0)
    while len(frontier):
        frontier = (_process_frontier if len(frontier) >= WIDE else _process_nodes)(rows, values, unprocessed, frontier)
    return values, unprocessed


def _process_frontier(rows: EdgeRows, values: Ints, unprocessed: Ints, frontier: Ints) -> Ints:
    """Process all edges of a frontier at once; return the next frontier."""
    begin = rows.first[frontier]
    count = rows.first[frontier + 1] - begin
    if len(frontier) > 1 and count.sum() > CHUNK:
        half = len(frontier) // 2
        parts = [_process_frontier(rows, values, unprocessed, part) for part in (frontier[:half], frontier[half:])]
        return np.concatenate(parts)
    edges = np.arange(count.sum()) + np.repeat(begin - np.cumsum(count) + count, count)
    right = rows.right[edges]
    np.maximum.at(values, right, np.repeat(values[frontier], count) + rows.weight[edges])
    np.subtract.at(unprocessed, right, 1)
    return np.unique(right[unprocessed[right] == 0])


def _process_nodes(rows: EdgeRows, values: Ints, unprocessed: Ints, frontier: Ints) -> Ints:
    """Process edges node by node until none is left or the frontier has become wide; return the next frontier."""
    columns: tuple[Any, ...] = (rows.first, rows.right, rows.weight, values, unprocessed)
    first, right, weight, value, unprocessed_view = [memoryview(column) for column in columns]
    stack = frontier.tolist()
    while stack and len(stack) < WIDE:
        node = stack.pop()
        begin, end = first[node], first[node + 1]
        if end - begin >= WIDE:
            stack += _process_frontier(rows, values, unprocessed, np.array([node])).tolist()
            continue
        base = value[node]
        for edge in range(begin, end):
            other = right[edge]
            reached = base + weight[edge]
            if value[other] < reached:
                value[other] = reached
            left = unprocessed_view[other] - 1
            unprocessed_view[other] = left
            if not left:
                stack.append(other)
    return np.array(stack, np.int64)


def _matrix(size: int, left: Ints, right: Ints) -> csr_array:
    return csr_array((np.ones(len(left), bool), (left, right)), shape=(size, size))


def _strong(size: int, left: Ints, right: Ints) -> npt.NDArray[np.int32]:
    """The number of each node's strongly connected component."""
    label: npt.NDArray[np.int32] = connected_components(_matrix(size, left, right), connection="strong")[1]
    return label
