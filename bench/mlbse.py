"""Branch and line coverage on the programs of MLBSE, beside the published figures.

    make bench-mlbse                                        the table of all programs with 3,000 samples
    python -m bench.mlbse --part guided                     the samples doubled while the confidence is high
    python -m bench.mlbse --part samples                    3,000, 30,000 and 300,000 samples, with the confidences
    python -m bench.mlbse --part boxes                      coral on a mathematical library, looked into and not
    python -m bench.mlbse --part solver                     the solver alone on coral beside its rivals
    python -m bench.mlbse --only ray,sine --seconds 30      some programs only

What was measured of a program is kept by commit and options, so that an interrupted bench goes on where it was; --fresh
forgets it. The table has the rows of all programs that were measured so.

Each function is explored by ``pessimal.explore`` for at most ``--paths`` paths and ``--seconds`` seconds: first by the
strategy ``fuzz``, which runs concrete inputs, for a third of the time, then by the default strategy, which solves
conditions; "solved %" is the coverage of the latter alone. The inputs that are reported are then run on the unmodified
program in this process, and the coverage is what those runs execute: both outcomes of every conditional jump. The
weighted mean has the number of branches of each program as weight, as in the publication; our programs are smaller than
the published ones, so that it is also given with the published weights.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import pessimal
from bench.cells import commit
from bench.jumps import Coverage, covered
from bench.mlbse_published import BLACK_BOX, GUIDED, OWN, PROGRAMS
from bench.table import RESULTS, Row, publish

ROOT = Path(__file__).resolve().parents[1]
SUBJECTS = ROOT / "bench" / "subjects"
FUZZED = 1 / 3
"""The part of the time for concrete runs."""
SIZES = (3_000, 30_000, 300_000)
LIBRARY = "bench.subjects.mlbse.library"
RANGES = {"int": "int:-1000..1000", "float": "float:-100..100"}
"""The published ranges, for parameters whose types say nothing of a range."""


def file_of(program: str) -> Path:
    """The file of a program."""
    return SUBJECTS / "coral.py" if program == "coral" else SUBJECTS / "mlbse" / f"{program}.py"


def entries(file: Path) -> list[str]:
    """The functions of a program that are explored."""
    module = module_of(file)
    return [
        name
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_")
    ]


def module_of(file: Path) -> Any:
    """The module in a file of this repository."""
    return importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))


def inputs_of(function: Any) -> dict[str, str]:
    """The ranges of parameters that have none."""
    kinds = {name: kind for name, kind in function.__annotations__.items() if name != "return"}
    return {name: RANGES[kind] for name, kind in kinds.items() if kind in RANGES}


def explored(file: Path, name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """What ``pessimal.explore`` finds for one function, by strategy."""
    inputs = inputs_of(getattr(module_of(file), name))
    ask = partial(pessimal.explore, f"{file}:{name}", size=3, inputs=inputs, stop_after="none")
    quick = {**options, "budget": options["budget"] * FUZZED, "strategy": "fuzz", "objective": "branches"}
    rest = {**options, "budget": options["budget"] * (1 - FUZZED)}
    return {"fuzz": ask(**quick), "sweep": ask(**rest)}


def measured(program: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """One program: what its functions reach, and how long that took."""
    file = file_of(program)
    start = monotonic()
    results = {name: explored(file, name, options) for name in entries(file)}
    seconds = monotonic() - start
    coverage, solved = replayed(file, results, ("fuzz", "sweep")), replayed(file, results, ("sweep",))
    efforts = [found["sweep"].effort for found in results.values()]
    confidences = [effort.confidence for effort in efforts if effort.confidence is not None]
    return {
        "program": program,
        "functions": len(results),
        "paths": sum(len(found["sweep"].paths) for found in results.values()),
        "unknown": sum(effort.unknown for effort in efforts),
        "concrete": sum(effort.concretisations for effort in efforts),
        "branches": coverage.all_branches,
        "branch %": percent(coverage.branches, coverage.all_branches),
        "solved %": percent(solved.branches, solved.all_branches),
        "line %": percent(coverage.lines, coverage.all_lines),
        "seconds": round(seconds, 1),
        "confidence %": round(100 * max(confidences), 2) if confidences else None,
    }


def replayed(
    file: Path, results: Mapping[str, Mapping[str, Any]], strategies: Sequence[str], only: Sequence[str] | None = None
) -> Coverage:
    """What the inputs that strategies found execute of the unmodified program, or of some of its functions."""
    module = module_of(file)
    calls = [
        partial(getattr(module, name), **witness.input)
        for name, found in results.items()
        for strategy in strategies
        for witness in found[strategy].paths
    ]
    return covered(file, iter(calls), only)


def percent(part: int, whole: int) -> float:
    """A share in percent."""
    return round(100 * part / whole, 1) if whole else 100.0


def weighted(rows: Sequence[Row], column: str, weights: Mapping[str, float]) -> float:
    """The mean of a column over programs."""
    total = sum(weights[row["program"]] for row in rows)
    return round(sum(row[column] * weights[row["program"]] for row in rows) / total, 1)


def with_published(row: dict[str, Any]) -> dict[str, Any]:
    """A row with the published figures for the same number of samples beside it."""
    known = PROGRAMS[OWN.get(row["program"], row["program"])]
    beside = {
        "published branch %": known.coverage[0],
        "published line %": known.line_coverage,
        "published seconds": known.seconds[0],
        "published confidence %": known.ecs[0],
    }
    if row["program"] in OWN:
        return {**row, "in place of": OWN[row["program"]]}
    return {**row, **beside}


def summary(rows: Sequence[Row]) -> dict[str, Any]:
    """The last row: weighted means and the whole time, beside the best published ones."""
    ours = {row["program"]: float(row["branches"]) for row in rows}
    theirs = {row["program"]: float(PROGRAMS[OWN.get(row["program"], row["program"])].branches) for row in rows}
    return {
        "program": "all",
        "functions": sum(row["functions"] for row in rows),
        "paths": sum(row["paths"] for row in rows),
        "unknown": sum(row["unknown"] for row in rows),
        "branches": sum(row["branches"] for row in rows),
        "branch %": weighted(rows, "branch %", ours),
        "solved %": weighted(rows, "solved %", ours),
        "line %": weighted(rows, "line %", ours),
        "seconds": round(sum(row["seconds"] for row in rows), 1),
        "with published weights %": weighted(rows, "branch %", theirs),
        "published branch %": GUIDED[0],
        "published line %": GUIDED[1],
        "published seconds": GUIDED[2],
    }


def programs(only: str | None) -> list[str]:
    """The programs, ours last."""
    names = [name for name in PROGRAMS if name not in OWN.values()] + list(OWN)
    return names if only is None else [name for name in names if name in only.split(",")]


class Kept:
    """The rows of programs by commit and options, in a file to which each is added as it comes."""

    def __init__(self, file: Path, asked: str, *, fresh: bool) -> None:
        self._file = file
        lines = file.read_text().splitlines() if file.exists() and not fresh else []
        self._known: dict[str, Row] = {item["key"]: item["row"] for item in map(json.loads, lines)}
        self._asked = f"{commit()} {asked}"

    def rows(self, names: Sequence[str], measure: Callable[[str], Row]) -> list[Row]:
        """The rows of programs, and those of others that were measured in the same way."""
        for name in names:
            key = json.dumps([self._asked, name])
            if key not in self._known:
                self._known[key] = measure(name)
                print(json.dumps(self._known[key]), flush=True)
                self._file.parent.mkdir(exist_ok=True)
                with self._file.open("a") as file:
                    file.write(json.dumps({"key": key, "row": self._known[key]}) + "\n")
        return [row for key, row in self._known.items() if json.loads(key)[0] == self._asked]


def with_summary(rows: Sequence[Row]) -> list[Row]:
    """The rows, losses against the published figures first, and the means."""
    known = [row for row in rows if row["program"] != "all"]
    return [*sorted(known, key=lambda row: row["branch %"] - row.get("published branch %", 0)), summary(known)]


def sample_row(name: str, options: Mapping[str, Any]) -> Row:
    """A program with more and more samples: coverage, time, and the confidence by the published rule."""
    known = PROGRAMS[OWN.get(name, name)]
    row: dict[str, Any] = {"program": name}
    for place, size in enumerate(SIZES):
        found = measured(name, {**options, "solver_options": {"samples": size, "confidence": "published"}})
        row |= {f"{size} branch %": found["branch %"], f"{size} s": found["seconds"]}
        row[f"{size} confidence %"] = found["confidence %"]
        if name not in OWN:
            row |= {f"{size} published": known.coverage[place], f"{size} published ECS": known.ecs[place]}
    return row


def box_table(options: Mapping[str, Any], most: int) -> list[Row]:
    """Coral on a mathematical library written in Python: looked into, and as a black box."""
    text = (SUBJECTS / "coral.py").read_text().replace("from math import", f"from {LIBRARY} import")
    rows = []
    with TemporaryDirectory(dir=SUBJECTS, prefix="boxed_") as folder:
        file = Path(folder) / "coral.py"
        file.write_text(text)
        (Path(folder) / "__init__.py").touch()
        for mode, boxes in (("white-box", ()), ("black-box", (f"{LIBRARY}.*",))):
            start = monotonic()
            given = {**options, "black_boxes": boxes}
            results = {name: explored(file, name, given) for name in entries(file)[:most]}
            seconds = monotonic() - start
            coverage = replayed(file, results, ("fuzz", "sweep"), only=list(results))
            share = percent(coverage.branches, coverage.all_branches)
            rows.append(
                {
                    "mode": mode,
                    "functions": len(results),
                    "branch %": share,
                    "seconds": round(seconds, 1),
                    "published branch %": BLACK_BOX[mode][0],
                    "published seconds": BLACK_BOX[mode][1],
                }
            )
    return rows


def main() -> None:
    """Run the part that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("plain", "guided", "samples", "boxes", "solver"), default="plain")
    parser.add_argument("--only", help="names of programs, separated by commas")
    parser.add_argument("--fresh", action="store_true", help="forget what is kept")
    parser.add_argument("--paths", type=int, default=150)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--functions", type=int, default=84, help="how many predicates of coral the boxes are tried on")
    given = parser.parse_args()
    if given.part == "solver":
        subprocess.run([sys.executable, "-m", "bench.mlbse_solver"], cwd=ROOT, check=True)
        return
    options = {"paths": given.paths, "budget": given.seconds, "warn": lambda text: None}
    name = "mlbse" if given.part == "plain" else f"mlbse-{given.part}"
    publish(name, *_part(given, options))


def _part(given: argparse.Namespace, options: Mapping[str, Any]) -> tuple[str, list[Row]]:
    if given.part == "boxes":
        return "coral on a library in Python", box_table(options, given.functions)
    asked = f"{given.part} {given.paths} {given.seconds:g}"
    kept = Kept(RESULTS / "mlbse-cells.jsonl", asked, fresh=given.fresh)
    names = programs(given.only)
    if given.part == "samples":
        return "MLBSE's programs with more and more samples", kept.rows(names, lambda name: sample_row(name, options))
    solver = {"samples": SIZES[0], "guided": given.part == "guided"}
    rows = kept.rows(names, lambda name: with_published(measured(name, {**options, "solver_options": solver})))
    title = f"MLBSE's programs with {SIZES[0]:,} samples" + (", doubled by confidence" * (given.part == "guided"))
    return title, with_summary(rows)


if __name__ == "__main__":
    main()
