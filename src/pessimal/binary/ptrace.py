"""Leading a program to its beginning: a breakpoint, the registers there, and no more of what a debugger does."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from pathlib import Path

from pessimal.errors import TargetError

_CONTINUE, _GET_REGISTERS, _SET_REGISTERS = 7, 12, 13
_NAMES = (
    *("r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8", "rax", "rcx", "rdx", "rsi", "rdi"),
    *("orig_rax", "rip", "cs", "eflags", "rsp", "ss", "fs_base", "gs_base", "ds", "es", "fs", "gs"),
)
_BREAKPOINT = b"\xcc"
_AT_ENTRY = 9


class Traced:
    """A process that this one traces, and that is stopped."""

    def __init__(self, pid: int, name: str, seconds: float) -> None:
        self._pid = pid
        self._name = name
        self._ends_at = time.monotonic() + seconds
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
        self._wait("before it began")

    def registers(self) -> dict[str, int]:
        """All general registers."""
        values = (ctypes.c_uint64 * len(_NAMES))()
        self._libc.ptrace(_GET_REGISTERS, self._pid, None, values)
        return dict(zip(_NAMES, values, strict=True))

    def entry(self) -> int:
        """Where the program's own code begins, after the dynamic linker."""
        data = Path(f"/proc/{self._pid}/auxv").read_bytes()
        words = [int.from_bytes(data[at : at + 8], "little") for at in range(0, len(data), 8)]
        return dict(zip(words[::2], words[1::2], strict=True))[_AT_ENTRY]

    def read(self, address: int, size: int) -> bytes:
        """What its memory holds."""
        with Path(f"/proc/{self._pid}/mem").open("rb", buffering=0) as memory:
            memory.seek(address)
            return memory.read(size)

    def run_to(self, address: int) -> None:
        """Continue until an address is reached."""
        with Path(f"/proc/{self._pid}/mem").open("r+b", buffering=0) as memory:
            memory.seek(address)
            original = memory.read(1)
            memory.seek(address)
            memory.write(_BREAKPOINT)
            self._libc.ptrace(_CONTINUE, self._pid, None, None)
            self._wait("before its main function began")
            memory.seek(address)
            memory.write(original)
        registers = self.registers()
        registers["rip"] = address
        values = (ctypes.c_uint64 * len(_NAMES))(*registers.values())
        self._libc.ptrace(_SET_REGISTERS, self._pid, None, values)

    def _wait(self, when: str) -> None:
        while True:
            found, status = os.waitpid(self._pid, os.WNOHANG)
            if found:
                break
            if time.monotonic() > self._ends_at:
                raise TargetError(f"{self._name} did not get to its main function in time: it hangs {when}")
            time.sleep(0.0005)
        if os.WIFSTOPPED(status) and os.WSTOPSIG(status) == signal.SIGTRAP:
            return
        if os.WIFSTOPPED(status):
            how = f"gets {signal.Signals(os.WSTOPSIG(status)).name}"
        else:
            how = f"ends with {os.waitstatus_to_exitcode(status)}"
        raise TargetError(f"{self._name} {how} {when}: run it by hand to see why")
