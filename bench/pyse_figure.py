"""Figure 7 of the PySE paper: what modes, practice and history length are worth, by its rules and by ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bench.cells import Cell, Cells, is_installed
from bench.published import FIGURE_7
from bench.pyse_methods import Limits, summary
from bench.pyse_subjects import SUBJECTS, Subject

LENGTHS = range(6)

Options = dict[str, Any]
Row = dict[str, Any]


def settings(figure: str, subject: Subject, *, paper: bool) -> Mapping[str, Options]:
    """What is compared: options by name, first what the paper finds better."""
    rules: Options = {"paper": True} if paper else {}
    usual: Options = {**rules, "practice": list(subject.practice)} if paper else rules
    if figure == "7a":
        return {mode: {**usual, "mode": mode} for mode in ("advanced", "basic")}
    if figure == "7b":
        return {"practice": {**rules, "practice": [subject.figure[1]]}, "none": {**rules, "practice": ""}}
    return {f"L={length}": {**usual, "length": length} for length in LENGTHS}


def rows(cells: Cells, limits: Limits, is_chosen: Callable[[Subject], bool]) -> list[Row]:
    """A row for each figure, rules, benchmark and setting."""
    if not is_installed("qlearn"):
        return []
    found: list[Row] = []
    for figure in FIGURE_7:
        for paper in (True, False):
            for subject in SUBJECTS:
                found += _compared(figure, paper, subject, cells, limits, is_chosen(subject))
    return found


def _compared(figure: str, paper: bool, subject: Subject, cells: Cells, limits: Limits, chosen: bool) -> list[Row]:
    """The rows of one benchmark, each with how many paths more it takes than the first."""
    size = subject.figure[0]
    goal = subject.longest(size)
    found: list[Row] = []
    for name, options in settings(figure, subject, paper=paper).items():
        searches = [
            Cell(subject.target, size, "qlearn", limits.seconds, seed, goal, options, subject.pyse_compatible)
            for seed in range(limits.seeds)
        ]
        outcomes = [cells.run(cell) if chosen else cells.get(cell) for cell in searches]
        known = [outcome for outcome in outcomes if outcome is not None]
        if len(known) < len(searches):
            continue
        row: Row = {"figure": figure, "rules": "paper" if paper else "ours", "benchmark": subject.name, "N": size}
        row.update(setting=name, goal=goal, **summary(known, goal, whole=False))
        first, paths = (found or [row])[0]["paths"], row["paths"]
        row["increase"] = None if paths is None or first is None else paths - first
        found.append(row)
    return found
