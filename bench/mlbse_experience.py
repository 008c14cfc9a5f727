"""Which solver settles which kind of condition, and what it is worth to learn that.

    make bench-mlbse-experience                   an order that never changes, and orders that are learned
    python -m bench.mlbse_experience --conditions 100 --training 100

Every member of the portfolio is asked every condition. From what each settled and how long it took (in seconds of CPU)
follows what any order costs: members are asked until one settles the condition. Conditions are generated: half of them
over small domains, half of them as for the confidence. Training and held-out conditions have different seeds, and none
is a condition of another bench. What was found is kept in a file, so that an interrupted bench goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from random import Random
from typing import Any, NamedTuple

from bench.drawn_conditions import drawn
from bench.known_conditions import condition_of
from bench.mlbse_confidence import version_of_code
from bench.table import RESULTS, Row, publish
from pessimal.conditions import Condition, Variable, read_python
from pessimal.conditions.condition import ConditionError
from pessimal.inputs import parse
from pessimal.solve import Query, Status
from pessimal.solve.kinds import Kind, features_of, kind_of
from pessimal.solve.learning.experience import TRUST, Counts, Experience
from pessimal.solve.learning.portfolio import LearningPortfolio

KEPT = RESULTS / "mlbse_experience-cells.jsonl"
TRAINING, HELD_OUT = 600, 400
FIRST_TRAINING, FIRST_HELD_OUT = 20_000_000, 30_000_000
SECONDS = 4.0
"""How long each member may take."""
LEAST = 4
"""Of a kind of which fewer training conditions were seen nothing is counted."""


class Tried(NamedTuple):
    """A condition: its kind, and for each member whether it settled it and how many seconds that took."""

    kind: list[Any]
    members: dict[str, tuple[bool, float]]


def condition(seed: int) -> Condition | None:
    """The condition of a seed; None if it is refused."""
    if seed % 2:
        return condition_of(seed).condition
    one = drawn(seed)
    try:
        return read_python(one.text, [Variable.of(name, parse(spec)) for name, spec in one.variables.items()])
    except ConditionError:
        return None


def tried(seed: int) -> Tried | None:
    """Ask every member; None if there is nothing to ask."""
    asked = condition(seed)
    if asked is None or isinstance(asked.expression, bool):
        return None
    leaves = [variable.start() for variable in asked.variables]
    literal = asked.expression, True
    features = features_of([literal])
    kind = kind_of(features)
    members: dict[str, tuple[bool, float]] = {}
    portfolio = LearningPortfolio.for_search()()  # what members import is no part of what they take
    for name in portfolio.members(features, kind, Query([], literal, asked.domains, leaves)):
        query = Query([], literal, asked.domains, leaves, Random(seed), time.monotonic() + SECONDS)
        started = time.process_time()
        answer = portfolio.member(name).solve(query)
        is_settled = answer.status is Status.UNSAT or (query.satisfied_by(answer.values) and bool(answer.values))
        members[name] = is_settled, round(time.process_time() - started, 4)
    return Tried(list(kind), members)


def cost(one: Tried, order: Sequence[str]) -> tuple[bool, float]:
    """Whether a condition is settled, and how long that takes, if members are asked in an order."""
    total = 0.0
    for name in order:
        is_settled, seconds = one.members[name]
        total += seconds
        if is_settled:
            return True, total
    return False, total


def row(name: str, held_out: Sequence[Tried], known: Experience | None, *, learns: bool = False) -> Row:
    """What an order by experience costs, which may learn from each condition; without any, the members' own order."""
    settled = seconds = 0.0
    first = 0
    for one in held_out:
        order = list(one.members) if known is None else known.order(Kind(*one.kind), list(one.members))
        is_settled, took = cost(one, order)
        if known is not None and learns:
            _note(known, one, order)
        settled, seconds = settled + is_settled, seconds + took
        first += one.members[order[0]][0]
    count = len(held_out)
    return {
        "order": name,
        "conditions": count,
        "settled": int(settled),
        "by the first asked": first,
        "CPU ms each": round(1000 * seconds / max(count, 1), 1),
    }


def _note(known: Experience, one: Tried, order: Sequence[str]) -> None:
    """Count the answers of the members that are asked, as the portfolio does."""
    for name in order:
        is_settled, _ = one.members[name]
        known.note(Kind(*one.kind), name, is_settled)
        if is_settled:
            return


def counted(training: Sequence[Tried]) -> dict[str, Counts]:
    """How often each member settled a kind, in counts that new questions soon outweigh."""
    sums: dict[str, dict[str, list[int]]] = {}
    for one in training:
        by = sums.setdefault(Kind(*one.kind).name, {})
        for name, (is_settled, _) in one.members.items():
            pair = by.setdefault(name, [0, 0])
            pair[0] += 1
            pair[1] += is_settled
    return {kind: by for kind in sorted(sums) if (by := _shortened(sums[kind]))}


def _shortened(by: Mapping[str, Sequence[int]]) -> Counts:
    weight = TRUST / 2
    kept = {name: pair for name, pair in by.items() if pair[0] >= LEAST}
    scales = {name: min(1.0, weight / asked) for name, (asked, _) in kept.items()}
    return {name: [round(count * scales[name], 2) for count in pair] for name, pair in kept.items()}


def found(pool: Executor, first: int, count: int) -> list[Tried]:
    """What members do with so many conditions."""
    lines = KEPT.read_text().splitlines() if KEPT.exists() else []
    records = [json.loads(line) for line in lines]
    known = {seed: one for version, seed, one in records if version == version_of_code()}
    seeds = range(first, first + count)
    missing = [seed for seed in seeds if seed not in known]
    KEPT.parent.mkdir(exist_ok=True)
    with KEPT.open("a") as file:
        for seed, one in zip(missing, pool.map(tried, missing, chunksize=4), strict=True):
            known[seed] = one
            file.write(json.dumps([version_of_code(), seed, one]) + "\n")
            file.flush()
    return [Tried(*known[seed]) for seed in seeds if known[seed] is not None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--training", type=int, default=TRAINING)
    parser.add_argument("--conditions", type=int, default=HELD_OUT)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    with ProcessPoolExecutor(given.jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        counts = counted(found(pool, FIRST_TRAINING, given.training))
        held_out = found(pool, FIRST_HELD_OUT, given.conditions)
    rows = [
        row("always the same", held_out, None),
        row("by constants", held_out, Experience()),
        row("by constants, learning as it goes", held_out, Experience(), learns=True),
        row("by counts of other conditions", held_out, Experience(counts)),
    ]
    publish("mlbse_experience", "What it is worth to learn the order of solvers", rows)


if __name__ == "__main__":
    main()
