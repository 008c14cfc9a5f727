"""Malformed command lines, configuration, state, certificates, policies, models and examples: what happens then?

    make bench-malformed                               10,000 of them
    python -m bench.malformed --cases 500 --start 7    fewer, and others

Each must end with exit code 2 and one line, or with a valid result; there must be no traceback and no hang, and no file
that was given may change. Every hundredth is a command of its own with real workers; the others run in one process. A
fault is printed with its kind and number, by which ``--only KIND NUMBER`` repeats it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from bench.table import publish
from tests import malformed
from tests.malformed import Ended

CASES = 10_000
PROCESSES = 4
OF_ITS_OWN = 100
"""Every so many cases one is a command of its own, with workers."""
LONGEST = 60.0
"""Seconds after which a case is said to hang."""

RESUMED = (
    *("exhaustive", "sweep", "climb", "fuzz", "enumerate", "random", "wise", "history"),
    *("synthesis", "qlearn", "generational", "ranked", "auto"),
)
SMALL = ["--quiet", "--size", "3", "--paths", "20", "--budget", "5s", "--seed", "1", "--cost", "branches"]
LOADED = {
    "policy": ["--strategy", "history", "--set", "load=given"],
    "model of qlearn": ["--strategy", "qlearn", "--set", "load=given", "--set", "practice=[]"],
    "model of synthesis": ["--strategy", "synthesis", "--set", "load=given"],
    "examples": ["--strategy", "synthesis", "--set", "inputs=given"],
}


class Case(NamedTuple):
    """A command, the files that it finds, and the true maximum where it might claim another."""

    arguments: list[str]
    files: dict[str, bytes]
    maximum: int | None = None


class Samples:
    """Sound files of every kind, made once by the commands that write them."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        with tempfile.TemporaryDirectory() as folder, malformed.working_in(Path(folder)), malformed.without_workers():
            Path("sort.py").write_text(malformed.TARGET)
            for strategy in RESUMED:
                self.files[f"state of {strategy}"] = _state(strategy)
            _must("--strategy", "exhaustive", "--certificate", "proof")
            _must("--strategy", "history", "--set", "save=policy")
            _must("--strategy", "qlearn", "--set", "save=qlearn", "--set", "practice=[]", "--paths", "5")
            _must("--strategy", "synthesis", "--size", "12", "--set", "save=synthesis")
            examples = [{"size": n, "input": {"xs": list(range(n, 0, -1))}} for n in range(2, 8)]
            Path("examples").write_text(json.dumps(examples))
            names = {"certificate": "proof", "policy": "policy", "examples": "examples"}
            names |= {"model of qlearn": "qlearn", "model of synthesis": "synthesis"}
            self.files |= {kind: Path(name).read_bytes() for kind, name in names.items()}

    def case(self, kind: str, number: int) -> Case:
        """The case of a kind with a number."""
        rng = Random(f"{kind} {number}")
        if kind == "command line":
            return Case(malformed.command_line(rng), {"proof": self.files["certificate"]})
        if kind == "configuration":
            return Case(["stress", "sort.py:sort", *SMALL], {"pyproject.toml": malformed.configuration(rng)})
        if kind == "state":
            strategy = rng.choice(RESUMED)
            content = malformed.damaged_file(rng, self.files[f"state of {strategy}"])
            return Case(_search(strategy), {"out/state.json": content})
        content = malformed.damaged_file(rng, self.files[kind])
        if kind == "certificate":
            check = ["check", "sort.py:sort", "given", "--size", "3", "--cost", "branches", "--json"]
            return Case(check, {"given": content}, 3)
        return Case(["stress", "sort.py:sort", *SMALL, *LOADED[kind]], {"given": content})


KINDS = ("command line", "configuration", "state", "certificate", *LOADED)


def _must(*options: str) -> None:
    ended = malformed.run(["stress", "sort.py:sort", *SMALL, "--budget", "10m", "--paths", "100000", *options])
    assert ended.code == 0, ended


def _search(strategy: str) -> list[str]:
    return ["stress", "sort.py:sort", *SMALL, "--strategy", strategy, "--out", "out"]


def _state(strategy: str) -> bytes:
    """The state of a search at its first snapshot."""
    from pessimal.store import Store

    kept: list[bytes] = []
    save = Store.save_state

    def keep(store: Store, identity: dict[str, Any], state: dict[str, Any]) -> None:
        save(store, identity, state)
        kept.append(Path("out/state.json").read_bytes())

    Store.save_state = keep  # type: ignore[method-assign]
    try:
        malformed.run(_search(strategy))
    finally:
        Store.save_state = save  # type: ignore[method-assign]
    return kept[-1]


