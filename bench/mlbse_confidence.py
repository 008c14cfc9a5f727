"""How reliable the confidence is: generated conditions with a known answer that our solvers do not settle.

    make bench-mlbse-confidence                the table on held-out conditions, with the model that is shipped
    python -m bench.mlbse_confidence --fit     fits the model first, on other conditions, and writes it

Conditions come in families of several kinds (``bench/known_conditions.py``), half of each satisfiable. Each condition
gets one of several numbers of samples. No family is in both the training and the held-out part. With ``--fit`` the
training conditions are judged too, by models that have seen no condition of their family, and by models that have seen
none of their kind. Conditions of kinds that neither fit nor design has looked at (``bench/unseen_conditions.py``) are
judged alone. What was found of each condition is kept in a file, by the text of our solvers, so that an
interrupted bench goes on where it was.

The tables have bins of 20 points. Held-out conditions are generated until each bin has --each of them, up to --most
conditions in all. Which ones are looked at depends on what the model says of them, and never on whether it is right.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

import pessimal
from bench import unseen_conditions
from bench.known_conditions import KINDS, PER_FAMILY, condition_of
from bench.table import RESULTS, Row, publish
from pessimal.solve import Query, Status
from pessimal.solve.equations.solver import EquationSolver
from pessimal.solve.kinds import TEXTURES, features_of
from pessimal.solve.learning import confidence
from pessimal.solve.learning.dissatisfaction import Rule
from pessimal.solve.learning.problem import Problem
from pessimal.solve.learning.sampling import Exhausted, Sampling, Solved
from pessimal.solve.learning.schedule import scheduled
from pessimal.solve.narrowing.solver import IntervalSolver

MODEL = Path(confidence.__file__).parent / "confidence.json"
KEPT = RESULTS / "mlbse_confidence-cells.jsonl"
SAMPLES = (10, 30, 100, 300, 1000, 3000)
TRAINING, HELD_OUT, UNSEEN, MOST = 4000, 3000, 1000, 12_000
"""How many conditions are generated; those that are settled tell nothing."""
EACH = 100
"""How many held-out conditions each bin shall have."""
FIRST_HELD_OUT, FIRST_UNSEEN = 2_000_000, 1_000_000_000
"""The seeds from which on conditions are held out, and are of kinds that the design has not looked at."""
PER_GROUP = 30
"""How many conditions tell how often those of a score are satisfiable."""
OTHERS = ("experience.py", "portfolio.py", "z3.py", "bitwuzla.py", "words.py", "extras.py")
"""Modules of solvers that have no part in what becomes of a condition here."""
PARTS = 5
"""Into so many parts the conditions are divided, each of which is judged by a model that was fitted to the others."""
BINS = 5
STEP = 500
"""How many held-out conditions are generated at once where a bin has too few."""


class Case(NamedTuple):
    """A condition that samples did not solve: what the model reads, the published estimate, the answer, its family."""

    seen: dict[str, float]
    published: float
    is_satisfiable: bool
    kind: str
    family: int


def case(seed: int) -> Case | None:
    """One condition, tried as the portfolio does; None if it was settled."""
    make = condition_of if seed < FIRST_UNSEEN else unseen_conditions.unseen_condition_of
    condition, kind, is_satisfiable = make(seed)
    leaves = [variable.start() for variable in condition.variables]
    query = Query([], (condition.expression, True), condition.domains, leaves)
    for solver in (IntervalSolver(), EquationSolver()):
        answer = solver.solve(query)
        if answer.status is not Status.UNKNOWN:
            assert (answer.status is Status.SAT) is is_satisfiable or answer.status is Status.SAT, condition.text
            return None
        query = replace(query, domains=answer.domains or query.domains)
    problem = Problem(query, Rule())
    sampling = Sampling(problem, Random(-seed).choice(SAMPLES), np.random.default_rng(seed))
    try:
        with np.errstate(all="ignore"):
            scheduled(sampling)
    except Solved:
        assert is_satisfiable, condition.text
        return None
    except Exhausted:
        pass
    features, record = features_of(problem.literals), sampling.record
    said = confidence.estimate("published", features, record)
    return Case(confidence.observations(features, record), said, is_satisfiable, kind, seed // PER_FAMILY)


@cache
def version_of_code() -> str:
    """What tells the code that decides what becomes of a condition from other versions of it; the model is no part."""
    root = Path(pessimal.__file__).parent
    files = [file for part in ("solve", "expr", "conditions") for file in sorted((root / part).rglob("*.py"))]
    files = [file for file in files if file.name not in OTHERS]
    files += [Path(__file__).parent / f"{name}_conditions.py" for name in ("known", "unseen")]
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


class Cases:
    """What is left of conditions by seed, computed by several processes and kept in a file."""

    def __init__(self, pool: Executor, *, fresh: bool) -> None:
        self._pool = pool
        if fresh:
            KEPT.unlink(missing_ok=True)
        lines = KEPT.read_text().splitlines() if KEPT.exists() else []
        found = [json.loads(line) for line in lines]
        self._known = {seed: kept for version, seed, kept in found if version == version_of_code()}

    def of(self, first: int, count: int) -> list[Case]:
        """What is left of so many conditions."""
        seeds = range(first, first + count)
        missing = [seed for seed in seeds if seed not in self._known]
        KEPT.parent.mkdir(exist_ok=True)
        with KEPT.open("a") as file:
            for seed, found in zip(missing, self._pool.map(case, missing, chunksize=8), strict=True):
                self._known[seed] = found
                file.write(json.dumps([version_of_code(), seed, found]) + "\n")
                file.flush()
        return [Case(*self._known[seed]) for seed in seeds if self._known[seed] is not None]

    def held_out(self, first: int, count: int, most: int, each: int) -> list[Case]:
        """Held-out conditions: so many, and more until every bin has enough of them or there are too many."""
        found = self.of(first, count)
        while count < most and min(np.bincount(_bins(_calibrated(found)), minlength=BINS)) < each:
            more = min(STEP, most - count)
            found += self.of(first + count, more)
            count += more
        return found


def fit(training: Sequence[Case]) -> dict[str, Any]:
    """A logistic model, by Newton's method with a little damping."""
    rows = [one.seen for one in training]
    names = list(rows[0])
    matrix = np.array([[1.0, *(row[name] for name in names)] for row in rows])
    truth = np.array([one.is_satisfiable for one in training], dtype=float)
    weights = np.zeros(matrix.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-matrix @ weights))
        slope = matrix.T @ (truth - chance) - 0.1 * weights
        bend = matrix.T @ (matrix * (chance * (1 - chance))[:, None]) + 0.1 * np.eye(len(weights))
        weights = weights + np.linalg.solve(bend, slope)
    return {
        "base": round(float(truth.mean()), 4),
        "seen": {texture: sum(int(row[texture]) for row in rows) for texture in TEXTURES},
        "ranges": {name: [min(row[name] for row in rows), max(row[name] for row in rows)] for name in names},
        "knots": knots(matrix @ weights, truth),
        "constant": round(float(weights[0]), 4),
        "weights": {name: round(float(weight), 4) for name, weight in zip(names, weights[1:], strict=True)},
    }


