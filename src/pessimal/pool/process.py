"""The parent's side of one worker process: start it, talk to it, watch it, kill it.

It is forked from a server where that can be. Elsewhere, and where its hash seed is another one, it is a plain ``python
-c`` and not one of ``multiprocessing``'s, which would run the user's main module again.
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

from pessimal.json_values import rebuilt
from pessimal.pool import fork_server, limits, orphans, stop_signal, wire
from pessimal.pool.events import Handle, Reason
from pessimal.pool.fork_server import ForkedWorker
from pessimal.pool.orphans import ENVIRONMENT_MARK
from pessimal.pool.worker import Reply

_START_CODE = """\
import sys
fd, parent, task, *sys.path[:] = sys.argv[1:]
from pessimal.pool.worker import main
main(int(fd), int(parent), task)
"""
_STDERR_BYTES = 8192
_EXIT_SECONDS = 1.0
_LARGEST_REPLY = 1 << 30
_STALL_SECONDS = struct.pack("ll", 5, 0)  # seconds that a worker may leave a message half read or half written


def in_worker() -> bool:
    """Whether this process is a worker, or was started by one."""
    return ENVIRONMENT_MARK in os.environ


def available_cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class WorkerProcess:
    """A worker in its own session, with stdin and stdout at /dev/null and the last 8 KiB of stderr kept."""

    def __init__(self, task: str, hash_seed: int) -> None:
        self._socket, worker_end = socket.socketpair()
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            self._socket.setsockopt(socket.SOL_SOCKET, option, _STALL_SECONDS)
        self._stderr, stderr = os.pipe()
        os.set_blocking(self._stderr, False)
        os.set_blocking(stderr, False)  # what does not fit is dropped and must not block the worker
        self._stderr_tail = b""
        self._mark = orphans.new_mark()
        with worker_end:
            self._popen = _start(task, hash_seed, worker_end.fileno(), stderr, self._mark)
        os.close(stderr)
        self.connection = Connection(os.dup(self._socket.fileno()))

    @property
    def pid(self) -> int:
        """The process's id, which is also the id of its group."""
        return self._popen.pid

    def send(self, handle: Handle) -> None:
        """Hand over a task; OSError if the worker is gone or does not read."""
        self.read_stderr()
        self._stderr_tail = b""
        self.connection.send_bytes(handle.request)
        if handle.recorder is not None:
            handle.recorder.clear()
            socket.send_fds(self._socket, [b"r"], [handle.recorder.fd])

    def receive(self) -> Reply:
        """The next reply; EOFError or OSError if the worker is gone, another exception if it sent something else."""
        reply: Reply = rebuilt(Reply, wire.decode(self.connection.recv_bytes(_LARGEST_REPLY)))
        return reply

    def resident(self) -> int:
        """Bytes of RAM that it holds now."""
        return limits.resident(self.pid)

    def read_stderr(self) -> None:
        """Read what it wrote to stderr, so that there is room for more, and keep the end of it."""
        with suppress(BlockingIOError):
            self._stderr_tail = (self._stderr_tail + os.read(self._stderr, 1 << 20))[-_STDERR_BYTES:]

    @property
    def exited(self) -> bool:
        """Whether it has ended."""
        return self._popen.poll() is not None

    def cause_of_death(self) -> tuple[Reason, str]:
        """How it ended, after it closed its connection."""
        try:
            code = self._popen.wait(_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return "exit", "closed its connection to the parent"
        return ("signal", _signal_name(-code)) if code < 0 else ("exit", f"exit status {code}")

    def stop(self) -> None:
        """Ask its task to end."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, stop_signal.NUMBER)

    def kill(self) -> str:
        """Kill it and all that it started; returns the end of what it wrote to stderr."""
        with suppress(ProcessLookupError, PermissionError):  # macOS denies a group of only zombies
            os.killpg(self.pid, signal.SIGKILL)
        self._popen.wait()
        orphans.kill(self._mark)
        self.read_stderr()
        os.close(self._stderr)
        self.connection.close()
        self._socket.close()
        return self._stderr_tail.decode(errors="replace")


def _start(task: str, hash_seed: int, fd: int, stderr: int, mark: str) -> subprocess.Popen[bytes] | ForkedWorker:
    forked = fork_server.forked(task, fd, stderr, mark) if hash_seed == 0 else None
    return forked or _spawned(task, hash_seed, fd, stderr, mark)


def _spawned(task: str, hash_seed: int, fd: int, stderr: int, mark: str) -> subprocess.Popen[bytes]:
    paths = [path for path in sys.path if isinstance(path, str)]
    return subprocess.Popen(
        [sys.executable, *["-O"] * sys.flags.optimize, "-c", _START_CODE, str(fd), str(os.getpid()), task, *paths],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=stderr,
        pass_fds=(fd,),
        start_new_session=True,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed), ENVIRONMENT_MARK: mark},
    )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
