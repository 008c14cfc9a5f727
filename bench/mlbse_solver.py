"""The learning solver alone on the coral predicates: beside rivals at equal evaluations and at equal time.

    python -m bench.mlbse_solver                      all tables, about half an hour
    python -m bench.mlbse_solver --seconds 0.5        less time for each predicate
    python -m bench.mlbse_solver --only zoopt,random  only the methods whose names begin so; the others as they are kept

At equal evaluations every optimiser has 3,000, and each predicate is tried with three seeds. At equal time every method
has the same seconds of CPU. A predicate counts as solved if Python finds it true of the model. Rivals are installed in
``.venv-mlbse``. What a method found is kept, ours by commit, so that an interrupted bench goes on where it was. dReal
is left out: its package needs a library (libibex) that it does not bring.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench.cells import commit
from bench.coral import predicates
from bench.peers import ROOT, environment
from bench.table import RESULTS, publish
from pessimal.solve import Query
from pessimal.solve.learning.dissatisfaction import Rule
from pessimal.solve.learning.problem import Problem

OPTIMISERS = (
    "random",
    "zoopt RACOS",
    "zoopt SRACOS",
    "CMA-ES",
    "SciPy Powell",
    "SciPy Nelder-Mead",
    "SciPy evolution",
    "SciPy annealing",
)
OURS = ("portfolio", "sampling", "racos")
PROVERS = ("Z3", "cvc5")
EVALUATIONS = 3000
Found = list[dict[str, Any]]
"""For each predicate and seed whether it was solved, and the seconds of CPU."""
PUBLISHED = {"MLBSE, branch coverage at 3,000 samples": 82, "MLBSE, at 300,000": 88}


class Methods:
    """Runs methods on all predicates, and keeps what they found in a file."""

    def __init__(self, kept: Path, only: str, *, fresh: bool) -> None:
        self._file = kept
        self._only = tuple(only.split(","))
        lines = kept.read_text().splitlines() if kept.exists() and not fresh else []
        self._kept: dict[str, Found] = {item["key"]: item["found"] for item in map(json.loads, lines)}

    def found(self, method: str, *options: str) -> Found | None:
        """What one method does with all predicates; None if it is not to be run now and was not before."""
        version = commit() if method in (*OURS, "Z3") else ""  # Z3 gets our translation
        key = json.dumps([method, version, *options])
        if key not in self._kept and method.startswith(self._only):
            self._kept[key] = _run(method, *options)
            self._file.parent.mkdir(exist_ok=True)
            with self._file.open("a") as file:
                file.write(json.dumps({"key": key, "found": self._kept[key]}) + "\n")
        return self._kept.get(key)


def _run(method: str, *options: str) -> Found:
    command = [environment("mlbse"), "-m", "bench.mlbse_peer", method, *options]
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    variables = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True, env=variables)
    print(f"{method} {' '.join(options)} done", file=sys.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def row(method: str, what: str, found: Found) -> dict[str, Any]:
    """How many of the satisfiable predicates were solved, by any seed and in all runs."""
    never = {predicate.name for predicate in predicates() if predicate.is_never}
    wrong = [one["name"] for one in found if one["name"] in never and one["solved"]]
    kept = [one for one in found if one["name"] not in never]
    names = {one["name"] for one in kept}
    solved = sum(one["solved"] for one in kept)
    return {
        "limit": what,
        "method": method,
        "runs solved": solved,
        "of": len(kept),
        "percent": round(100 * solved / len(kept), 1),
        "predicates by any seed": len({one["name"] for one in kept if one["solved"]}),
        "of predicates": len(names),
        "CPU seconds": round(sum(one["seconds"] for one in kept), 1),
        "wrong": len(wrong),
        "unsolved": " ".join(sorted(names - {one["name"] for one in kept if one["solved"]}))[:60],
    }


def speed() -> dict[str, Any]:
    """Evaluations of a predicate per second, for the median predicate, in batches of a thousand."""
    rates = []
    for predicate in predicates():
        condition = predicate.condition
        leaves = [variable.start() for variable in condition.variables]
        problem = Problem(Query([], (condition.expression, True), condition.domains, leaves), Rule())
        rng = np.random.default_rng(0)
        points = problem.admitted(rng.uniform(problem.box_low, problem.box_high, (1000, problem.dimensions)))
        problem.evaluate(points)
        started = time.process_time()
        for _ in range(20):
            problem.evaluate(points)
        rates.append(20 * len(points) / (time.process_time() - started))
    return {"limit": "evaluations per CPU second", "method": "median predicate", "percent": float(np.median(rates))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default="", help="the beginnings of the names of methods to run, by commas")
    parser.add_argument("--fresh", action="store_true", help="forget what is kept")
    arguments = parser.parse_args()
    methods = Methods(RESULTS / "mlbse_solver-cells.jsonl", arguments.only, fresh=arguments.fresh)
    equal_evaluations = ("--evaluations", str(EVALUATIONS), "--seeds", str(arguments.seeds))
    rows: list[dict[str, Any]] = []
    for method in (*OPTIMISERS, *OURS):
        if found := methods.found(method, *equal_evaluations):
            rows.append(row(method, f"{EVALUATIONS} evaluations", found))
    for method in (*OPTIMISERS, *PROVERS, *OURS):
        if found := methods.found(method, "--seconds", str(arguments.seconds)):
            rows.append(row(method, f"{arguments.seconds:g} s of CPU", found))
    rows.sort(key=lambda one: (one["limit"], one["percent"]))
    rows.append(speed())
    rows += [{"limit": "published", "method": name, "percent": value} for name, value in PUBLISHED.items()]
    publish("mlbse_solver", "Coral predicates: ours beside rivals", rows)


if __name__ == "__main__":
    main()
