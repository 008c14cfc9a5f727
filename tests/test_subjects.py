"""The known answers are right: judged by counting integers and by an explorer that is not Pessimal's."""

from __future__ import annotations

import heapq
import signal
import subprocess
import sys
from itertools import pairwise, permutations, product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.profiles import examples, thorough
from tests.subjects import (
    boyer_moore,
    bst,
    bubble_sort,
    dijkstra,
    dijkstra_matrix,
    heap_sort,
    heappush,
    insertion_sort,
    misc,
    pairwise2,
    quicksort,
    quicksort_median3,
    selection_sort,
    tsp,
)
from tests.subjects.counting import Program, count
from tests.subjects.oracle import Tree, explore

SORTS: dict[ModuleType, Program] = {
    insertion_sort: insertion_sort.insertion_sort,
    selection_sort: selection_sort.selection_sort,
    bubble_sort: bubble_sort.bubble_sort,
    quicksort: quicksort.quicksort,
    quicksort_median3: quicksort_median3.quicksort,
    heap_sort: heap_sort.heap_sort,
}
PROGRAMS: dict[ModuleType, Program] = {**SORTS, bst: bst.build, heappush: heappush.push_all}
WITH_PATHS = [m for m in PROGRAMS if hasattr(m, "paths")]
WITH_WORST = [m for m in PROGRAMS if hasattr(m, "worst")]

integers = st.integers(-5, 5)


def name(value: object) -> str:
    return getattr(value, "__name__", str(value)).rpartition(".")[2]


def edges(nodes: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 9), min_size=nodes * (nodes - 1), max_size=nodes * (nodes - 1))


# The judges themselves.


def test_counting_integers_count_comparisons_of_sums_but_not_arithmetic() -> None:
    assert count(lambda xs: xs[0] + 1 - xs[1] < 5, [1, 2]) == 1
    assert count(lambda xs: (xs[0], 1) < (xs[1], 1), [1, 2]) == 2
    assert count(lambda xs: xs[0] + xs[1], [1, 2]) == 0


def test_the_explorer_separates_paths_from_infeasible_ends() -> None:
    def twice(xs: list[Any]) -> None:
        if xs[0] < xs[1]:
            bool(xs[1] < xs[0])

    assert explore(twice, 2) == Tree(leaves=3, longest=2, worst_paths=1)


def test_the_explorer_passes_failures_of_the_program_on() -> None:
    with pytest.raises(ValueError, match="seven"):
        explore(lambda xs: misc.raises(xs[0]), 1)


# Sorting, trees and heaps.


@pytest.mark.parametrize("n", range(6))
@pytest.mark.parametrize("module", WITH_PATHS, ids=name)
def test_the_whole_tree_of_a_small_size_is_as_predicted(module: Any, n: int) -> None:
    tree = explore(PROGRAMS[module], n)
    assert (tree.leaves, tree.longest) == (module.paths(n), module.longest(n))


@pytest.mark.parametrize("n", [*range(7), *thorough([7])])
@pytest.mark.parametrize("module", PROGRAMS, ids=name)
def test_no_permutation_beats_the_longest_path(module: Any, n: int) -> None:
    assert max(count(PROGRAMS[module], list(xs)) for xs in permutations(range(n))) == module.longest(n)


@pytest.mark.parametrize("module", PROGRAMS, ids=name)
def test_equal_elements_do_not_beat_the_longest_path(module: Any) -> None:
    assert max(count(PROGRAMS[module], list(xs)) for xs in product(range(5), repeat=5)) == module.longest(5)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 10, 31, 100])
@pytest.mark.parametrize("module", WITH_WORST, ids=name)
def test_the_worst_input_takes_the_longest_path(module: Any, n: int) -> None:
    assert count(PROGRAMS[module], module.worst(n)) == module.longest(n)


@pytest.mark.parametrize("n, longest, paths", [(10, 19, 20736), (20, 54, None), (30, 94, None), (100, 480, None)])
def test_published_rows_of_the_priority_queue(n: int, longest: int, paths: int | None) -> None:
    assert heappush.longest(n) == longest
    assert paths is None or heappush.paths(n) == paths


@given(st.lists(integers))
def test_sorts_sort(xs: list[int]) -> None:
    for sort in SORTS.values():
        assert sort(list(xs)) == sorted(xs)


