"""Which of Python's audit events are side effects outside the process, and the hook that blocks them.

This names what was blocked. It is not a barrier against compiled code: that is :mod:`~pessimal.pool.confinement`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from types import NoneType
from typing import Any

_Arguments = tuple[Any, ...]
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class SideEffectBlocked(PermissionError):
    """The target tried to change something outside of itself."""


def _always(arguments: _Arguments) -> bool:
    return True


def _writes(arguments: _Arguments) -> bool:
    path, _, flags = arguments
    return bool(flags & _WRITES) and not isinstance(path, int) and os.fspath(path) != os.devnull


def _reaches_others(arguments: _Arguments) -> bool:
    return arguments[0] not in (0, os.getpid())


def _is_on_disk(arguments: _Arguments) -> bool:
    return arguments[0] not in (":memory:", "")


_ALWAYS = {
    "os": [
        *("chflags", "chmod", "chown", "link", "lockf", "mkdir", "remove", "removexattr", "rename", "rmdir"),
        *("setxattr", "symlink", "truncate", "utime"),
        *("exec", "fork", "forkpty", "posix_spawn", "spawn", "system"),
    ],
    "pty": ["spawn"],
    "resource": ["prlimit", "setrlimit"],
    "shutil": [
        *("chown", "copyfile", "copymode", "copystat", "copytree", "make_archive", "move", "rmtree"),
        "unpack_archive",
    ],
    "socket": ["bind", "connect", "getaddrinfo", "gethostbyaddr", "gethostbyname", "sendmsg", "sendto"],
    "subprocess": ["Popen"],
    "syslog": ["openlog", "syslog"],
    "urllib": ["Request"],
    "webbrowser": ["open"],
}

_SIDE_EFFECTS: dict[str, Callable[[_Arguments], bool]] = {
    **{f"{module}.{name}": _always for module, names in _ALWAYS.items() for name in names},
    "open": _writes,
    "os.kill": _reaches_others,
    "os.killpg": _reaches_others,
    "sqlite3.connect": _is_on_disk,
}


@dataclass(slots=True)
class Guard:
    """The switch of the hook, which Python cannot remove once it is set."""

    enabled: bool = False
    active: bool = False
    blocked: list[str] = field(default_factory=list)


guard = Guard()


@cache
def install() -> None:
    """Set the hook, once for this process; from then on every audit event costs a call."""
    sys.addaudithook(_hook)


def _hook(event: str, arguments: _Arguments) -> None:
    if event in _SIDE_EFFECTS and guard.active and _SIDE_EFFECTS[event](arguments):
        what = f"{event}({', '.join(map(_show, arguments[:2]))})"
        guard.blocked.append(what)
        raise SideEffectBlocked(f"{what} was blocked: give --allow-side-effects to allow it")


def _show(argument: object) -> str:
    plain = type(argument) in (str, bytes, int, NoneType)  # the repr of others might run code of the target
    text = repr(argument) if plain else type(argument).__name__
    return text if len(text) <= 80 else text[:77] + "..."
