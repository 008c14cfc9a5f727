"""Tables I to III of the XSTRESSOR paper beside ours, how time grows, Z3 on the same paths, and what has no model.

    make bench-xstressor                                 everything, ten minutes
    python -m bench.xstressor --quick                    three sizes of the paper, two minutes
    python -m bench.xstressor --only dijkstra --sizes 50,100 --tables 1,2

Our seconds are those of the whole command in a fresh process (see :mod:`bench.xstressor_runs`), the paper's those that
it prints, from another machine. A bench that was interrupted goes on where it was (see :mod:`bench.cells`);
``bench/results/xstressor.json`` is written if nothing was left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from textwrap import shorten
from typing import Any

from rich.console import Console

from bench import published
from bench.cells import Cells, Outcome, commit
from bench.table import RESULTS, WIDTH, cell, save, table
from bench.xstressor_runs import body, checked, command, sample
from bench.xstressor_subjects import ALL, CASE, MISLEADING, OTHERS, SUBJECTS, Subject

TITLES = {
    "1": "Tables I and III of the XSTRESSOR paper: our wall / its seconds, from another machine, is the ratio",
    "2": "Table II of the XSTRESSOR paper: where the seconds go, ours and the paper's, from another machine",
    "growth": "CPU seconds of path and solver against the number of conditions: exponent 1 is linear",
    "limits": "Our solver beside the fastest code known for each kind of condition, its conditions given as arrays",
    "z3": "Z3 on the same path condition in the same process; what it takes to tell Z3 of it is not in the ratio",
    "salesman": "The travelling salesman, which has no model",
    "generators": "Generators, checked at sizes not seen before",
    "misleading": "Programs that behave otherwise at large sizes",
}

QUICK = (10, 50, 100)
QUICK_SECONDS = 10.0
BREAKDOWN = (40, 50, 100)
BEYOND = {"insertion sort": (5000,), "merging": (1_000_000,)}
MOST = {"boolean matrices": 200, "salesman": 10}
"""The largest sizes; the salesman has no model, so that all sizes are the same small searches in vain."""

GROWTH = {
    "insertion sort": (1250, 2500, 5000),
    "sorted list": (250_000, 500_000, 1_000_000),
    "merging": (250_000, 500_000, 1_000_000),
    "binary tree": (750, 1500, 3000),
    "dijkstra": (250, 500, 1000),
    "boolean matrices": (50, 100, 200),
    "cmp": (2500, 5000, 10_000),
    "grep": (500, 1000, 2000),
}
LIMITS = {
    ("insertion sort", 500): (124_750, 0.003, 1.2),
    ("insertion sort", 5000): (12_497_500, 1.4, None),
    ("merging", 1_000_000): (4_000_000, 0.16, None),
    ("binary tree", 500): (249_500, 0.0026, 5.3),
    ("dijkstra", 200): (59_000, 0.0015, 4.0),
    ("dijkstra", 500): (373_000, 0.015, None),
    ("boolean matrices", 100): (2_000_000, 0.013, 1.2),
    ("boolean matrices", 200): (16_000_000, 0.54, None),
    ("grep", 500): (63_000, 0.003, 0.14),
}
"""How many conditions, seconds of the fastest code, and of Z3 at its best: measured once, on two shared cores.

