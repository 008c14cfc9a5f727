"""Starting the small host program, which loads or runs a target in a process of its own."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pessimal.binary.sanitizer import EMULATED_OPTIONS, OPTIONS
from pessimal.pool import landlock, seccomp

_HOST = Path(__file__).with_name("host.py")
SELF = 0x3FFFFFF1
"""No process has this number."""
_NO_RANDOM_ADDRESSES = 0x0040000
_FEATURES = (
    *("AVX2", "AVX", "AVX_Fast_Unaligned_Load", "AVX512F", "AVX512VL", "BMI1", "BMI2", "SSE4_2", "SSE4_1", "SSSE3"),
    *("ERMS", "FSRM", "LZCNT", "MOVBE", "FMA", "FMA4", "XSAVEC", "XSAVE", "RTM"),
)
PLAIN = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=" + ",".join(f"-{name}" for name in _FEATURES),
    **OPTIONS,
}
"""The environment of a target. The C library chooses functions that need nothing newer than SSE2, which is what the
emulator knows best; natively too, since what ``memcmp`` returns differs from one choice to another."""
EMULATED = {**PLAIN, "LD_BIND_NOW": "1", **EMULATED_OPTIONS}
"""The environment of a process whose code will be emulated: all symbols are bound before."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """What a target's own processes may change: nothing, unless side effects are allowed."""

    allow_side_effects: bool

    def ruleset(self) -> int | None:
        """A descriptor of a Landlock ruleset for the host; None where nothing is to be or can be confined."""
        if self.allow_side_effects or landlock.version() == 0:
            return None
        return landlock.make_ruleset([Path(os.devnull)], executable=True)

    def calls(self, may_start: bool) -> list[list[int]] | None:
        """A filter of system calls, in which SELF stands for the process that it is put on; None as above."""
        if self.allow_side_effects or not seccomp.is_available():
            return None
        without_landlock = landlock.version() == 0
        return [list(item) for item in seccomp.program(SELF, without_landlock, may_start=may_start)]


class Host:
    """The host program in a process of its own, with the order that it was given."""

    def __init__(self, mode: str, confinement: Confinement, variables: dict[str, str], **order: Any) -> None:
        ruleset = confinement.ruleset()
        before = _libc().personality(0xFFFFFFFF)
        _libc().personality(before | _NO_RANDOM_ADDRESSES)  # inherited: the same addresses in every run
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-s", "-S", "-P", str(_HOST)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**variables, "PYTHONHASHSEED": "0"},  # so that its memory is the same each time
                pass_fds=() if ruleset is None else (ruleset,),
            )
        finally:
            _libc().personality(before)
            if ruleset is not None:
                os.close(ruleset)
        calls = confinement.calls(may_start=not order.get("function"))
        self.send(mode=mode, ruleset=ruleset, calls=calls, own=SELF, **order)

    def send(self, **values: Any) -> None:
        """Give it an order; one that is gone hears nothing."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(values).encode() + b"\n")
            self.process.stdin.flush()

    def receive(self) -> dict[str, Any] | None:
        """Its next answer; None if it is gone."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return dict(json.loads(line)) if line.endswith(b"\n") else None

    def close(self) -> None:
        """End it."""
        self.process.kill()
        with suppress(ChildProcessError):
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()


def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)
