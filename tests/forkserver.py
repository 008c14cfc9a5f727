"""Workers that start fast: each is forked from a server process that has already imported what workers need.

They are separate processes like any other worker, with their own session, limits and death; only the interpreter's
start and its imports are saved, a third of a second each time. Run as a script, this module is the server.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from pessimal.pool import parent_watch, worker
from pessimal.pool.orphans import ENVIRONMENT_MARK

_NUMBER = struct.Struct("i")
_MAX_REQUEST = 1 << 20


class ForkServer:
    """The client of the server process; a worker that it starts has the same environment as one that is spawned."""

    def __init__(self) -> None:
        self._line, far_end = socket.socketpair(type=socket.SOCK_SEQPACKET)
        with far_end:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(far_end.fileno()), str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(far_end.fileno(),),
                start_new_session=True,
                env={**os.environ, "PYTHONHASHSEED": "0", ENVIRONMENT_MARK: "1"},
            )

    def start(self, task: str, fd: int, stderr: int) -> ForkedWorker:
        """A worker for a task, with its line to the pool and its stderr."""
        status, status_end = os.pipe()
        request = {
            "task": task,
            "cwd": str(Path.cwd()),
            "path": [path for path in sys.path if isinstance(path, str)],
            "environ": {**os.environ, "PYTHONHASHSEED": "0", ENVIRONMENT_MARK: "1"},
        }
        socket.send_fds(self._line, [json.dumps(request).encode()], [fd, stderr, status_end])
        os.close(status_end)
        return ForkedWorker(status)

    def close(self) -> None:
        """End the server, and with it all of its workers."""
        self._line.close()
        self._process.wait()


class ForkedWorker:
    """What the pool uses of ``subprocess.Popen``, for a process that is not its child."""

    def __init__(self, status: int) -> None:
        self._status = status
        self.pid = self._read()
        self._returncode: int | None = None

    def poll(self) -> int | None:
        """The exit code, or None while the process runs."""
        if self._returncode is None and select.select([self._status], [], [], 0)[0]:
            self._returncode = self._read()
            os.close(self._status)
        return self._returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code; waits for the process to end."""
        if self._returncode is None:
            select.select([self._status], [], [], timeout)
        returncode = self.poll()
        if returncode is None:
            raise subprocess.TimeoutExpired("worker", timeout or 0.0)
        return returncode

    def _read(self) -> int:
        """The next number from the worker's parent, which lives longer than the worker unless the server ends."""
        data = os.read(self._status, _NUMBER.size)
        return int(_NUMBER.unpack(data)[0]) if data else -signal.SIGKILL


def _serve(line: socket.socket) -> None:
    """Fork for each request, until the client hangs up."""
    import_module("z3")
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nothing waits for the parents of the workers
    own = os.getpid()
    while (message := socket.recv_fds(line, _MAX_REQUEST, 3))[0]:
        request, descriptors = json.loads(message[0]), message[1]
        with suppress(Exception):  # the worker reports what is wrong with its task
            worker.find(request["task"])
        gc.freeze()
        if os.fork() == 0:
            line.close()
            parent_watch.exit_with(own)
            _wait_for_worker(request, *descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def _wait_for_worker(request: dict[str, Any], fd: int, stderr: int, status_end: int) -> NoReturn:
    """Be the parent of one worker: report its process id, and then its exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    own = os.getpid()
    pid = os.fork()
    if pid == 0:
        os.close(status_end)
        _work(request, fd, stderr, own)
    os.close(fd)
    os.close(stderr)
    os.write(status_end, _NUMBER.pack(pid))
    _, status = os.waitpid(pid, 0)
    os.write(status_end, _NUMBER.pack(os.waitstatus_to_exitcode(status)))
    os._exit(0)


def _work(request: dict[str, Any], fd: int, stderr: int, parent: int) -> None:
    """Be the worker."""
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for source, target in ((null, 0), (null, 1), (stderr, 2)):
        os.dup2(source, target)
    os.close(null)
    os.close(stderr)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["environ"])
    sys.modules["__main__"].__dict__.pop("__file__")
    sys.path[:], sys.argv[:] = request["path"], ["-c"]
    worker.main(fd, parent, request["task"])


if __name__ == "__main__":
    parent_watch.exit_with(int(sys.argv[2]))
    _serve(socket.socket(fileno=int(sys.argv[1])))
