"""RQ1 to RQ3 of River-RL on Python parsers of JSON and HTTP: how many flips reach the same outcomes of branches.

    make bench-river
    python -m bench.river --starts 2 --paths 100 --episodes 5        # quick

Each flip asks a solver one question, so flips are the solver calls of the paper; calls of the back-end behind our own
solvers are listed beside them. Models are trained from random inputs, and all methods search from texts that were not
trained on. ``rule`` is what the learned score must beat: outcomes that were not reached first, of the newest run.
``older`` was trained on the older version and learns on while it searches. A search that was made is not made again.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from statistics import median
from typing import Any

from bench.cells import ROOT, commit
from bench.river_strategy import FromText
from bench.table import RESULTS, publish
from pessimal.learn.cache import cache_directory

SIZE = 12
FROZEN = {"update_every": 1_000_000_000, "epsilon": 0.0}
"""A model that never learns leaves the plain rule."""
LEVEL = 0.9
"""Methods are compared where they have reached this share of what generational reaches in all its runs."""
CELLS = RESULTS / "river-cells.jsonl"
FOLDER = cache_directory() / "bench-river"
"""Outside of this project, so that modules have the same path in all versions, as installed ones have."""


@dataclass(frozen=True)
class Subject:
    """A parser in two versions, and texts of :data:`SIZE` characters to start from."""

    package: str
    versions: tuple[str, str]
    target: str
    texts: tuple[str, ...]


SUBJECTS = {
    "json": Subject(
        "hjson",
        ("2.0.2", "3.1.0"),
        "bench/subjects/river/json_text.py:parse",
        ('{"a": [1,2]}', "[true, null]", '{a: "b", c:1', "{k: '''v'''}", "[1.5e3, -20]"),
    ),
    "http": Subject(
        "http-sfv",
        ("0.9.3", "0.9.9"),
        "bench/subjects/river/http_field.py:parse",
        ("a=1, b;q=0.5", 'k="v", x=?1 ', "a=(1 2), b=3", "u=:YWI=:,c=d", "max-age=1000"),
    ),
}
SEARCHES: dict[str, tuple[str, dict[str, Any], str | None]] = {
    "generational": ("generational", {}, None),
    "rule": ("ranked", FROZEN, None),
    "untrained": ("ranked", {}, None),
    "trained": ("ranked", {}, "same"),
    "per-length": ("ranked", {"model": "per-length"}, None),
    "per-length trained": ("ranked", {"model": "per-length"}, "same"),
    "older": ("ranked", {}, "older"),
}
"""For each method its strategy, options, and the version that its model was trained on."""


def installed(subject: Subject, version: str) -> Path:
    """The directory of one version of a package, installed when it is missing."""
    folder = FOLDER / f"{subject.package}-{version}"
    if not folder.is_dir():
        wanted = f"{subject.package}=={version}"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, wanted]
        subprocess.run(command, check=True)
    return folder


def in_process(subject: Subject, version: str, task: dict[str, Any]) -> dict[str, Any]:
    """What a task gives in a process of its own, where this version of the package is imported."""
    path = os.pathsep.join((str(installed(subject, version)), str(ROOT)))
    command = [sys.executable, "-m", "bench.river", "--task", json.dumps(task)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{task}\n{done.stderr}")
    return dict(json.loads(done.stdout.splitlines()[-1]))


def perform(task: dict[str, Any]) -> dict[str, Any]:
    """Train a model, or search and note after which flips outcomes were reached."""
    import pessimal

    if "episodes" in task:
        options, episodes = task["options"], task["episodes"]
        result = pessimal.train(
            task["target"], model=task["model"], episodes=episodes, size=SIZE, options=options, seed=99, budget="30m"
        )
        return {"seconds": result.seconds, "experiences": result.experiences, "updates": result.updates}
    strategy = FromText(task["strategy"], task["options"], task["text"])
    found = pessimal.explore(
        task["target"],
        size=SIZE,
        strategy=strategy,
        objective="branches",
        paths=task["paths"],
        seed=task["seed"],
        budget="10m",
    )
    report = found.report or {}
    return {**report, "learning": found.effort.learning_seconds, "seconds": found.effort.seconds}


class Kept:
    """The tasks that were done, in a file of lines."""

    def __init__(self) -> None:
        self._commit = commit()
        lines = CELLS.read_text().splitlines() if CELLS.exists() else []
        self._known = {item["key"]: item["outcome"] for item in map(json.loads, lines)}

    def get(self, subject: Subject, version: str, task: dict[str, Any]) -> dict[str, Any]:
        key = json.dumps([self._commit, subject.package, version, task], sort_keys=True)
        if key not in self._known:
            self._known[key] = in_process(subject, version, task)
            with CELLS.open("a") as file:
                file.write(json.dumps({"key": key, "outcome": self._known[key]}) + "\n")
        return self._known[key]


def trained(subject: Subject, version: str, options: dict[str, Any], kept: Kept, episodes: int) -> dict[str, Any]:
    """The options of a search that uses a model, trained now if there is none."""
    kind = options.get("model", "single")
    file = FOLDER / f"{subject.package}-{version}-{kind}-{episodes}-{commit()}.json"
    task = {"target": subject.target, "model": str(file), "options": options, "episodes": episodes}
    kept.get(subject, version, task)
    return {**options, "load": str(file)}


def timelines(name: str, version: str, given: argparse.Namespace, kept: Kept) -> dict[str, list[Any]]:
    """What each method reached from each text."""
    subject, found = SUBJECTS[name], {}
    for method, (strategy, options, learned_from) in SEARCHES.items():
        if learned_from == "older" and version == subject.versions[0]:
            continue
        if learned_from is not None:
            source = subject.versions[0] if learned_from == "older" else version
            options = trained(subject, source, options, kept, given.episodes)
        tasks = [
            {"target": subject.target, "strategy": strategy, "options": options, "text": text, "seed": seed}
            for seed, text in enumerate(subject.texts[: given.starts])
        ]
        found[method] = [kept.get(subject, version, {**task, "paths": given.paths}) for task in tasks]
    return found


def flips_to(timeline: Iterable[Sequence[int]], goal: int) -> int | None:
    """After how many flips so many outcomes were reached."""
    return next((flips for flips, _, outcomes in timeline if outcomes >= goal), None)


def rows(name: str, version: str, found: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """For each method the flips to a share of what generational reaches, and what it reaches itself in all its runs."""
    goals = [int(LEVEL * item["timeline"][-1][2]) for item in found["generational"]]
    result = []
    for method, each in found.items():
        flips = [flips_to(item["timeline"], goal) for item, goal in zip(each, goals, strict=True)]
        known = [inf if count is None else count for count in flips]
        result.append(
            {
                "parser": name,
                "version": version,
                "method": method,
                "goal": median(goals),
                "flips": _shown(median(known)),
                "from": _shown(min(known)),
                "to": _shown(max(known)),
                "missed": flips.count(None),
                "reached": median(item["timeline"][-1][2] for item in each),
                "infeasible": median(item["infeasible"] for item in each),
                "back-end calls": median(item["solver_calls"] for item in each),
                "learning s": round(median(item["learning"] for item in each), 2),
            }
        )
    return result


def _shown(flips: float) -> float | None:
    """The flips, or nothing where they did not get there."""
    return None if flips == inf else flips


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--paths", type=int, default=400)
    parser.add_argument("--episodes", type=int, default=100)
    parser.add_argument("--subjects", nargs="*", default=list(SUBJECTS))
    parser.add_argument("--task")
    given = parser.parse_args()
    if given.task is not None:
        print(json.dumps(perform(json.loads(given.task))))
        return
    kept = Kept()
    shown: list[dict[str, Any]] = []
    for name in given.subjects:
        for version in SUBJECTS[name].versions:
            shown += rows(name, version, timelines(name, version, given, kept))
    publish("river", f"Flips to {LEVEL:.0%} of the outcomes that generational reaches in {given.paths} runs", shown)


if __name__ == "__main__":
    main()
