"""Tables I and II of the PySE paper and the ablations of its Figure 7, published numbers beside ours.

    make bench-pyse                                    everything, hours
    python -m bench.pyse --table 2 --only dijkstra     one table, one benchmark
    python -m bench.pyse --strategies exhaustive,wise,history      what does not learn: minutes
    python -m bench.pyse --seconds 20 --seeds 3 --fresh

Paths are all leaves for searches of a whole tree, and the number of runs until the true maximum for those that stop
there; medians over the seeds, where a seed that never came there counts as the slowest. The paper counts infeasible
paths, which it runs into; some of ours prove directions infeasible instead, so ``leaves`` counts those besides, and is
the fair number beside the paper's. Seconds are those of the search, practice and learning included (the paper leaves
practice out), without the start of a process. A bench that was interrupted goes on where it was (see
:mod:`bench.cells`); ``bench/results/pyse.json`` has the rows of everything that was run with the same limits.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from bench import published, pyse_figure, pyse_learning
from bench.cells import Cells, commit, is_installed
from bench.pyse_methods import METHODS, Limits, Method, shortfall, summary
from bench.pyse_subjects import REAL_GREP, SUBJECTS, Subject
from bench.table import RESULTS, WIDTH, publish, save, table

TITLES = {
    "1": "Table I of the PySE paper, published and ours",
    "2": "Table II of the PySE paper, published and ours",
    "7": "Figure 7 of the PySE paper: ours, as it prints no numbers",
}

DEFAULT = [method.name for method in METHODS if method.is_default]

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Choice:
    """What the user wants to be run and shown."""

    parts: Collection[str]
    methods: Collection[str]
    only: Collection[str]

    @property
    def is_everything(self) -> bool:
        """Whether nothing was left out."""
        return len(self.parts) == len(TITLES) and not self.methods and not self.only

    def has(self, part: str, subject: Subject, method: str) -> bool:
        """Whether to run a method on a benchmark."""
        return part in self.parts and method in (self.methods or DEFAULT) and self._names(subject.name)

    def shows(self, part: str, row: Row) -> bool:
        """Whether to print a row."""
        by = row.get("by", "qlearn")
        return part in self.parts and (not self.methods or by in self.methods) and self._names(row["benchmark"])

    def _names(self, benchmark: str) -> bool:
        return not self.only or any(word in benchmark for word in self.only)


@dataclass(frozen=True, slots=True)
class Place:
    """A benchmark at a size, and the cost that a search is to reach."""

    subject: Subject
    size: int
    goal: int

    @property
    def block(self) -> published.Benchmark | None:
        """What the paper has of the benchmark."""
        return published.TABLES.get(self.subject.name)

    def row(self, method: Method) -> Row:
        """What is known without running anything."""
        name, size, block = self.subject.name, self.size, self.block
        line = None if block is None else block.lines.get(method.line)
        row: Row = {"benchmark": name, "N": size, "goal": self.goal, "by": method.name}
        longest = None if block is None else block.longest[size]
        row["paper longest"] = f"{longest}?" if (name, size) in published.DOUBTED else longest
        row["paper paths"] = None if line is None else line.paths[size]
        row["paper s"] = None if line is None else line.seconds(size)
        return row


def places(part: str) -> Iterator[Place]:
    """The columns of a table; where the paper's longest path is not the worst case, it is a goal as well."""
    for subject in SUBJECTS:
        if str(subject.table) == part:
            for size, longest in published.TABLES[subject.name].longest.items():
                if (subject.name, size) in published.NOT_THE_WORST:
                    yield Place(subject, size, longest)
                yield Place(subject, size, subject.longest(size))
    if part == "2":
        for size in published.TABLES["grep"].sizes:
            yield Place(REAL_GREP, size, REAL_GREP.longest(size))


