"""One worst-case path, branch by branch: our engine beside CrossHair, in one run, as ratios.

    make bench-engine            all rows, about five minutes, most of them CrossHair's
    python -m bench.engine --quick   without CrossHair's N=100

Each row runs in a process of its own, with everything that a search has around a run: the rewrite, the guard against
side effects, the deadline and the flight recorder. Seconds are CPU seconds, the best of three (one for long rows).
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time

from bench.peers import crosshair
from bench.table import publish

SUBJECTS = {
    "insertion_sort": ("tests/subjects/insertion_sort.py:insertion_sort", (30, 100, 200, 450, 1500)),
    "bst": ("tests/subjects/bst.py:build", (30, 100, 200, 450, 1500)),
    "selection_sort": ("tests/subjects/selection_sort.py:selection_sort", (300,)),
    "heap_sort": ("tests/subjects/heap_sort.py:heap_sort", (300,)),
    "dijkstra_matrix": ("tests/subjects/dijkstra_matrix.py:distances", (90, 870)),
}
LIMITS = {30: 60.0, 100: 400.0}


def path(subject: str, size: int) -> dict[str, object]:
    """Run one worst-case path in this process and tell what it took."""
    from pessimal.pool import Recorder, sandbox
    from pessimal.python.frontend import PythonFrontEnd
    from pessimal.runs import Request
    from pessimal.search.fixed import Fixed
    from pessimal.search_spec import SearchSpec
    from pessimal.target import Reference

    sandbox.confine(allow_side_effects=False)
    job = SearchSpec(Reference.parse(SUBJECTS[subject][0]), size, "fixed")
    front_end = PythonFrontEnd(job, Recorder())
    best = float("inf")
    for _ in range(3 if size < 1000 else 1):
        started = time.process_time()
        trace = front_end.run(Request(Fixed()), seconds=600.0)
        best = min(best, time.process_time() - started)
    return {
        "subject": subject,
        "n": size,
        "branches": len(trace),
        "seconds": best,
        "us_per_branch": 1e6 * best / len(trace),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "outcome": trace.outcome.value,
    }


def row(subject: str, size: int) -> dict[str, object]:
    """The same in a fresh process, so that memory is its own."""
    command = [sys.executable, "-m", "bench.engine", "--one", subject, str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def beside(ours: dict[str, object], limit: float) -> dict[str, object]:
    """CrossHair along the same path, and how many times longer each of its branches takes."""
    theirs = crosshair(str(ours["subject"]), int(str(ours["n"])), limit)
    return {
        "crosshair_branches": theirs["branches"],
        "crosshair_seconds": theirs["seconds"],
        "crosshair_us_per_branch": theirs["us_per_branch"],
        "crosshair_finished": theirs["finished"],
        "ratio": theirs["seconds"] / ours["seconds"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", nargs=2, metavar=("SUBJECT", "N"))
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    if arguments.one:
        # The sandbox silences stdout for the target's sake; the answer goes out by the descriptor.
        answer = json.dumps(path(arguments.one[0], int(arguments.one[1])))
        with open(1, "w", closefd=False) as out:
            out.write(answer)
        return
    rows = []
    for subject, (_, sizes) in SUBJECTS.items():
        for size in sizes:
            ours = row(subject, size)
            compared = subject in ("insertion_sort", "bst") and size in LIMITS and not (arguments.quick and size > 30)
            rows.append({**ours, **(beside(ours, LIMITS[size]) if compared else {})})
            print(f"{subject} {size} done", file=sys.stderr)
    publish("engine", "One worst-case path: pessimal beside CrossHair", rows)


if __name__ == "__main__":
    main()