@given(st.lists(integers))
def test_the_tree_and_the_heap_hold_what_was_put_in(xs: list[int]) -> None:
    def keys(node: bst.Node | None) -> list[int]:
        return [] if node is None else [*keys(node.left), node.key, *keys(node.right)]

    assert keys(bst.build(xs)) == sorted(xs)
    heap = heappush.push_all(xs)
    assert [heapq.heappop(heap) for _ in xs] == sorted(xs)


# Alignment.


@pytest.mark.parametrize(
    "n, leaves, longest",
    [(3, 127, 9), (4, 511, 12), pytest.param(5, 2047, 15, marks=pytest.mark.thorough)],
)
@pytest.mark.parametrize("program", [pairwise2.score, pairwise2.score_biopython], ids=name)
def test_published_rows_of_alignment(program: Program, n: int, leaves: int, longest: int) -> None:
    assert explore(program, n) == Tree(leaves, longest, worst_paths=4**n)
    assert (leaves, longest) == (pairwise2.paths(n), pairwise2.longest(n))


@given(st.lists(st.integers(0, 4), min_size=1, max_size=8))
def test_own_alignment_scores_as_biopython(xs: list[int]) -> None:
    assert pairwise2.score(xs) == (pairwise2.score_biopython(xs) or 0)


# String search.


class Letter(str):
    """A character that counts its comparisons in ``mismatch``, but not those of a dictionary lookup."""

    comparisons = 0

    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Letter.comparisons += sys._getframe(1).f_code is boyer_moore.mismatch.__code__
        return str.__eq__(self, other)


def letters(program: Any, text: str) -> int:
    """How many characters a search compares."""
    Letter.comparisons = 0
    program([Letter(c) for c in text])
    return Letter.comparisons


@pytest.mark.parametrize("n", [*range(8), *thorough([8])])
def test_search_compares_at_most_every_character_once(n: int) -> None:
    assert max(letters(boyer_moore.search, "".join(text)) for text in product("abcx", repeat=n)) == boyer_moore.longest(
        n
    )


@pytest.mark.parametrize("n", [0, 2, 3, 4, 5, 10, 20, 30, 100])
def test_the_worst_text_takes_the_longest_path(n: int) -> None:
    assert len(boyer_moore.worst(n)) == n
    assert letters(boyer_moore.search, boyer_moore.worst(n)) == boyer_moore.longest(n)


@pytest.mark.parametrize(
    "n, leaves, longest", [(2, 1, 0), (3, 4, 3), (4, 4, 3), (5, 4, 3), (10, 40, 9), (20, 1093, 18)]
)
@pytest.mark.parametrize("program", [boyer_moore.search, boyer_moore.search_unseen], ids=name)
def test_published_rows_of_search(program: Any, n: int, leaves: int, longest: int) -> None:
    """The explorer's symbols hash by identity, as PySE's did: then both readings are the same program."""
    tree = explore(program, n)
    assert (tree.leaves, tree.longest) == (leaves, longest)
    assert (leaves, longest) == (boyer_moore.paths_unseen(n), boyer_moore.longest_unseen(n))


def test_the_worst_paths_of_search_are_two() -> None:
    assert explore(boyer_moore.search_unseen, 10).worst_paths == 2  # type: ignore[arg-type]


def test_good_suffix_table_of_three_distinct_letters() -> None:
    assert boyer_moore.good_suffix_table("abc") == [3, 3, 3, 1]


@given(st.text("abcx", max_size=30))
def test_search_finds_what_python_finds(text: str) -> None:
    assert boyer_moore.search(text) == text.find("abc")
    at = boyer_moore.search_unseen(text)
    assert at == -1 or text[at : at + 3] == "abc"


# Salesman.


@pytest.mark.parametrize("n", [3, 6])
def test_published_rows_of_the_salesman(n: int) -> None:
    assert explore(tsp.tour, n) == Tree(tsp.paths(n), tsp.longest(n), tsp.WORST_PATHS[n])
    expected = Tree(tsp.SOLVER_PATHS[n], tsp.SOLVER_LONGEST[n], tsp.SOLVER_WORST_PATHS[n])
    assert explore(tsp.tour_solver, n) == expected


@pytest.mark.parametrize("n, longest", [(3, 4), (6, 12), (10, 28), (15, 55)])
def test_the_longest_paths_of_the_salesman_meet_the_bound(n: int, longest: int) -> None:
    assert tsp.bound(n) == tsp.longest(n) == longest
    if n in tsp.WITNESSES:
        assert count(tsp.tour, tsp.WITNESSES[n]) == longest


