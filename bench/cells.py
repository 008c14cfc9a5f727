"""Cells: single searches of a bench, kept as they end, so that an interrupted bench goes on where it was.

A cell that was run with the same options on the same commit is not run again. The commit is the last one that changed
the package or its test subjects, with a ``+`` if there are changes since; those are not told apart.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from math import inf
from pathlib import Path
from statistics import median
from typing import Any

import pessimal
from pessimal.errors import InternalError
from pessimal.registry import STRATEGIES

ROOT = Path(__file__).resolve().parent.parent
MEASURED = ("src", "tests/subjects", "bench/subjects")

Outcome = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """One search: what to call with which options, for how long, and the cost to stop at."""

    target: str
    size: int
    strategy: str
    seconds: float
    seed: int = 0
    goal: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    pyse_compatible: bool = False

    @property
    def key(self) -> str:
        """What tells the cell from all others."""
        return json.dumps(asdict(self), sort_keys=True)

    def run(self) -> Outcome:
        """Search, through the function that users call."""
        started = time.monotonic()
        result = pessimal.stress(
            self.target,
            size=self.size,
            strategy=self.strategy,
            options=self.options,
            cost="branches",
            seed=self.seed,
            budget=self.seconds,
            stop_at=self.goal,
            stop_after="none",
            pyse_compatible=self.pyse_compatible,
            warn=lambda text: None,
        )
        effort = result.effort
        return {
            "cost": result.cost["value"] or 0,  # nothing is found if practice takes all the time
            "paths": effort.paths,
            "found_run": effort.found_run,
            "found_after": effort.found_after,
            "seconds": effort.seconds,
            "wall": round(time.monotonic() - started, 3),
            "practised": effort.practised,
            "learning_seconds": effort.learning_seconds,
            "unknown": effort.unknown,
            "ended": effort.stopped == "nothing left to try",
            "stopped": effort.stopped,
            "proof": result.proof,
            "difference": None if result.witness is None else result.witness.difference,
        }


class Cells:
    """The outcomes of one commit, in a file to which each is added as it comes."""

    def __init__(self, file: Path, commit: str, *, fresh: bool = False) -> None:
        self._file = file
        self._commit = commit
        self._known: dict[str, Outcome] = {}
        if file.exists() and not fresh:
            records = map(json.loads, file.read_text().splitlines())
            self._known = {item["key"]: item["outcome"] for item in records if item["commit"] == commit}

    def get(self, cell: Cell) -> Outcome | None:
        """The outcome, if the cell was run."""
        return self._known.get(cell.key)

    def run(self, cell: Cell) -> Outcome:
        """The outcome, by running the cell if it was not run before."""
        known = self.get(cell)
        if known is not None:
            return known
        try:
            outcome = cell.run()
            self._keep(cell, outcome)
        except InternalError as error:
            outcome = _defect(str(error))
        self._known[cell.key] = outcome
        print(
            f"{cell.target.rpartition('/')[2]} N={cell.size} {cell.strategy} {dict(cell.options)} seed {cell.seed}:"
            f" {outcome['cost']} at run {outcome['found_run']} of {outcome['paths']} paths, {outcome['seconds']:.2f}s,"
            f" {outcome['stopped']}",
            file=sys.stderr,
        )
        return outcome

    def _keep(self, cell: Cell, outcome: Outcome) -> None:
        self._file.parent.mkdir(exist_ok=True)
        with self._file.open("a") as file:
            file.write(json.dumps({"commit": self._commit, "key": cell.key, "outcome": outcome}) + "\n")


def _defect(error: str) -> Outcome:
    """The outcome of a search that fell over: told in its row, and not kept, since it will be repaired."""
    numbers = dict.fromkeys(("cost", "paths", "practised", "unknown"), 0)
    seconds = dict.fromkeys(("seconds", "wall", "learning_seconds"), 0.0)
    nothing = dict.fromkeys(("found_run", "found_after", "proof", "difference"))
    return {**numbers, **seconds, **nothing, "ended": False, "stopped": error.strip().splitlines()[-1]}


def is_installed(strategy: str) -> bool:
    """Whether there is a strategy of the name."""
    return strategy in STRATEGIES.names()


@cache
def commit() -> str:
    """The last commit that changed what is measured."""

    def git(*words: str) -> str:
        done = subprocess.run(["git", *words, "--", *MEASURED], cwd=ROOT, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    if not Path(pessimal.__file__).is_relative_to(ROOT):
        return "elsewhere"  # whatever is measured there, it is not what git tells of here
    return git("log", "-1", "--format=%h") + ("+" if git("status", "--porcelain") else "")


def middle(values: Iterable[float | None]) -> float | None:
    """The median, where None is more than any number: None if half of them or more are."""
    found = median(inf if value is None else value for value in values)
    return None if found == inf else found
