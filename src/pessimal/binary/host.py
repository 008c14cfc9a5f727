"""A small program in a process of its own: it loads a target for others to look at, or runs it natively on inputs.

It imports nothing of Pessimal, so that it starts quickly and the target finds little beside itself. The order comes as
one line of JSON on standard input; the answers go to standard output, one line of JSON for each.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import struct
import sys
import time
from contextlib import suppress
from typing import Any

_ARCH_PRCTL, _SECCOMP, _LANDLOCK_RESTRICT, _GET_FS = 158, 317, 446, 0x1003
_DIE_WITH_PARENT, _NO_NEW_PRIVILEGES, _TRACE_ME = 1, 38, 0
PAGE, _PRIVATE_ANONYMOUS = 4096, 0x22
MOST_ARGUMENTS = 6
"""A function that takes more than it is given finds zeros, as in the emulator, and not what was left in registers."""
MOST_WAITED = 2
MOST_PRINTED, _MOST_SHOWN = 16 << 20, 1 << 16
_libc = ctypes.CDLL(None, use_errno=True)


def answer(**values: Any) -> None:
    """Tell the other process something."""
    os.write(OUTPUT, json.dumps(values).encode() + b"\n")


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def confine(order: dict[str, Any]) -> None:
    """Give up rights for good: to files, and to system calls that change something outside of this process."""
    confine_files(order)
    if order["calls"] is None:
        return
    own = {order["own"]: os.getpid(), -order["own"] & 0xFFFFFFFF: -os.getpid() & 0xFFFFFFFF}
    code = b"".join(struct.pack("HBBI", *item[:3], own.get(item[3], item[3])) for item in order["calls"])
    if _libc.syscall(_SECCOMP, 1, 0, ctypes.byref(_Filter(len(code) // 8, code))) != 0:
        os._exit(126)


def confine_files(order: dict[str, Any]) -> None:
    """Give up rights to files, as the ruleset says that the other process made."""
    _libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if order["ruleset"] is not None:
        _libc.syscall(_LANDLOCK_RESTRICT, order["ruleset"], 0)


def limit(order: dict[str, Any]) -> None:
    """Limit what one run may use: memory, processor time, and no core files."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if order["memory"] is not None:
        resource.setrlimit(resource.RLIMIT_AS, (order["memory"], order["memory"]))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_PRINTED, MOST_PRINTED))


def load_library(order: dict[str, Any]) -> Any:
    """The function of a library; ends the process if it cannot be loaded."""
    try:
        library = ctypes.CDLL(order["path"])
        return library, ctypes.cast(library[order["function"]], ctypes.c_void_p).value
    except (OSError, AttributeError) as error:
        answer(error=str(error))
        os._exit(1)


def show_library(order: dict[str, Any]) -> None:
    """Load a library, say where its function is, and stop for good."""
    confine(order)
    _, address = load_library(order)
    base = ctypes.c_uint64()
    _libc.syscall(_ARCH_PRCTL, _GET_FS, ctypes.byref(base))
    answer(address=address, fs_base=base.value)
    os.kill(os.getpid(), signal.SIGSTOP)


def show_program(order: dict[str, Any]) -> None:
    """Become a program that is traced, and stops when it begins."""
    silence()
    _libc.ptrace(_TRACE_ME, 0, None, None)
    confine(order)
    start(order)


def start(order: dict[str, Any]) -> None:
    """Replace this process by the program."""
    try:
        os.execve(order["path"], order["arguments"], order["environment"])
    except OSError as error:
        answer(error=error.strerror)
    os._exit(127)


