"""The XSTRESSOR bench: rows, exponents and what stands beside them, from outcomes that were kept or are cheap."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import published
from bench.cells import Cells
from bench.xstressor import (
    GROWTH,
    LIMITS,
    PARTS,
    TITLES,
    Z3,
    Bench,
    compared,
    exponent,
    generators,
    grown,
    paper,
    part,
    shown,
    table_2,
)
from bench.xstressor_runs import body, build, checked, command, sample
from bench.xstressor_subjects import MISLEADING, OTHERS, SUBJECTS, Subject
from tests.profiles import thorough

BY_NAME = {subject.name: subject for subject in [*SUBJECTS, *OTHERS, *MISLEADING]}
SORT = BY_NAME["insertion sort"]

BACKWARDS = '''def worst_case(n):
    """The worst input of size n for `insertion_sort`.

    It costs n * (n - 1) // 2, checked at n = 1 to 10 and 50.

    >>> worst_case(5)
    {'xs': [4, 3, 2, 1, 0]}
    """
    return {"xs": list(range(n - 1, -1, -1))}
'''


def outcome(cost: int = 1225, **report: Any) -> dict[str, Any]:
    seconds = {"examples": 1.0, "model": 0.5, "check": 0.25, "synthesis": 0.01, "solving": 0.02, "replay": 0.1}
    report = {"conditions": 1225, "seconds": seconds, "generator": BACKWARDS, "model": {"program": "..."}, **report}
    effort = {"paths": 1, "found_run": 1, "found_after": 1.0, "seconds": 2.0, "stopped": "nothing left to try"}
    return {**effort, "cost": cost, "wall": 3.7, "cpu": 3.0, "peak": 90, "load": 0.5, "report": report}


# Rows.


def test_a_row_has_what_was_found_and_what_the_paper_prints() -> None:
    row = compared(SORT, 50, outcome())
    assert (row["cost"], row["maximum"], row["exact"]) == (1225, 1225, True)
    assert (row["model s"], row["path s"], row["solver s"]) == (1.75, 0.01, 0.02)
    assert (row["XSTRESSOR s"], row["WISE s"], row["SPF-WCA s"]) == (1.85, 49.57, 72.86)
    assert row["ratio"] == pytest.approx(2.0)


def test_a_smaller_cost_is_not_exact() -> None:
    assert compared(SORT, 50, outcome(cost=1224))["exact"] is False


def test_beyond_the_sizes_of_the_paper_nothing_stands_beside_ours() -> None:
    row = compared(SORT, 5000, outcome(cost=12_497_500))
    assert row["exact"] is True
    assert (row["XSTRESSOR s"], row["ratio"]) == (None, None)


def test_without_a_result_there_is_no_ratio_but_a_reason() -> None:
    row = compared(SORT, 50, outcome(cost=0, seconds={"examples": 9.0}, note="no model holds: why"))
    assert (row["cost"], row["exact"], row["ratio"]) == (None, False, None)
    assert (row["model s"], row["solver s"], row["note"]) == (None, None, "no model holds: why")


def test_a_search_that_fell_over_has_a_row() -> None:
    row = compared(SORT, 50, {"cost": 0, "stopped": "ValueError: why"})
    assert (row["cost"], row["wall s"], row["note"]) == (None, None, "ValueError: why")


def test_where_nobody_knows_the_maximum_nothing_is_exact() -> None:
    assert compared(BY_NAME["salesman"], 10, outcome())["exact"] is None


def test_parts_are_added_if_all_are_there() -> None:
    assert part(outcome(), "examples", "model", "check") == 1.75
    assert part(outcome(), "examples", "nothing") is None


# What the paper prints.


@pytest.mark.parametrize(
    ("name", "method", "size", "expected"),
    [
        ("dijkstra", published.XSTRESSOR, 500, 12830.0),
        ("merging", published.WISE, 20, "OOT"),
        ("boolean matrices", published.WISE, 100, "OOM"),
        ("grep", published.SPF_WCA, 50, "OOT"),
        ("grep", published.XSTRESSOR, 10, None),
    ],
)
def test_published_seconds_and_marks(name: str, method: str, size: int, expected: object) -> None:
    assert paper(BY_NAME[name], method, size) == expected


def test_case_studies_include_their_models() -> None:
    assert paper(BY_NAME["cmp"], published.XSTRESSOR, 50) == pytest.approx(4.234 + 1.86)


def test_what_was_bought_in_vain_is_marked() -> None:
    assert paper(BY_NAME["cmp"], published.SPF_WCA, 500) == "4.21 wrong"


@pytest.mark.parametrize("names", [GROWTH, Z3, {name for name, _ in LIMITS}], ids=["growth", "z3", "limits"])
def test_tables_name_programs_of_the_paper(names: Any) -> None:
    assert set(names) <= {subject.name for subject in SUBJECTS}


def test_reasons_are_cut_short_on_paper_alone() -> None:
    row = {"N": 5, "note": "no model holds: " + "why " * 20, "load": 1.0}
    assert shown(row) == {"N": 5, "note": "no model ..."}


def test_every_table_has_a_title() -> None:
    assert list(PARTS) == list(TITLES)


# Growth.


@given(st.floats(0.1, 3), st.floats(1e-6, 1), st.lists(st.integers(2, 10**7), min_size=2, max_size=5, unique=True))
def test_the_exponent_of_a_power_is_found(power: float, factor: float, counts: list[int]) -> None:
    assert exponent([(x, factor * x**power) for x in counts]) == pytest.approx(power, abs=1e-6)


def test_growth_is_told_over_sizes() -> None:
    def at(count: int) -> dict[str, Any]:
        return outcome(conditions=count, seconds={"synthesis": count / 1e6, "solving": count / 1e6})

    row = grown("sort", {10: at(1000), 20: at(4000), 40: at(16_000)})
    assert row["exponent"] == pytest.approx(1.0)
    assert (row["N"], row["conditions"], row["note"]) == ("10, 20, 40", "1,000, 4,000, 16,000", None)


def test_no_exponent_where_a_size_is_missing() -> None:
    row = grown("sort", {10: outcome(), 20: {"cost": 0, "stopped": "ValueError: why", "report": {}}})
    assert (row["exponent"], row["note"]) == (None, "ValueError: why")


# Generators and inputs.


def test_a_generator_is_read() -> None:
    assert body(BACKWARDS) == "return {'xs': list(range(n - 1, -1, -1))}"
    assert checked(BACKWARDS) == "1 to 10 and 50"
    assert build(BACKWARDS, 3) == {"xs": [2, 1, 0]}


def test_the_input_of_a_generator_has_its_cost() -> None:
    assert sample(SORT, 7, BACKWARDS, "cost").run()["cost"] == 21


def test_both_solvers_solve_the_path_of_an_input() -> None:
    report = sample(SORT, 7, BACKWARDS, "z3").run()["report"]
    assert (report["conditions"], report["answer"]) == (21, "sat")
    assert set(report["seconds"]) == {"ours", "telling", "z3"}


def test_the_path_of_a_large_size_is_written_and_solved() -> None:
    report = sample(SORT, 200, BACKWARDS, "model").run()["report"]
    assert report["conditions"] == 19_900


# Kept cells.


def bench(file: Path) -> Bench:
    """A bench that was interrupted after three sizes of one program."""
    kept = [{"commit": "none", "key": command(SORT, n, 60.0).key, "outcome": outcome()} for n in (40, 50, 100)]
    file.write_text("".join(json.dumps(record) + "\n" for record in kept))
    return Bench(Cells(file, "none"), "insertion", None, 60.0, 20.0)


def test_the_breakdown_stands_beside_that_of_the_paper(tmp_path: Path) -> None:
    rows = list(table_2(bench(tmp_path / "cells.jsonl")))
    assert [(row["N"], row["paper's model s"], row["paper's path s"]) for row in rows] == [
        (40, 9.28, 0.52),
        (50, 9.28, 0.66),
        (100, 9.28, 2.01),
    ]


def test_generators_are_tried_at_sizes_that_they_have_not_seen(tmp_path: Path) -> None:
    (row,) = generators(bench(tmp_path / "cells.jsonl"))
    assert (row["cost at 33"], row["cost at 64"], row["exact"]) == (528, 2016, True)


def test_a_command_is_measured_from_outside() -> None:
    found = command(BY_NAME["sorted list"], 8, 30.0).run()
    assert (found["cost"], found["report"]["conditions"]) == (8, 15)
    assert found["peak"] > 10
    assert found["wall"] >= found["seconds"] > 0


@pytest.mark.parametrize(
    "subject", [OTHERS[0], MISLEADING[0], *thorough((*OTHERS[1:], *MISLEADING[1:]))], ids=lambda subject: subject.name
)
def test_other_programs_have_their_maxima(subject: Subject) -> None:
    stress = command(subject, 4, 30.0, "exhaustive")
    assert (stress.goal, stress.run()["cost"]) == (subject.longest(4), subject.longest(4))
