"""Searches of binaries: paths, blocks and solver calls by strategy, in one process and by processor time.

    make bench-binary                          all parts; two minutes of processor time for each search of a library
    python -m bench.binary --part sage         the example of the SAGE paper: all paths, and the abort
    python -m bench.binary --part nested       magic number, length and checksum: runs until the crash
    python -m bench.binary --part jansson --seconds 30

The library of the last part is the system's own; the part is left out where it is not installed.
"""

from __future__ import annotations

import argparse
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from bench.table import Row, publish
from pessimal.frontend import make_front_end
from pessimal.messages import FailureFound
from pessimal.objective import EveryPath
from pessimal.registry import STRATEGIES
from pessimal.search.budget import Budget
from pessimal.search.session import SearchSession
from pessimal.search_spec import SearchSpec
from pessimal.target import Reference
from tests.binary.building import built, library

LIBRARIES = [Path("/usr/lib/x86_64-linux-gnu"), Path("/usr/lib64"), Path("/usr/lib")]
RUN_SECONDS = 10.0


class Enough(BaseException):
    """The processor time is used up, or what was looked for is found."""


class Watch:
    """Follows a search: its blocks, its paths, its first failure."""

    def __init__(self, front_end: Any, seconds: float, until_failure: bool) -> None:
        self._front_end = front_end
        self._ends_at = time.process_time() + seconds
        self._until_failure = until_failure
        self.blocks: set[int] = set()
        self.paths: set[bytes] = set()
        self.runs = 0
        self.failure: tuple[float, int] | None = None
        self._began = time.process_time()
        run = front_end.run

        def watched(request: Any, seconds: float) -> Any:
            trace = run(request, seconds)
            self.runs += 1
            self.blocks |= front_end.executed_blocks()
            self.paths.add(bytes(trace.decisions))
            if time.process_time() > self._ends_at:
                raise Enough
            return trace

        front_end.run = watched

    def send(self, message: object) -> None:
        if isinstance(message, FailureFound) and self.failure is None:
            self.failure = time.process_time() - self._began, self.runs
            if self._until_failure:
                raise Enough


def search(name: str, target: str, strategy: str, size: int, seconds: float, **options: Any) -> Row:
    until_failure = options.pop("until_failure", False)
    front_end = make_front_end(SearchSpec(Reference.parse(target), size, strategy, **options))
    front_end.prepare()
    watch = Watch(front_end, seconds, until_failure)
    session = SearchSession(
        front_end, Budget(seconds=None), seed=0, run_seconds=RUN_SECONDS, send=watch.send, objective=EveryPath()
    )
    began = time.process_time()
    with suppress(Enough):
        session.conduct(STRATEGIES.make(strategy, {}))
    spent = time.process_time() - began
    found = watch.failure
    return {
        "target": name,
        "strategy": strategy,
        "CPU s": round(spent, 2),
        "runs": watch.runs,
        "paths": len(watch.paths),
        "paths a CPU minute": round(60 * len(watch.paths) / max(spent, 1e-9)),
        "blocks": len(watch.blocks),
        "solver calls": front_end.statistics.calls,
        "failure after CPU s": "" if found is None else round(found[0], 2),
        "failure at run": "" if found is None else found[1],
    }


def sage(seconds: float) -> list[Row]:
    rows = []
    for kind, target in (("library", f"{library('sage', '-O0')}:parse"), ("program", str(built("sage", "-O0")))):
        given = {"stdin": "bytes:4"} if kind == "program" else {}
        rows.append(search(f"sage, {kind}", target, "exhaustive", 4, seconds, given=given))
    return rows


def nested(seconds: float) -> list[Row]:
    target = f"{library('nested')}:parse"
    return [
        search("nested", target, strategy, 12, seconds, until_failure=True) for strategy in ("generational", "ranked")
    ]


def jansson(seconds: float) -> list[Row]:
    found = [path for folder in LIBRARIES for path in folder.glob("libjansson.so.*")]
    if not found:
        return []
    call = "json_loadb(data, len, 0, NULL)"
    start = b'{"a": [1, true]}'
    options = {"call": call, "given": {"data": "bytes:N"}, "start": start}
    return [
        search("jansson", f"{found[0]}:json_loadb", strategy, len(start), seconds, **options)
        for strategy in ("generational", "ranked")
    ]


PARTS = {"sage": sage, "nested": nested, "jansson": jansson}


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--part", choices=PARTS, action="append")
    options.add_argument("--seconds", type=float, default=120.0, help="processor time for each search")
    given = options.parse_args()
    rows = [row for part in given.part or PARTS for row in PARTS[part](given.seconds)]
    publish("binary", "Searches of binaries", rows)


if __name__ == "__main__":
    main()
