"""Shortest paths on a dense graph without a heap: every path through the program has the same length.

What differs is how often a way is found to be shorter: the line that RELAXATION names.
"""

from __future__ import annotations

from math import isqrt

RELAXATION = "distance[v] = through"
"""The line that a cost may count."""


def node_count(edges: int) -> int:
    """How many nodes the complete directed graph with n(n-1) edges has."""
    return (1 + isqrt(1 + 4 * edges)) // 2


def matrix(xs: list[int]) -> list[list[int]]:
    """Spread n(n-1) edge costs, row by row, around a diagonal of zeros."""
    nodes = range(node_count(len(xs)))
    costs = iter(xs)
    return [[0 if v == u else next(costs) for v in nodes] for u in nodes]


def nearest(distance: list[int], open_nodes: list[int]) -> int:
    """The open node with the least distance, the first of equals."""
    best = open_nodes[0]
    for v in open_nodes[1:]:
        if distance[v] < distance[best]:
            best = v
    return best


def distances(xs: list[int]) -> list[int]:
    """The distance of every node from the first."""
    return shortest(matrix(xs))


def shortest(weight: list[list[int]]) -> list[int]:
    """The same for a matrix of edge costs, whose size is the number of nodes."""
    distance = list(weight[0])
    open_nodes = list(range(1, len(weight)))
    while open_nodes:
        u = nearest(distance, open_nodes)
        open_nodes.remove(u)
        for v in open_nodes:
            through = distance[u] + weight[u][v]
            if through < distance[v]:
                distance[v] = through
    return distance


def longest(n: int) -> int:
    """Each open node but one is compared once when choosing and once when relaxing, on all paths."""
    nodes = node_count(n)
    return (nodes - 1) * (nodes - 2)


def longest_shortest(nodes: int) -> int:
    """The longest path of ``shortest``, by the number of nodes."""
    return longest(nodes * (nodes - 1))


def most_relaxations(nodes: int) -> int:
    """Every node on the way but the first finds a shorter way to all that are still open."""
    return max((nodes - 1) * (nodes - 2) // 2, 0)


def worst(nodes: int) -> list[list[int]]:
    """A graph with most relaxations: the shortest way visits all nodes, and the more of them the better."""
    return [[max(2 * (v - u) - 1, 0) for v in range(nodes)] for u in range(nodes)]
