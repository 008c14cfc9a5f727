"""Random programs in every kind of run, each compared with native runs of every single input.

    make bench-fuzz                                                 100,000 comparisons and more
    python -m bench.fuzz --seconds 60 --programs 500 --start 1000   less, and other programs

Half of the programs are made of everyday constructs, half of what branches. A difference is printed with the program's
seed; the table counts what was compared.
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from multiprocessing import Pool
from typing import Any

from bench.table import publish
from tests.python import everyday, programs
from tests.python.comparing import CHECKS, RESULTS, Subject

PROCESSES = 2
PATHS = 60
DOMAIN = 300
LONGEST = 15
"""Seconds of processor time that one program may take before it is left out and counted as such."""
KINDS = {
    "everyday": (lambda seed: everyday.program(seed, DOMAIN), RESULTS),
    "branching": (programs.program, CHECKS),
}
Task = tuple[str, int]


class OverdueError(BaseException):
    """A program takes too long."""

    happened = False
    """Whether it was raised for this program: inside of a run it may end as the outcome of that run."""


def _overdue(*_: object) -> None:
    OverdueError.happened = True
    raise OverdueError


def compare(task: Task) -> tuple[Task, Counter[str], str]:
    """Compare one program in every kind of run; what was compared, and the first difference if there is one."""
    kind, seed = task
    make, checks = KINDS[kind]
    counts: Counter[str] = Counter(programs=1)
    signal.signal(signal.SIGVTALRM, _overdue)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST, 1)
    OverdueError.happened = False
    difference = ""
    try:
        subject = Subject(make(seed), f"<{kind} {seed}>", PATHS)
        subject.compared = counts
        for check in checks:
            check(subject)
        counts[_depth(subject)] += 1
        counts["concrete"] += sum(bool(trace.concretisations) for trace in subject.explored)
    except (OverdueError, Exception) as error:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        counts["overdue" if OverdueError.happened else "differences"] += 1
        difference = "" if OverdueError.happened else f"{kind} {seed}: {type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return task, counts, difference


def _depth(subject: Any) -> str:
    """In which class of sizes the longest path of a program falls."""
    longest = max((trace.length for trace in subject.explored), default=0)
    return next(name for limit, name in ((0, "0"), (3, "1-3"), (10, "4-10"), (1 << 62, "11+")) if longest <= limit)


def tasks(start: int, count: int, kinds: list[str]) -> Iterator[Task]:
    """The programs to compare, kinds in turn."""
    for seed in range(start, start + count):
        for kind in kinds:
            yield kind, seed


def run(options: argparse.Namespace) -> dict[str, Counter[str]]:
    """Compare until the programs or the seconds are used up; the counts of each kind."""
    totals: dict[str, Counter[str]] = {kind: Counter() for kind in options.kinds}
    deadline = time.monotonic() + options.seconds
    warnings.simplefilter("ignore", SyntaxWarning)  # random programs make senseless comparisons
    with Pool(PROCESSES, maxtasksperchild=200) as pool:
        found = pool.imap_unordered(compare, tasks(options.start, options.programs, options.kinds), chunksize=1)
        for (kind, seed), counts, difference in found:
            totals[kind].update(counts)
            if difference:
                print(re.sub(r"\s+", " ", difference)[:1500], flush=True)
            if counts["overdue"]:
                print(f"{kind} {seed}: overdue", file=sys.stderr, flush=True)
            if time.monotonic() > deadline:
                pool.terminate()
                break
    return totals


def row(kind: str, counts: Counter[str]) -> dict[str, Any]:
    """What was compared of one kind of program."""
    return {
        "programs": kind,
        "count": counts["programs"],
        "symbolic runs compared": counts["symbolic"],
        "explored inputs compared": counts["explored"],
        "counted runs compared": counts["counted"],
        "proofs checked": counts["proofs"],
        "differences": counts["differences"],
        "refused": counts["refused"],
        "overdue": counts["overdue"],
        **{f"branches {name}": counts[name] for name in ("0", "1-3", "4-10", "11+")},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--programs", type=int, default=1200, help="of each kind")
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    options = parser.parse_args()
    totals = run(options)
    rows = [row(kind, counts) for kind, counts in totals.items()]
    rows.append(row("all", sum(totals.values(), Counter())))
    publish("fuzz", "Random programs compared with native runs", rows)
    sys.exit(1 if rows[-1]["differences"] else 0)


if __name__ == "__main__":
    main()
