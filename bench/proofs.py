"""Random programs that pass symbolic values to the library: every proof compared with runs of all inputs.

    make bench-proofs                                       20,000 programs
    python -m bench.proofs --programs 500 --start 100000    other programs
    python -m bench.proofs --show 17                        one program, and what was claimed of it

The domains are small enough to run every input natively. A claim is "tree exhausted" with a largest cost. It is false
if an input costs more, goes through lines that no path of the tree goes through, or if its counted run is not its
native run. ``claimed`` counts the claims of the search before they are attacked, ``withdrawn`` those that the attack
refuted, ``proofs`` those that are left and would be shown; ``false claims`` are those that are false before the attack.
Finished programs are kept in ``bench/results/proofs.jsonl``, so that an interrupted bench goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import re
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import partial
from multiprocessing import Pool
from typing import Any

from bench.table import RESULTS, publish
from pessimal.search import attack
from tests.proof.enumerated import Enumerated, fault, search
from tests.proof.library_programs import program

PROCESSES = 2
LONGEST = 10
"""Seconds of processor time that one program may take before it is left out and counted as such."""
KEPT = RESULTS / "proofs.jsonl"


class OverdueError(BaseException):
    """A program takes too long."""

    happened = False


def _overdue(*_: object) -> None:
    OverdueError.happened = True
    raise OverdueError


def judge(seed: int, runs: int | None = None) -> dict[str, Any]:
    """What was claimed of a program, and whether it is so."""
    if runs is not None:
        attack.RUNS = runs
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGVTALRM, _overdue)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST, 1)
    OverdueError.happened = False
    try:
        found = _judge(seed)
    except (OverdueError, Exception) as error:
        found = {"seed": seed, "status": "error", "reason": f"{type(error).__name__}: {error}"}
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return {"seed": seed, "status": "overdue"} if OverdueError.happened else found


def _judge(seed: int) -> dict[str, Any]:
    front_end = Enumerated(program(seed), f"library_{seed}")
    session = search(front_end)
    leaves = list(front_end.leaves)
    counters = session.counters
    if session.attack is None:
        open_ended = "unknown" if counters.unknown else "not finished"
        return {"seed": seed, "status": "refused", "reason": counters.divergence or open_ended}
    assert session.claimed_maximum is not None
    wrong = fault(front_end, session.claimed_maximum, leaves)
    status = "withdrawn" if session.proof is None else "proof"
    return {"seed": seed, "status": status, "reason": session.attack.withdrawn, "fault": wrong}


def seeds(start: int, count: int) -> Iterator[int]:
    """The programs that are not kept yet."""
    done = {json.loads(line)["seed"] for line in KEPT.read_text().splitlines()} if KEPT.exists() else set()
    return (seed for seed in range(start, start + count) if seed not in done)


def run(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Judge all programs; each is kept as soon as it is done."""
    KEPT.parent.mkdir(exist_ok=True)
    if options.fresh:
        KEPT.unlink(missing_ok=True)
    with Pool(PROCESSES, maxtasksperchild=250) as pool, KEPT.open("a") as kept:
        judged = pool.imap_unordered(partial(judge, runs=options.runs), seeds(options.start, options.programs), 5)
        for found in judged:
            kept.write(json.dumps(found) + "\n")
            kept.flush()
            if found.get("fault") or found["status"] in ("error", "withdrawn"):
                print(re.sub(r"\s+", " ", json.dumps(found))[:400], flush=True)
    wanted = range(options.start, options.start + options.programs)
    rows = (json.loads(line) for line in KEPT.read_text().splitlines())
    return [row for row in rows if row["seed"] in wanted]


def summary(found: list[dict[str, Any]]) -> dict[str, Any]:
    """The row of the table."""
    counts = Counter(row["status"] for row in found)
    is_false = Counter(row["status"] for row in found if row.get("fault"))
    return {
        "programs": len(found),
        "claimed": counts["proof"] + counts["withdrawn"],
        "withdrawn": counts["withdrawn"],
        "proofs": counts["proof"],
        "false proofs": is_false["proof"],
        "false claims": is_false["proof"] + is_false["withdrawn"],
        "refused": counts["refused"],
        "overdue": counts["overdue"],
        "errors": counts["error"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=20_000)
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--runs", type=int, help="how many other inputs the attack runs, instead of its own number")
    parser.add_argument("--fresh", action="store_true", help="judge finished programs again")
    parser.add_argument("--show", type=int, help="print one program and what was claimed of it")
    options = parser.parse_args()
    if options.show is not None:
        print(
            program(options.show).source.partition("Fraction\n")[2],
            program(options.show).inputs,
            judge(options.show, options.runs),
        )
        return
    found = run(options)
    row = summary(found)
    publish("proofs", "Proofs compared with runs of all inputs", [row])
    sys.exit(1 if row["false proofs"] or row["errors"] else 0)


if __name__ == "__main__":
    main()
