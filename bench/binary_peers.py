"""Other tools beside Pessimal on the same binaries, in one process each and by processor time.

    make bench-binary-peers                              both parts
    python -m bench.binary_peers --part triton --seconds 30    paths a CPU minute beside Triton (pip: triton-library)
    python -m bench.binary_peers --part afl --seconds 60       time until the crash beside AFL++ in blind mode (afl++)

A tool that is not installed is left out, and said.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.binary import installed, prepared, search, watched
from bench.table import Row, publish
from tests.binary.building import built, library
from tests.binary.triton_runs import ROOM, TritonFunction, is_installed

FUNCTIONS = {"sage": bytes(4), "nested": bytes(12), "tables": bytes(8)}
"""Functions ``parse(data, length)`` of the tests' programs, with the inputs that searches start from."""

LIBRARY_FUNCTIONS = {
    "http_parser": ("libhttp_parser.so.2.9", "http_parser_parse_url(data, len, 0, zeros(64))", b"http://a.b:80/c?d#e"),
    "inet_addr": ("libc.so.6", "inet_addr(data, len)", b"1.2.3.4\0"),
}
"""Functions of the system's libraries that call no other library, which Triton is not given here."""


def triton(seconds: float) -> list[Row]:
    """Distinct paths by generational search, until none is left or the time is over.

    Triton's search solves every flip of a run before it runs the next input. The last column is what it would reach if
    it solved only the flips that it runs: the time of one run and one flip for each path. A search that ends before the
    time is over is made anew until then, by the same process with all that it has loaded and translated: its rate after
    the first time is a column of its own, "once it is warm".
    """
    rows: list[Row] = []
    cases = [(name, library(name, "-O0"), "parse(data, len)", start) for name, start in FUNCTIONS.items()]
    for name, (file, call, start) in LIBRARY_FUNCTIONS.items():
        found = installed(file)
        cases += [] if found is None else [(name, found, call, start)]
    for name, path, call, start in cases:
        function = call.partition("(")[0]
        given = {"call": call, "given": {"data": "bytes:N"}, "start": start}
        rows.append(_by_pessimal(name, f"{path}:{function}", len(start), seconds, given))
        if is_installed():
            rows.append(_by_triton(name, TritonFunction(path, function, (0, ROOM)), start, seconds))
    if not is_installed():
        print("triton-library is not installed: pip install triton-library", file=sys.stderr)
    return rows


def _by_pessimal(name: str, target: str, size: int, seconds: float, given: dict[str, Any]) -> Row:
    front_end = prepared(target, "generational", size, **given)
    row, _ = watched(front_end, name, "generational", seconds)
    if row["CPU s"] >= seconds:
        return row
    began, paths = time.process_time(), 0
    while time.process_time() - began < seconds - row["CPU s"]:
        paths += watched(front_end, name, "generational", seconds)[0]["paths"]
    return {**row, "once it is warm": _rate(paths, began)}


def _rate(paths: int, began: float) -> int:
    return round(60 * paths / max(time.process_time() - began, 1e-9))


def _by_triton(name: str, function: TritonFunction, start: bytes, seconds: float) -> Row:
    began, paths, runs = time.process_time(), set(), 0
    for found in function.search(start):
        paths.add(found)
        runs += 1
        if time.process_time() - began > seconds:
            break
    spent = time.process_time() - began
    rate = round(60 * len(paths) / max(spent, 1e-9))
    row: dict[str, Any] = {"target": name, "strategy": "Triton, generational", "CPU s": round(spent, 2), "runs": runs}
    lazily = (spent - function.seconds_of_solving) / runs + function.seconds_of_solving / max(function.solved, 1)
    row |= {"paths": len(paths), "paths a CPU minute": rate, "if it solved lazily": round(60 / lazily)}
    if spent >= seconds:
        return row
    began, repeated = time.process_time(), 0
    while time.process_time() - began < seconds - spent:
        repeated += len(set(function.search(start)))
    return {**row, "once it is warm": _rate(repeated, began)}


def afl(seconds: float) -> list[Row]:
    """How long until the crash of the nested parser: Pessimal, and AFL++ without instrumentation."""
    program = built("nested_main", "-O1")
    options = {"given": {"stdin": "bytes:12"}, "until_failure": True}
    rows = [search("nested, program", str(program), "generational", 12, seconds, **options)]
    if shutil.which("afl-fuzz") is None:
        print("afl-fuzz is not installed: apt-get install afl++", file=sys.stderr)
        return rows
    return [*rows, _by_afl(program, seconds)]


def _by_afl(program: Path, seconds: float) -> Row:
    """AFL++ in blind mode; its time is that of its whole process group."""
    with tempfile.TemporaryDirectory(prefix="pessimal-afl-") as directory:
        seeds, out = Path(directory, "seeds"), Path(directory, "out")
        seeds.mkdir()
        (seeds / "zeros").write_bytes(bytes(12))
        words = ["afl-fuzz", "-n", "-i", str(seeds), "-o", str(out), "-V", str(int(seconds)), "--", str(program)]
        quiet = {"AFL_NO_UI": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1"}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, env={**os.environ, **quiet, "AFL_BENCH_UNTIL_CRASH": "1"}, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        runs = _executions(out / "plot_data")
        found = any((out / "crashes").glob("id*"))
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    row = {"target": "nested, program", "strategy": "AFL++, blind", "CPU s": round(spent, 2)}
    return {**row, "runs": runs, "failure after CPU s": spent if found else "none"}


def _executions(file: Path) -> int:
    """How many executions a table of AFL++ ends with; in blind mode it writes no other statistics."""
    lines = file.read_text().splitlines() if file.is_file() else []
    if len(lines) < 2:
        return 0
    row = dict(zip(lines[0].lstrip("# ").split(", "), lines[-1].split(", "), strict=False))
    return int(row.get("total_execs", 0))


PARTS = {"triton": triton, "afl": afl}


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--part", choices=PARTS, action="append")
    options.add_argument("--seconds", type=float, default=60.0, help="processor time for each search")
    given = options.parse_args()
    rows = [row for part in given.part or PARTS for row in PARTS[part](given.seconds)]
    publish("binary_peers", "Binaries beside other tools", rows)


if __name__ == "__main__":
    main()