Each kind had a program of its own, and some paths were written otherwise than ours are.
"""

Z3 = {
    "insertion sort": (100, 200, 300),
    "sorted list": (500, 2000),
    "merging": (500, 1000),
    "binary tree": (100, 200),
    "dijkstra": (50, 100),
    "boolean matrices": (20, 30),
    "cmp": (100, 500),
    "grep": (100, 500),
}

FAMILY = 50
"""The size at which generators are asked for."""

UNSEEN = (33, 64)
CITIES = (3, 4, 5, 6)
WITHOUT_MODEL = 10
MISLED = (30, 60)
MODEL = ("examples", "model", "check")
PATH = ("synthesis", "solving")

REASONS = {"note": 12, "says": 70}
"""How many characters of a reason are printed."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Bench:
    """What is to be run, and where its outcomes are kept."""

    cells: Cells
    only: str
    sizes: tuple[int, ...] | None
    seconds: float
    salesman_seconds: float

    def chosen(self, subjects: Sequence[Subject]) -> list[Subject]:
        """The subjects that the user wants."""
        return [subject for subject in subjects if self.only in subject.name]

    def searched(self, subject: Subject, size: int) -> Outcome:
        """The outcome of ``synthesis`` at a size."""
        return self.cells.run(command(subject, size, self.seconds))

    def wanted(self, subject: Subject, sizes: Collection[int]) -> list[int]:
        """The sizes of a table that the user wants, and that are not beyond the subject."""
        most = MOST.get(subject.name, max(sizes))
        return [size for size in sizes if size <= most and (self.sizes is None or size in self.sizes)]

    def generator(self, subject: Subject) -> str | None:
        """The generator that ``synthesis`` finds, if it finds one."""
        code: str | None = _report(self.searched(subject, FAMILY)).get("generator")
        return code

    def generated(self, wanted: Collection[str]) -> Iterator[tuple[Subject, str]]:
        """The subjects of some names that have a generator, with that."""
        for subject in self.chosen([subject for subject in [*SUBJECTS, *OTHERS] if subject.name in wanted]):
            code = self.generator(subject)
            if code is not None:
                yield subject, code

    def rows(self, part: str) -> Iterator[Row]:
        """The rows of a table."""
        return PARTS[part](self)


def _report(outcome: Outcome) -> dict[str, Any]:
    return outcome.get("report") or {}


def part(outcome: Outcome, *names: str) -> float | None:
    """The seconds of parts of a search; None if it never came to one of them."""
    seconds = _report(outcome).get("seconds", {})
    return sum(seconds[name] for name in names) if all(name in seconds for name in names) else None


def paper(subject: Subject, method: str, size: int) -> published.Seconds | None:
    """The paper's seconds, or its mark, and whether it was the worst case that they bought."""
    seconds = subject.published(method, size)
    found = (subject.name, method) not in published.NOT_FOUND
    return seconds if found or seconds is None else f"{cell(seconds)} wrong"


def compared(subject: Subject, size: int, outcome: Outcome) -> Row:
    """A row of Tables I and III: what was found, what it took, what the paper prints."""
    report, theirs, longest = _report(outcome), paper(subject, published.XSTRESSOR, size), subject.longest(size)
    has_ratio = isinstance(theirs, float) and outcome["cost"] and "wall" in outcome
    return {
        "program": subject.name,
        "N": size,
        "conditions": report.get("conditions"),
        "cost": outcome["cost"] or None,
        "maximum": longest,
        "exact": None if longest is None else outcome["cost"] == longest,
        "wall s": outcome.get("wall"),
        "CPU s": outcome.get("cpu"),
        "MiB": outcome.get("peak"),
        "model s": part(outcome, *MODEL),
        "path s": part(outcome, "synthesis"),
        "solver s": part(outcome, "solving"),
        **{f"{method} s": paper(subject, method, size) for method in (published.XSTRESSOR, published.WISE)},
        "SPF-WCA s": paper(subject, published.SPF_WCA, size),
        "ratio": outcome["wall"] / theirs if has_ratio else None,
        "load": outcome.get("load"),
        "note": report.get("note") or (None if outcome["cost"] else outcome["stopped"]),
    }


def table_1(bench: Bench) -> Iterator[Row]:
    """Every subject at every size of the paper, and beyond."""
    for subject in bench.chosen(SUBJECTS):
        for size in bench.wanted(subject, sorted({*ALL, *BEYOND.get(subject.name, ())})):
            if subject.sizes is ALL or size in CASE:
                yield compared(subject, size, bench.searched(subject, size))


