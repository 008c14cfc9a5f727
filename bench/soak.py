"""All strategies over programs, while everything around them fails: is anything lost, does anything leak?

    make soak MINUTES=10
    make soak MINUTES=10 SUBJECTS=some/directory    every hinted function of the files there

Half of the time commands with a run directory are killed, interrupted, starved of disk space, and find their state cut
off; each is given again until it ends. A result is lost if the state cannot be resumed, if the command fails, or if the
final cost is below one that was known before. The other half of the time this process itself searches, while its
workers are killed: its descriptors and memory must not grow.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pessimal
from bench.faults import PESSIMAL, best_cost, full, kill_worker, small_disk, start
from bench.table import publish
from pessimal import registry

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
STRATEGIES = tuple(registry.STRATEGIES.names())
LIMITS = ["--size", "7", "--budget", "8s", "--stop-after", "3s", "--json", "--quiet"]
HANGS = 180.0
"""Seconds after which a command is said to hang."""

SIGNALS = {"command killed": signal.SIGKILL, "command terminated": signal.SIGTERM, "command interrupted": signal.SIGINT}
FAULTS = (*SIGNALS, "worker killed", "state cut off", "disk full")


def targets(folder: Path) -> list[str]:
    """The functions of the files in a directory whose parameters all have hints, as far as a search accepts them."""
    found: list[str] = []
    for file in sorted(folder.glob("*.py")):
        for node in ast.parse(file.read_text()).body:
            hinted = isinstance(node, ast.FunctionDef) and node.args.args and all(a.annotation for a in node.args.args)
            if isinstance(node, ast.FunctionDef) and hinted and not node.name.startswith("_"):
                found.append(f"{file}:{node.name}")
    check = ["--strategy", "fixed", *LIMITS]
    return [
        name
        for name in found
        if subprocess.run([PESSIMAL, "stress", name, *check], capture_output=True).returncode == 0
    ]


class Soak:
    """Counts what was run, which faults were injected, and what was lost."""

    def __init__(self, disk: Path, kind_of_disk: str, rng: Random) -> None:
        self._disk = disk
        self._has_small_disk = kind_of_disk == "tmpfs"
        self._rng = rng
        self.runs: Counter[str] = Counter()
        self.faults: Counter[str] = Counter(dict.fromkeys(FAULTS, 0))
        self.lost: list[str] = []
        self._number = 0

    def disturb_command(self, target: str, strategy: str) -> None:
        """Give one command again and again, with a fault each time, and then until it ends."""
        self._number += 1
        out = self._disk / f"run-{self._number}"
        command = ["stress", target, "--strategy", strategy, *LIMITS, "--out", str(out)]
        known = -inf
        for _ in range(self._rng.randrange(1, 4)):
            known = max(known, self._fault(command, out))
        result = self._ended(start(command), command)
        if result is not None and known > -inf and (result["cost"]["value"] or 0) < known:
            self._lose(command, f"{known} was known, but the result is {result['cost']['value']}")
        for file in out.glob("*"):
            file.unlink()
        self.runs["command"] += 1

    def _fault(self, command: list[str], out: Path) -> float:
        """One fault at a random moment; the best cost that was known before it."""
        kind = self._rng.choice(FAULTS)
        limited = kind == "disk full" and not self._has_small_disk
        process = start(command, limit_files=limited)
        self._pause(process)
        if process.poll() is not None and kind != "disk full":
            self._ended(process, command)
            return -inf
        known = best_cost(out)
        self.faults[kind] += 1
        if kind in SIGNALS:
            process.send_signal(SIGNALS[kind])
            text, _ = self._communicate(process, command)
            known = max(known, _printed_cost(text))
        elif kind == "worker killed":
            kill_worker(process.pid, self._rng)
            self._ended(process, command)
        elif kind == "disk full":
            self._fill_disk(process, command)
        else:
            process.kill()
            process.communicate()
            known = max(known, best_cost(out))
            self._cut_off(command, out / "state.json")
        return known

    def _fill_disk(self, process: subprocess.Popen[str], command: list[str]) -> None:
        """The disk is full until the command ends, which must show its result all the same."""
        if not self._has_small_disk:
            self._ended(process, command)
            return
        with full(self._disk):
            self._ended(process, command)

    def _cut_off(self, command: list[str], state: Path) -> None:
        """A state that ends in the middle must be refused in one line and left alone; then it is as it was again."""
        if not state.exists():
            return
        content = state.read_bytes()
        part = content[: self._rng.randrange(len(content))]
        state.write_bytes(part)
        process = start(command)
        _, errors = self._communicate(process, command)
        if process.returncode != 2 or len(errors.strip().splitlines()) != 1 or state.read_bytes() != part:
            self._lose(command, f"a state that was cut off ended with {process.returncode}: {errors}")
        state.write_bytes(content)

    def _pause(self, process: subprocess.Popen[str]) -> None:
        end = time.monotonic() + self._rng.uniform(0.2, 6.0)
        while time.monotonic() < end and process.poll() is None:
            time.sleep(0.02)

    def _communicate(self, process: subprocess.Popen[str], command: list[str]) -> tuple[str, str]:
        try:
            return process.communicate(timeout=HANGS)
        except subprocess.TimeoutExpired:
            process.kill()
            self._lose(command, "it hangs")
            return process.communicate()

    def _ended(self, process: subprocess.Popen[str], command: list[str]) -> dict[str, Any] | None:
        """The result of a command that must succeed."""
        text, errors = self._communicate(process, command)
        if process.returncode != 0 or "Traceback" in errors:
            self._lose(command, f"exit code {process.returncode}: {errors}")
            return None
        result: dict[str, Any] = json.loads(text)
        return result

    def _lose(self, command: list[str], why: str) -> None:
        self.lost.append(why)
        print(f"lost: {' '.join(command)}: {why}", file=sys.stderr, flush=True)

    def search_here(self, target: str, strategy: str) -> None:
        """A search of this process, whose workers are killed meanwhile; it must end with the best that it showed."""
        shown = [-inf]
        over = threading.Event()
        delay = self._rng.uniform(0.2, 3.0)
        killer = threading.Thread(target=self._kill_workers, args=(over, delay))
        killer.start()
        try:
            result = pessimal.stress(
                target,
                size=6,
                strategy=strategy,
                budget=6.0,
                stop_after=2.0,
                warn=lambda text: None,
                progress=lambda news: shown.append(-inf if news.best is None else news.best),
            )
            cost = result.cost["value"]
            if max(shown) > (-inf if cost is None else cost):
                self._lose([target, strategy], f"{max(shown)} was shown, but the result is {cost}")
        except Exception as error:
            self._lose([target, strategy], f"{type(error).__name__}: {error}")
        finally:
            over.set()
            killer.join()
        self.runs["search"] += 1

    def _kill_workers(self, over: threading.Event, delay: float) -> None:
        while not over.wait(delay):
            self.faults["worker killed"] += kill_worker(os.getpid(), self._rng)
            delay *= 2


def _printed_cost(text: str) -> float:
    """The cost that an interrupted command printed."""
    if not text.strip():
        return -inf
    cost = json.loads(text)["cost"]["value"]
    return -inf if cost is None else cost


def used() -> tuple[int, float]:
    """How many descriptors this process has open, and how many MiB of memory it holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return sum(1 for _ in Path("/proc/self/fd").iterdir()), pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def combinations(names: list[str], rng: Random) -> Iterator[tuple[str, str]]:
    """Targets and strategies, each combination once before any comes again."""
    while True:
        pairs = [(target, strategy) for target in names for strategy in STRATEGIES]
        rng.shuffle(pairs)
        yield from pairs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--subjects", type=Path, default=EXAMPLES)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    rng = Random(arguments.seed)
    names = targets(arguments.subjects)
    with small_disk() as (disk, kind):
        soak = Soak(disk, kind, rng)
        soak.search_here(names[0], "fixed")  # what is loaded once is not a leak
        descriptors, memory = used()
        for target, strategy in combinations(names, rng):
            (soak.disturb_command if rng.random() < 0.5 else soak.search_here)(target, strategy)
            if time.monotonic() > end:
                break
    descriptors_after, memory_after = used()
    row = {
        "minutes": arguments.minutes,
        "targets": len(names),
        "strategies": len(STRATEGIES),
        "commands": soak.runs["command"],
        "searches": soak.runs["search"],
        **soak.faults,
        "full disk by": kind,
        "results lost": len(soak.lost),
        "descriptors": f"{descriptors} then {descriptors_after}",
        "MiB": f"{memory:.0f} then {memory_after:.0f}",
    }
    publish("soak", "Searches while everything around them fails", [{"what": key, "count": row[key]} for key in row])
    sys.exit(1 if soak.lost or descriptors_after > descriptors else 0)


if __name__ == "__main__":
    main()
