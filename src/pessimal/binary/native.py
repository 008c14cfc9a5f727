"""Native runs: the real target on the real processor, in a process of its own for each, under limits."""

from __future__ import annotations

import os
import signal
import tempfile
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pessimal.binary.elf import ElfFile
from pessimal.binary.processes import PLAIN, Confinement, Host
from pessimal.binary.sanitizer import summary

MEMORY_SHARE = 0.8
"""A run that has used so much of the memory that it may have has run out of it, whatever it did then."""


@dataclass(frozen=True, slots=True)
class NativeEnd:
    """How a native run ended: what it returned or its exit code, a signal, or not in time."""

    returned: str | None = None
    signal: str | None = None
    timed_out: bool = False
    report: str | None = None
    """What a sanitizer has found."""


class NativeRuns:
    """A server that forks a process for each run; started when it is first needed."""

    def __init__(
        self, elf: ElfFile, function: str, words: Sequence[str], memory: int, confinement: Confinement
    ) -> None:
        path = str(elf.path.absolute())
        self._order: dict[str, Any] = {
            "path": path,
            "function": function,
            "arguments": [path, *words],
            "environment": PLAIN,
            "memory": None if elf.is_sanitized else memory,  # sanitizers need addresses without end
            "reports": elf.is_sanitized,
        }
        self._confinement = confinement
        self._host: Host | None = None

    def run(self, data: Sequence[Any], stdin: str, seconds: float) -> NativeEnd:
        """One run: of a function on arguments, or of a program on a file as its standard input."""
        host = self._started()
        host.send(data=list(data), stdin=stdin, seconds=seconds)
        found = host.receive()
        if found is None:  # the server itself was killed: a new one is started for the next run
            self._host = None
            return NativeEnd(signal="SIGKILL")
        limit = self._order["memory"]
        if limit is not None and found["memory"] > MEMORY_SHARE * limit:
            return NativeEnd(signal="SIGKILL", report=f"it uses more than {limit >> 20} MiB of memory")
        return _end(found["status"], found["value"], found["printed"])

    def _started(self) -> Host:
        if self._host is None:
            self._host = Host("serve", self._confinement, PLAIN, **self._order)
            self._host.receive()
            weakref.finalize(self, self._host.close)
        return self._host


def _end(status: int | None, value: str, printed: str) -> NativeEnd:
    if status is None:
        return NativeEnd(timed_out=True)
    if os.WIFSIGNALED(status):
        return NativeEnd(signal=signal.Signals(os.WTERMSIG(status)).name, report=summary(printed.encode()))
    return NativeEnd(returned=value or f"exit {os.WEXITSTATUS(status)}")


class InputFile:
    """A file of this process alone, which holds the input of the run in progress."""

    def __init__(self) -> None:
        descriptor, self.path = tempfile.mkstemp(prefix="pessimal-input-")
        self._descriptor = descriptor
        weakref.finalize(self, _remove, self.path)

    def write(self, content: bytes) -> str:
        """Put an input into it; its path."""
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, content, 0)
        return self.path


def _remove(path: str) -> None:
    with suppress(OSError):
        Path(path).unlink()
