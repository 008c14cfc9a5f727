"""RQ1 to RQ3 of River-RL on Python parsers that others wrote: how many solver queries reach the same outcomes.

    make bench-river
    python -m bench.river --subjects hjson --seeds 2 --methods generational rule trained     # a part of it
    python -m bench.river --epoch                          # only how long an epoch of 5,000 experiences takes

A solver query is a flip that was taken out of the queue: it asks the solvers one question, whichever of them answers
it. Calls of a back-end behind our own solvers are listed beside it, and the seconds that flips take. Models are trained
from random inputs; all methods search from texts that are made by a seed, which no model was trained on and nothing was
tuned on. The last parsers were drawn by :mod:`bench.river_draw`. ``rule`` is what the learned score must beat: outcomes
that were not reached first, of the newest run. What was done is kept in ``bench/results/river.jsonl``, so that an
interrupted bench goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from statistics import median
from threading import Lock
from typing import Any

from rich.console import Console

from bench.cells import ROOT, commit
from bench.river_subjects import FOLDER, TUNED, Subject, subjects
from bench.table import RESULTS, publish, table

LEVEL = 0.9
"""Methods are compared where they have reached this share of what generational reaches in all its runs."""
KEPT = RESULTS / "river.jsonl"
FROZEN = {"learns": False, "epsilon": 0.0}
"""A model that never learns: without a file it leaves the plain rule."""
FIRST_SEED = 3000
"""Starts of smaller seeds were looked at when the rule and what wears off were chosen."""
MORE_EPISODES = 3


@dataclass(frozen=True)
class Method:
    """A way to search: the strategy with its options, and which version its model was trained on, if any."""

    question: str
    strategy: str
    options: dict[str, Any] = field(default_factory=dict)
    trained_on: str | None = None
    learning: dict[str, Any] = field(default_factory=dict)
    """Options of the training and of the search."""


PAPER = {"model": "per-length", "reward": "local=1", "unsatisfiable": -1.0}
METHODS = {
    "generational": Method("rivals", "generational"),
    "eager": Method("rivals", "eager"),
    "rule": Method("rivals", "ranked", FROZEN),
    "untrained": Method("RQ1", "ranked"),
    "trained": Method("RQ1", "ranked", {}, "newer"),
    "reused": Method("RQ2", "ranked", FROZEN, "older"),
    "online": Method("RQ2", "ranked", {}, "older"),
    "adapted": Method("RQ3", "ranked", {}, "both"),
    "per-length": Method("ablation", "ranked", {}, "newer", PAPER),
    "per-length 4-16": Method("ablation", "ranked", {}, "newer", {**PAPER, "longest": 16}),
    "single": Method("ablation", "ranked", {}, "newer", {"model": "single"}),
    "single, window 4": Method("ablation", "ranked", {}, "newer", {"model": "single", "longest": 4}),
    "single, window 16": Method("ablation", "ranked", {}, "newer", {"model": "single", "longest": 16}),
    "reward local": Method("ablation", "ranked", {}, "newer", {"reward": "local=1"}),
    "reward new, early": Method("ablation", "ranked", {}, "newer", {"reward": "new=1,early=0.05"}),
    "penalty -1": Method("ablation", "ranked", {}, "newer", {"unsatisfiable": -1.0}),
}
"""``reused`` has the model of the older version and does not learn, ``online`` learns on while it searches, ``adapted``
was trained on for some episodes before. The ablations are made on the tuned parsers only."""


class Bench:
    """Does tasks in processes of their own, those of one version in one process, and keeps what they give."""

    def __init__(self, processes: int) -> None:
        KEPT.parent.mkdir(exist_ok=True)
        lines = KEPT.read_text().splitlines() if KEPT.exists() else []
        self._known: dict[str, Any] = {item["key"]: item["outcome"] for item in map(json.loads, lines)}
        self._processes = processes
        self._lock = Lock()

    def outcome(self, task: dict[str, Any]) -> dict[str, Any] | None:
        """What a task gave, if it was done."""
        return self._known.get(_key(task))

    def do(self, tasks: Sequence[dict[str, Any]]) -> None:
        """Do all tasks that were not done."""
        groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for task in tasks:
            if self.outcome(task) is None:
                groups.setdefault((task["package"], task["version"]), []).append(task)
        with ThreadPoolExecutor(self._processes) as pool:
            list(pool.map(self._do_group, groups.values()))

    def _do_group(self, tasks: Sequence[dict[str, Any]]) -> None:
        path = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        if tasks[0]["package"]:
            path.insert(0, str(subjects()[tasks[0]["package"]].installed(tasks[0]["version"])))
        command = [sys.executable, "-m", "bench.river_tasks"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        with subprocess.Popen(command, cwd=ROOT, env=environment, text=True, **pipes) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            for task in tasks:
                process.stdin.write(json.dumps(task) + "\n")
                process.stdin.flush()
                line = process.stdout.readline()
                if not line:
                    raise SystemExit(f"this task ended its process: {json.dumps(task)}")
                self._keep(task, json.loads(line))

    def _keep(self, task: dict[str, Any], outcome: dict[str, Any]) -> None:
        with self._lock:
            self._known[_key(task)] = outcome
            with KEPT.open("a") as file:
                file.write(json.dumps({"key": _key(task), "outcome": outcome}) + "\n")
            name = f"{task['package']} {task['version']} {task['kind']} {task.get('method', '')} {task.get('seed', '')}"
            print(f"{name}: {str(outcome)[-110:]}", file=sys.stderr)


def _key(task: dict[str, Any]) -> str:
    return json.dumps([commit(), task], sort_keys=True)


def training(subject: Subject, method: Method, trained_on: str, given: argparse.Namespace) -> dict[str, Any]:
    """The task of training a model on the older version, the newer, or the older and then the newer."""
    version = subject.versions[0 if trained_on == "older" else 1]
    kind = "-".join(f"{name}={value}" for name, value in sorted(method.learning.items()))
    name = f"{subject.package}-{trained_on}-{given.episodes}x{given.runs}-{commit()}-{kind}.json"
    base = training(subject, method, "older", given)["model"] if trained_on == "both" else None
    return {
        "kind": "train",
        "package": subject.package,
        "version": version,
        "target": subject.target,
        "options": method.learning,
        "seed": 99,
        "episodes": MORE_EPISODES if base is not None else given.episodes,
        "runs": given.runs,
        "base": base,
        "model": str(FOLDER / name),
    }


def search(subject: Subject, name: str, seed: int, given: argparse.Namespace) -> dict[str, Any]:
    """The task of one search on the newer version."""
    method = METHODS[name]
    file = None if method.trained_on is None else training(subject, method, method.trained_on, given)["model"]
    return {
        "kind": "search",
        "package": subject.package,
        "version": subject.versions[1],
        "target": subject.target,
        "method": name,
        "strategy": method.strategy,
        "options": {**method.learning, **method.options, **({} if file is None else {"load": file})},
        "text": subject.start(FIRST_SEED + seed),
        "seed": FIRST_SEED + seed,
        "paths": given.paths,
    }


def methods_of(package: str, given: argparse.Namespace) -> list[str]:
    """The methods that a parser is searched by."""
    return [name for name in given.methods if METHODS[name].question != "ablation" or package in TUNED]


def trainings(chosen: dict[str, Subject], given: argparse.Namespace, trained_on: Sequence[str]) -> list[dict[str, Any]]:
    """All trainings on these versions, each once."""
    wanted = [
        training(subject, METHODS[name], stage, given)
        for package, subject in chosen.items()
        for name in methods_of(package, given)
        for stage in (("older", "both") if METHODS[name].trained_on == "both" else (METHODS[name].trained_on,))
        if stage in trained_on
    ]
    return list({task["model"]: task for task in wanted}.values())


def flips_to(timeline: Sequence[Sequence[float]], goal: int) -> float | None:
    """After how many flips so many outcomes were reached."""
    return next((flips for flips, outcomes, _ in timeline if outcomes >= goal), None)


def rows(package: str, subject: Subject, given: argparse.Namespace, bench: Bench) -> Iterator[dict[str, Any]]:
    """For each method the solver queries to the goal of each seed, where generational has reached 90 % of its own."""
    found = {
        name: [bench.outcome(search(subject, name, seed, given)) for seed in range(given.seeds)]
        for name in methods_of(package, given)
    }
    found = {name: items for name, items in found.items() if any(items)}  # methods that were run
    done = [item for item in zip(*found.values(), strict=True) if None not in item]  # seeds that all of them have
    each = dict(zip(found, zip(*done, strict=True), strict=True)) if done else {}
    goals = [int(LEVEL * item["timeline"][-1][1]) for item in each.get("generational", ())]
    queries = {name: _queries(items, goals, given.paths) for name, items in each.items()}
    for name, items in each.items():
        head = {"parser": package, "question": METHODS[name].question, "method": name, "seeds": len(items)}
        compared = {
            f"fewer than {rival} %": _fewer(queries[name], queries[rival])
            for rival in ("generational", "rule")
            if rival in queries
        }
        yield {**head, "goal": median(goals), **_needed(queries[name], given.paths), **compared, **_effort(items)}


def _queries(items: Sequence[dict[str, Any]], goals: Sequence[int], paths: int) -> list[float]:
    """The queries to the goal of each seed; one that was missed counts as all queries that there were."""
    found = [flips_to(item["timeline"], goal) for item, goal in zip(items, goals, strict=True)]
    return [paths if flips is None else flips for flips in found]


def _fewer(queries: Sequence[float], others: Sequence[float]) -> str:
    """How many percent fewer queries than another method: the median of the seeds, and from which to which."""
    shares = [100 * (1 - mine / max(other, 1)) for mine, other in zip(queries, others, strict=True)]
    return f"{median(shares):.0f} ({min(shares):.0f} to {max(shares):.0f})"


def _needed(queries: Sequence[float], paths: int) -> dict[str, Any]:
    return {
        "queries": median(queries),
        "from": min(queries),
        "to": max(queries),
        "missed": sum(count >= paths for count in queries),
    }


def _effort(items: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The medians of what the searches took in all."""
    return {
        "reached": median(item["timeline"][-1][1] for item in items),
        "infeasible": median(item["infeasible"] for item in items),
        "back-end calls": median(item["back_end_calls"] for item in items),
        "s of flips": round(median(item["seconds"] for item in items), 2),
        "s of learning": round(median(item["learning"] for item in items), 2),
    }


