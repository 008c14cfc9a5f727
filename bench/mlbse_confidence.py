"""How reliable the confidence is: generated conditions with a known answer that neither intervals nor samples settle.

    make bench-mlbse-confidence                the table on held-out conditions, with the model that is shipped
    python -m bench.mlbse_confidence --fit     fits the model first, on other conditions, and writes it

Conditions come in families, which have the same terms. Half of a family is satisfiable, because its conditions were
made around a point that satisfies them, with more or less room. The other half contradicts what holds for all numbers,
some of it by very little. Each condition gets one of several numbers of samples. No family is in both the training and
the held-out part. What was found of each is kept in a file, by the text of our solvers, so that an interrupted bench
goes on where it was.

The table has bins of 20 points. Most conditions that stay open are either hopeless or nearly solved, so that bins in
the middle fill slowly: held-out conditions are generated until each bin has --each of them, up to --most conditions in
all. Which ones are looked at depends on what the model says of them, and never on whether it is right.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

import pessimal
from bench.coral import RANGES
from bench.table import RESULTS, publish
from pessimal.conditions import Condition, Variable, read_python
from pessimal.solve import Query, Status
from pessimal.solve.kinds import features_of
from pessimal.solve.learning import confidence
from pessimal.solve.learning.dissatisfaction import Rule
from pessimal.solve.learning.problem import Problem
from pessimal.solve.learning.sampling import Exhausted, Sampling, Solved
from pessimal.solve.learning.schedule import scheduled
from pessimal.solve.narrowing.solver import IntervalSolver

MODEL = Path(confidence.__file__).parent / "confidence.json"
KEPT = RESULTS / "mlbse_confidence-cells.jsonl"
SAMPLES = (10, 30, 100, 300, 1000, 3000)
TRAINING, HELD_OUT, MOST = 6000, 3000, 12_000
"""How many conditions are generated; those that are settled tell nothing."""
EACH = 60
"""How many held-out conditions each bin shall have."""
PER_FAMILY = 4
NAMES = "abcdef"
FIRST_HELD_OUT = 2_000_000
CORES = 10
PER_GROUP = 50
"""How many conditions tell how often those of a score are satisfiable."""
BINS = 5
STEP = 500
"""How many held-out conditions are generated at once where a bin has too few."""


class Case(NamedTuple):
    """A condition that samples did not solve, and whether it has a solution."""

    seen: dict[str, float]
    published: float
    is_satisfiable: bool


def expression(rng: Random, names: Sequence[str], depth: int = 2) -> str:
    """A random term over some variables."""
    if depth == 0 or rng.random() < 0.15:
        name = rng.choice(names)
        return name if rng.random() < 0.6 else f"{rng.choice((0.5, 2, 3, 1.7, -1.3))} * {name}"
    inner = expression(rng, names, depth - 1)
    kind = rng.randrange(8)
    if kind < 3:
        return f"({inner} {rng.choice('+-*')} {expression(rng, names, depth - 1)})"
    if kind < 6:
        return f"{rng.choice(('sin', 'cos', 'atan', 'tanh'))}({inner})"
    return f"({inner}) ** 2" if kind == 6 else f"exp(sin({inner}))"


def satisfiable(rng: Random, kinds: Mapping[str, str], texts: Sequence[str]) -> str:
    """Comparisons that hold at one point, which nobody is told."""
    point = {name: _coordinate(rng, kind) for name, kind in kinds.items()}
    parts = []
    for text in texts:
        value = eval(text, {**vars(math)}, point)
        slack = 10.0 ** rng.uniform(-6, 0) * max(abs(value), 0.1)
        kind = rng.randrange(3)
        parts.append((f"{text} == {value!r}", f"{text} > {value - slack!r}", f"{text} < {value + slack!r}")[kind])
    return " and ".join(parts)


def _coordinate(rng: Random, kind: str) -> float:
    if kind == "int":
        return rng.randint(-40, 40)
    return rng.uniform(-20, 20) if rng.random() < 0.7 else float(rng.randint(-9, 9))


def unsatisfiable(rng: Random, kinds: Mapping[str, str], texts: Sequence[str], core: int) -> str:
    """A comparison that no numbers make true, by more or less, beside others that some do."""
    text, other = texts[0], texts[-1]
    margin = 10.0 ** rng.uniform(-8, 0.5)
    contradiction = (
        f"sin({text}) + cos({other}) > {2 + margin!r}",
        f"({text}) ** 2 + {margin!r} <= 0",
        f"({text}) ** 2 == {-margin!r}",
        f"({text}) + ({other}) ** 2 < ({text}) - {margin!r}",
        f"atan({text}) > {math.pi / 2 + margin!r}",
        f"exp(sin({text})) < {math.exp(-1) - min(margin, 0.3)!r}",
        f"sin({text}) ** 2 + cos({text}) ** 2 > {1 + margin!r}",
        f"({text}) * ({text}) + ({other}) * ({other}) < 2 * ({text}) * ({other}) - {margin!r}",
        f"sin({text}) * cos({other}) + cos({text}) * sin({other}) > {1 + margin!r}",
        f"cos(2 * ({text})) + 2 * sin({text}) ** 2 < {1 - margin!r}",
    )[core]
    return contradiction if rng.random() < 0.5 else f"{contradiction} and {satisfiable(rng, kinds, texts[1:] or texts)}"


def condition_of(seed: int) -> tuple[Condition, bool]:
    """A condition, and whether it is satisfiable; those of one family differ in their numbers."""
    family, rng = Random(seed // PER_FAMILY), Random(seed)
    names = NAMES[: family.choice((1, 2, 2, 3, 3, 4, 6))]
    kinds = {name: "int" if family.random() < 0.15 else "float" for name in names}
    texts = [expression(family, names) for _ in range(family.randint(1, len(names) + 1))]
    core = family.randrange(CORES)
    is_satisfiable = seed % 2 == 0
    text = satisfiable(rng, kinds, texts) if is_satisfiable else unsatisfiable(rng, kinds, texts, core)
    return read_python(text, [Variable(name, kind, *RANGES[kind]) for name, kind in kinds.items()]), is_satisfiable


def case(seed: int) -> Case | None:
    """One condition, tried as the portfolio does; None if it was settled."""
    condition, is_satisfiable = condition_of(seed)
    leaves = [variable.start() for variable in condition.variables]
    query = Query([], (condition.expression, True), condition.domains, leaves)
    answer = IntervalSolver().solve(query)
    if answer.status is not Status.UNKNOWN:
        assert (answer.status is Status.SAT) is is_satisfiable or answer.status is Status.SAT, condition.text
        return None
    problem = Problem(replace(query, domains=answer.domains or query.domains), Rule())
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
    return Case(confidence.observations(features, record), said, is_satisfiable)


@cache
def version_of_code() -> str:
    """What tells the code that decides what becomes of a condition from other versions of it; the model is no part."""
    root = Path(pessimal.__file__).parent
    files = [file for part in ("solve", "expr", "conditions") for file in sorted((root / part).rglob("*.py"))]
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

    def held_out(self, count: int, most: int, each: int) -> list[Case]:
        """Held-out conditions: so many, and more until every bin has enough of them or there are too many."""
        found = self.of(FIRST_HELD_OUT, count)
        while count < most and min(np.bincount(_bins(_said(found, "calibrated")), minlength=BINS)) < each:
            more = min(STEP, most - count)
            found += self.of(FIRST_HELD_OUT + count, more)
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
        "knots": knots(matrix @ weights, truth),
        "constant": round(float(weights[0]), 4),
        "weights": {name: round(float(weight), 4) for name, weight in zip(names, weights[1:], strict=True)},
    }


def knots(scores: Any, truth: Any) -> list[list[float]]:
    """How often conditions are satisfiable by score, in groups of equal size, made to rise with the score."""
    order = np.argsort(scores, kind="stable")
    parts = np.array_split(order, max(len(order) // PER_GROUP, 4))
    groups = [[float(scores[part].mean()), float(truth[part].mean()), len(part)] for part in parts]
    merged: list[list[float]] = []
    for group in groups:
        merged.append(group)
        while len(merged) > 1 and merged[-2][1] >= merged[-1][1]:
            (a, p, m), (b, q, n) = merged[-2:]
            merged[-2:] = [[(a * m + b * n) / (m + n), (p * m + q * n) / (m + n), m + n]]
    return [[round(score, 3), round(share, 4)] for score, share, _ in merged]


def reliability(held_out: Sequence[Case], name: str) -> list[dict[str, Any]]:
    """In bins by confidence: how often conditions are satisfiable; "within" is by how much chance alone may be off."""
    estimates = _said(held_out, name)
    truth = np.array([one.is_satisfiable for one in held_out], dtype=float)
    rows = []
    for number in range(BINS):
        part = np.flatnonzero(_bins(estimates) == number)
        row: dict[str, Any] = {"estimate": name, "confidence": f"{number / BINS:.0%} to {(number + 1) / BINS:.0%}"}
        row["conditions"] = len(part)
        if len(part):
            said, share = float(estimates[part].mean()), float(truth[part].mean())
            row |= {"said": round(100 * said, 1), "satisfiable": round(100 * share, 1)}
            row |= {"off by": round(100 * abs(said - share), 1)}
            row |= {"within": round(196 * math.sqrt(said * (1 - said) / len(part)), 1)}
        rows.append(row)
    return rows


def _said(held_out: Sequence[Case], name: str) -> Any:
    """The estimates of conditions."""
    return np.array(
        [one.published if name == "published" else confidence.of_observations(one.seen) for one in held_out]
    )


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
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    with ProcessPoolExecutor(given.jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        cases = Cases(pool, fresh=given.fresh)
        if given.fit:
            model = fit(cases.of(0, given.training))
            MODEL.write_text(json.dumps(model, indent=1) + "\n")
            confidence._MODEL.update(model)
        held_out = cases.held_out(given.conditions, max(given.most, given.conditions), given.each)
    rows = [row for name in confidence.ESTIMATES for row in reliability(held_out, name)]
    publish("mlbse_confidence", "How often an unsolved condition is satisfiable", rows)


if __name__ == "__main__":
    main()
