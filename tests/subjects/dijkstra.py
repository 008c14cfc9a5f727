"""Shortest path in the complete directed graph, with a heap of ``(cost, node)`` tuples.

Comparing two tuples asks whether the costs are equal and then which is smaller: two branches on one line.
"""

from __future__ import annotations

import collections
from collections.abc import MutableMapping
from heapq import heappop, heappush
from math import isqrt
from unittest.mock import patch

# Dijkstar 2.2 asks for a name that Python 3.10 moved.
with patch.object(collections, "MutableMapping", MutableMapping, create=True):
    import dijkstar  # type: ignore[import-untyped]

Graph = dict[int, dict[int, int]]

LONGEST_KNOWN = {6: 5, 12: 29, 20: 72, 30: 136}
"""Exact: exhausted for 6, 12 and 20; for 30 by bench/dijkstra_orders.cpp."""

PATHS = {6: 9, 12: 837, 20: 462640}

WITNESS_20 = [98, 415, 270, 912, 489, 312, 109, 809, 967, 74, 222, 192, 594, 52, 195, 511, 27, 707, 676, 813]

WITNESS_30 = [
    *(39, 66, 76, 15, 970),
    *(986, 0, 20, 66, 70),
    *(21, 55, 13, 128, 67),
    *(81, 13, 38, 64, 49),
    *(23, 3, 30, 25, 86),
    *(60, 70, 736, 364, 370),
]
"""Edge costs of six nodes on which the search takes 136 branches; PySE published 126."""


def complete_graph(xs: list[int]) -> Graph:
    """Spread n(n-1) edge costs, row by row, over the complete directed graph of n nodes."""
    nodes = range((1 + isqrt(1 + 4 * len(xs))) // 2)
    costs = iter(xs)
    return {u: {v: next(costs) for v in nodes if v != u} for u in nodes}


def distance(graph: Graph, source: int, goal: int) -> int:
    """The length of the shortest path from source to goal, stopping as soon as the goal is reached."""
    best = {source: 0}
    done: set[int] = set()
    queue = [(0, source)]
    while True:
        cost, u = heappop(queue)
        if u == goal:
            return cost
        if u in done:
            continue
        done.add(u)
        for v, edge in graph[u].items():
            if v in done:
                continue
            through = cost + edge
            if v not in best or best[v] > through:
                best[v] = through
                heappush(queue, (through, v))


def shortest_path(xs: list[int]) -> int:
    """From the first node to the last."""
    graph = complete_graph(xs)
    return distance(graph, 0, len(graph) - 1)


def shortest_path_dijkstar(xs: list[int]) -> list[int]:
    """The same by Dijkstar 2.2: the nodes on the way."""
    graph = complete_graph(xs)
    nodes: list[int] = dijkstar.find_path(graph, 0, len(graph) - 1)[0]
    return nodes


def longest(n: int) -> int:
    """The longest path for n edge costs: 6, 12, 20 or 30."""
    return LONGEST_KNOWN[n]


def paths(n: int) -> int:
    """The number of leaves for n edge costs: 6, 12 or 20."""
    return PATHS[n]