def model_rows(tasks: Sequence[dict[str, Any]], bench: Bench) -> Iterator[dict[str, Any]]:
    """What each training took, and how large its model is."""
    for task in tasks:
        outcome = bench.outcome(task)
        if outcome is not None:
            kind = ", ".join(f"{name}={value}" for name, value in task["options"].items()) or "outlook"
            counts = {name: outcome[name] for name in ("seconds", "flips", "experiences", "updates", "bytes")}
            yield {"parser": task["package"], "version": task["version"], "model": kind, **counts}


def epoch_rows(bench: Bench) -> list[dict[str, Any]]:
    """How long learning and scoring take."""
    single = {"model": "single"}
    kinds: dict[str, dict[str, Any]] = {
        "outlook": {},
        "single": single,
        "single, batches of 256": {**single, "batch": 256},
        "per-length": PAPER,
    }
    found = []
    for name, options in kinds.items():
        rules = {key: value for key, value in options.items() if key != "reward"}
        task = {"kind": "epoch", "package": "", "version": "", "options": rules}
        bench.do([task])
        found.append({"model": name, **(bench.outcome(task) or {})})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--subjects", nargs="*", default=list(subjects()))
    parser.add_argument("--methods", nargs="*", default=list(METHODS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--paths", type=int, default=150, help="the solver queries of each search")
    parser.add_argument("--episodes", type=int, default=15)
    parser.add_argument("--runs", type=int, default=80, help="the runs of each episode of a training")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="only show what was done before")
    parser.add_argument("--epoch", action="store_true", help="only measure how long learning takes")
    given = parser.parse_args()
    bench = Bench(given.processes)
    if given.epoch:
        publish("river-epoch", "Milliseconds of an epoch over 5,000 experiences, and of 60 scores", epoch_rows(bench))
        return
    given.methods = list(dict.fromkeys(["generational", *given.methods]))
    chosen = {name: subjects()[name] for name in given.subjects}
    first, second = trainings(chosen, given, ("older", "newer")), trainings(chosen, given, ("both",))
    if not given.show:
        bench.do(first)
        bench.do(second)
        bench.do([task for seed in range(given.seeds) for task in _searches(chosen, seed, given)])
    found = [row for name, subject in chosen.items() for row in rows(name, subject, given, bench)]
    title = f"Solver queries to {LEVEL:.0%} of the outcomes that generational reaches with {given.paths}"
    publish("river", title, found)
    Console(width=200).print(table("Trainings", list(model_rows([*first, *second], bench))))


def _searches(chosen: dict[str, Subject], seed: int, given: argparse.Namespace) -> list[dict[str, Any]]:
    return [search(subject, name, seed, given) for key, subject in chosen.items() for name in methods_of(key, given)]


if __name__ == "__main__":
    main()