def knots(scores: Any, truth: Any) -> list[list[float]]:
    """How often conditions are satisfiable by score, in groups of equal size, made to rise with the score.

    One more of either answer is counted in each group, so that nothing is ever said to be sure.
    """
    order = np.argsort(scores, kind="stable")
    parts = np.array_split(order, max(len(order) // PER_GROUP, 4))
    groups = [
        [float(scores[part].mean()), (float(truth[part].sum()) + 1) / (len(part) + 2), len(part)] for part in parts
    ]
    merged: list[list[float]] = []
    for group in groups:
        merged.append(group)
        while len(merged) > 1 and merged[-2][1] >= merged[-1][1]:
            (a, p, m), (b, q, n) = merged[-2:]
            merged[-2:] = [[(a * m + b * n) / (m + n), (p * m + q * n) / (m + n), m + n]]
    return [[round(score, 3), round(share, 4)] for score, share, _ in merged]


def table(name: str, held_out: Sequence[Case], estimates: Any) -> list[Row]:
    """An estimate in bins by confidence, and by kind of condition."""
    return [*reliability(name, held_out, estimates), *by_kind(name, held_out, estimates)]


def reliability(name: str, held_out: Sequence[Case], estimates: Any) -> list[Row]:
    """In bins by confidence: how often conditions are satisfiable."""
    places = [np.flatnonzero(_bins(estimates) == number) for number in range(BINS)]
    labels = [f"{number / BINS:.0%} to {(number + 1) / BINS:.0%}" for number in range(BINS)]
    return [_row(name, label, held_out, estimates, part) for label, part in zip(labels, places, strict=True)]


def by_kind(name: str, held_out: Sequence[Case], estimates: Any) -> list[Row]:
    """For each kind of condition: how often they are satisfiable."""
    kinds = np.array([one.kind for one in held_out])
    present = [kind for kind in (*KINDS, *unseen_conditions.KINDS) if kind in kinds]
    return [_row(name, kind, held_out, estimates, np.flatnonzero(kinds == kind)) for kind in present]


def _row(name: str, label: str, held_out: Sequence[Case], estimates: Any, part: Any) -> Row:
    """What is said of some conditions and what is true; "within" is by how much chance alone may be off."""
    row: dict[str, Any] = {"estimate": name, "of": label, "conditions": len(part)}
    if not len(part):
        return row
    truth = np.array([one.is_satisfiable for one in held_out], dtype=float)
    said, share = float(estimates[part].mean()), float(truth[part].mean())
    row |= {"said": round(100 * said, 1), "satisfiable": round(100 * share, 1)}
    row |= {"off by": round(100 * abs(said - share), 1)}
    return row | {"within": round(196 * math.sqrt(said * (1 - said) / len(part)), 1)}


def of_unseen_families(cases: Sequence[Case]) -> Any:
    """What models say of conditions whose family they have not seen."""
    models = [fit([one for one in cases if one.family % PARTS != part]) for part in range(PARTS)]
    return np.array([confidence.of_observations(one.seen, models[one.family % PARTS]) for one in cases])


def of_unseen_kinds(cases: Sequence[Case]) -> Any:
    """What models say of conditions whose kind they have not seen."""
    models = {kind: fit([one for one in cases if one.kind != kind]) for kind in {one.kind for one in cases}}
    return np.array([confidence.of_observations(one.seen, models[one.kind]) for one in cases])


def _calibrated(held_out: Sequence[Case]) -> Any:
    return np.array([confidence.of_observations(one.seen) for one in held_out])


def _bins(estimates: Any) -> Any:
    """The number of the bin that each estimate lies in."""
    return np.clip((estimates * BINS).astype(int), 0, BINS - 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--fresh", action="store_true", help="forget what is kept")
    parser.add_argument("--conditions", type=int, default=HELD_OUT)
    parser.add_argument("--most", type=int, default=MOST)
    parser.add_argument("--each", type=int, default=EACH)
    parser.add_argument("--training", type=int, default=TRAINING)
    parser.add_argument("--unseen", type=int, default=UNSEEN, help="how many conditions of kinds never looked at")
    parser.add_argument("--first", type=int, default=FIRST_HELD_OUT, help="the first seed of held-out conditions")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    with ProcessPoolExecutor(given.jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        cases = Cases(pool, fresh=given.fresh)
        training = cases.of(0, given.training) if given.fit else []
        if training:
            model = fit(training)
            MODEL.write_text(json.dumps(model, indent=1) + "\n")
            confidence._MODEL.update(model)
        held_out = cases.held_out(given.first, given.conditions, max(given.most, given.conditions), given.each)
        unseen = cases.of(FIRST_UNSEEN + given.first, given.unseen)
    rows = [*table("calibrated", held_out, _calibrated(held_out))] if held_out else []
    rows += [*table("calibrated, kinds never looked at", unseen, _calibrated(unseen))] if unseen else []
    if training:
        rows += table("fitted without the family", training, of_unseen_families(training))
        rows += table("fitted without the kind", training, of_unseen_kinds(training))
    judged = [*training, *held_out, *unseen]
    rows += table("published", judged, np.array([one.published for one in judged]))
    publish("mlbse_confidence", "How often an unsolved condition is satisfiable", rows)


if __name__ == "__main__":
    main()