def silence() -> None:
    """Let what the target prints go nowhere."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)


def call(function: int, data: list[Any]) -> str:
    """Call a function on integers and buffers; what it returns, as an int unless it is a pointer."""
    given = [item if isinstance(item, int) else place(bytes.fromhex(item)) for item in data]
    arguments = [ctypes.c_int64(item) for item in (given + [0] * MOST_ARGUMENTS)[:MOST_ARGUMENTS]]
    value = int(ctypes.CFUNCTYPE(ctypes.c_uint64)(function)(*arguments))
    return "a pointer" if is_mapped(value) else str(ctypes.c_int32(value & 0xFFFFFFFF).value)


def is_mapped(address: int) -> bool:
    """Whether there is memory at an address."""
    with open("/proc/self/maps") as lines:  # noqa: PTH123
        bounds = [line.split(maxsplit=1)[0].split("-") for line in lines]
    return any(int(start, 16) <= address < int(end, 16) for start, end in bounds)


def place(content: bytes) -> int:
    """The address of a buffer, behind which memory cannot be touched."""
    size = (len(content) + PAGE - 1) // PAGE * PAGE or PAGE
    _libc.mmap.restype = ctypes.c_void_p
    start = _libc.mmap(None, ctypes.c_size_t(size + PAGE), 3, _PRIVATE_ANONYMOUS, -1, ctypes.c_size_t(0))
    _libc.mprotect(ctypes.c_void_p(start + size), ctypes.c_size_t(PAGE), 0)
    address = int(start) + size - len(content)
    ctypes.memmove(address, content, len(content))
    return address


def run_child(
    order: dict[str, Any], function: int | None, run: dict[str, Any], result: int, printed: int | None
) -> None:
    """One run, in a process of its own group."""
    os.setsid()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    source = os.open(run["stdin"], os.O_RDONLY)
    silence()
    os.dup2(source, 0)
    if printed is not None:
        os.dup2(printed, 2)
    limit(order)
    confine(order)
    if function is None:
        start(order)
        return
    value = call(function, run["data"])
    os.write(result, value.encode())
    os._exit(0)


def wait(pid: int, seconds: float) -> tuple[int | None, int]:
    """How a process ended, None if it did not within the time; and the most memory that it has used.

    Time in which it had no core is not counted, but no run gets more than three times its time.
    """
    began = time.monotonic()
    pause = 0.0002
    while True:
        found, status, usage = os.wait4(pid, os.WNOHANG)
        if found:
            return status, usage.ru_maxrss << 10
        spent = time.monotonic() - began
        if spent > seconds and spent - min(waited(pid), MOST_WAITED * seconds) > seconds:
            return None, 0
        time.sleep(pause)
        pause = min(pause * 1.5, 0.02)


def waited(pid: int) -> float:
    """How many seconds a process has waited for a core."""
    with suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/schedstat") as file:  # noqa: PTH123
        return int(file.read().split()[1]) * 1e-9
    return 0.0


def end_group(pid: int) -> None:
    """End a process and all that it started."""
    with suppress(OSError):
        os.killpg(pid, signal.SIGKILL)


def shown(printed: int | None) -> str:
    """What a target has printed, if that was kept."""
    if printed is None:
        return ""
    content = os.pread(printed, _MOST_SHOWN, 0)
    os.close(printed)
    return content.decode("utf-8", "replace")


def serve(order: dict[str, Any]) -> None:
    """Run the target once for each order that comes, each time in a new process."""
    function = None
    if order["function"]:
        confine_files(order)
        function = load_library(order)[1]
    answer(ready=True)
    for line in sys.stdin:
        run = json.loads(line)
        reading, writing = os.pipe()
        printed = os.memfd_create("printed") if order["reports"] else None
        pid = os.fork()
        if pid == 0:
            os.close(reading)
            run_child(order, function, run, writing, printed)
        os.close(writing)
        status, memory = wait(pid, run["seconds"])
        end_group(pid)
        if status is None:
            os.waitpid(pid, 0)
        is_there = select.select([reading], [], [], 0)[0]
        value = os.read(reading, 100).decode() if is_there else ""
        os.close(reading)
        answer(status=status, value=value, printed=shown(printed), memory=memory)


OUTPUT = 1

if __name__ == "__main__":
    OUTPUT = os.dup(1)
    os.set_inheritable(OUTPUT, False)
    _libc.prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    given = json.loads(sys.stdin.readline())
    {"library": show_library, "program": show_program, "serve": serve}[given["mode"]](given)
