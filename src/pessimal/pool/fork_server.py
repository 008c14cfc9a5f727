"""Workers that start fast: each is forked from a server process that has already imported what workers need.

They are separate processes like any other worker, with their own session, limits and death; only the interpreter's
start and its imports are saved, half a second each time. Each worker has a keeper, a process that waits for its end,
kills whatever it left behind, and reports how it ended. All of them end with the process that started the server.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from pessimal.pool import parent_watch, worker
from pessimal.pool.orphans import ENVIRONMENT_MARK

SUPPORTED = sys.platform == "linux"
"""Elsewhere forking without exec is unsafe, or what a worker leaves behind cannot be found."""

_START_CODE = """\
import sys
fd, parent, *sys.path[:] = sys.argv[1:]
from pessimal.pool.fork_server import serve
serve(int(fd), int(parent))
"""
_ANSWER_SECONDS = 10.0
"""How long a server may take for a worker: one that takes longer is given up."""
_CLEANING_SECONDS = 0.5
"""How long the report of a worker's end may wait for the end of what it left behind."""
_NUMBER = struct.Struct("i")
_MAX_REQUEST = 1 << 20
_PR_SET_CHILD_SUBREAPER = 36


class ForkServer:
    """The client of the server process; a worker that it starts has the same environment as one that is spawned."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._line, far_end = socket.socketpair(type=socket.SOCK_SEQPACKET)
        paths = [path for path in sys.path if isinstance(path, str)]
        arguments = [str(far_end.fileno()), str(os.getpid()), *paths]
        with far_end:
            self._process = subprocess.Popen(
                [sys.executable, *["-O"] * sys.flags.optimize, "-c", _START_CODE, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(far_end.fileno(),),
                start_new_session=True,
                env={**os.environ, "PYTHONHASHSEED": "0", ENVIRONMENT_MARK: "server"},
            )

    def prepare(self, task: str) -> None:
        """Let the server import what a task needs, before the first worker for it is asked for."""
        self._line.send(json.dumps({"task": task}).encode())

    def start(self, task: str, fd: int, stderr: int, mark: str) -> ForkedWorker:
        """A worker for a task, with its line to the pool and its stderr; OSError if the server does not answer."""
        status, status_end = os.pipe()
        request = {
            "task": task,
            "cwd": str(Path.cwd()),
            "path": [path for path in sys.path if isinstance(path, str)],
            "environ": {**os.environ, "PYTHONHASHSEED": "0", ENVIRONMENT_MARK: mark},
        }
        try:
            try:
                socket.send_fds(self._line, [json.dumps(request).encode()], [fd, stderr, status_end])
            finally:
                os.close(status_end)
            return ForkedWorker(status)
        except OSError:
            os.close(status)
            raise

    def close(self) -> None:
        """End the server, and with it all of its workers; a copy of the process that started it leaves it alone."""
        self._line.close()
        if self.owner == os.getpid():
            self._process.kill()
            self._process.wait()


class ForkedWorker:
    """What the pool uses of ``subprocess.Popen``, for a process that is not its child."""

    def __init__(self, status: int) -> None:
        self._status = status
        self._returncode: int | None = None
        if not select.select([status], [], [], _ANSWER_SECONDS)[0]:
            raise TimeoutError("the server of workers does not answer")
        pid = self._read()
        if pid is None:
            raise ConnectionError("the server of workers is gone")
        self.pid = pid

    def poll(self) -> int | None:
        """The exit code, or None while the process runs."""
        if self._returncode is None and select.select([self._status], [], [], 0)[0]:
            code = self._read()
            self._returncode = -signal.SIGKILL if code is None else code
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

    def _read(self) -> int | None:
        """The next number from the keeper; None if it was killed, which the worker does not survive."""
        data = os.read(self._status, _NUMBER.size)
        return int(_NUMBER.unpack(data)[0]) if data else None


_current = threading.local()


def current() -> ForkServer:
    """The server of this thread, with which it ends, like the workers that a thread starts."""
    server: ForkServer | None = getattr(_current, "server", None)
    if server is None or server.owner != os.getpid():
        server = _current.server = ForkServer()
        atexit.register(server.close)
    return server


def prepare(task: str) -> None:
    """Start the server and let it import what a task needs, while the caller does something else."""
    if SUPPORTED:
        current().prepare(task)


def forked(task: str, fd: int, stderr: int, mark: str) -> ForkedWorker | None:
    """A worker that was forked; None if that cannot be, so that it has to be started otherwise."""
    if not SUPPORTED:
        return None
    server = current()
    try:
        return server.start(task, fd, stderr, mark)
    except OSError:
        server.close()
        atexit.unregister(server.close)
        _current.server = None
        return None


def serve(fd: int, parent: int) -> None:
    """Be the server: fork for each request, until the client hangs up."""
    os.set_inheritable(fd, False)
    parent_watch.exit_with(parent)
    del sys.argv[1:]
    line = socket.socket(fileno=fd)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nothing waits for the keepers
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    own = os.getpid()
    while (message := socket.recv_fds(line, _MAX_REQUEST, 3))[0]:
        request, descriptors = json.loads(message[0]), message[1]
        _import_for(request["task"])
        if not descriptors:
            continue
        if os.fork() == 0:
            line.close()
            parent_watch.exit_with(own)
            _keep(request, *descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def _import_for(task: str) -> None:
    """Import what a task needs; what goes wrong will go wrong in the worker too, which reports it."""
    with suppress(Exception):
        worker.find(task)
        preload = getattr(import_module(task.partition(":")[0]), "preload", None)
        if preload is not None:
            preload()
    gc.freeze()


def _keep(request: dict[str, Any], fd: int, stderr: int, status_end: int) -> NoReturn:
    """Be the keeper of one worker: report its process id, and then its exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
    own = os.getpid()
    pid = os.fork()
    if pid == 0:
        os.close(status_end)
        _work(request, fd, stderr, own)
    os.close(fd)
    os.close(stderr)
    os.write(status_end, _NUMBER.pack(pid))
    code = _ended(pid)
    end = time.monotonic() + _CLEANING_SECONDS
    is_clean = _killed_children(end)
    os.write(status_end, _NUMBER.pack(code))
    os.close(status_end)
    while not is_clean:
        is_clean = _killed_children(time.monotonic() + _CLEANING_SECONDS)
    os._exit(0)


def _ended(pid: int) -> int:
    """The exit code of the worker, once it has ended; processes that it left behind may end before it."""
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == pid:
            return os.waitstatus_to_exitcode(status)


def _killed_children(end: float) -> bool:
    """Kill what the worker left behind, which the kernel made children of this process; whether none is left."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    while time.monotonic() < end:
        for child in children.read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return True
        time.sleep(0.001)
    return False


def _work(request: dict[str, Any], fd: int, stderr: int, parent: int) -> NoReturn:
    """Be the worker."""
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for source, target in ((null, 0), (null, 1), (stderr, 2)):
        os.dup2(source, target)
    os.close(null)
    os.close(stderr)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(request["environ"])
    sys.path[:] = request["path"]
    with suppress(OSError):  # the target is not found there, which the worker reports
        os.chdir(request["cwd"])
    worker.main(fd, parent, request["task"])
    os._exit(0)
