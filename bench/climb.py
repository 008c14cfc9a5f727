"""How long ``climb`` takes to the known worst cases, through the same API that users call.

    make bench-climb             ten seeds of each, a few minutes

Each search is stopped as soon as it meets the known maximum, or after its limit of wall seconds; ``found_after`` is
when the best result came.
"""

from __future__ import annotations

import sys
from statistics import median
from typing import Any

import pessimal
from bench.table import publish
from pessimal.progress import Progress

SEEDS = range(10)
GOALS = [
    ("insertion sort, N=50", "tests/subjects/insertion_sort.py:insertion_sort", 50, 1225, 5.0),
    ("Dijkstra (Dijkstar 2.2), 5 nodes", "tests/subjects/dijkstra.py:shortest_path_dijkstar", 20, 72, 60.0),
    ("Dijkstra (Dijkstar 2.2), 6 nodes", "tests/subjects/dijkstra.py:shortest_path_dijkstar", 30, 136, 60.0),
]


def climb(target: str, size: int, goal: int, limit: float, seed: int) -> dict[str, Any]:
    """One search, ended at the goal as Ctrl-C would end it."""

    def watch(news: Progress) -> None:
        if news.best is not None and news.best >= goal:
            raise KeyboardInterrupt

    result = pessimal.stress(
        target,
        size=size,
        strategy="climb",
        cost="branches",
        seed=seed,
        budget=limit,
        stop_after=None,
        progress=watch,
    )
    return {
        "seed": seed,
        "goal": goal,
        "cost": result.cost["value"],
        "reached": result.cost["value"] >= goal,
        "found_after": result.effort.found_after,
        "paths": result.effort.paths,
    }


def main() -> None:
    rows = []
    for name, target, size, goal, limit in GOALS:
        found = []
        for seed in SEEDS:
            found.append(climb(target, size, goal, limit, seed))
            print(name, found[-1], file=sys.stderr)
        rows += [{"subject": name, "limit": limit, **item} for item in found]
        reached = [item["found_after"] for item in found if item["reached"]]
        rows.append(
            {
                "subject": f"{name}: median",
                "limit": limit,
                "goal": goal,
                "reached": f"{len(reached)} of {len(found)}",
                "found_after": median(reached) if reached else None,
            }
        )
    publish("climb", "climb to the known worst cases", rows)


if __name__ == "__main__":
    main()
