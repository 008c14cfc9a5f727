"""Which everyday code can be explored: functions with a common outcome 0 and a rare outcome 1, beside CrossHair.

    make bench-breadth                                     all functions and both tools, an hour and more
    python -m bench.breadth --ours-only --only i_arith     one function, nothing is saved
    python -m bench.breadth --file some/other.py           any file of functions that return 0 or 1

An outcome is reached when a native run of an input that the tool found returns it. Each function is explored by each
tool in a process of its own, until both outcomes are reached, no path is left, or 600 paths or 20 seconds are spent.
Ours is ``pessimal.explore`` without a size, CrossHair's is described in :mod:`bench.breadth_peer`. Seconds are those of
the search alone, imports and the final replay left out: wall seconds for ours, CPU seconds for CrossHair, as each
counts its own limit.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

from bench.peers import ROOT, environment
from bench.table import WIDTH, publish, table

SUBJECTS = ROOT / "bench" / "subjects"
FILES = (SUBJECTS / "basics.py", *sorted((SUBJECTS / "library").glob("[a-z]*.py")))
PATHS = 600
SECONDS = 20.0
HARD_SECONDS = 180.0
"""After this a process is killed, whatever it is doing; replays and imports have their time in it."""

OUTCOMES = {"0", "1"}
Answer = dict[str, Any]


class Subject(NamedTuple):
    """A function to explore."""

    file: Path
    name: str


class UntilBoth:
    """Another strategy, ended as soon as native runs of its inputs have returned both outcomes."""

    name = "until both"

    def __init__(self, strategy: str) -> None:
        self.strategy = strategy

    def search(self, session: Any) -> None:
        """Let the strategy search, and watch what its inputs return."""
        from pessimal.registry import STRATEGIES

        STRATEGIES.make(self.strategy, {}).search(Watched(session))


class Watched:
    """A session that runs each new input natively as well, which costs little beside the symbolic run."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._returned: set[str | None] = set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    def run(self, *arguments: Any, **options: Any) -> Any:
        """One symbolic run and a native one; ends the search when nothing more is wanted."""
        from pessimal.strategy import SearchOver
        from pessimal.trace import Outcome

        trace = self._session.run(*arguments, **options)
        if trace.outcome is Outcome.RETURNED:
            # A session has no native runs to offer to strategies, hence the way around it.
            self._returned.add(self._session._front_end.native(trace.leaves, SECONDS).returned)
        if self._returned >= {"0", "1"}:
            raise SearchOver("both outcomes")
        return trace


def explore(subject: Subject, strategy: str) -> Answer:
    """What our engine reaches, in this process and its workers."""
    import pessimal

    result = pessimal.explore(
        f"{subject.file}:{subject.name}",
        strategy=UntilBoth(strategy),
        paths=PATHS,
        budget=SECONDS,
        warn=lambda text: None,
    )
    returned = {witness.returned for witness in result.paths if witness.replayed}
    return {
        "both": returned >= OUTCOMES,
        "seconds": result.effort.seconds,
        "paths": len(result.paths),
        "concretisations": result.effort.concretisations,
        "stopped": "exhausted" if result.exhausted else result.effort.stopped,
    }


def ours(subject: Subject, strategy: str) -> Answer:
    """What our engine reaches, in a process of its own."""
    return answer([sys.executable, "-m", "bench.breadth", "--one", *map(str, subject), "--strategy", strategy])


def theirs(subject: Subject) -> Answer:
    """What CrossHair reaches, in its own environment."""
    limits = ["--paths", str(PATHS), "--seconds", str(SECONDS)]
    return answer([environment("crosshair"), "-m", "bench.breadth_peer", *map(str, subject), *limits])


def answer(command: Sequence[str], seconds: float = HARD_SECONDS) -> Answer:
    """The JSON that a process prints last; a process that fails or must be killed reached nothing that counts."""
    # With a group of its own, workers of the process die with it.
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return {"both": False, "seconds": seconds, "stopped": "killed"}
    return read(out) or {"both": False, "stopped": last_line(err) or f"ended with {process.returncode}"}


def read(out: str) -> Answer | None:
    """The answer on the last line that a process printed."""
    try:
        found = json.loads(last_line(out))
    except ValueError:
        return None
    return found if isinstance(found, dict) and "both" in found else None


