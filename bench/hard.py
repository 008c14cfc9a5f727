"""Harder targets, whose bad inputs are rare: ``auto`` beside ``climb`` alone, at equal time.

    make bench-hard              five seeds of each, half a minute a search: twenty minutes at most
    python -m bench.hard --only hash --strategies qlearn,climb

A seed is won by the larger cost; where both meet the maximum, by who met it first. A bench that was interrupted goes on
where it was (see :mod:`bench.cells`).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from bench.cells import Cell, Cells, Outcome, commit, is_installed, middle
from bench.subjects import weak_hash
from bench.table import RESULTS, publish
from tests.subjects import quicksort_median3

QUICKSORT = "tests/subjects/quicksort_median3.py:quicksort"
HASH = "bench/subjects/weak_hash.py"

TARGETS = [
    ("quicksort, median of three", QUICKSORT, 50, quicksort_median3.longest),
    ("quicksort, median of three", QUICKSORT, 200, quicksort_median3.longest),
    ("hash table, linear hash", f"{HASH}:fill_linear", 50, weak_hash.longest),
    ("hash table, Fibonacci hash", f"{HASH}:fill_fibonacci", 50, weak_hash.longest),
]

Row = dict[str, Any]


def wins(mine: Sequence[Outcome], others: Sequence[Sequence[Outcome]]) -> int:
    """At how many seeds no other did as well."""
    rivals = zip(*others, strict=True)
    return sum(all(_merit(own) > _merit(other) for other in seed) for own, seed in zip(mine, rivals, strict=True))


def _merit(outcome: Outcome) -> tuple[float, float]:
    """The cost, then how early it came, if that was the end of it."""
    return outcome["cost"], -outcome["found_after"] if outcome["stopped"].endswith("was enough") else 0.0


def summary(outcomes: Sequence[Outcome], goal: int) -> Row:
    """The medians of one strategy on one target."""
    costs = [outcome["cost"] for outcome in outcomes]
    learning = sum(outcome["learning_seconds"] for outcome in outcomes)
    spent = sum(outcome["seconds"] for outcome in outcomes)
    return {
        "median": middle(costs),
        "best": max(costs),
        "share of the maximum": f"{(middle(costs) or 0.0) / goal:.0%}",
        "reached": f"{sum(cost >= goal for cost in costs)} of {len(costs)}",
        "found after, s": middle(outcome["found_after"] for outcome in outcomes),
        "runs": middle(outcome["paths"] for outcome in outcomes),
        "learning": f"{learning / spent:.0%}" if learning else None,
    }


def main() -> None:
    arguments = _arguments()
    cells = Cells(RESULTS / "hard-cells.jsonl", commit(), fresh=arguments.fresh)
    names = [name for name in arguments.strategies.split(",") if is_installed(name)]
    rows: list[Row] = []
    for subject, target, size, longest in TARGETS:
        if arguments.only not in subject:
            continue
        goal = longest(size)
        found = {
            name: [
                cells.run(Cell(target, size, name, arguments.seconds, seed, goal)) for seed in range(arguments.seeds)
            ]
            for name in names
        }
        for name, outcomes in found.items():
            others = [found[other] for other in names if other != name]
            row: Row = {"target": subject, "N": size, "maximum": goal, "strategy": name, **summary(outcomes, goal)}
            rows.append({**row, "wins": wins(outcomes, others) if others else None})
    publish("hard", f"Harder targets, {arguments.seconds:g} s for each search", rows)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strategies", default="auto,climb", metavar="NAMES")
    parser.add_argument("--only", default="", metavar="TEXT", help="targets whose names contain it")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--fresh", action="store_true", help="run again what was run before")
    return parser.parse_args()


if __name__ == "__main__":
    main()
