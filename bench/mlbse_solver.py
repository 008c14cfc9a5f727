"""The learning solver alone on the coral predicates: beside rivals at equal evaluations and at equal time.

    make bench-mlbse-solver                           all tables, a quarter of an hour on two processors
    python -m bench.mlbse_solver --seconds 0.5        less time for each predicate
    python -m bench.mlbse_solver --only zoopt,random  only the methods whose names begin so; the others as they are kept
    python -m bench.mlbse_solver --part evaluations   one of the tables: evaluations, seconds or switches
    python -m bench.mlbse_solver --speed              only how many evaluations a second takes

At equal evaluations every optimiser has 3,000, and each predicate is tried with three seeds. At equal time every method
has the same seconds of CPU. A predicate counts as solved if Python finds it true of the model. Our RACOS is also run
with each of its switches off. Rivals are installed in ``.venv-mlbse``. What a method found is kept, ours by commit, so
that an interrupted bench goes on where it was. dReal is left out: its package needs a library (libibex) that it does
not bring.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import fields
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
from pessimal.solve.learning.racos import MEASURED

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
SWITCHED = tuple(f"racos without {field.name}" for field in fields(MEASURED) if field.type == "bool")
EVALUATIONS = 3000
REPEATED = 5
"""How often the batch is evaluated whose time is taken."""
Found = list[dict[str, Any]]
"""For each predicate and seed whether it was solved, and the seconds of CPU."""
Asked = tuple[str, ...]
"""A method and its options."""
PARTS = ("evaluations", "seconds", "switches")
PUBLISHED = {"MLBSE, branch coverage at 3,000 samples": 82, "MLBSE, at 300,000": 88}


class Methods:
    """Runs methods on all predicates, and keeps what they found in a file."""

    def __init__(self, kept: Path, only: str, *, fresh: bool) -> None:
        self._file = kept
        self._only = tuple(only.split(","))
        lines = kept.read_text().splitlines() if kept.exists() and not fresh else []
        self._kept: dict[str, Found] = {item["key"]: item["found"] for item in map(json.loads, lines)}

    def found(self, asked: Sequence[Asked], jobs: int) -> dict[Asked, Found]:
        """What methods do with all predicates, of those that are to be run now or were before."""
        environment("mlbse")  # made before several processes need it
        missing = [one for one in asked if _key(one) not in self._kept and one[0].startswith(self._only)]
        with ThreadPoolExecutor(jobs) as pool:
            running = {pool.submit(_run, one): one for one in missing}
            for done in as_completed(running):
                self._keep(_key(running[done]), done.result())
        return self.kept(asked)

    def kept(self, asked: Sequence[Asked]) -> dict[Asked, Found]:
        """What is known of methods without running any."""
        return {one: self._kept[_key(one)] for one in asked if _key(one) in self._kept}

    def _keep(self, key: str, found: Found) -> None:
        self._kept[key] = found
        self._file.parent.mkdir(exist_ok=True)
        with self._file.open("a") as file:
            file.write(json.dumps({"key": key, "found": found}) + "\n")


def _key(asked: Asked) -> str:
    """What tells a run of a method from others; the rivals do not depend on the commit, but Z3 gets our translation."""
    method, *options = asked
    return json.dumps([method, "" if method in (*OPTIMISERS, "cvc5") else commit(), *options])


def _run(asked: Asked) -> Found:
    method, *options = asked
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
        for _ in range(REPEATED):
            problem.evaluate(points)
        rates.append(REPEATED * len(points) / (time.process_time() - started))
    return {"limit": "evaluations per CPU second", "method": "median predicate", "percent": float(np.median(rates))}


def asked_of(part: str, arguments: argparse.Namespace) -> dict[Asked, str]:
    """The methods and options of a table, each with what limits it."""
    if part == "seconds":
        limit = ("--seconds", str(arguments.seconds))
        return {(one, *limit): f"{arguments.seconds:g} s of CPU" for one in (*OPTIMISERS, *PROVERS, *OURS)}
    limit = ("--evaluations", str(EVALUATIONS), "--seeds", str(arguments.seeds))
    methods = (*OPTIMISERS, *OURS) if part == "evaluations" else ("racos", *SWITCHED)
    return {(one, *limit): f"{EVALUATIONS} evaluations{', switches' * (part == 'switches')}" for one in methods}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default="", help="the beginnings of the names of methods to run, by commas")
    parser.add_argument("--part", choices=PARTS, action="append", help="what to run now; the others as they are kept")
    parser.add_argument("--fresh", action="store_true", help="forget what is kept")
    parser.add_argument("--speed", action="store_true", help="only measure how many evaluations a second takes")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    if arguments.speed:
        print(f"{speed()['percent']:,.0f} evaluations of the median predicate per second of CPU")
        return
    methods = Methods(RESULTS / "mlbse_solver-cells.jsonl", arguments.only, fresh=arguments.fresh)
    rows: list[dict[str, Any]] = []
    for part in PARTS:
        limits = asked_of(part, arguments)
        is_run = part in (arguments.part or PARTS)
        found = methods.found(list(limits), arguments.jobs) if is_run else methods.kept(list(limits))
        rows += [row(asked[0], limits[asked], found[asked]) for asked in limits if asked in found]
    rows.sort(key=lambda one: (one["limit"], one["percent"]))
    rows.append(speed())
    rows += [{"limit": "published", "method": name, "percent": value} for name, value in PUBLISHED.items()]
    publish("mlbse_solver", "Coral predicates: ours beside rivals", rows)


if __name__ == "__main__":
    main()
