"""The known answers of XSTRESSOR's programs, and of shapes that mislead: judged by counting, enumeration and proof."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pessimal
from bench import published
from bench.xstressor_subjects import SUBJECTS, Subject
from tests.profiles import thorough
from tests.subjects import (
    block_compare,
    bool_matrices,
    boyer_moore,
    dijkstra_matrix,
    list_insert,
    merge,
    misleading,
    shapes,
    tree_search,
)
from tests.subjects.counting import Counted, Program, count
from tests.subjects.oracle import explore

SMALL = {"dijkstra": 4, "boolean matrices": 2, "salesman": 4, "cmp": 2, "binary tree": 4}
"""Sizes whose trees are small; five for all others."""

SHAPES: dict[str, tuple[Program, Callable[[int], int]]] = {
    "is_wave": (shapes.is_wave, shapes.longest_is_wave),
    "is_palindrome": (shapes.is_palindrome, shapes.longest_is_palindrome),
    "ordered_pairs": (shapes.ordered_pairs, shapes.longest_ordered_pairs),
    "gallop": (shapes.gallop, shapes.longest_gallop),
    "recursive_sort": (shapes.recursive_sort, shapes.longest_recursive_sort),
    "ties": (shapes.ties, shapes.longest_ties),
    "valley": (shapes.valley, shapes.longest_valley),
    "hybrid_sort": (misleading.hybrid_sort, misleading.longest_hybrid),
    "guarded_sort": (misleading.guarded_sort, misleading.longest_guarded),
}

integers = st.integers(-5, 5)
ascending = st.lists(integers).map(sorted)


def by_name(subject: Subject) -> str:
    return subject.name


def cost(program: Callable[..., object], *arguments: Any) -> int:
    """How many comparisons a program of several arguments makes on numbers and lists of numbers."""

    def counted(value: Any) -> Any:
        return [counted(item) for item in value] if isinstance(value, list) else Counted(value)

    given = [counted(argument) for argument in arguments]
    Counted.comparisons = 0
    program(*given)
    return Counted.comparisons


# The paper's programs.


@pytest.mark.parametrize("subject", SUBJECTS, ids=by_name)
def test_the_whole_tree_of_a_small_size_has_the_maximum(subject: Subject) -> None:
    size = SMALL.get(subject.name, 5)
    result = pessimal.stress(
        subject.target,
        size=size,
        strategy="exhaustive",
        inputs=subject.inputs,
        require=subject.require,
        cost=subject.cost,
    )
    assert (result.proof, result.cost["value"]) == ("tree exhausted", subject.longest(size))
    assert result.witness is not None
    assert result.witness.difference is None


@pytest.mark.parametrize("subject", [s for s in SUBJECTS if s.worst_paths], ids=by_name)
def test_as_many_paths_are_as_long_as_predicted(subject: Subject) -> None:
    size = min(SMALL.get(subject.name, 4), 4)
    result = pessimal.explore(
        subject.target, size=size, strategy="exhaustive", inputs=subject.inputs, require=subject.require
    )
    longest = [path for path in result.paths if path.cost == subject.longest(size)]
    assert result.exhausted
    assert subject.worst_paths is not None
    assert len(longest) == subject.worst_paths(size)


@pytest.mark.parametrize("n", range(6))
def test_a_key_is_compared_with_every_element_of_a_list(n: int) -> None:
    xs = list(range(0, 2 * n, 2))
    assert max(cost(list_insert.insert, xs, key) for key in range(-1, 2 * n + 2)) == list_insert.longest(n)


@pytest.mark.parametrize("n", [*range(4), *thorough([4])])
def test_no_two_sorted_lists_are_merged_in_more_comparisons(n: int) -> None:
    lists = [sorted(xs) for xs in product(range(2 * n), repeat=n)]
    step = max(len(lists) // 300, 1)
    assert max(cost(merge.merge, xs, ys) for xs in lists[::step] for ys in lists[::step]) == merge.longest(n)


@pytest.mark.parametrize("n", range(6))
def test_no_order_of_keys_makes_the_search_in_the_tree_longer(n: int) -> None:
    keys = [list(order) for order in permutations(range(0, 2 * n, 2))]
    assert max(cost(tree_search.search, xs, x) for xs in keys for x in range(-1, 2 * n)) == tree_search.longest(n)


@pytest.mark.parametrize("n", [1, 2, 3, 10, 31])
def test_the_worst_graph_relaxes_every_open_node_from_every_node(n: int) -> None:
    dijkstra = next(subject for subject in SUBJECTS if subject.name == "dijkstra")
    weight = dijkstra_matrix.worst(n)
    result = pessimal.stress(
        dijkstra.target, size=n, strategy="fixed", inputs={"weight": f"const:{weight}"}, cost=dijkstra.cost
    )
    assert result.cost["value"] == dijkstra_matrix.most_relaxations(n)
    assert dijkstra_matrix.shortest(weight) == list(range(n))
    assert cost(dijkstra_matrix.shortest, weight) == dijkstra_matrix.longest_shortest(n)


class Truth:
    """A truth value that counts how often it is tested."""

    tests = 0

    def __init__(self, value: bool) -> None:
        self.value = value

    def __bool__(self) -> bool:
        Truth.tests += 1
        return self.value


def asked(a: list[list[bool]], b: list[list[bool]]) -> int:
    """How often the product of two matrices tests an entry."""
    Truth.tests = 0
    left, right = ([[Truth(value) for value in row] for row in matrix] for matrix in (a, b))
    bool_matrices.multiply(left, right)  # type: ignore[arg-type]  # they are tested, and nothing else
    return Truth.tests


def matrices(n: int) -> list[list[list[bool]]]:
    """Every matrix of truth values of a size."""
    rows = [list(row) for row in product([False, True], repeat=n)]
    return [list(matrix) for matrix in product(rows, repeat=n)]


@pytest.mark.parametrize("n", range(3))
def test_no_two_matrices_are_tested_more_often(n: int) -> None:
    found = [asked(a, b) for a in matrices(n) for b in matrices(n)]
    assert max(found) == bool_matrices.longest(n)
    assert found.count(max(found)) == bool_matrices.worst_paths(n)


@pytest.mark.parametrize("n", [3, 10])
def test_the_worst_matrices_are_tested_twice_at_each_step(n: int) -> None:
    assert asked(*bool_matrices.worst(n)) == bool_matrices.longest(n)


@given(st.integers(0, 3).flatmap(lambda n: st.tuples(*[st.sampled_from(matrices(n))] * 2)))
def test_the_product_of_matrices(pair: tuple[list[list[bool]], list[list[bool]]]) -> None:
    a, b = pair
    size = range(len(a))
    assert bool_matrices.multiply(a, b) == [[any(a[i][k] and b[k][j] for k in size) for j in size] for i in size]


@given(ascending, ascending, integers)
def test_sorted_lists_stay_sorted(xs: list[int], ys: list[int], key: int) -> None:
    assert list_insert.insert(xs, key) == sorted([*xs, key])
    assert merge.merge(xs, ys) == sorted(xs + ys)


@given(st.lists(integers), integers)
def test_the_tree_knows_its_keys(keys: list[int], wanted: int) -> None:
    assert tree_search.search(keys, wanted) == (wanted in keys)


@given(st.integers(0, 4), st.data())
def test_the_first_difference_of_two_blocks(n: int, data: st.DataObject) -> None:
    blocks = st.lists(st.integers(0, 1), min_size=8 * n, max_size=8 * n).map(bytes)
    left, right = data.draw(blocks), data.draw(blocks)
    differences = [i for i in range(len(left)) if left[i] != right[i]]
    assert block_compare.first_difference(left, right) == min(differences, default=len(left))
    left, right = block_compare.worst(n)
    assert block_compare.first_difference(left, right) == max(8 * n - 1, 0)


@pytest.mark.parametrize("n", [50, 100, 500])
def test_a_text_of_any_size_can_be_searched(n: int) -> None:
    assert boyer_moore.search(boyer_moore.worst(n)) == -1


# Shapes that mislead.


@pytest.mark.parametrize("n", range(1, 6))
@pytest.mark.parametrize("name", SHAPES)
def test_the_whole_tree_of_a_shape_has_the_maximum(name: str, n: int) -> None:
    program, longest = SHAPES[name]
    assert explore(program, n).longest == longest(n)


@pytest.mark.parametrize("n", range(1, 6))
@pytest.mark.parametrize("name", SHAPES)
def test_no_list_of_a_shape_beats_the_maximum(name: str, n: int) -> None:
    program, longest = SHAPES[name]
    assert max(count(program, list(xs)) for xs in product(range(n), repeat=n)) == longest(n)


@pytest.mark.parametrize("n", [6, 7, 8, 9, 16, 17])
def test_shapes_by_their_worst_lists(n: int) -> None:
    wave = [i % 2 if n % 2 == 0 else (i + 1) % 2 for i in range(n)]
    valley = [*range(n - 1, 0, -1), n]
    worst = {"is_wave": wave, "recursive_sort": list(range(n, 0, -1)), "valley": valley}
    own = SHAPES.keys() - {"hybrid_sort", "guarded_sort"}
    assert own >= worst.keys()
    for name in own:
        program, longest = SHAPES[name]
        assert count(program, worst.get(name, [0] * n)) == longest(n), name


def test_the_worst_paths_of_shapes() -> None:
    found = {name: explore(program, 5).worst_paths for name, (program, _) in SHAPES.items()}
    assert found == {
        "is_wave": 2,
        "is_palindrome": 2,
        "ordered_pairs": 2,
        "gallop": 2,
        "recursive_sort": 16,
        "ties": 1,
        "valley": 3,
        "hybrid_sort": 16,
        "guarded_sort": 16,
    }


@pytest.mark.parametrize("n", [3, 5, 23, 24, 25, 48, 100])
def test_small_sizes_mislead_about_the_guarded_sort(n: int) -> None:
    assert count(misleading.guarded_sort, misleading.worst_guarded(n)) == misleading.longest_guarded(n)
    backwards = count(misleading.guarded_sort, list(range(n, 0, -1)))
    assert (backwards == misleading.longest_guarded(n)) == (n < misleading.LARGE)


def test_the_guarded_sort_at_its_threshold_by_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(misleading, "LARGE", 4)
    for n in range(1, 7):
        tree = explore(misleading.guarded_sort, n)
        assert tree.longest == misleading.longest_guarded(n)
        assert explore(misleading.hybrid_sort, n).longest == misleading.longest_hybrid(n)


@pytest.mark.parametrize("n, longest", [(23, 253), (24, 155), (25, 168), (50, 385), (100, 869)])
def test_the_hybrid_sort_halves_what_is_large(n: int, longest: int) -> None:
    assert misleading.longest_hybrid(n) == longest
    assert count(misleading.hybrid_sort, misleading.worst_hybrid(n)) == longest


@given(st.lists(integers, max_size=60))
def test_misleading_sorts_sort(xs: list[int]) -> None:
    assert misleading.hybrid_sort(xs) == misleading.guarded_sort(xs) == shapes.recursive_sort(xs) == sorted(xs)


# The published numbers.


def test_every_subject_has_published_times_at_its_sizes() -> None:
    for subject in SUBJECTS:
        for method in (published.XSTRESSOR, published.WISE, published.SPF_WCA):
            assert all(subject.published(method, size) is not None for size in subject.sizes)
    assert {s.name for s in SUBJECTS} == {*published.XSTRESSOR_TABLE_1, *published.XSTRESSOR_TABLE_3}


@pytest.mark.parametrize(
    "name, method, size, seconds",
    [
        ("insertion sort", published.XSTRESSOR, 500, 96.73),
        ("merging", published.SPF_WCA, 30, 30.1),
        ("dijkstra", published.WISE, 500, 3099.41),
        ("boolean matrices", published.XSTRESSOR, 200, 22022),
        ("salesman", published.WISE, 10, published.OUT_OF_MEMORY),
        ("cmp", published.XSTRESSOR, 500, 4.234 + 26.77),
        ("grep", published.SPF_WCA, 50, published.OUT_OF_TIME),
        ("grep", published.XSTRESSOR, 10, None),
    ],
)
def test_some_published_times(name: str, method: str, size: int, seconds: float | str | None) -> None:
    assert next(subject for subject in SUBJECTS if subject.name == name).published(method, size) == seconds


def test_published_times_are_divided_for_six_programs() -> None:
    whole = set(published.XSTRESSOR_TABLE_1) - {"salesman"}
    assert set(published.XSTRESSOR_TABLE_2) == whole
    assert published.XSTRESSOR_TABLE_2["dijkstra"].solver[100] == 1.95
