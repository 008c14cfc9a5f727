"""Longest paths: the least values that satisfy ``x[left] + weight <= x[right]`` on every edge.

An edge is settled once its left end is. Where many nodes are settled at a time they are handled as arrays, where few
are, one by one over the same memory; so a single chain of millions and a single wide level both take linear time.
Cycles are folded: one that gains is a contradiction, one of zeros makes its nodes one. What then remains of cycles has
edges of negative weight; the edges along an order of the nodes and those against it are then settled by turns.
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
"""From how many nodes, or edges of one node, arrays are faster than a loop."""

WORK = 1 << 26
"""How many edges may be looked at by turns before the solver gives up."""


@dataclass
class Rows:
    """Edges grouped by their left end: those of node ``u`` are ``first[u]`` to ``first[u + 1]``."""

    first: Ints
    right: Ints
    weight: Ints
    entering: Ints


class Graph:
    """Edges over ``size`` nodes, prepared once and solved from any start.

    The caller sees to it that no path reaches beyond ``EXACT`` from the start.
    """

    def __init__(self, size: int, left: Ints, right: Ints, weight: Ints) -> None:
        self.size = size
        self.left, self.right, self.weight = left, right, weight
        self._rows = _group(size, left, right, weight)
        self._folded: tuple[npt.NDArray[np.int32], Graph, Graph] | None = None

    def reversed(self) -> Graph:
        """The same conditions on negated values: its least values are the greatest ones here."""
        return Graph(self.size, self.right, self.left, self.weight)

    def raised(self, start: Ints) -> Ints:
        """The least values from a start upward that satisfy all edges."""
        if self._folded is None:
            values, waiting = _longest(self._rows, start)
            if not waiting.any():
                return values
            self._folded = self._fold(waiting > 0)
        fold, forth, back = self._folded
        return self._raised_by_turns(start, fold, forth, back)

    def depths(self) -> Ints:
        """A number for each node that grows along every edge, but for those of folded cycles."""
        if self._folded is None:
            rows = Rows(self._rows.first, self._rows.right, _same(1, len(self.right)), self._rows.entering)
            depths, waiting = _longest(rows, np.zeros(self.size, np.int64))
            if not waiting.any():
                return depths
            self._folded = self._fold(waiting > 0)
        fold, forth, _ = self._folded
        return forth.depths()[fold]

    def _raised_by_turns(self, start: Ints, fold: Ints, forth: Graph, back: Graph) -> Ints:
        """Raise values forth and back until both agree, or a cycle is found that gains."""
        values = np.full(forth.size, start.min(initial=0), np.int64)
        np.maximum.at(values, fold, start)
        # A path takes each edge back at most once, so that more turns are a cycle's.
        for turn in range(min(len(back.left), back.size) + 1):
            before = forth.raised(values)
            values = back.raised(before)
            if np.array_equal(values, before):
                return values[fold]
            if turn & (turn - 1) == 0:
                self._check_gain(before[fold])
            if values.max() >= EXACT:  # out of any path's reach
                break
            if turn * (len(self.left) + self.size) > WORK:
                raise Unsupported("cycles of differences need too many turns")
        raise Unsatisfiable("a cycle of differences gains")

    def _check_gain(self, values: Ints) -> None:
        """Look for a cycle of edges which all demand at least the values there are, and one of them more."""
        slack = values[self.left] + self.weight - values[self.right]
        edges = np.flatnonzero(slack >= 0)
        inside = self._inside(edges, _strong(self.size, self.left[edges], self.right[edges]))
        gaining = inside[slack[inside] > 0]
        if len(gaining):
            raise Unsatisfiable("a cycle of differences gains", self._cycle(int(gaining[0]), inside))

    def _fold(self, stuck: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.int32], Graph, Graph]:
        """Make each cycle that gains nothing one node; the edges along an order of the nodes, and those against it."""
        kept = np.flatnonzero(stuck[self.left] & stuck[self.right])
        label = _strong(self.size, self.left[kept], self.right[kept])
        inside = self._inside(kept, label)
        aside = inside[self.weight[inside] < 0]
        if len(aside):
            kept = np.setdiff1d(kept, aside, assume_unique=True)
            label = _strong(self.size, self.left[kept], self.right[kept])
            inside = self._inside(kept, label)
        gaining = inside[self.weight[inside] > 0]
        if len(gaining):
            raise Unsatisfiable("a cycle of differences gains", self._cycle(int(gaining[0]), inside))
        outer = np.ones(len(self.left), bool)
        outer[inside] = outer[aside] = False
        forth = self._mapped(label, np.flatnonzero(outer))
        if not len(aside):
            return label, forth, self._mapped(label, aside)
        rank = np.empty(forth.size, np.int64)
        rank[np.argsort(forth.depths(), kind="stable")] = np.arange(forth.size)
        rise = rank[label[self.right[aside]]] - rank[label[self.left[aside]]]
        outer[aside[rise > 0]] = True
        return label, self._mapped(label, np.flatnonzero(outer)), self._mapped(label, aside[rise < 0])

    def _inside(self, edges: Ints, label: Ints) -> Ints:
        """The edges within a component."""
        inside: Ints = edges[label[self.left[edges]] == label[self.right[edges]]]
        return inside

    def _mapped(self, label: npt.NDArray[np.int32], edges: Ints) -> Graph:
        """Some of the edges as edges between components."""
        return Graph(int(label.max()) + 1, label[self.left[edges]], label[self.right[edges]], self.weight[edges])

    def _cycle(self, edge: int, inside: Ints) -> tuple[int, ...]:
        """The nodes of a cycle through an edge, from its right end round to its left one."""
        begin, end = int(self.right[edge]), int(self.left[edge])
        matrix = _matrix(self.size, self.left[inside], self.right[inside])
        _, before = breadth_first_order(matrix, begin, return_predecessors=True)
        nodes = [end]
        while nodes[-1] != begin:
            nodes.append(int(before[nodes[-1]]))
        return tuple(reversed(nodes))


def _same(weight: int, length: int) -> Ints:
    """One weight for all edges, without the memory."""
    return np.broadcast_to(np.int64(weight), length)


def _group(size: int, left: Ints, right: Ints, weight: Ints) -> Rows:
    """Group edges by their left end, by counting: transposing a matrix with one entry per edge does it."""
    entering = np.bincount(right, minlength=size)
    if len(left) and (left[1:] < left[:-1]).any():
        uniform = weight.strides == (0,)
        column = right if uniform else np.arange(len(left), dtype=np.int32)
        matrix = csr_array((column, left, np.arange(len(left) + 1, dtype=np.int32)), shape=(len(left), size))
        column = matrix.tocsc().data
        right, weight = (column, weight) if uniform else (right[column], weight[column])
    first = np.zeros(size + 1, np.int64)
    np.cumsum(np.bincount(left, minlength=size), out=first[1:])
    return Rows(first, np.ascontiguousarray(right), weight, entering)


def _longest(rows: Rows, start: Ints) -> tuple[Ints, Ints]:
    """The longest paths from a start, and how many edges into each node were never settled: those of cycles."""
    values, waiting = start.astype(np.int64), rows.entering.astype(np.int64)
    frontier: Ints = np.flatnonzero(waiting == 0)
    while len(frontier):
        frontier = (_level if len(frontier) >= WIDE else _walk)(rows, values, waiting, frontier)
    return values, waiting


def _level(rows: Rows, values: Ints, waiting: Ints, frontier: Ints) -> Ints:
    """Settle all edges of a frontier at once; the next frontier."""
    begin = rows.first[frontier]
    count = rows.first[frontier + 1] - begin
    if len(frontier) > 1 and count.sum() > CHUNK:
        half = len(frontier) // 2
        parts = [_level(rows, values, waiting, part) for part in (frontier[:half], frontier[half:])]
        return np.concatenate(parts)
    edges = np.arange(count.sum()) + np.repeat(begin - np.cumsum(count) + count, count)
    right = rows.right[edges]
    np.maximum.at(values, right, np.repeat(values[frontier], count) + rows.weight[edges])
    np.subtract.at(waiting, right, 1)
    return np.unique(right[waiting[right] == 0])


def _walk(rows: Rows, values: Ints, waiting: Ints, frontier: Ints) -> Ints:
    """Settle edges node by node until there is nothing to do or the frontier has become wide."""
    columns: tuple[Any, ...] = (rows.first, rows.right, rows.weight, values, waiting)
    first, right, weight, value, wait = [memoryview(column) for column in columns]
    stack = frontier.tolist()
    while stack and len(stack) < WIDE:
        node = stack.pop()
        begin, end = first[node], first[node + 1]
        if end - begin >= WIDE:
            stack += _level(rows, values, waiting, np.array([node])).tolist()
            continue
        base = value[node]
        for edge in range(begin, end):
            other = right[edge]
            reached = base + weight[edge]
            if value[other] < reached:
                value[other] = reached
            left = wait[other] - 1
            wait[other] = left
            if not left:
                stack.append(other)
    return np.array(stack, np.int64)


def _matrix(size: int, left: Ints, right: Ints) -> csr_array:
    return csr_array((np.ones(len(left), bool), (left, right)), shape=(size, size))


def _strong(size: int, left: Ints, right: Ints) -> npt.NDArray[np.int32]:
    """The number of each node's strongly connected component."""
    label: npt.NDArray[np.int32] = connected_components(_matrix(size, left, right), connection="strong")[1]
    return label
