"""The seven benchmarks of the PySE paper as we read them: targets, true maxima, sizes of trees, and settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import factorial, inf

from tests.subjects import boyer_moore, bst, dijkstra, heappush, insertion_sort, pairwise2, tsp

Size = Callable[[int], int]
Leaves = Callable[[int], float]
"""A number of leaves, infinite for a tree too large to search to the end."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A benchmark: its table, target and true maximum, and about how many leaves each search has to visit.

    ``train`` are the sizes that WISE and SPF-WCA learn at, ``practice`` those of PySE in its tables, ``figure`` the
    size in Figure 7 and the one to practise at there.
    """

    name: str
    table: int
    target: str
    longest: Size
    leaves: Leaves
    wise: Leaves
    history: Leaves
    train: tuple[int, int]
    practice: tuple[int, ...]
    figure: tuple[int, int]
    pyse_compatible: bool = False


def _one(n: int) -> int:
    return 1


def _salesman(n: int) -> int:
    """Exact if known, and at least one path for each order of the distances."""
    return tsp.PATHS.get(n, factorial(n))


def _dijkstra(n: int) -> int:
    """Exact; ``bench/dijkstra_orders.py`` counts the last two."""
    return {**dijkstra.PATHS, 20: 462_640, 30: 2_745_868_460}[n]


def _dijkstra_wise(n: int) -> float:
    return {6: 7, 12: 518, 20: 91_276, 30: inf}[n]


def _grep_history(n: int) -> int:
    """Trained where only one window fits, it does not know how a second begins."""
    return int(3 ** max(n // 3 - 1, 0))


def _class_1(name: str, target: str, longest: Size, leaves: Leaves) -> Subject:
    """A program where one rule for each site gives the worst path."""
    return Subject(name, 1, f"tests/subjects/{target}", longest, leaves, _one, _one, (3, 4), (), (10, 5))


SUBJECTS = [
    _class_1("pairwise2", "pairwise2.py:score", pairwise2.longest, pairwise2.paths),
    _class_1("insertion sort", "insertion_sort.py:insertion_sort", insertion_sort.longest, insertion_sort.paths),
    _class_1("priority queue", "heappush.py:push_all", heappush.longest, heappush.paths),
    _class_1("search tree", "bst.py:build", bst.longest, bst.paths),
    Subject(
        name="grep",
        table=2,
        target="tests/subjects/boyer_moore.py:search_unseen",
        longest=boyer_moore.longest_unseen,
        leaves=boyer_moore.paths_unseen,
        wise=boyer_moore.paths_unseen,
        history=_grep_history,
        train=(3, 4),
        practice=(5,),
        figure=(10, 5),
        pyse_compatible=True,
    ),
    Subject(
        name="salesman",
        table=2,
        target="tests/subjects/tsp.py:tour",
        longest=tsp.longest,
        leaves=_salesman,
        wise=_salesman,
        history=_one,
        train=(3, 6),
        practice=(6,),
        figure=(10, 6),
    ),
    Subject(
        name="dijkstra",
        table=2,
        target="tests/subjects/dijkstra.py:shortest_path_dijkstar",
        longest=dijkstra.longest,
        leaves=_dijkstra,
        wise=_dijkstra_wise,
        history=_one,
        train=(6, 12),
        practice=(6,),
        figure=(12, 6),
    ),
]

REAL_GREP = Subject(
    name="grep, real strings",
    table=2,
    target="tests/subjects/boyer_moore.py:search",
    longest=boyer_moore.longest,
    leaves=lambda n: inf,
    wise=lambda n: inf,
    history=lambda n: inf,
    train=(3, 4),
    practice=(5,),
    figure=(10, 5),
)
"""What grep's worst case is when characters are found in dictionaries, as they are in Python."""
