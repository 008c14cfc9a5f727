"""Drive CrossHair down one path and print what it took as a line of JSON.

This runs in CrossHair's own environment, made by :mod:`bench.peers`; it must not import Pessimal. The policy
is the simplest there is, the same outcome at every symbolic branch, so that only the engine is measured.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

from crosshair.core_and_libs import NoTracing, proxy_for_type, standalone_statespace
from crosshair.statespace import AbstractPathingOracle
from crosshair.util import PathTimeout

from tests.subjects.bst import build
from tests.subjects.insertion_sort import insertion_sort

SUBJECTS: dict[str, Callable[[list[int]], object]] = {"bst": build, "insertion_sort": insertion_sort}


class Always(AbstractPathingOracle):
    """Take the same outcome wherever both are feasible."""

    def __init__(self, outcome: bool) -> None:
        self.probability = float(outcome)

    def decide(self, root: object, node: object, engine_probability: float | None) -> float:
        """The probability of True that CrossHair is to draw with."""
        return self.probability


def one_path(program: Callable[[list[int]], object], n: int, outcome: bool, limit: float) -> dict[str, Any]:
    """Run the program once on n symbolic integers; give up after ``limit`` CPU seconds."""
    untraced: Callable[[], Any] = NoTracing
    finished = True
    with standalone_statespace as space:
        with untraced():
            space._root.pathing_oracle = Always(outcome)
        xs = [proxy_for_type(int, f"x{i}") for i in range(n)]
        with untraced():
            before = len(space.choices_made)
            start = time.process_time()
            space.execution_deadline = start + limit
        try:
            program(xs)
        except PathTimeout:
            finished = False
        with untraced():
            seconds = time.process_time() - start
            branches = len(space.choices_made) - before
    return {"branches": branches, "seconds": seconds, "finished": finished}


def main() -> None:
    """Read the command line, run, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("subject", choices=sorted(SUBJECTS))
    parser.add_argument("n", type=int)
    parser.add_argument("--limit", type=float, default=600.0, help="CPU seconds after which to give up")
    parser.add_argument("--outcome", choices=("true", "false"), default="true")
    options = parser.parse_args()
    path = one_path(SUBJECTS[options.subject], options.n, options.outcome == "true", options.limit)
    per_branch = 1e6 * path["seconds"] / max(path["branches"], 1)
    print(json.dumps({"subject": options.subject, "n": options.n, **path, "us_per_branch": per_branch}))


if __name__ == "__main__":
    main()