def table_2(bench: Bench) -> Iterator[Row]:
    """The parts of the same searches."""
    for subject in bench.chosen(SUBJECTS):
        theirs = published.XSTRESSOR_TABLE_2.get(subject.name)
        for size in bench.wanted(subject, BREAKDOWN) if theirs else ():
            assert theirs is not None
            outcome = bench.searched(subject, size)
            yield {
                "program": subject.name,
                "N": size,
                "model s": part(outcome, *MODEL),
                "paper's model s": theirs.model,
                "path s": part(outcome, "synthesis"),
                "paper's path s": theirs.path[size],
                "solver s": part(outcome, "solving"),
                "paper's solver s": theirs.solver[size],
            }


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """The power of x that y grows with: least squares on logarithms."""
    logs = [(log(x), log(y)) for x, y in points]
    x_mean, y_mean = (sum(column) / len(logs) for column in zip(*logs, strict=True))
    return sum((x - x_mean) * (y - y_mean) for x, y in logs) / sum((x - x_mean) ** 2 for x, _ in logs)


def grown(name: str, outcomes: Mapping[int, Outcome]) -> Row:
    """How the seconds of path and solver grow over sizes."""
    points = [(_report(outcome).get("conditions"), part(outcome, *PATH)) for outcome in outcomes.values()]
    known = [(count, seconds) for count, seconds in points if count and seconds]
    return {
        "program": name,
        "N": ", ".join(f"{size:,}" for size in outcomes),
        "conditions": ", ".join(f"{count:,}" for count, _ in known),
        "path and solver, CPU s": ", ".join(f"{seconds:.3g}" for _, seconds in known),
        "exponent": exponent(known) if len(known) == len(points) else None,
        "note": next((str(item["stopped"]) for item in outcomes.values() if not _report(item)), None),
    }


def growth(bench: Bench) -> Iterator[Row]:
    """Three large sizes of every subject."""
    for subject, code in bench.generated(GROWTH):
        cells = {size: sample(subject, size, code, "model") for size in GROWTH[subject.name]}
        yield grown(subject.name, {size: bench.cells.run(cell) for size, cell in cells.items()})


def limits(bench: Bench) -> Iterator[Row]:
    """Our solver where the fastest code is known."""
    for subject, code in bench.generated({name for name, _ in LIMITS}):
        for size in [size for name, size in LIMITS if name == subject.name]:
            outcome = bench.cells.run(sample(subject, size, code, "model"))
            ours, (count, fastest, by_z3) = part(outcome, "solving"), LIMITS[subject.name, size]
            yield {
                "program": subject.name,
                "N": size,
                "conditions": _report(outcome).get("conditions"),
                "ours, CPU s": ours,
                "its conditions": count,
                "fastest known s": fastest,
                "ours / fastest": None if ours is None else ours / fastest,
                "Z3 at its best s": by_z3,
                "ours / Z3": None if ours is None or by_z3 is None else ours / by_z3,
            }


def z3(bench: Bench) -> Iterator[Row]:
    """Z3 and our solver on the path of the same input."""
    for subject, code in bench.generated(Z3):
        for size in Z3[subject.name]:
            outcome = bench.cells.run(sample(subject, size, code, "z3"))
            ours, theirs = part(outcome, "ours"), part(outcome, "z3")
            yield {
                "program": subject.name,
                "N": size,
                "conditions": _report(outcome).get("conditions"),
                "ours, CPU s": ours,
                "Z3, CPU s": theirs,
                "telling Z3, CPU s": part(outcome, "telling"),
                "ours / Z3": ours / theirs if ours and theirs else None,
                "answer": _report(outcome).get("answer", outcome["stopped"]),
            }


def salesman(bench: Bench) -> Iterator[Row]:
    """``auto`` and ``synthesis`` at the sizes of the PySE paper, and whether a model holds beyond them."""
    for subject in bench.chosen([subject for subject in SUBJECTS if subject.name == "salesman"]):
        for cities in (*CITIES, WITHOUT_MODEL):
            for strategy in ("auto", "synthesis"):
                outcome = bench.cells.run(command(subject, cities, bench.salesman_seconds, strategy))
                yield {
                    "cities": cities,
                    "edges": cities * (cities - 1) // 2,
                    "strategy": strategy,
                    "cost": outcome["cost"] or None,
                    "maximum": subject.longest(cities),
                    "found after, s": outcome.get("found_after"),
                    "wall s": outcome.get("wall"),
                    "stopped": outcome["stopped"],
                    "says": _reason(outcome) if strategy == "synthesis" else None,
                }


