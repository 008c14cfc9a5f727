"""Commands on plain and on hostile targets: whether each keeps to its budget and finds something where an input ends.

    make bench-hostile                        twenty minutes; the limit is the budget, 2 s, and the start-up
    make bench-hostile SUBJECTS=directory     also all functions of the Python files there
    python -m bench.hostile --only zoo.forks,plain --budget 3 --beside 2

The start-up is that of the same command on a trivial target, the slowest of three before and three after the others.
``--beside`` runs so many busy processes beside all of them.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.table import publish

PESSIMAL = str(Path(sys.executable).with_name("pessimal"))
TARGETS = Path(__file__).parent / "hostile_targets"
TRIVIAL = f"{TARGETS / 'trivial.py'}:trivial"
SLACK = 2.0
PATIENCE = 120.0
MARK = "PESSIMAL_BENCH_HOSTILE"

NO_INPUT_ENDS = {
    *("zoo.memory_bomb_always", "zoo.floods_stdout_always", "zoo.endless_always", "zoo.sleeps_always"),
    *("zoo.endless_in_c_always", "import_sleeps.target", "import_exits.target", "import_leaves.target"),
    *("import_floods.target", "import_forks.target", "import_burns.target", "import_swallows.target"),
    *("import_kills.target", "import_patches.target", "import_crashes.target"),
}
"""Where no command can show an input: no run of the target ends, or it cannot be imported."""

Row = dict[str, Any]


def functions(directory: Path) -> Iterator[tuple[str, str]]:
    """The name and the reference of every public function in the files of a directory."""
    for file in sorted(directory.glob("*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                yield f"{file.stem}.{node.name}", f"{file}:{node.name}"


def run(reference: str, options: Sequence[str]) -> Row:
    """One command, from its start to its exit."""
    token = f"{os.getpid()}-{time.monotonic_ns()}"
    command = [PESSIMAL, "stress", reference, "--json", "-q", *options]
    start = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, MARK: token}
    )
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
    seconds = time.monotonic() - start
    left = processes(token)
    for pid in left:
        os.kill(pid, 9)
    return {"seconds": seconds, "exit": process.returncode, **found(out), "ours": is_ours(err), "left": len(left)} | (
        {"error": err.strip().splitlines()[-1][:60]} if err.strip() else {}
    )


def found(out: str) -> Row:
    """What the command printed, briefly."""
    if not out.strip():
        return {"input": False}
    result = json.loads(out)
    return {
        "input": result["input"] is not None,
        "replayed": result["replayed"],
        "cost": result["cost"]["value"],
        "outcome": result["outcome"],
    }


def is_ours(err: str) -> bool:
    """Whether a traceback or an internal error of ours was printed."""
    return "Traceback" in err or "internal error" in err


def processes(token: str) -> list[int]:
    """The processes that a command left behind, found by a mark in their environment."""
    pids = []
    for directory in Path("/proc").glob("[0-9]*"):
        try:
            environment = (directory / "environ").read_bytes()
        except OSError:
            continue
        if f"{MARK}={token}".encode() in environment:
            pids.append(int(directory.name))
    return pids


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Other jobs that use a processor each."""
    jobs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for job in jobs:
            job.kill()
            job.wait()


def wanted(name: str, only: Sequence[str]) -> bool:
    return not only or any(name == item or name.startswith(f"{item}.") for item in only)


def judged(name: str, row: Row, limit: float) -> Row:
    """The row, with what is wrong with it."""
    faults = [
        *(["late"] if row["seconds"] > limit else []),
        *(["empty-handed"] if not row["input"] and name not in NO_INPUT_ENDS else []),
        *(["traceback"] if row.pop("ours") else []),
        *(["processes left"] if row["left"] else []),
    ]
    error = row.pop("error", None)
    return {"target": name, **row, "limit": limit, "faults": ", ".join(faults), "message": error}


def main() -> None:
    """Run all commands and publish the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--subjects", default=os.environ.get("SUBJECTS"), help="a directory of further targets")
    parser.add_argument("--only", default="", help="names of files or functions: plain,zoo.forks")
    parser.add_argument("--budget", type=float, default=5.0)
    parser.add_argument("--cost", default="lines")
    parser.add_argument("--strategy", default="auto")
    parser.add_argument("--beside", type=int, default=2)
    given = parser.parse_args()
    options = ["--size", "8", "--cost", given.cost, "--budget", f"{given.budget}s", "--strategy", given.strategy]
    directories = [TARGETS, *([Path(given.subjects)] if given.subjects else [])]
    targets = [item for directory in directories for item in functions(directory)]
    only = [item for item in given.only.split(",") if item]
    with busy(given.beside):
        starts = [run(TRIVIAL, options)["seconds"] for _ in range(3)]
        results = []
        for name, reference in targets:
            if wanted(name, only):
                results.append((name, run(reference, options)))
                print(name, results[-1][1], file=sys.stderr, flush=True)
        starts += [run(TRIVIAL, options)["seconds"] for _ in range(3)]
    limit = given.budget + SLACK + max(starts)
    rows = [judged(name, row, limit) for name, row in results]
    bad = [row for row in rows if row["faults"]]
    title = (
        f"{len(rows)} commands, {len(bad)} with faults; budget {given.budget:g} s, start-up {max(starts):.1f} s, "
        f"{given.beside} busy processes beside them, strategy {given.strategy}"
    )
    publish("hostile", title, [*bad, *(row for row in rows if not row["faults"])])


if __name__ == "__main__":
    main()
