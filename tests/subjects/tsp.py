"""Travelling salesman: join the cities greedily by the shortest edges, then improve the path by 2-opt.

``tour`` sorts with its own insertion sort, which asks what ``list.sort`` asked up to Python 3.12, so that its
counts are the same everywhere; ``tour_solver`` is tsp_solver2 and follows the interpreter's ``list.sort``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import isqrt

from tsp_solver.greedy import solve_tsp  # type: ignore[import-untyped]

Edge = tuple[int, int]
Distance = Callable[[int, int], int]

PASSES = 3

LONGEST = {3: 4, 6: 12, 10: 28, 15: 55}
"""Exact: exhausted for 3 and 6, bound met by a witness for 10 and 15."""

PATHS = {3: 8, 6: 728}

WORST_PATHS = {3: 3, 6: 96}

WITNESSES = {
    10: [603, 967, 662, 789, 456, 923, 860, 361, 426, 352],
    15: [948, 176, 761, 417, 392, 10, 813, 878, 168, 22, 539, 595, 15, 921, 288],
}

SINCE_313 = sys.version_info >= (3, 13)
SOLVER_LONGEST = {3: 6, 6: 14} if SINCE_313 else LONGEST
SOLVER_PATHS = {3: 11, 6: 1067} if SINCE_313 else PATHS
SOLVER_WORST_PATHS = {3: 1, 6: 42} if SINCE_313 else WORST_PATHS
"""``list.sort`` looks for runs of equal keys since Python 3.13 and asks more."""


def compare(a: int, b: int) -> int:
    """Negative if a comes first; the only place where two distances meet, as inside ``list.sort``."""
    return -1 if a < b else 1


def run_length(keys: list[int]) -> tuple[int, bool]:
    """The length of the sorted run that the list begins with, and whether it descends."""
    descends = compare(keys[1], keys[0]) < 0
    length = 2
    while length < len(keys) and (compare(keys[length], keys[length - 1]) < 0) == descends:
        length += 1
    return length, descends


def place(key: int, keys: list[int]) -> int:
    """Where a key belongs in a sorted list, behind its equals."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) // 2
        if compare(key, keys[middle]) < 0:
            high = middle
        else:
            low = middle + 1
    return low


def order(keys: list[int]) -> list[int]:
    """The indices of two or more keys in ascending order: the first run, the rest by bisection."""
    length, descends = run_length(keys)
    result = list(range(length))[:: -1 if descends else 1]
    for i in range(length, len(keys)):
        result.insert(place(keys[i], [keys[k] for k in result]), i)
    return result


def join(cities: int, edges: list[Edge]) -> list[int]:
    """Take edges while they lengthen pieces of a path; return the path from its lower end."""
    links: list[list[int]] = [[] for _ in range(cities)]
    piece = list(range(cities))
    for i, j in edges:
        if len(links[i]) < 2 and len(links[j]) < 2 and piece[i] != piece[j]:
            links[i].append(j)
            links[j].append(i)
            merged, gone = piece[i], piece[j]
            piece = [merged if p == gone else p for p in piece]
    return walk(links)


def walk(links: list[list[int]]) -> list[int]:
    """The cities in the order of the path."""
    path = [next(city for city, near in enumerate(links) if len(near) == 1)]
    while len(path) < len(links):
        path.append(next(city for city in links[path[-1]] if city not in path[-2:]))
    return path


def improve(path: list[int], distance: Distance) -> bool:
    """One pass of 2-opt: turn every section round that gets shorter by it."""
    improved = False
    last = len(path) - 1
    for a in range(last):
        for c in range(a + 3, last):
            before = distance(path[a], path[a + 1]) + distance(path[c], path[c + 1])
            after = distance(path[a], path[c]) + distance(path[a + 1], path[c + 1])
            if before - after > 0:
                path[a + 1 : c + 1] = path[c:a:-1]
                improved = True
    return improved


def triangle(xs: list[int]) -> list[list[int]]:
    """Spread n(n-1)/2 distances over the lower triangle of an n by n matrix."""
    cities = (1 + isqrt(1 + 8 * len(xs))) // 2
    return [xs[i * (i - 1) // 2 : i * (i + 1) // 2] for i in range(cities)]


def tour(xs: list[int]) -> list[int]:
    """A short path through all cities, given the distances of every city to those before it."""
    matrix = triangle(xs)
    edges = [(i, j) for i in range(len(matrix)) for j in range(i)]
    path = join(len(matrix), [edges[k] for k in order(xs)])
    for _ in range(PASSES):
        if not improve(path, lambda i, j: matrix[max(i, j)][min(i, j)]):
            break
    return path


def tour_solver(xs: list[int]) -> list[int]:
    """The same by tsp_solver2."""
    path: list[int] = solve_tsp(triangle(xs))
    return path


def bound(n: int) -> int:
    """No path of ``tour`` is longer: the sort at its worst, and every 2-opt pair tried in every pass."""
    cities = len(triangle([0] * n))
    pairs = sum(max(cities - 4 - a, 0) for a in range(cities))
    sort = 2 + sum(k.bit_length() for k in range(2, n))
    return sort + (PASSES if pairs > 1 else 2) * pairs


def longest(n: int) -> int:
    """The longest path of ``tour`` for n distances: 3, 6, 10 or 15."""
    return LONGEST[n]


def paths(n: int) -> int:
    """The number of leaves of ``tour`` for n distances: 3 or 6."""
    return PATHS[n]