def tables(part: str, cells: Cells, limits: Limits, choice: Choice) -> list[Row]:
    """The rows of a table: what is chosen is run, the rest is there if it was run before."""
    rows = []
    for place in places(part):
        for method in METHODS:
            if method.applies(place.subject) and is_installed(method.strategy):
                row = _row(place, method, cells, limits, choice.has(part, place.subject, method.name))
                rows += [] if row is None else [row]
    return rows


def _row(place: Place, method: Method, cells: Cells, limits: Limits, chosen: bool) -> Row | None:
    subject, size, goal = place.subject, place.size, place.goal
    whole = method.leaves is not None
    obstacle = method.obstacle(subject, size)
    if obstacle is not None:
        skipped = {"paths": "-", "note": obstacle}
        return None if place.block is None or goal < subject.longest(size) else {**place.row(method), **skipped}
    if whole and goal < subject.longest(size):
        return None  # a search of a whole tree has no goal: the row of the true maximum tells all
    searches = list(method.cells(subject, size, goal, limits))
    outcomes = [cells.run(cell) if chosen else cells.get(cell) for cell in searches]
    found = [outcome for outcome in outcomes if outcome is not None]
    if len(found) < len(searches):
        return None
    row = {**place.row(method), **summary(found, goal, whole=whole)}
    row["is maximum"] = row["longest"] >= subject.longest(size)
    row["note"] = shortfall(found) if row["paths"] is None else _remark(row, whole=whole)
    return row


def _remark(row: Row, *, whole: bool) -> str | None:
    """What is strange about a tree that was searched to the end."""
    theirs = row["paper paths"]
    if not whole:
        return None
    if not row["is maximum"]:
        return "wrong, as published" if theirs == published.WRONG else "wrong"
    return "differs" if isinstance(theirs, int) and row["paths"] != theirs else None


def rows(part: str, cells: Cells, limits: Limits, choice: Choice) -> list[Row]:
    """The rows of a table or of the figure."""
    if part == "7":
        return pyse_figure.rows(cells, limits, lambda subject: choice.has(part, subject, "qlearn"))
    return tables(part, cells, limits, choice)


def main() -> None:
    arguments = _arguments()
    limits = Limits(arguments.seconds, arguments.whole_seconds, arguments.seeds)
    cells = Cells(RESULTS / "pyse-cells.jsonl", commit(), fresh=arguments.fresh)
    choice = Choice(arguments.table or tuple(TITLES), arguments.strategies, arguments.only)
    everything: list[Row] = []
    for part, title in TITLES.items():
        found = rows(part, cells, limits, choice)
        everything += [{"part": part, **row} for row in found]
        shown = [row for row in found if choice.shows(part, row)]
        if shown:
            Console(width=WIDTH).print(table(title, shown))
    save("pyse", f"The tables of the PySE paper, published and ours, at {commit()}", everything)
    if choice.is_everything:
        publish("pyse-learning", "What learning costs", pyse_learning.rows())


def _arguments() -> argparse.Namespace:
    def words(text: str) -> list[str]:
        return [word.strip() for word in text.split(",")]

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", choices=list(TITLES), help="this table or figure only; by default all")
    parser.add_argument("--only", type=words, default=[], metavar="NAMES", help="benchmarks whose names contain one")
    parser.add_argument("--strategies", type=_methods, default=[], metavar="NAMES", help="columns of ours")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each search that stops at the goal")
    parser.add_argument("--whole-seconds", type=float, default=300.0, help="for each search of a whole tree")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--fresh", action="store_true", help="run again what was run before")
    return parser.parse_args()


def _methods(text: str) -> list[str]:
    """Names of methods; ``history`` also means the one that is trained otherwise, which has a comma in its name."""
    known = [method.name for method in METHODS]
    names = [name for name in known if any(name.split()[0] == word.strip() for word in text.split(","))]
    if not names:
        raise argparse.ArgumentTypeError(f"{text!r} names none of {', '.join(sorted({n.split()[0] for n in known}))}")
    return names


if __name__ == "__main__":
    main()
