"""QTIP as its paper describes it, in C by itself: coverage while the agent goes on learning, and without learning.

The paper does not say whether the agent learns while its coverage is measured. A training that was interrupted goes on
where it was.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.table import RESULTS

SOURCE = Path(__file__).parent / "subjects" / "qtip" / "published.c"
COMPILER = ("cc", "-O3", "-march=native", "-ffast-math", "-Wno-psabi")
BUDGETS = {128: 1000, 512: 4000, 1024: 8000}
"""Table 4."""
COVERED = {
    "training": {128: (98.33, 99.67), 512: (88.67, 99.33), 1024: (81.00, 100.00)},
    "remainder_of": {128: (43.97, 99.74), 512: (40.13, 99.87), 1024: (37.95, 100.00)},
    "gcd": {128: (77.50, 100.00), 512: (63.33, 100.00), 1024: (56.67, 100.00)},
    "exponentiation": {128: (84.00, 98.67), 512: (80.33, 99.67), 1024: (81.00, 99.67)},
}
"""Table 5: coverage of QTIP and of random search. Table 3 repeats its columns of 128: 99.00 42.69 73.75 81.67."""
SPREAD = {
    "training": {128: 4, 512: 8, 1024: 12},
    "remainder_of": {128: 6, 512: 6, 1024: 7},
    "gcd": {128: 10, 512: 10, 1024: 12},
    "exponentiation": {128: 9, 512: 8, 1024: 8},
}
"""The published standard deviations of QTIP's coverage, in percent."""

Row = dict[str, Any]


def published(options: argparse.Namespace) -> list[Row]:
    """Train for some time, then cover each branch of each function."""
    state = RESULTS / f"qtip-{options.rate:g}-{options.seed}.state"
    rows: list[Row] = []
    with TemporaryDirectory() as folder:
        program = str(Path(folder) / "published")
        subprocess.run([*COMPILER, "-o", program, str(SOURCE), "-lm"], check=True)
        words = ["train", state, options.episodes, options.rate, options.seed, options.seconds]
        (trained,) = _answers(program, words)
        print(trained, flush=True)
        for size in options.ranges:
            found = [
                _answers(program, ["cover", state, rate, size, BUDGETS[size], options.runs])
                for rate in (options.rate, 0)
            ]
            for learning, frozen in zip(*found, strict=True):
                rows.append({"episodes": trained["episodes"]} | _row(learning, frozen))
                print(rows[-1], flush=True)
    return rows


def _answers(program: str, words: list[Any]) -> list[Row]:
    done = subprocess.run([program, *map(str, words)], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def _row(learning: Row, frozen: Row) -> Row:
    function, size = learning["function"], learning["range"]
    paper, spread = COVERED[function][size][0], SPREAD[function][size]
    row: Row = {"function": function, "range": size, "paper": paper, "spread": spread}
    for name, found in (("learning", learning), ("frozen", frozen)):
        row |= {f"{name} %": found["covered"], f"{name} spread": found["spread"], f"{name} runs": found["evaluations"]}
        row[f"{name} agrees"] = abs(found["covered"] - paper) <= spread
    return row
