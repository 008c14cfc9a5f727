"""Processes of the tools of bench-cover: each in a group of its own, killed as a whole when its time is over.

They call functions with random arguments, some of which remove files. So they can write to their own folder only, where
the system has Landlock; elsewhere they are not run.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic

from bench.peers import environment
from pessimal.pool import confinement, landlock


@dataclass(frozen=True)
class Ended:
    """What a process printed, how it ended (None if it was killed) and after how many seconds."""

    out: str
    errors: str
    code: int | None
    seconds: float

    @property
    def complaint(self) -> str:
        """The last thing it said, for the table."""
        return "killed" if self.code is None else (self.errors or self.out).strip()[-200:] or f"exit code {self.code}"


def run(
    command: Sequence[str],
    seconds: float,
    folder: Path,
    variables: Mapping[str, str],
    *,
    writable: Sequence[Path] = (),
    confined: bool = True,
) -> Ended:
    """Run a command in a folder for so long at most; it can write there and to what else is writable."""
    start = monotonic()
    with (folder / "out.txt").open("w+") as out, (folder / "errors.txt").open("w+") as errors:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(folder), **variables},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=errors,
            start_new_session=True,
            preexec_fn=partial(_confine, [folder, *writable]) if confined else None,
        )
        code: int | None
        try:
            code = process.wait(timeout=max(0.0, seconds))
        except subprocess.TimeoutExpired:
            code = None
        finally:
            _kill(process)
        taken = monotonic() - start
        out.seek(0)
        errors.seek(0)
        return Ended(out.read(), errors.read(), code, taken)


def _confine(writable: Sequence[Path]) -> None:
    """Let this process, which is about to become the tool, and all that it starts write nowhere else."""
    confinement.forbid_privileges()
    landlock.restrict([Path(os.devnull), *writable], executable=True)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def sites(name: str) -> Path:
    """Where the packages of an environment are."""
    return next(Path(environment(name)).parent.parent.glob("lib/python*/site-packages"))


def python_with_subjects(name: str) -> str:
    """The Python of a tool's environment, which finds the subjects behind its own packages."""
    python = environment(name)
    (sites(name) / "subjects.pth").write_text(f"{sites('cover')}\n")
    return python


def log(text: str) -> None:
    """Tell whoever watches."""
    print(text, file=sys.stderr, flush=True)
