"""What counting work costs: programs with counters beside line tracing, coverage's tracer, and no counting at all.

    make bench-work

Each way of counting runs in a process of its own. The figures are ratios to the native time, the least of several
rounds; the geometric mean is in the last row. ``same`` says whether the count was the same in every round.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import exp, log
from time import perf_counter
from typing import Any

from bench.table import publish
from bench.work_programs import PROGRAMS

ROUNDS = 7
WAYS = ("native", "work", "lines", "coverage")
LIMIT = 1.5


def main() -> None:
    """Time every program in every way, and publish the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    way = parser.parse_args().way
    if way is not None:
        print(json.dumps(timed(way)))
        return
    found = {way: _in_process(way) for way in WAYS}
    rows = [_row(name, found) for name in PROGRAMS]
    rows.append({"program": "geometric mean", **{way: _mean(row[way] for row in rows) for way in WAYS[1:]}})
    publish("work", f"Counting work, as a ratio to the native time (at most {LIMIT} is wanted for work)", rows)


def _in_process(way: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.work", "--way", way]
    found: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return found


def _row(name: str, found: dict[str, Any]) -> dict[str, Any]:
    native = found["native"][name][0]
    counts = found["work"][name][1]
    ratios = {way: found[way][name][0] / native for way in WAYS[1:]}
    return {
        "program": name,
        "native ms": native * 1000,
        "statements": counts[-1],
        "same": len(set(counts)) == 1,
        **ratios,
    }


def _mean(ratios: Iterator[float]) -> float:
    values = list(ratios)
    return exp(sum(map(log, values)) / len(values))


def timed(way: str) -> dict[str, tuple[float, list[int]]]:
    """For each program the least time, and what was counted in the last rounds."""
    return {name: _least(program, way) for name, program in PROGRAMS.items()}


def _least(program: Callable[[], Any], way: str) -> tuple[float, list[int]]:
    times, counts = [], []
    for _ in range(ROUNDS):
        with _counting(way) as count:
            start = perf_counter()
            program()
            times.append(perf_counter() - start)
        counts.append(count())
    return min(times), counts[-3:]


@contextmanager
def _counting(way: str) -> Iterator[Callable[[], int]]:
    if way == "native":
        yield lambda: 0
    elif way == "coverage":
        from coverage import Coverage

        tracer = Coverage(data_file=None, include=["*"], branch=False)
        tracer.start()
        try:
            yield lambda: 0
        finally:
            tracer.stop()
    else:
        from pessimal.python.costs import find

        make = find(way).meter
        assert make is not None
        with make() as meter:
            yield lambda: int(meter.value)


if __name__ == "__main__":
    main()
