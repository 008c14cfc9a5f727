"""``auto`` beside each of its members alone, at equal time: a portfolio should not lose to what it consists of.

    make bench-members                                       five seeds: three hours
    python -m bench.members --wild 8 --seeds 1 --seconds 5   fewer functions, one seed, half the time
    python -m bench.members --only hash --members fuzz,climb

The targets are functions drawn from those of bench-wild by a seed, with the cost ``work``; the targets of bench-hard
and the programs of the PySE paper, with the cost ``branches``. A member has one process and runs beside another one,
``auto`` has all cores and runs alone. What was run is kept in ``bench/results/members-cells.jsonl``, so that an
interrupted bench goes on where it was. Losses come first: a target counts as lost if the member that is best on average
over the seeds is better than ``auto`` on average; below that, each run is compared with the best run of any member.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from statistics import fmean
from typing import Any, NamedTuple

from bench.cells import is_installed
from bench.hard import TARGETS as HARD
from bench.pyse_subjects import SUBJECTS as PYSE
from bench.table import RESULTS, publish
from bench.wild_draw import FILE, finite
from bench.wild_tools import Question, Tools
from pessimal.search.auto import MEMBERS

PYSE_SIZE = 30
ENOUGH = 0.999


class Subject(NamedTuple):
    """A target with its inputs, its size and its cost."""

    target: str
    inputs: dict[str, str]
    size: int
    cost: str


def subjects(options: argparse.Namespace) -> list[Subject]:
    """The targets: a draw of wild functions, then those whose worst cases are known to be hard to find."""
    wild = json.loads(FILE.read_text())
    drawn = random.Random(options.draw).sample(wild, min(options.wild, len(wild)))
    found = [Subject(item["target"], finite(item["inputs"]), 20, "work") for item in drawn]
    found += [Subject(target, {}, size, "branches") for _, target, size, _ in HARD]
    found += [Subject(item.target, {}, PYSE_SIZE, "branches") for item in PYSE]
    return [subject for subject in found if options.only in subject.target]


def main() -> None:
    """Run all members and the portfolio on every target and publish the costs."""
    options = _options()
    members = [name for name in options.members.split(",") if is_installed(name)]
    tools = Tools("wild", RESULTS / "members-cells.jsonl", fresh=options.fresh)
    cells = [(subject, seed) for subject in subjects(options) for seed in range(options.seeds)]
    asked = [_asked(subject, seed, options) for subject, seed in cells]
    tools.run_ahead(partial(tools.pessimal, name, question) for question in asked for name in members)
    runs = [_row(tools, question, members) for question in asked]
    rows = sorted((_summary(group, members) for group in _by_target(runs)), key=lambda row: float(row["ratio"]))
    title = f"auto and its members alone, {options.seconds:g} s, means of {options.seeds} seeds"
    publish("members", title, [*rows, {"target": _wins("targets", rows)}, {"target": _wins("runs", runs)}])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wild", type=int, default=16, help="how many functions of bench-wild are drawn")
    parser.add_argument("--draw", type=int, default=0, help="the seed of that draw")
    parser.add_argument("--members", default=",".join(MEMBERS), metavar="NAMES")
    parser.add_argument("--only", default="", metavar="TEXT", help="targets whose names contain it")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--fresh", action="store_true", help="run again what was run before")
    return parser.parse_args()


def _asked(subject: Subject, seed: int, options: argparse.Namespace) -> Question:
    return {**subject._asdict(), "seconds": options.seconds, "seed": seed}


def _row(tools: Tools, asked: Question, members: list[str]) -> dict[str, Any]:
    """The portfolio and all members on one target with one seed."""
    found = {name: tools.pessimal(name, asked) for name in (*members, "auto")}
    costs = {name: answer.get("cost", 0) for name, answer in found.items()}
    best = max(members, key=lambda name: float(costs[name]))
    row = {
        "target": asked["target"],
        "N": asked["size"],
        "seed": asked["seed"],
        "auto": costs["auto"],
        "best member": best,
        "its cost": costs[best],
        "ratio": costs["auto"] / costs[best] if costs[best] else 1.0,
        "runs": found["auto"]["runs"],
        "its runs": found[best]["runs"],
        **{name: costs[name] for name in members},
        "error": found["auto"].get("error"),
    }
    print(json.dumps(row), file=sys.stderr, flush=True)
    return row


def _by_target(cells: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The rows of each target, one for each seed."""
    for _, rows in groupby(cells, key=lambda row: (row["target"], row["N"])):
        yield list(rows)


def _summary(rows: list[dict[str, Any]], members: Sequence[str]) -> dict[str, Any]:
    """One target over all seeds: the member that is best on average is the one to beat."""
    costs = {name: fmean(row[name] for row in rows) for name in (*members, "auto")}
    best = max(members, key=lambda name: costs[name])
    return {
        "target": rows[0]["target"],
        "N": rows[0]["N"],
        "auto": costs["auto"],
        "best member": best,
        "its cost": costs[best],
        "ratio": costs["auto"] / costs[best] if costs[best] else 1.0,
        "lost seeds": sum(row["ratio"] < ENOUGH for row in rows),
        **{name: costs[name] for name in members},
        "error": next((row["error"] for row in rows if row["error"]), None),
    }


def _wins(what: str, rows: list[dict[str, Any]]) -> str:
    wins = sum(row["ratio"] >= ENOUGH for row in rows)
    return f"at least as good as the best member: {wins} of {len(rows)} {what}, {wins / max(1, len(rows)):.0%}"


if __name__ == "__main__":
    main()
