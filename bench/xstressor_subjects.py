"""The nine programs of the XSTRESSOR paper as we read them: targets, what a size means, true maxima, published times.

Where the paper and Python count differently the maximum is that of our target, by enumeration at small sizes: the
wanted key of the binary tree is in no leaf but beyond one, and a product of truth values costs two branches where the
first is true. Dijkstra's program on a matrix has the same number of branches on all paths, so the cost is how often a
distance gets shorter: ``block`` counts that line in a native run beside each symbolic one. It is a matter of the path
alone, which a user's own function of the trace is not taken for, so that only ``block`` can be proved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bench import published
from tests.subjects import (
    block_compare,
    bool_matrices,
    boyer_moore,
    bubble_sort,
    dijkstra_matrix,
    heappush,
    insertion_sort,
    list_insert,
    merge,
    misleading,
    quicksort,
    tree_search,
    tsp,
)

ROOT = Path(__file__).resolve().parent.parent
SUBJECTS_DIR = Path("tests/subjects")

ALL = (10, 20, 30, 40, 50, 100, 200, 300, 400, 500)
CASE = (50, 100, 500)


@dataclass(frozen=True, slots=True)
class Subject:
    """A program of the paper: what to stress with which inputs, and the largest cost by size.

    ``scale`` tells what the size counts. ``longest`` is None at sizes where it is unknown. ``worst_paths`` is how many
    paths are as long, where that has a closed form.
    """

    name: str
    target: str
    scale: str
    longest: Callable[[int], int | None]
    sizes: tuple[int, ...] = ALL
    inputs: Mapping[str, str] = field(default_factory=dict)
    require: tuple[str, ...] = ()
    cost: str = "branches"
    worst_paths: Callable[[int], int] | None = None

    def published(self, method: str, size: int) -> published.Seconds | None:
        """The paper's seconds until the input is had, the model included; a mark where it was not; None if untold."""
        if self.name in published.XSTRESSOR_TABLE_1:
            return published.XSTRESSOR_TABLE_1[self.name][method].get(size)
        study = published.XSTRESSOR_TABLE_3[self.name][method]
        prediction = study.prediction.get(size)
        if isinstance(study.model, str) or not isinstance(prediction, float):
            return prediction
        return study.model + prediction


def _line(file: str, text: str) -> str:
    """The place of a line of a subject, as costs name it."""
    lines = (ROOT / SUBJECTS_DIR / file).read_text().splitlines()
    return f"{file}:{[line.strip() for line in lines].index(text) + 1}"


def _target(name: str) -> str:
    return f"{SUBJECTS_DIR}/{name}"


def _sorts(elements: int) -> int:
    """Each element but the first goes to the front, or stops just behind the element that is there."""
    return int(2 ** max(elements - 1, 0))


def _tour(cities: int) -> int | None:
    """Known for up to six cities; see ``tsp.bound`` for the others."""
    return tsp.LONGEST.get(cities * (cities - 1) // 2)


SUBJECTS = [
    Subject(
        name="insertion sort",
        target=_target("insertion_sort.py:insertion_sort"),
        scale="elements",
        longest=insertion_sort.longest,
        worst_paths=_sorts,
    ),
    Subject(
        name="sorted list",
        target=_target("list_insert.py:insert"),
        scale="elements",
        longest=list_insert.longest,
        inputs={"key": "int:.."},
        require=(list_insert.REQUIRE,),
        worst_paths=list_insert.worst_paths,
    ),
    Subject(
        name="merging",
        target=_target("merge.py:merge"),
        scale="elements of each list",
        longest=merge.longest,
        require=merge.REQUIRE,
        worst_paths=merge.worst_paths,
    ),
    Subject(
        name="binary tree",
        target=_target("tree_search.py:search"),
        scale="keys of the tree",
        longest=tree_search.longest,
        inputs={"wanted": "int:.."},
        worst_paths=tree_search.worst_paths,
    ),
    Subject(
        name="dijkstra",
        target=_target("dijkstra_matrix.py:shortest"),
        scale="nodes",
        longest=dijkstra_matrix.most_relaxations,
        inputs={"weight": "list[list[int:0..]]"},
        cost=f"block:{_line('dijkstra_matrix.py', dijkstra_matrix.RELAXATION)}",
    ),
    Subject(
        name="boolean matrices",
        target=_target("bool_matrices.py:multiply"),
        scale="rows",
        longest=bool_matrices.longest,
        worst_paths=bool_matrices.worst_paths,
    ),
    Subject(
        name="salesman",
        target=_target("tsp.py:tour"),
        scale="cities",
        longest=_tour,
        inputs={"xs": "list[int]:N*(N-1)//2"},
    ),
    Subject(
        name="cmp",
        target=_target("block_compare.py:first_difference"),
        scale=f"words of {block_compare.WORD} bytes",
        longest=block_compare.longest,
        sizes=CASE,
        inputs=dict.fromkeys(("left", "right"), f"bytes:{block_compare.WORD}*N"),
        worst_paths=block_compare.worst_paths,
    ),
    Subject(
        name="grep",
        target=_target("boyer_moore.py:search"),
        scale="characters of the text",
        longest=boyer_moore.longest,
        sizes=CASE,
    ),
]

OTHERS = [
    Subject("quicksort, first pivot", _target("quicksort.py:quicksort"), "elements", quicksort.longest),
    Subject("bubble sort", _target("bubble_sort.py:bubble_sort"), "elements", bubble_sort.longest),
    Subject("heap push", _target("heappush.py:push_all"), "elements", heappush.longest),
]
"""Programs that the paper does not have, for their generators."""

MISLEADING = [
    Subject("hybrid sort", _target("misleading.py:hybrid_sort"), "elements", misleading.longest_hybrid),
    Subject("guarded sort", _target("misleading.py:guarded_sort"), "elements", misleading.longest_guarded),
]
"""Programs whose small sizes teach what is wrong at large ones."""
