"""A task that confines its worker and then tries, by way of compiled code, what a target must not do."""

from __future__ import annotations

import ctypes
import os
import socket
import threading
from collections.abc import Callable
from errno import EACCES, EPERM
from pathlib import Path
from typing import Any

from pessimal.pool import Channel, confinement, landlock, seccomp

NOBODY = 65534


def escape(payload: tuple[str, str, list[str]], channel: Channel) -> list[str]:
    """What could be done after confinement by some layers; the folder may be writable for its owner alone."""
    folder, without, writable = payload
    if without == "privileges" and os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    if without == "landlock":
        landlock.version = lambda: 0  # type: ignore[assignment]
    if without == "seccomp":
        seccomp.is_available = lambda: False  # type: ignore[assignment]
    confinement.confine([Path(path) for path in writable])
    return [name for name, attempt in _attempts(Path(folder)).items() if _succeeds(attempt)]


def work(payload: str, channel: Channel) -> list[Any]:
    """What a confined process must still be able to do."""
    confinement.confine([Path(payload)])
    file = Path(payload) / "new"
    file.write_text("new")
    file.replace(file.with_name("renamed"))
    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()
    here, there = socket.socketpair()
    here.send(b"hello")
    return [
        Path(__file__).read_text()[:3],
        Path(os.devnull).write_text("gone"),
        there.recv(5).decode(),
        os.kill(os.getpid(), 0),
        [path.name for path in Path(payload).iterdir()],
    ]


def _succeeds(attempt: Callable[[], int]) -> bool:
    try:
        return attempt() >= 0
    except OSError as error:
        return error.errno not in (EACCES, EPERM)


def _attempts(folder: Path) -> dict[str, Callable[[], int]]:
    libc = ctypes.CDLL(None)
    old, new, parent = bytes(folder / "old.txt"), bytes(folder / "new.txt"), os.getppid()
    return {
        "open for writing": lambda: libc.open(new, os.O_CREAT | os.O_WRONLY, 0o666),
        "truncate on opening": lambda: libc.open(old, os.O_TRUNC),
        "truncate": lambda: libc.truncate(old, 0),
        "mkdir": lambda: libc.mkdir(new, 0o777),
        "mkfifo": lambda: libc.mkfifo(new, 0o666),
        "symlink": lambda: libc.symlink(old, new),
        "link": lambda: libc.link(old, new),
        "chmod": lambda: libc.chmod(old, 0),
        "rename": lambda: libc.rename(old, new),
        "unlink": lambda: libc.unlink(old),
        "fork": lambda: _forked(libc),
        "system": lambda: -1 if libc.system(b"touch " + new) else 0,
        "exec": lambda: libc.execv(b"/bin/true", None),
        "posix_spawn": lambda: os.posix_spawn("/bin/true", ["true"], {}),
        "kill": lambda: libc.kill(parent, 0),
        "prlimit": lambda: libc.prlimit(parent, 7, (ctypes.c_long * 2)(64, 64), None),
        "ptrace": lambda: libc.ptrace(16, parent, 0, 0),
        "connect": lambda: socket.socket().connect(("127.0.0.1", 9)) or 0,
        "bind": lambda: socket.socket().bind(("127.0.0.1", 0)) or 0,
        "send": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9)),
        "unix socket": lambda: socket.socket(socket.AF_UNIX).connect(str(folder / "none")) or 0,
        "outlive the parent": lambda: libc.prctl(1, 0, 0, 0, 0),
    }


def _forked(libc: ctypes.CDLL) -> int:
    child: int = libc.fork()
    if child == 0:
        os._exit(0)
    return child
