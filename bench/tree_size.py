"""How large is the tree of decisions? An estimate by random descents, before starting an exhaustive search.

    python -m bench.tree_size tests/subjects/dijkstra.py:shortest_path_dijkstar 20 60

A descent takes each direction at random. Where both are feasible it stands for twice as many paths as before, so that
the mean over descents is the number of paths (D. E. Knuth, Estimating the efficiency of backtrack programs, 1975). The
mean is right and its spread is large: where few descents come to many leaves, it is usually too low.
"""

from __future__ import annotations

import random
import sys
from math import sqrt
from statistics import fmean, stdev
from time import monotonic

from pessimal.python.frontend import PythonFrontEnd
from pessimal.runs import Request, RunView
from pessimal.search_spec import SearchSpec
from pessimal.target import Reference
from pessimal.trace import Side, Trace

RUN_SECONDS = 10.0


class AtRandom:
    """Any direction, with equal chances."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, run: RunView) -> bool:
        """The direction wanted at a branch."""
        return self._rng.random() < 0.5

    pick = choose


def weigh(trace: Trace) -> tuple[int, int]:
    """How many paths a descent stands for, and how many infeasible directions."""
    paths, infeasible = 1, 0
    for side in trace.others:
        if side == Side.FEASIBLE:
            paths *= 2
        elif side == Side.INFEASIBLE:
            infeasible += paths
    return paths, infeasible


def main(target: str, size: str, seconds: str = "30") -> None:
    """Descend as long as there is time, and print both estimates with their standard errors."""
    front_end = PythonFrontEnd(SearchSpec(Reference.parse(target), int(size), "exhaustive"))
    front_end.prepare()
    policy = AtRandom(random.Random(0))
    weights: list[tuple[int, int]] = []
    end = monotonic() + float(seconds)
    while monotonic() < end or len(weights) < 2:
        weights.append(weigh(front_end.run(Request(policy, probe_other=True), RUN_SECONDS)))
    for name, column in zip(("paths", "infeasible directions"), zip(*weights, strict=True), strict=True):
        error = stdev(column) / sqrt(len(column))
        print(f"{name}: {fmean(column):.3g} ± {error:.2g} from {len(column)} descents")


if __name__ == "__main__":
    main(*sys.argv[1:])
