"""The benches on the PySE paper: what is published agrees with what is known, and cells are run once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench import hard, published, pyse, pyse_figure, pyse_learning
from bench.cells import Cell, Cells, middle
from bench.pyse_methods import METHODS, Limits, summary
from bench.pyse_subjects import SUBJECTS, Subject
from bench.subjects import weak_hash
from tests.subjects.counting import count

SORT = next(subject for subject in SUBJECTS if subject.name == "insertion sort")
GREP = next(subject for subject in SUBJECTS if subject.name == "grep")
METHOD = {method.name: method for method in METHODS}


def name(value: Any) -> str:
    return str(value.name)


def printed(subject: Subject, line: str) -> dict[int, int]:
    counts = published.TABLES[subject.name].lines[line].paths
    return {size: paths for size, paths in counts.items() if isinstance(paths, int)}


@pytest.mark.parametrize("subject", SUBJECTS, ids=name)
def test_published_numbers_of_exhaustive_paths_are_those_of_the_trees(subject: Subject) -> None:
    counts = printed(subject, published.EXHAUSTIVE)
    assert len(counts) >= 2
    for size, paths in counts.items():
        assert subject.leaves(size) == paths


@pytest.mark.parametrize("subject", SUBJECTS, ids=name)
def test_published_numbers_of_paths_of_wise_are_expected_but_for_one(subject: Subject) -> None:
    counts = printed(subject, published.WISE)
    assert len(counts) >= 2
    for size, paths in counts.items():
        assert subject.wise(size) - paths == ((subject.name, size) == ("dijkstra", 20))


@pytest.mark.parametrize("subject", SUBJECTS, ids=name)
def test_published_longest_paths_are_the_longest_but_for_two(subject: Subject) -> None:
    lengths = published.TABLES[subject.name].longest
    assert len(lengths) >= 4
    for size, longest in lengths.items():
        assert subject.longest(size) == published.NOT_THE_WORST.get((subject.name, size), longest)


def test_published_paths_of_spf_wca_follow_from_its_rule() -> None:
    assert {size: GREP.history(size) for size in (3, 4, 5, 10, 20, 30)} == printed(GREP, published.SPF_WCA)


def test_published_times_are_read() -> None:
    lines = published.TABLES["dijkstra"].lines
    assert lines[published.PYSE].seconds(30) == 819 * 60 + 27
    assert lines[published.EXHAUSTIVE].seconds(20) is None
    assert lines[published.SPF_WCA].paths[20] == published.WRONG


def test_a_length_that_is_not_the_worst_case_is_a_goal_beside_the_true_one() -> None:
    goals = [
        (place.subject.name, place.goal) for part in "12" for place in pyse.places(part) if place.size in (30, 100)
    ]
    assert [goal for name, goal in goals if name == "dijkstra"] == [126, 136]
    assert [goal for name, goal in goals if name == "insertion sort"] == [435, 3875, 4950]


def test_a_cell_is_run_once_and_again_for_another_commit(tmp_path: Path) -> None:
    file = tmp_path / "cells.jsonl"
    cell = Cell(SORT.target, 4, "climb", 10.0, goal=6)
    outcome = Cells(file, "a").run(cell)
    assert outcome["cost"] == 6
    assert outcome["found_run"] == outcome["paths"]
    assert Cells(file, "a").get(cell) == outcome
    assert Cells(file, "b").get(cell) is None
    assert Cells(file, "a", fresh=True).get(cell) is None
    assert Cells(file, "a").get(Cell(SORT.target, 4, "climb", 10.0, seed=1, goal=6)) is None
    marked = {**outcome, "cost": 7}
    file.write_text(file.read_text() + json.dumps({"commit": "a", "key": cell.key, "outcome": marked}) + "\n")
    assert Cells(file, "a").run(cell) == marked


def test_a_table_has_rows_of_what_was_run(tmp_path: Path) -> None:
    cells = Cells(tmp_path / "cells.jsonl", "a")
    limits = Limits(seconds=100.0, whole=200.0, seeds=1)
    nothing = pyse.tables("1", cells, limits, pyse.Choice("", [], []))
    assert {row["paths"] for row in nothing} == {"-"}
    for size in (3, 4):
        for cell in METHOD["exhaustive"].cells(SORT, size, SORT.longest(size), limits):
            cells.run(cell)
    rows = pyse.tables("1", cells, limits, pyse.Choice("", [], []))
    ours = [row for row in rows if row["by"] == "exhaustive" and row["benchmark"] == SORT.name and row["N"] < 5]
    assert [row["paths"] for row in ours] == [row["paper paths"] for row in ours] == [6, 24]
    assert all(row["is maximum"] for row in ours)


def test_a_seed_that_misses_the_goal_is_the_slowest() -> None:
    hit = {"cost": 6, "found_run": 3, "paths": 4, "seconds": 1.0, "learning_seconds": 0.5, "practised": 0}
    miss = {**hit, "cost": 5, "found_run": 1}
    assert summary([hit, hit, miss], 6, whole=False)["paths"] == 3
    assert summary([hit, hit, miss], 6, whole=False)["leaves"] == 4
    found = summary([hit, miss, miss], 6, whole=False)
    assert (found["paths"], found["longest"], found["reached"], found["learning"]) == (None, 6, "1 of 3", "50%")
    assert middle([1, None]) is None


@pytest.mark.parametrize("paper", [True, False])
@pytest.mark.parametrize("figure", list(published.FIGURE_7))
def test_the_figure_compares_settings_that_differ(figure: str, paper: bool) -> None:
    settings = list(pyse_figure.settings(figure, GREP, paper=paper).values())
    assert len({json.dumps(options) for options in settings}) == len(settings) >= 2
    assert all(options.get("paper", False) == paper for options in settings)


def test_a_tie_is_won_by_nobody_unless_both_meet_the_maximum() -> None:
    slow = {"cost": 6, "found_after": 2.0, "stopped": "budget of 30s"}
    better = {**slow, "cost": 7}
    first = {"cost": 9, "found_after": 1.0, "stopped": "a cost of 9 was enough"}
    second = {**first, "found_after": 2.0}
    assert hard.wins([slow, better, first], [[slow, slow, second]]) == 2
    assert hard.wins([slow, slow, second], [[slow, better, first]]) == 0


HASHES = [
    (weak_hash.fill_linear, weak_hash.linear, weak_hash.worst_linear),
    (weak_hash.fill_fibonacci, weak_hash.fibonacci, weak_hash.worst_fibonacci),
]


@pytest.mark.parametrize(("fill", "bucket", "worst"), HASHES)
def test_the_worst_keys_of_a_weak_hash_fall_into_one_bucket(fill: Any, bucket: Any, worst: Any) -> None:
    for n in (0, 1, 2, 3, 10, 50):
        keys = worst(n)
        assert fill(keys) == n
        assert len({bucket(key) for key in keys}) == min(n, 1)
        assert count(fill, keys) == weak_hash.longest(n)


@pytest.mark.parametrize(("fill", "bucket", "worst"), HASHES)
def test_small_keys_are_spread(fill: Any, bucket: Any, worst: Any) -> None:
    assert {bucket(key) for key in range(-500, 500)} == set(range(weak_hash.BUCKETS))
    assert count(fill, list(range(50))) < 20
    assert fill([5, 5, 5 + weak_hash.WORD]) == 2


@pytest.mark.parametrize("code", pyse_learning.WITHOUT.values(), ids=list(pyse_learning.WITHOUT))
def test_who_does_not_learn_does_not_import_the_learning_library(code: str) -> None:
    assert not pyse_learning.imports_jax(code)
