"""Faults from outside: commands and their workers are killed, the disk is full, the state is cut off."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from random import Random
from typing import Any

PESSIMAL = str(Path(sys.executable).with_name("pessimal"))
DISK = 4 << 20
"""Bytes of the small disk."""


def start(arguments: list[str], limit_files: bool = False) -> subprocess.Popen[str]:
    """A command with pipes that an interrupt reaches; ``limit_files`` lets it write small files only."""

    def prepare() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if limit_files:
            resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([PESSIMAL, *arguments], preexec_fn=prepare, **pipes)


def workers(parent: int) -> list[int]:
    """The worker processes of a process, those that keep them, and the server that they are forked from."""
    with suppress(OSError):
        children = [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
        return [pid for child in children for pid in (child, *workers(child))]
    return []


def kill_worker(parent: int, rng: Random) -> bool:
    """Kill a worker of a process, its keeper or their server, if there is one now."""
    running = workers(parent)
    with suppress(ProcessLookupError):
        if running:
            os.kill(rng.choice(running), signal.SIGKILL)
            return True
    return False


def state_of(out: Path, name: str = "state.json") -> dict[str, Any]:
    """The state that a command kept; nothing if there is none."""
    try:
        state: dict[str, Any] = json.loads((out / name).read_text())
    except FileNotFoundError:
        return {}
    return state


def best_cost(out: Path) -> float:
    """The cost of the best input that a command kept, in its state or beside it."""
    snapshots = [lane["snapshot"] for lane in state_of(out).get("lanes", ()) if lane["snapshot"]]
    kept = [*(snapshot["best"] for snapshot in snapshots), state_of(out, "best.json").get("best")]
    return max((best["cost"] for best in kept if best is not None and best["cost"] is not None), default=-inf)


@contextmanager
def small_disk() -> Iterator[tuple[Path, str]]:
    """A directory on a small disk, and how that is filled; an ordinary directory where no disk can be mounted."""
    folder = Path(tempfile.mkdtemp())
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(folder)]
    mounted = shutil.which("mount") is not None and subprocess.run(mount, capture_output=True).returncode == 0
    try:
        yield folder, "tmpfs" if mounted else "RLIMIT_FSIZE"
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], check=True)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def full(disk: Path) -> Iterator[None]:
    """Fill a small disk for a while."""
    filler = disk / "filler"
    try:
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 4096)
        yield
    finally:
        filler.unlink(missing_ok=True)
