"""200 kills at random moments of one long exhaustive search: is the result the same as that of an undisturbed one?

    make bench-kills
    python -m bench.kills --kills 20 --size 7    fewer, of a shorter search

Half of the kills hit the worker, half the command itself, which is then given again and resumes from its directory.
After the last kill the search runs to its end. Cost, input, proof and the counts of paths must be equal.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from bench.faults import kill_worker, start, state_of
from bench.table import publish

TARGET = "examples/sorting.py:insertion_sort"
COMPARED = ("cost", "input", "proof", "paths", "infeasible", "unknown", "failures")


def command(size: int, out: Path) -> list[str]:
    """The search, which the budget does not end."""
    options = ["--strategy", "exhaustive", "--budget", "10h", "--json", "--quiet"]
    return ["stress", TARGET, "--size", str(size), *options, "--out", str(out)]


def undisturbed(size: int) -> tuple[dict[str, Any], float]:
    """The result, and how many seconds it took."""
    with tempfile.TemporaryDirectory() as out:
        began = time.monotonic()
        text, _ = start(command(size, Path(out))).communicate()
        return json.loads(text), time.monotonic() - began


def disturbed(size: int, kills: int, pause: float, rng: Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """The result after so many kills, and what was done; the pauses between kills are random with a mean."""
    counts = {"worker killed": 0, "command killed": 0, "resumed": 0, "ended early": 0, "went back": 0}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        process = start(command(size, out))
        known = 0
        while counts["worker killed"] + counts["command killed"] < kills:
            time.sleep(rng.expovariate(1 / pause))
            if process.poll() is not None:
                counts["ended early"] += 1
                break
            if rng.random() < 0.5:
                counts["worker killed"] += kill_worker(process.pid, rng)
                continue
            process.kill()
            process.communicate()
            counts["command killed"] += 1
            paths = sum(
                lane["snapshot"]["counters"]["paths"] for lane in state_of(out).get("lanes", ()) if lane["snapshot"]
            )
            counts["went back"] += paths < known
            known = paths
            process = start(command(size, out))
            counts["resumed"] += 1
        text, errors = process.communicate()
        if process.returncode:
            sys.exit(f"the search ended with exit code {process.returncode}: {errors}")
        return json.loads(text), counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--pause", type=float, default=1.5)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    expected, seconds = undisturbed(arguments.size)
    result, counts = disturbed(arguments.size, arguments.kills, arguments.pause, Random(arguments.seed))
    different = [name for name in COMPARED if result[name] != expected[name]]
    row = {
        "target": TARGET,
        "size": arguments.size,
        "seconds undisturbed": seconds,
        **counts,
        "paths": result["paths"],
        "proof": result["proof"],
        "different": ", ".join(different) or "nothing",
    }
    publish("kills", f"{arguments.kills} kills of one exhaustive search", [row])
    sys.exit(1 if different or counts["ended early"] else 0)


if __name__ == "__main__":
    main()
