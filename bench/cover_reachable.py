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

from rich.console import Console

from bench.cover_process import Ended, run
from bench.cover_tools import LATE, judged
from bench.peers import ROOT
from bench.table import WIDTH, save, table

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
    lines = [f"{row['program']} left: {row['left']}" for row in rows if row["left"]]
    lines += [f"every reachable branch reached, every other named: {met} of {len(rows)}"]
    shown = [{name: value for name, value in row.items() if name != "left"} for row in rows]
    title = f"Small programs, {options.seconds:g} s each"
    Console(width=WIDTH).print(table(title, shown))
    print("\n".join(lines))
    save("cover_reachable", title, [*rows, *({"program": line} for line in lines)])


def _row(name: str, arcs: list[list[int]], options: argparse.Namespace) -> dict[str, Any]:
    """One program: the tests that are written for it are judged beside a copy of it."""
    with TemporaryDirectory() as text:
        folder = Path(text)
        file = Path(shutil.copy(FOLDER / f"{name}.py", folder))
        tests = folder / "test_written.py"
        ended = _cover(file, tests, options)
        asked = {"module": name, "file": str(file), "branches": 0, "path": str(folder)}
        is_written = tests.exists()
        answer = judged(asked, [str(tests)] if is_written else [])
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
        "wrongly named": sum(_is_proved(item) for item in others),
        "tests": len(answer["outcomes"]),
        "seconds": round(ended.seconds, 1),
        "met": answer["covered"] == reachable and len(named) == len(arcs),
        "left": "; ".join(f"{item['site'].rpartition('/')[2]} {item['reason']}" for item in others),
        "error": None if is_written else ended.complaint.splitlines()[-1],
    }


def _cover(file: Path, tests: Path, options: argparse.Namespace) -> Ended:
    command = [sys.executable, "-c", "from pessimal.cli import main; main()", "cover", str(file), "--json", "-q"]
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
    return item["site"].endswith(f":{start}") and item["to"] == f"line {end}" and _is_proved(item)


def _is_proved(item: dict[str, Any]) -> bool:
    return any(word in item["reason"] for word in PROVED)


if __name__ == "__main__":
    main()
