"""Searches of binaries: paths, blocks and solver calls by strategy, in one process and by processor time.

    make bench-binary                          all parts; two minutes of processor time for each search of a library
    python -m bench.binary --part sage         the example of the SAGE paper: all paths, and the abort
    python -m bench.binary --part nested       magic number, length and checksum: runs until the crash
    python -m bench.binary --part parsers --seconds 30     a JSON and an HTTP parser, by strategy

The libraries of the last part are the system's own (Debian: libjansson4, libcjson1, libhttp-parser2.9, zlib1g); one
that is not installed is left out, and said. Each has four searches: generational, ranked untrained, ranked with a model
that was trained on the library before, for as long, and fuzz, which solves nothing. "calls for as many blocks" are the
solver calls after which a search had as many blocks as generational at its end. Most flips of single bytes take no call
of a solver; "runs for as many blocks" counts all flips, since each run is one, whatever solved it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Collection
from contextlib import suppress
from copy import copy
from functools import partial
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
from pessimal.solve import Statistics
from pessimal.target import Reference
from tests.binary.building import built, library

LIBRARIES = [Path("/usr/lib/x86_64-linux-gnu"), Path("/usr/lib64"), Path("/usr/lib")]
RUN_SECONDS = 10.0
EPISODES = 1000
"""More than a training has time for."""


class Enough(BaseException):
    """The processor time is used up, or what was looked for is found."""


class Watch:
    """Follows a search: its blocks, its paths, its first failure."""

    def __init__(self, front_end: Any, seconds: float, until_failure: bool) -> None:
        self._front_end = front_end
        self._ends_at = time.process_time() + seconds
        self._until_failure = until_failure
        self.blocks: set[int] = set()
        self.curve: list[tuple[int, int]] = []
        self.paths: set[bytes] = set()
        self.runs = 0
        self.failure: tuple[float, int] | None = None
        self._began = time.process_time()
        run, evaluate = front_end.run, front_end.evaluate

        def watched_run(request: Any, seconds: float) -> Any:
            trace = run(request, seconds)
            self.paths.add(bytes(trace.decisions))
            self._note()
            return trace

        def watched_evaluate(leaves: Any, seconds: float, recording: bool = False) -> Any:
            before = self.runs
            trace = evaluate(leaves, seconds, recording)
            if self.runs == before:  # otherwise it was a symbolic run
                self._note()
            return trace

        front_end.run, front_end.evaluate = watched_run, watched_evaluate

    def _note(self) -> None:
        self.runs += 1
        self.blocks |= self._front_end.executed_blocks()
        self.curve.append((self._front_end.statistics.calls, len(self.blocks)))
        if time.process_time() > self._ends_at:
            raise Enough

    def calls_for(self, blocks: int) -> int | None:
        """After how many solver calls so many blocks were known."""
        return next((calls for calls, found in self.curve if found >= blocks), None)

    def runs_for(self, blocks: int) -> int | None:
        """After how many runs so many blocks were known."""
        return next((run for run, (_, found) in enumerate(self.curve, 1) if found >= blocks), None)

    def send(self, message: object) -> None:
        if isinstance(message, FailureFound) and self.failure is None:
            self.failure = time.process_time() - self._began, self.runs
            if self._until_failure:
                raise Enough


def search(name: str, target: str, strategy: str, size: int, seconds: float, **options: Any) -> Row:
    return searched(name, target, strategy, size, seconds, **options)[0]


def searched(name: str, target: str, strategy: str, size: int, seconds: float, **options: Any) -> tuple[Row, Watch]:
    """One search, as a row and as it was watched; ``made_with`` are options of the strategy."""
    until_failure, made_with = options.pop("until_failure", False), options.pop("made_with", {})
    front_end = prepared(target, strategy, size, **options)
    return watched(front_end, name, strategy, seconds, until_failure=until_failure, made_with=made_with)


def prepared(target: str, strategy: str, size: int, **options: Any) -> Any:
    """A target that is loaded."""
    front_end = make_front_end(SearchSpec(Reference.parse(target), size, strategy, **options))
    front_end.prepare()
    return front_end


def watched(
    loaded: Any,
    name: str,
    strategy: str,
    seconds: float,
    *,
    until_failure: bool = False,
    made_with: dict[str, Any] | None = None,
) -> tuple[Row, Watch]:
    """One search of a loaded target."""
    front_end = copy(loaded)
    front_end.statistics = Statistics()
    watch = Watch(front_end, seconds, until_failure)
    session = SearchSession(
        front_end, Budget(seconds=None), seed=0, run_seconds=RUN_SECONDS, send=watch.send, objective=EveryPath()
    )
    began = time.process_time()
    with suppress(Enough):
        session.conduct(STRATEGIES.make(strategy, made_with or {}))
    spent = time.process_time() - began
    found = watch.failure
    row = {
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
    return row, watch


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


PARSERS = {
    "jansson": ("libjansson.so.4", "json_loadb(data, len, 0, NULL)", b'{"a": [1, true]}'),
    "cJSON": ("libcjson.so.1", "cJSON_ParseWithLength(data, len)", b'{"a": [1, true]}'),
    "http_parser": ("libhttp_parser.so.2.9", "http_parser_parse_url(data, len, 0, zeros(64))", b"http://a.b:80/c?d#e"),
    "zlib": (
        "libz.so.1",
        r'uncompress(zeros(4096), "\x00\x10\x00\x00\x00\x00\x00", data, len)',
        bytes.fromhex("789ccb48cdc9c95728cf2fca4901001a0b045d"),
    ),
}
"""A library's file, the call of a parser, and the input that searches start from; the last one is an archive's
stream with its header, and the pointer before it says how long the result may be."""


def installed(file: str) -> Path | None:
    """Where a library is, if it is installed."""
    return next((folder / file for folder in LIBRARIES if (folder / file).exists()), None)


def parsers(seconds: float, names: Collection[str] = tuple(PARSERS)) -> list[Row]:
    rows = []
    for name, (file, call, start) in PARSERS.items():
        if name not in names:
            continue
        found = installed(file)
        if found is None:
            print(f"{file} is not installed, and left out", file=sys.stderr)
            continue
        options = {"call": call, "given": {"data": "bytes:N"}, "start": start}
        rows += _by_all(name, f"{found}:{call.partition('(')[0]}", len(start), seconds, options)
    return rows


def _by_all(name: str, target: str, size: int, seconds: float, options: dict[str, Any]) -> list[Row]:
    """The searches of one library; the model of the trained one learns on other inputs first."""
    with tempfile.TemporaryDirectory(prefix="pessimal-bench-") as directory:
        model = str(Path(directory, "model.json"))
        learning = {"save": model, "episodes": EPISODES}
        found = [searched(name, target, strategy, size, seconds, **options) for strategy in ("generational", "ranked")]
        searched(name, target, "ranked", size, seconds, made_with=learning, **options)
        trained, watch = searched(name, target, "ranked", size, seconds, made_with={"load": model}, **options)
        found.append(({**trained, "strategy": "ranked, trained"}, watch))
        found.append(searched(name, target, "fuzz", size, seconds, **options))
    goal = len(found[0][1].blocks)
    reached = [(watch.calls_for(goal), watch.runs_for(goal)) for _, watch in found]
    names = "calls for as many blocks", "runs for as many blocks"
    return [{**row, **dict(zip(names, counts, strict=True))} for (row, _), counts in zip(found, reached, strict=True)]


PARTS = {"sage": sage, "nested": nested, "parsers": parsers}


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--part", choices=PARTS, action="append")
    options.add_argument("--only", choices=PARSERS, action="append", help="libraries of the part parsers")
    options.add_argument("--seconds", type=float, default=120.0, help="processor time for each search")
    given = options.parse_args()
    parts = PARTS | {"parsers": partial(parsers, names=given.only or tuple(PARSERS))}
    rows = [row for part in given.part or parts for row in parts[part](given.seconds)]
    publish("binary", "Searches of binaries", rows)


if __name__ == "__main__":
    main()