def _reason(outcome: Outcome) -> str | None:
    """Why there is no model."""
    report = _report(outcome)
    refused = report.get("refused") or [outcome["stopped"]]
    return None if "model" in report else report.get("note") or f"no model: {refused[-1]}"


def generators(bench: Bench) -> Iterator[Row]:
    """The generator of every subject, tried where it was never checked."""
    for subject in bench.chosen([subject for subject in [*SUBJECTS, *OTHERS] if subject.name != "salesman"]):
        code = bench.generator(subject)
        row: Row = {"program": subject.name, "worst_case(n)": "none" if code is None else body(code)}
        if code is not None:
            row["checked at n ="] = checked(code)
            for size in UNSEEN:
                cost = bench.cells.run(sample(subject, size, code, "cost"))["cost"]
                row |= {f"cost at {size}": cost, f"closed form at {size}": subject.longest(size)}
            row["exact"] = all(row[f"cost at {size}"] == row[f"closed form at {size}"] for size in UNSEEN)
        yield row


def misleading(bench: Bench) -> Iterator[Row]:
    """What ``synthesis`` says and what ``auto`` reaches where small sizes teach what is wrong."""
    for subject in bench.chosen(MISLEADING):
        for size in MISLED:
            for strategy in ("synthesis", "auto"):
                outcome = bench.cells.run(command(subject, size, MISLED_SECONDS, strategy))
                yield {
                    "program": subject.name,
                    "N": size,
                    "strategy": strategy,
                    "cost": outcome["cost"] or None,
                    "closed form": subject.longest(size),
                    "wall s": outcome.get("wall"),
                    "stopped": outcome["stopped"],
                    "says": _reason(outcome) if strategy == "synthesis" else None,
                }


MISLED_SECONDS = 10.0
PARTS = {
    "1": table_1,
    "2": table_2,
    "growth": growth,
    "limits": limits,
    "z3": z3,
    "salesman": salesman,
    "generators": generators,
    "misleading": misleading,
}


def main() -> None:
    arguments = _arguments()
    cells = Cells(RESULTS / "xstressor-cells.jsonl", commit(), fresh=arguments.fresh)
    sizes = QUICK if arguments.quick else arguments.sizes
    seconds = QUICK_SECONDS if arguments.quick else arguments.seconds
    bench = Bench(cells, arguments.only, sizes, seconds, arguments.salesman_seconds)
    parts = arguments.tables or (["1", "2"] if arguments.quick else list(TITLES))
    everything: list[Row] = []
    for name in parts:
        rows = list(bench.rows(name))
        everything += [{"part": name, **row} for row in rows]
        if rows:
            Console(width=WIDTH).print(table(TITLES[name], [shown(row) for row in rows]))
    if len(parts) == len(TITLES) and not arguments.only and sizes is None:
        save("xstressor", f"The tables of the XSTRESSOR paper, published and ours, at {commit()}", everything)


def shown(row: Row) -> Row:
    """A row as it is printed: without the load of the machine, and reasons cut short."""
    return {
        name: shorten(value, REASONS[name], placeholder=" ...") if name in REASONS and value else value
        for name, value in row.items()
        if name != "load"
    }


def _arguments() -> argparse.Namespace:
    def numbers(text: str) -> tuple[int, ...]:
        return tuple(int(word) for word in text.split(","))

    def names(text: str) -> list[str]:
        found = [word.strip() for word in text.split(",")]
        if not set(found) <= set(TITLES):
            raise argparse.ArgumentTypeError(f"{text!r} has others than {', '.join(TITLES)}")
        return found

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT", help="programs whose names contain it")
    parser.add_argument("--sizes", type=numbers, metavar="N,N,...", help="these sizes of the first two tables")
    parser.add_argument("--tables", type=names, metavar="NAMES", help=f"some of {', '.join(TITLES)}")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each search")
    parser.add_argument("--salesman-seconds", type=float, default=20.0, help="for each search of the salesman's")
    parser.add_argument("--quick", action="store_true", help="tables 1 and 2 at sizes 10, 50 and 100, ten seconds each")
    parser.add_argument("--fresh", action="store_true", help="run again what was run before")
    return parser.parse_args()


if __name__ == "__main__":
    main()
