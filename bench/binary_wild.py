"""Programs and libraries that others wrote, drawn from those of this system: does every command end well?

    make bench-binary-wild                                  twenty programs and twelve functions of libraries
    python -m bench.binary_wild --programs 5 --functions 3 --seed 2 --seconds 5

Programs are drawn from the directories of commands, functions from the names that libraries export and that sound like
parsers. Each is explored and covered for a few seconds with short inputs. Nothing is known of what they should do, so
what is judged is the command: one of the exit codes that are documented, no internal error, no traceback, not much
longer than its budget, and every failure that it claims happened natively, too.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from pathlib import Path

from bench.table import Row, publish
from pessimal.binary.elf import ElfFile, is_elf
from pessimal.errors import TargetError

COMMANDS = [Path("/usr/bin"), Path("/bin"), Path("/usr/sbin")]
LIBRARIES = [Path("/usr/lib/x86_64-linux-gnu"), Path("/usr/lib64"), Path("/usr/lib")]
PARSERS = ("parse", "decode", "read_mem", "from_string", "valid", "scan", "unescape", "strto", "aton")
STARTED = 15.0
"""How many seconds more than its budget a command may take on a busy machine: it starts several processes."""


def programs(count: int, rng: random.Random) -> list[str]:
    """Programs of this system."""
    found = {path.resolve() for folder in COMMANDS if folder.is_dir() for path in folder.iterdir() if path.is_file()}
    return [str(path) for path in _drawn(sorted(found), count, rng) if _elf(path) is not None]


def functions(count: int, rng: random.Random) -> list[str]:
    """Functions of libraries of this system, one of each library."""
    found: list[str] = []
    files = {path.resolve() for folder in LIBRARIES if folder.is_dir() for path in folder.glob("*.so*")}
    for path in _drawn(sorted(files), len(files), rng):
        elf = _elf(path)
        names = [] if elf is None else [item.name for item in elf.functions if _sounds(item.name)]
        if elf is not None and elf.is_library and names:
            found.append(f"{path}:{rng.choice(sorted(names))}")
        if len(found) == count:
            break
    return found


def _drawn(files: list[Path], count: int, rng: random.Random) -> list[Path]:
    binaries = [path for path in files if is_elf(path)]
    return rng.sample(binaries, min(count, len(binaries)))


def _elf(path: Path) -> ElfFile | None:
    try:
        return ElfFile.read(path)
    except TargetError:
        return None


def _sounds(name: str) -> bool:
    return any(word in name.lower() for word in PARSERS)


def judged(command: str, target: str, seconds: float) -> Row:
    """How one command on one target ended, and what is wrong with that."""
    words = ["-m", "pessimal", command, target, "--budget", f"{seconds}s", "--json", "--quiet"]
    began = time.monotonic()
    try:
        done = subprocess.run(
            [sys.executable, *words], capture_output=True, text=True, timeout=seconds + 4 * STARTED, check=False
        )
    except subprocess.TimeoutExpired:
        return {"target": target, "command": command, "wrong": "it did not end"}
    spent = time.monotonic() - began
    row: Row = {"target": target, "command": command, "exit code": done.returncode, "seconds": round(spent, 1)}
    wrong = []
    if done.returncode not in (0, 1, 2):
        wrong.append(f"exit code {done.returncode}")
    if "Traceback" in done.stderr or "internal" in done.stderr.lower():
        wrong.append("internal error")
    if spent > seconds + STARTED:
        wrong.append(f"{spent - seconds:.0f} s over its budget")
    if done.returncode == 2:
        return {**row, "says": done.stderr.strip().splitlines()[-1][:150], "wrong": "; ".join(wrong)}
    result = json.loads(done.stdout)
    witnesses = [*result.get("inputs", result.get("paths", ())), *result["failures"]]
    differing = [item["difference"] for item in witnesses if item["difference"]]
    unconfirmed = [item for item in result["failures"] if not item["replayed"] and item["outcome"] != "timed out"]
    wrong += [f"a failure that was not confirmed: {item['call'][:60]}" for item in unconfirmed[:1]]
    row |= {"runs": result.get("runs", result.get("effort", {}).get("paths")), "paths": len(witnesses)}
    row |= {"blocks": result.get("blocks"), "failures": len(result["failures"]), "differ": len(differing)}
    return {**row, "says": (differing or [""])[0][:150], "wrong": "; ".join(wrong)}


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--programs", type=int, default=20)
    options.add_argument("--functions", type=int, default=12)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seconds", type=float, default=8.0)
    given = options.parse_args()
    rng = random.Random(given.seed)
    rows = []
    for target in [*programs(given.programs, rng), *functions(given.functions, rng)]:
        for command in ("explore", "cover"):
            rows.append(judged(command, target, given.seconds))
            print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    wrong = sum(bool(row["wrong"]) for row in rows)
    publish("binary_wild", f"Binaries of others: {wrong} of {len(rows)} commands ended badly", rows)


if __name__ == "__main__":
    main()