def fault(case: Case, of_its_own: bool) -> tuple[str, int]:
    """What is wrong with how a case ended, and its exit code."""
    with tempfile.TemporaryDirectory() as folder, malformed.working_in(Path(folder)):
        for name, content in {"sort.py": malformed.TARGET.encode(), **case.files}.items():
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_bytes(content)
        before = _hashes()
        ended = _as_command(case.arguments) if of_its_own else malformed.run(case.arguments)
        return ended.fault() or _changed(before, ended) or _lie(case, ended), ended.code


def _as_command(arguments: list[str]) -> Ended:
    command = [sys.executable, "-m", "bench.malformed", "--command", *(_without_nul(word) for word in arguments)]
    path = str(Path(__file__).resolve().parent.parent)
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            timeout=LONGEST,
            check=False,
            env={"PYTHONPATH": path, "PATH": "/usr/bin:/bin"},
        )
    except subprocess.TimeoutExpired:
        return Ended(2, "", "", "it hangs")
    return Ended(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def _without_nul(word: str) -> str:
    return word.replace("\0", "?").encode(errors="replace").decode()


def _hashes() -> dict[str, str]:
    files = (path for path in Path().rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _changed(before: dict[str, str], ended: Ended) -> str:
    """A file that was there and is not any more as it was; a resumed search that ends well removes its state."""
    after = _hashes()
    for name, content in before.items():
        if after.get(name) != content and not (name == "out/state.json" and ended.code == 0):
            return f"{name} was changed"
    return ""


def _lie(case: Case, ended: Ended) -> str:
    if case.maximum is None or ended.code != 0:
        return ""
    claimed = json.loads(ended.out)
    return f"a false claim holds: {ended.out}" if claimed["holds"] and claimed["maximum"] != case.maximum else ""


def _serve(connection: Connection, samples: Samples) -> None:
    """Run cases until there are no more; the answer to each says what was wrong."""
    with malformed.without_workers(), suppress(EOFError):
        while True:
            kind, number = connection.recv()
            alone = number % OF_ITS_OWN == OF_ITS_OWN - 1
            connection.send(fault(samples.case(kind, number), alone))


class Server:
    """A process that runs cases, and is replaced when one hangs."""

    def __init__(self, samples: Samples) -> None:
        self._samples = samples
        self._start()

    def _start(self) -> None:
        self._line, far_end = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self._process = context.Process(target=_serve, args=(far_end, self._samples), daemon=True)
        self._process.start()
        far_end.close()

    def run(self, kind: str, number: int) -> tuple[str, int]:
        """What is wrong with how a case ends, and its exit code."""
        self._line.send((kind, number))
        try:
            if self._line.poll(2 * LONGEST):
                answer: tuple[str, int] = self._line.recv()
                return answer
            reason = "it hangs"
        except EOFError:
            reason = "it ended the process"
        self._process.kill()
        self._start()
        return reason, -1


def measure(kind: str, count: int, start: int, samples: Samples) -> tuple[dict[str, Any], list[str]]:
    """The row of one kind, and its faults."""
    server, began = Server(samples), time.monotonic()
    codes: Counter[int] = Counter()
    faults: list[str] = []
    for number in range(start, start + count):
        wrong, code = server.run(kind, number)
        codes[code] += 1
        if wrong:
            faults.append(f"{kind} {number}: {wrong}")
    counts = {f"exit {code}": codes[code] for code in (0, 1, 2)}
    row = {"kind": kind, "cases": count, **counts, "faults": len(faults), "seconds": time.monotonic() - began}
    return row, faults


def measured(cases: int, start: int) -> list[tuple[dict[str, Any], list[str]]]:
    """Each kind; the first four have twice as many cases as the others."""
    samples = Samples()
    share = -(-cases // (len(KINDS) + 4))
    counts = [share * (2 if kind in KINDS[:4] else 1) for kind in KINDS]
    with ThreadPoolExecutor(PROCESSES) as executor:
        return list(executor.map(lambda kind, count: measure(kind, count, start, samples), KINDS, counts))


def main() -> None:
    if sys.argv[1:2] == ["--command"]:
        from pessimal.cli import main as command

        return command(sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--only", nargs=2, metavar=("KIND", "NUMBER"))
    arguments = parser.parse_args()
    if arguments.only:
        case = Samples().case(arguments.only[0], int(arguments.only[1]))
        print(case, *fault(case, of_its_own=True), sep="\n")
        return None
    both = measured(arguments.cases, arguments.start)
    found = [row for row, _ in both]
    print(*(line for _, faults in both for line in faults), sep="\n")
    total = {key: sum(row[key] for row in found) for key in found[0] if key != "kind"}
    publish("malformed", "Malformed commands and files: how they end", [*found, {"kind": "all", **total}])
    sys.exit(1 if total["faults"] else 0)


if __name__ == "__main__":
    main()
