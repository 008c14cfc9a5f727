"""The parent's side of one worker process: start it, talk to it, watch it, kill it.

The process is a plain ``python -c`` and not one of ``multiprocessing``'s, which would run the user's main
module again.
"""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
from contextlib import suppress
from multiprocessing.connection import Connection

from pessimal.pool import limits
from pessimal.pool.events import Handle, Reason
from pessimal.pool.worker import Reply

_BOOT = """\
import sys
fd, parent, task, *sys.path[:] = sys.argv[1:]
from pessimal.pool.worker import main
main(int(fd), int(parent), task)
"""
_TAIL = 8192
_EXIT_GRACE = 1.0
_STALL = struct.pack("ll", 5, 0)  # seconds that a worker may leave a message half read or half written


MARK = "PESSIMAL_WORKER"


def in_worker() -> bool:
    """Whether this process is a worker, or was started by one."""
    return MARK in os.environ


class WorkerProcess:
    """A worker in its own session, with stdin and stdout at /dev/null and the last 8 KiB of stderr kept."""

    def __init__(self, task: str, hash_seed: int) -> None:
        self._line, far_end = socket.socketpair()
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            self._line.setsockopt(socket.SOL_SOCKET, option, _STALL)
        self._stderr, stderr = os.pipe()
        os.set_blocking(self._stderr, False)
        os.set_blocking(stderr, False)  # a flood is dropped: it must not stop the worker
        self._tail = b""
        with far_end:
            self._popen = _start(task, hash_seed, far_end.fileno(), stderr)
        os.close(stderr)
        self.connection = Connection(os.dup(self._line.fileno()))

    @property
    def pid(self) -> int:
        """The process's id, which is also the id of its group."""
        return self._popen.pid

    def send(self, handle: Handle) -> None:
        """Hand over a task; OSError if the worker is gone or does not listen."""
        self.listen()
        self._tail = b""
        self.connection.send_bytes(handle.request)
        if handle.recorder is not None:
            handle.recorder.clear()
            socket.send_fds(self._line, [b"r"], [handle.recorder.fd])

    def receive(self) -> Reply:
        """The next reply; EOFError or OSError if the worker is gone."""
        reply: Reply = self.connection.recv()
        return reply

    def resident(self) -> int:
        """Bytes of RAM that it holds now."""
        return limits.resident(self.pid)

    def listen(self) -> None:
        """Take in what it wrote to stderr, so that there is room for its last words."""
        with suppress(BlockingIOError):
            self._tail = (self._tail + os.read(self._stderr, 1 << 20))[-_TAIL:]

    @property
    def exited(self) -> bool:
        """Whether it ended by itself."""
        return self._popen.poll() is not None

    def cause_of_death(self) -> tuple[Reason, str]:
        """How it ended by itself, after it hung up."""
        try:
            code = self._popen.wait(_EXIT_GRACE)
        except subprocess.TimeoutExpired:
            return "exit", "closed its line to the parent"
        return ("signal", _signal_name(-code)) if code < 0 else ("exit", f"exit status {code}")

    def kill(self) -> str:
        """Kill it and all that it started in its group; the tail of its stderr remains."""
        with suppress(ProcessLookupError, PermissionError):  # macOS denies a group of only zombies
            os.killpg(self.pid, signal.SIGKILL)
        self._popen.wait()
        self.listen()
        os.close(self._stderr)
        self.connection.close()
        self._line.close()
        return self._tail.decode(errors="replace")


def _start(task: str, hash_seed: int, fd: int, stderr: int) -> subprocess.Popen[bytes]:
    paths = [path for path in sys.path if isinstance(path, str)]
    return subprocess.Popen(
        [sys.executable, *["-O"] * sys.flags.optimize, "-c", _BOOT, str(fd), str(os.getpid()), task, *paths],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=stderr,
        pass_fds=(fd,),
        start_new_session=True,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed), MARK: "1"},
    )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
