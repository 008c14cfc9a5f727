"""``stress`` on functions that others wrote, beside a plain mutation fuzzer and Hypothesis, at equal time.

    make bench-wild                                              all drawn functions, 10 s each: two hours
    python -m bench.wild --every 10 --seconds 5                  each tenth function, half the time

The functions are drawn by :mod:`bench.wild_draw`. All tools get the same ranges, and the same judge: the lines that are
executed when the input they found is run once more, in a process of its own. Losses come first. ``best ratio`` is our
lines by those of the best rival.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from time import monotonic
from typing import Any

from bench.peers import ROOT, environment
from bench.table import publish
from bench.wild_draw import FILE, finite

GRACE = 2.0
"""How long a command may take beyond its budget and the start of its process."""
STARTUP = 1.5
RIVALS = ("plain", "hypothesis")


def main() -> None:
    """Run every tool on every function and publish the costs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--size", type=int, default=20)
    parser.add_argument("--every", type=int, default=1, help="take each so many-th function only")
    parser.add_argument("--only", default="", help="functions whose names contain it")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--strategy", default="auto")
    options = parser.parse_args()
    subjects = [item for item in json.loads(FILE.read_text()) if options.only in item["target"]][:: options.every]
    site = next(Path(environment("wild")).parent.parent.glob("lib/python*/site-packages"))
    rows = [_row(subject, options, str(site)) for subject in subjects]
    rows.sort(key=lambda row: row["best ratio"])
    publish("wild", "Functions that others wrote, executed lines", [*rows, _summary(rows)])


def _row(subject: dict[str, Any], options: argparse.Namespace, site: str) -> dict[str, Any]:
    given = {
        **subject,
        "inputs": finite(subject["inputs"]),
        "size": options.size,
        "seconds": options.seconds,
        "seed": options.seed,
    }
    found = {name: _rival(name, given, site) for name in RIVALS}
    found["pessimal"] = _pessimal(given, options.strategy, site)
    costs = {name: _judged(given, answer, site) for name, answer in found.items()}
    most = max(costs[name] for name in RIVALS)
    row = {
        "function": subject["target"],
        **costs,
        "best ratio": costs["pessimal"] / most if most else 1.0,
        "runs": found["pessimal"].get("runs"),
        "plain runs": found["plain"].get("runs"),
        "over budget s": found["pessimal"]["over"],
        "error": found["pessimal"].get("error"),
    }
    print(json.dumps(row), file=sys.stderr, flush=True)
    return row


def _run(command: list[str], site: str, seconds: float) -> subprocess.CompletedProcess[str]:
    places = os.pathsep.join((str(ROOT), str(ROOT / "src"), site))
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": places},
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


def _rival(name: str, given: dict[str, Any], site: str) -> dict[str, Any]:
    command = [sys.executable, "-m", f"bench.wild_{name}", json.dumps(given)]
    try:
        done = _run(command, site, given["seconds"] + 30)
        answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (subprocess.TimeoutExpired, ValueError, IndexError):
        return {}
    return answer


def _pessimal(given: dict[str, Any], strategy: str, site: str) -> dict[str, Any]:
    command = [sys.executable, "-c", "from pessimal.cli import main; main()", "stress", given["target"], "--json"]
    command += [f"--size={given['size']}", f"--budget={given['seconds']}s", f"--seed={given['seed']}"]
    command += ["--cost=work", f"--strategy={strategy}", "--stop-after=none"]
    command += [f"--input={name}={text}" for name, text in given["inputs"].items()]
    start = monotonic()
    try:
        done = _run(command, site, 3 * given["seconds"] + 60)
    except subprocess.TimeoutExpired:
        return {"over": 2 * given["seconds"] + 60, "error": "does not end"}
    over = monotonic() - start - given["seconds"]
    try:
        result = json.loads(done.stdout)
    except ValueError:
        return {"over": over, "error": (done.stderr or done.stdout).strip()[-200:]}
    return {"arguments": result["input"], "runs": result["paths"], "proof": result["proof"], "over": over}


def _judged(given: dict[str, Any], answer: dict[str, Any], site: str) -> int:
    """The lines that the input of a tool executes; none if it found none."""
    found = {key: answer[key] for key in ("leaves", "arguments") if answer.get(key) is not None}
    if not found:
        return 0
    command = [sys.executable, "-m", "bench.wild_judge", json.dumps({**given, **found})]
    done = _run(command, site, 10 * given["seconds"] + 60)
    return int(done.stdout.splitlines()[-1]) if done.returncode == 0 and done.stdout else 0


def _summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    ratios = [row["best ratio"] for row in rows]
    return {
        "function": f"of {len(rows)}: at least 98 %: {sum(ratio >= 0.98 for ratio in ratios)}, "
        f"more: {sum(ratio > 1.0 for ratio in ratios)}, errors: {sum(row['error'] is not None for row in rows)}, "
        f"over budget: {sum(row['over budget s'] > GRACE + STARTUP for row in rows)}",
    }


if __name__ == "__main__":
    main()
