"""How many runs ``auto`` makes with two workers, by how many it makes with one, in the same time.

    make bench-workers                                      16 functions, 8 s twice: five minutes
    python -m bench.workers --functions 4 --seconds 5

The functions are drawn from those of bench-wild by a seed. Those are left out on which a search ends before its time is
up, because a proof in one process ends all. The machine must be idle and have two cores. Small ratios come first.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from statistics import geometric_mean
from typing import Any

from bench.table import RESULTS, publish
from bench.wild_draw import FILE, finite
from bench.wild_tools import Tools

WANTED = 1.7
EARLY = 0.7
"""A search that took a smaller share of its time ended by itself."""


def main() -> None:
    """Compare the numbers of runs and publish the ratios."""
    options = _options()
    drawn = json.loads(FILE.read_text())
    random.Random(options.draw).shuffle(drawn)
    tools = Tools("wild", RESULTS / "workers-cells.jsonl", fresh=True)
    rows: list[dict[str, Any]] = []
    for subject in drawn:
        if len(rows) < options.functions and (row := _row(tools, subject, options)) is not None:
            rows.append(row)
            print(json.dumps(row), file=sys.stderr, flush=True)
    rows.sort(key=lambda row: row["ratio"])
    mean = geometric_mean([row["ratio"] for row in rows])
    enough = sum(row["ratio"] >= WANTED for row in rows)
    title = f"Runs of two workers by those of one, {options.seconds:g} s: mean {mean:.2f} ({WANTED} is wanted)"
    publish("workers", title, [*rows, {"function": f"at least {WANTED}: {enough} of {len(rows)}"}])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--functions", type=int, default=16)
    parser.add_argument("--draw", type=int, default=0, help="the seed of the draw")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--size", type=int, default=20)
    return parser.parse_args()


def _row(tools: Tools, subject: dict[str, Any], options: argparse.Namespace) -> dict[str, Any] | None:
    """Both searches on one function; None if one of them ends early."""
    asked = {"target": subject["target"], "inputs": finite(subject["inputs"]), "size": options.size, "seed": 0}
    found = []
    for workers in (1, 2):
        found.append(tools.pessimal("auto", {**asked, "seconds": options.seconds, "workers": workers}))
        if found[-1]["seconds"] < EARLY * options.seconds or not found[-1]["runs"]:
            return None
    one, two = (answer["runs"] for answer in found)
    return {"function": subject["target"], "one worker": one, "two workers": two, "ratio": two / one}


if __name__ == "__main__":
    main()
