"""``pessimal cover`` on five small programs: whether every branch that can be reached is, and the others are named.

    make bench-cover-reachable
    python -m bench.cover_reachable --seconds 20 --only roman

The programs are in ``bench/subjects/reachable``, with the arcs that cannot be taken in ``expected.json``, as pairs of
lines. What counts is what coverage.py sees when the written tests run. A branch is named as unreachable if the result
lists it and says that it is proved.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.cover_process import Ended, run
from bench.cover_tools import LATE, judged
from bench.peers import ROOT
from bench.table import publish

FOLDER = ROOT / "bench" / "subjects" / "reachable"
PROVED = ("unreachable", "proved", "infeasible on every path")


def main() -> None:
    """Cover every program and publish what is reached and named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="programs whose names contain it")
    options = parser.parse_args()
    expected = json.loads((FOLDER / "expected.json").read_text())
    chosen = {name: arcs for name, arcs in expected.items() if options.only in name}
    rows = [_row(name, arcs, options) for name, arcs in chosen.items()]
    met = sum(row["met"] for row in rows)
    line = f"every reachable branch reached, every other named: {met} of {len(rows)}"
    publish("cover_reachable", f"Small programs, {options.seconds:g} s each", [*rows, {"program": line}])


def _row(name: str, arcs: list[list[int]], options: argparse.Namespace) -> dict[str, Any]:
    """One program: the tests that are written for it are judged beside a copy of it."""
    with TemporaryDirectory() as text:
        folder = Path(text)
        file = Path(shutil.copy(FOLDER / f"{name}.py", folder))
        tests = folder / "test_written.py"
        ended = _cover(file, tests, options)
        asked = {"module": name, "file": str(file), "branches": 0, "path": str(folder)}
        answer = judged(asked, [str(tests)] if tests.exists() else [])
    unreached = _unreached(ended)
    named = [arc for arc in arcs if any(_names(item, arc) for item in unreached)]
    others = [item for item in unreached if not any(_names(item, arc) for arc in arcs)]
    reachable = answer["total"] - len(arcs)
    return {
        "program": name,
        "reached": answer["covered"],
        "reachable": reachable,
        "branches": answer["total"],
        "unreachable": len(arcs),
        "named": len(named),
        "tests": len(answer["outcomes"]),
        "seconds": round(ended.seconds, 1),
        "met": answer["covered"] == reachable and len(named) == len(arcs),
        "left": "; ".join(f"{item['site'].rpartition('/')[2]} {item['reason']}" for item in others)[:80],
        "error": None if tests.exists() else ended.complaint[-80:],
    }


def _cover(file: Path, tests: Path, options: argparse.Namespace) -> Ended:
    command = [sys.executable, "-c", "from pessimal.cli import main; main()", "cover", str(file), "--json"]
    command += [f"--budget={options.seconds}s", f"--seed={options.seed}", f"--tests={tests}"]
    places = os.pathsep.join((str(ROOT / "src"), str(file.parent)))
    return run(command, options.seconds + LATE, file.parent, {"PYTHONPATH": places})


def _unreached(ended: Ended) -> list[dict[str, Any]]:
    try:
        return list(json.loads(ended.out)["unreached"])
    except ValueError:
        return []


def _names(item: dict[str, Any], arc: list[int]) -> bool:
    """Whether an entry of the result says that an arc, from line to line, cannot be taken."""
    start, end = arc
    is_there = item["site"].endswith(f":{start}") and item["to"] in (f"line {end}", str(end))
    return is_there and any(word in item["reason"] for word in PROVED)


if __name__ == "__main__":
    main()