def last_line(text: str) -> str:
    """The last line with anything on it."""
    return next((line for line in reversed(text.splitlines()) if line.strip()), "")


def names(source: str) -> list[str]:
    """The functions to explore: the keys of a table WITNESSES if there is one, else every public function."""
    body = ast.parse(source).body
    for statement in body:
        if isinstance(statement, ast.AnnAssign | ast.Assign) and isinstance(statement.value, ast.Dict):
            target = statement.target if isinstance(statement, ast.AnnAssign) else statement.targets[0]
            if isinstance(target, ast.Name) and target.id == "WITNESSES":
                return [ast.literal_eval(key) for key in statement.value.keys if key is not None]
    return [item.name for item in body if isinstance(item, ast.FunctionDef) and not item.name.startswith("_")]


def subjects(files: Iterable[Path], only: Sequence[str]) -> list[Subject]:
    """All functions of the files, or those of the given names."""
    found = [Subject(file, name) for file in files for name in names(file.read_text())]
    return [subject for subject in found if not only or subject.name in only]


def row(subject: Subject, own: Answer, peer: Answer | None) -> dict[str, Any]:
    """One line of the table."""
    compared = {}
    if peer is not None:
        compared = {f"crosshair_{key}": peer.get(key) for key in ("both", "seconds", "paths")}
        compared["crosshair_error"] = peer.get("stopped")
    kept = {key: own.get(key) for key in ("both", "seconds", "paths", "concretisations")}
    reason = None if own["both"] else own.get("stopped")
    return {"file": subject.file.stem, "function": subject.name, **kept, **compared, "missed": reason}


def totals(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """One line for each file and one for all: of how many functions each tool reached both outcomes."""
    files = list(dict.fromkeys(item["file"] for item in rows))
    groups = {file: [item for item in rows if item["file"] == file] for file in files}
    if len(files) > 1:
        groups["all"] = list(rows)
    return [{"file": file, "function": f"total of {len(group)}", **total(group)} for file, group in groups.items()]


def total(group: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The sums over the columns that can be summed."""
    summed = ("both", "seconds", "paths", "concretisations", "crosshair_both", "crosshair_seconds", "crosshair_paths")
    return {key: sum(item[key] or 0 for item in group) for key in summed if key in group[0]}


def compare(chosen: Sequence[Subject], jobs: int, strategy: str, ours_only: bool) -> list[dict[str, Any]]:
    """Explore every function with each tool, a few processes at a time."""
    with ThreadPoolExecutor(jobs) as pool:
        started = [
            (subject, pool.submit(ours, subject, strategy), None if ours_only else pool.submit(theirs, subject))
            for subject in chosen
        ]
        rows = []
        for subject, mine, other in started:
            rows.append(row(subject, mine.result(), None if other is None else other.result()))
            print(f"{subject.file.stem} {subject.name}: {'both' if rows[-1]['both'] else 'missed'}", file=sys.stderr)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--one", nargs=2, metavar=("FILE", "NAME"), help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, action="append", help="explore this file's functions; may be repeated")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="explore this function only")
    parser.add_argument("--ours-only", action="store_true", help="without CrossHair")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--strategy", default="sweep")
    arguments = parser.parse_args()
    if arguments.one:
        # The sandbox silences stdout for the target's sake; the answer goes out by the descriptor.
        found = json.dumps(explore(Subject(Path(arguments.one[0]), arguments.one[1]), arguments.strategy))
        with open(1, "w", closefd=False) as out:
            out.write(found)
        return
    if not arguments.ours_only:
        environment("crosshair")
    files = [file.resolve() for file in arguments.file or FILES]
    chosen = subjects(files, arguments.only)
    rows = compare(chosen, arguments.jobs, arguments.strategy, arguments.ours_only)
    report(rows, arguments)


def report(rows: Sequence[dict[str, Any]], arguments: argparse.Namespace) -> None:
    """Print the table; save it when it is a whole comparison and not a look at a part."""
    title = "Both outcomes of everyday functions: pessimal beside CrossHair"
    everything = [*rows, *totals(rows)]
    if arguments.only or arguments.ours_only:
        Console(width=WIDTH).print(table(title, everything))
    else:
        publish("breadth" if not arguments.file else f"breadth-{arguments.file[0].stem}", title, everything)


if __name__ == "__main__":
    main()
