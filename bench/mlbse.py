"""Branch and line coverage on the programs of MLBSE, beside the published figures.

    make bench-mlbse                                        all parts, one after the other
    python -m bench.mlbse --part plain                      the table of all programs with 3,000 samples
    python -m bench.mlbse --part guided                     the samples doubled while the confidence is high
    python -m bench.mlbse --part samples                    3,000, 30,000 and 300,000 samples, with the confidences
    python -m bench.mlbse --part boxes                      coral on a mathematical library, looked into and not
    python -m bench.mlbse --only ray,sine --seconds 30      some programs only

What was found for a function is kept by commit and options, so that an interrupted bench goes on where it was; --fresh
forgets it. Functions are explored by as many processes as there are processors (--jobs).

Each function is explored by ``pessimal.explore`` for at most ``--seconds`` seconds and ``--paths`` paths: two thirds of
the time by the default strategy, which solves conditions, and then, where branches are left, by the strategy ``fuzz``,
which runs concrete inputs; "solved %" is the coverage of the former alone. Either ends when it has reached nothing new
for a third of its time. The inputs that are reported are then run on the unmodified program in this process, and the
coverage is what those runs execute: both outcomes of every conditional jump. The weighted mean has the number of
branches of each program as weight, as in the publication; our programs are smaller than the published ones, so that it
is also given with the published weights. "seconds" are the sum over the functions.

More samples can only help a function that has branches left and questions that stayed unknown; the parts ``guided`` and
``samples`` explore such functions alone again, and take the others from the first part.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import multiprocessing
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pessimal
from bench.cells import commit
from bench.jumps import Coverage, covered
from bench.mlbse_published import BLACK_BOX, GUIDED, OWN, PROGRAMS
from bench.table import RESULTS, Row, publish
from pessimal.errors import TargetError

ROOT = Path(__file__).resolve().parents[1]
SUBJECTS = ROOT / "bench" / "subjects"
SOLVED = 2 / 3
"""The part of the time for the strategy that solves conditions."""
PATIENCE = 1 / 3
"""The part of its time after which a strategy that reaches nothing new is ended."""
SIZES = (3_000, 30_000, 300_000)
LIBRARY = "bench.subjects.mlbse.library"
RANGES = {"int": "int:-1000..1000", "float": "float:-100..100"}
"""The published ranges, for parameters whose types say nothing of a range."""
ATTEMPTS = 5
PARTS = ("plain", "guided", "samples", "boxes")

Found = dict[str, Any]
"""What was found for one function: the inputs by strategy, and the effort."""


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


class Run(NamedTuple):
    """One function to explore: the file, its name, and the options of ``pessimal.explore``."""

    file: str
    function: str
    options: Mapping[str, Any]

    @property
    def key(self) -> str:
        """What tells the run from all others of this commit."""
        place = Path(self.file).name
        return json.dumps([commit(), place, self.function, self.options], sort_keys=True)


def warm_up() -> None:
    """Start what all searches of a process share, so that no function pays for imports."""
    pessimal.explore(f"{file_of('power')}:compare", budget=120.0, stop_after=0.1, warn=lambda text: None)


def explored(run: Run) -> Found:
    """What ``pessimal.explore`` finds for one function; again if a busy machine gave it no time to begin."""
    for _ in range(ATTEMPTS - 1):
        try:
            return _explored(run)
        except TargetError as error:
            print(f"{run.function}: {error}", file=sys.stderr)
    return _explored(run)


def _explored(run: Run) -> Found:
    """What is found by strategy."""
    file, options = Path(run.file), dict(run.options)
    seconds = options.pop("budget")
    inputs = inputs_of(getattr(module_of(file), run.function))
    found: Found = {"seconds": 0.0, "paths": 0, "unknown": 0, "concrete": 0, "confidence": None}
    for strategy, share in (("sweep", SOLVED), ("fuzz", 1 - SOLVED)):
        budget = seconds * share
        result = pessimal.explore(
            f"{file}:{run.function}",
            size=3,
            inputs=inputs,
            objective="branches",
            strategy=strategy,
            budget=budget,
            stop_after=budget * PATIENCE,
            warn=lambda text: None,
            **options,
        )
        found[strategy] = [witness.input for witness in result.paths]
        found["seconds"] += result.effort.seconds
        if strategy == "sweep":
            found |= {"paths": result.effort.paths, "unknown": result.effort.unknown}
            found |= {"concrete": result.effort.concretisations, "confidence": result.effort.confidence}
            if is_complete(file, run.function, found[strategy]):
                found["fuzz"] = []
                break
    return found


def is_complete(file: Path, name: str, inputs: Sequence[Mapping[str, Any]]) -> bool:
    """Whether some inputs execute all branches of a function; helpers that it calls are not looked at."""
    function = getattr(module_of(file), name)
    coverage = covered(file, (partial(function, **given) for given in inputs), [name])
    return coverage.branches == coverage.all_branches


class Kept:
    """What was found for functions, in a file to which each is added as it comes."""

    def __init__(self, file: Path, *, fresh: bool) -> None:
        self._file = file
        lines = file.read_text().splitlines() if file.exists() and not fresh else []
        self._known: dict[str, Found] = {item["key"]: item["found"] for item in map(json.loads, lines)}
        if fresh:
            file.unlink(missing_ok=True)

    def of(self, runs: Sequence[Run], pool: Executor) -> dict[str, Found]:
        """What was found by some runs, by function; those that were not made before are made now."""
        missing = [run for run in runs if run.key not in self._known]
        for run, found in zip(missing, pool.map(explored, missing), strict=True):
            self._known[run.key] = found
            print(f"{Path(run.file).stem}.{run.function}: {found['seconds']:.1f}s", flush=True)
            self._file.parent.mkdir(exist_ok=True)
            with self._file.open("a") as file:
                file.write(json.dumps({"key": run.key, "found": found}) + "\n")
        return {run.function: self._known[run.key] for run in runs}


class Bench:
    """Explores programs with options, and remembers what it found."""

    def __init__(self, kept: Kept, pool: Executor, options: Mapping[str, Any]) -> None:
        self._kept = kept
        self._pool = pool
        self._options = options

    def found(self, program: str, samples: int = SIZES[0], **solver: Any) -> dict[str, Found]:
        """What is found for the functions of a program; with more than the first samples only where that may help."""
        file = file_of(program)
        first = self._explored(file, entries(file), {"samples": SIZES[0]})
        if samples == SIZES[0] and not solver:
            return first
        open_ones = [name for name, found in first.items() if found["unknown"] and not _is_done(file, name, found)]
        return first | self._explored(file, open_ones, {"samples": samples, **solver})

    def _explored(self, file: Path, names: Sequence[str], solver: Mapping[str, Any]) -> dict[str, Found]:
        options = {**self._options, "solver_options": dict(solver)}
        return self._kept.of([Run(str(file), name, options) for name in names], self._pool)

    def boxed(self, file: Path, names: Sequence[str], boxes: Sequence[str]) -> dict[str, Found]:
        """What is found for functions of a file, with black boxes."""
        options = {**self._options, "black_boxes": list(boxes)}
        return self._kept.of([Run(str(file), name, options) for name in names], self._pool)


def _is_done(file: Path, name: str, found: Found) -> bool:
    return is_complete(file, name, [*found["sweep"], *found["fuzz"]])


def row_of(program: str, results: Mapping[str, Found]) -> dict[str, Any]:
    """One program: what its functions reach, and how long that took."""
    file = file_of(program)
    coverage, solved = replayed(file, results, ("fuzz", "sweep")), replayed(file, results, ("sweep",))
    confidences = [found["confidence"] for found in results.values() if found["confidence"] is not None]
    return {
        "program": program,
        "functions": len(results),
        "paths": sum(found["paths"] for found in results.values()),
        "unknown": sum(found["unknown"] for found in results.values()),
        "concretised": sum(found["concrete"] for found in results.values()),
        "branches": coverage.all_branches,
        "branch %": percent(coverage.branches, coverage.all_branches),
        "solved %": percent(solved.branches, solved.all_branches),
        "line %": percent(coverage.lines, coverage.all_lines),
        "seconds": round(sum(found["seconds"] for found in results.values()), 1),
        "ECS %": round(100 * max(confidences), 2) if confidences else None,
    }


def replayed(
    file: Path, results: Mapping[str, Found], strategies: Sequence[str], only: Sequence[str] | None = None
) -> Coverage:
    """What the inputs that strategies found execute of the unmodified program, or of some of its functions."""
    module = module_of(file)
    calls = [
        partial(getattr(module, name), **given)
        for name, found in results.items()
        for strategy in strategies
        for given in found[strategy]
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
        "published %": known.coverage[0],
        "published line %": known.line_coverage,
        "published s": known.seconds[0],
        "published ECS": known.ecs[0],
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
        "by their weights %": weighted(rows, "branch %", theirs),
        "published %": GUIDED[0],
        "published line %": GUIDED[1],
        "published s": GUIDED[2],
    }


def programs(only: str | None) -> list[str]:
    """The programs, ours last."""
    names = [name for name in PROGRAMS if name not in OWN.values()] + list(OWN)
    return names if only is None else [name for name in names if name in only.split(",")]


def with_summary(rows: Sequence[Row]) -> list[Row]:
    """The rows, losses against the published figures first, and the means."""
    return [*sorted(rows, key=lambda row: row["branch %"] - row.get("published %", 0)), summary(rows)]


def plain_table(bench: Bench, names: Sequence[str]) -> list[Row]:
    """All programs with the first number of samples."""
    return with_summary([with_published(row_of(name, bench.found(name))) for name in names])


def guided_table(bench: Bench, names: Sequence[str]) -> list[Row]:
    """All programs with the samples doubled while the confidence is high, beside the plain ones."""
    rows = []
    for name in names:
        row = with_published(row_of(name, bench.found(name, guided=True)))
        rows.append({**row, "plain branch %": row_of(name, bench.found(name))["branch %"]})
    return with_summary(rows)


def sample_table(bench: Bench, names: Sequence[str]) -> list[Row]:
    """Programs with more and more samples: coverage, time, and the confidence by the published rule."""
    rows = []
    for name in names:
        known = PROGRAMS[OWN.get(name, name)]
        row: dict[str, Any] = {"program": name}
        for place, size in enumerate(SIZES):
            found = row_of(name, bench.found(name, size, confidence="published"))
            row |= {f"{size} %": found["branch %"], f"{size} s": found["seconds"]}
            row[f"{size} ECS"] = found["ECS %"]
            if name not in OWN:
                row |= {f"{size} published %": known.coverage[place], f"{size} published ECS": known.ecs[place]}
        rows.append(row)
    return rows


@contextmanager
def on_library() -> Iterator[Path]:
    """Coral with the functions of a mathematical library that is written in Python, in a file of its own."""
    text = (SUBJECTS / "coral.py").read_text().replace("from math import", f"from {LIBRARY} import")
    with TemporaryDirectory(dir=SUBJECTS, prefix="boxed_") as folder:
        file = Path(folder) / "coral.py"
        file.write_text(text)
        (Path(folder) / "__init__.py").touch()
        yield file


def box_table(bench: Bench, most: int) -> list[Row]:
    """Coral on a mathematical library written in Python: looked into, and as a black box."""
    rows = []
    with on_library() as file:
        names = entries(file)[:: max(len(entries(file)) // most, 1)]
        for mode, boxes in (("white-box", ()), ("black-box", (f"{LIBRARY}.*",))):
            results = bench.boxed(file, names, boxes)
            coverage = replayed(file, results, ("fuzz", "sweep"), only=names)
            rows.append(
                {
                    "mode": mode,
                    "functions": len(results),
                    "branch %": percent(coverage.branches, coverage.all_branches),
                    "seconds": round(sum(found["seconds"] for found in results.values()), 1),
                    "published %": BLACK_BOX[mode][0],
                    "published s": BLACK_BOX[mode][1],
                }
            )
    return rows


def main() -> None:
    """Run the parts that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, action="append", help="one of the tables; all without this")
    parser.add_argument("--only", help="names of programs, separated by commas")
    parser.add_argument("--fresh", action="store_true", help="forget what is kept")
    parser.add_argument("--paths", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=9.0)
    parser.add_argument("--functions", type=int, default=20, help="how many predicates of coral the boxes are tried on")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    kept = Kept(RESULTS / "mlbse-cells.jsonl", fresh=given.fresh)
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(given.jobs, mp_context=spawned, initializer=warm_up) as pool:
        bench = Bench(kept, pool, {"paths": given.paths, "budget": given.seconds})
        for part in given.part or PARTS:
            publish("mlbse" if part == "plain" else f"mlbse-{part}", *_part(part, bench, given))


def _part(part: str, bench: Bench, given: argparse.Namespace) -> tuple[str, list[Row]]:
    names = programs(given.only)
    if part == "boxes":
        return "coral on a library in Python", box_table(bench, given.functions)
    if part == "samples":
        return "MLBSE's programs with more and more samples", sample_table(bench, names)
    title = f"MLBSE's programs with {SIZES[0]:,} samples"
    if part == "guided":
        return f"{title}, doubled by confidence", guided_table(bench, names)
    return title, plain_table(bench, names)


if __name__ == "__main__":
    main()