@pytest.mark.skipif(tsp.SINCE_313, reason="list.sort compares otherwise since Python 3.13")
@given(st.lists(st.integers(0, 99), min_size=15, max_size=15))
def test_own_tour_compares_as_the_solver(xs: list[int]) -> None:
    assert count(tsp.tour, xs) == count(tsp.tour_solver, xs)


@pytest.mark.parametrize("cities", [3, 4, 5, 6, 7])
def test_own_tour_is_the_solvers(cities: int) -> None:
    n = cities * (cities - 1) // 2

    @examples(50)
    @given(st.lists(st.integers(0, 99), min_size=n, max_size=n))
    def check(xs: list[int]) -> None:
        assert tsp.tour(xs) == tsp.tour_solver(xs)
        assert count(tsp.tour, xs) <= tsp.bound(n)

    check()


# Shortest paths.


@pytest.mark.parametrize("n, leaves, longest", [(6, 9, 5), (12, 837, 29)])
@pytest.mark.parametrize("program", [dijkstra.shortest_path, dijkstra.shortest_path_dijkstar], ids=name)
def test_published_rows_of_dijkstra(program: Program, n: int, leaves: int, longest: int) -> None:
    tree = explore(program, n)
    assert (tree.leaves, tree.longest) == (leaves, longest) == (dijkstra.paths(n), dijkstra.longest(n))


@pytest.mark.parametrize("witness", [dijkstra.WITNESS_20, dijkstra.WITNESS_30], ids=len)
@pytest.mark.parametrize("program", [dijkstra.shortest_path, dijkstra.shortest_path_dijkstar], ids=name)
def test_witnesses_of_dijkstra(program: Program, witness: list[int]) -> None:
    assert count(program, witness) == dijkstra.longest(len(witness))


@given(st.integers(2, 6).flatmap(edges))
def test_the_three_shortest_paths_agree(xs: list[int]) -> None:
    graph = dijkstra.complete_graph(xs)
    way = dijkstra.shortest_path_dijkstar(xs)
    length = sum(graph[u][v] for u, v in pairwise(way))
    assert dijkstra.shortest_path(xs) == length == dijkstra_matrix.distances(xs)[-1]


@given(st.integers(2, 6).flatmap(edges))
def test_the_dense_version_always_compares_the_same(xs: list[int]) -> None:
    assert count(dijkstra_matrix.distances, xs) == dijkstra_matrix.longest(len(xs))


@pytest.mark.parametrize("n", [2, 6, 12])
def test_the_dense_version_symbolically(n: int) -> None:
    assert explore(dijkstra_matrix.distances, n).longest == dijkstra_matrix.longest(n)


# Programs that misbehave.


@pytest.mark.parametrize(
    "program, failure",
    [
        (misc.raises, ValueError),
        (misc.raises_own, misc.Misfortune),
        (misc.asserts, AssertionError),
        (misc.divides, ZeroDivisionError),
        (misc.recurses_for_ever, RecursionError),
        (misc.exits, SystemExit),
        (misc.interrupts, KeyboardInterrupt),
        (misc.eats_memory, MemoryError),
    ],
    ids=name,
)
def test_misbehaviour_needs_the_number_seven(program: Any, failure: type[BaseException]) -> None:
    program(misc.LUCKY + 1)
    with pytest.raises(failure):
        program(misc.LUCKY)


@pytest.mark.parametrize(
    "program, status",
    [(misc.exits_at_once, 3), (misc.segfaults, -signal.SIGSEGV), (misc.kills_itself, -signal.SIGKILL)],
    ids=name,
)
def test_misbehaviour_that_ends_the_process(program: Any, status: int) -> None:
    call = f"from tests.subjects import misc; misc.{program.__name__}(misc.LUCKY)"
    root = Path(__file__).resolve().parent.parent
    done = subprocess.run([sys.executable, "-c", call], cwd=root, stderr=subprocess.DEVNULL)
    assert done.returncode == status


def test_misbehaviour_that_leaves_traces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    misc.writes_file(misc.LUCKY)
    assert [path.name for path in tmp_path.iterdir()] == ["left-behind.txt"]
    xs = [1, -1]
    assert (misc.changes_argument(xs), xs) == (1, [])
    misc.changes_directory(misc.LUCKY)
    assert Path.cwd() == Path("/")
