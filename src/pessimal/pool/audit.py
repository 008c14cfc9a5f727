"""Which of Python's audit events are side effects outside the process, and the hook that blocks them.

This names what was blocked. It is not a barrier against compiled code: that is :mod:`~pessimal.pool.confinement`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
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


_ONLY_ANNOUNCED = frozenset(
    f"shutil.{name}" for name in ("copyfile", "copytree", "make_archive", "move", "rmtree", "unpack_archive")
)
"""What these do follows in events of its own."""

_CHANGED: dict[str, tuple[tuple[int, int | None], ...]] = {
    "open": ((0, None),),
    "os.mkdir": ((0, 2),),
    "os.rmdir": ((0, 1),),
    "os.remove": ((0, 1),),
    "os.truncate": ((0, None),),
    "os.symlink": ((1, 2),),
    "os.rename": ((0, 2), (1, 3)),
    "os.link": ((0, 2), (1, 3)),
}
"""Where in the arguments of an event the paths are that it changes, and the directories that they are relative to."""

_LOOKED_AT = frozenset(("open", "os.listdir", "os.scandir", "os.chdir", "glob.glob", "pathlib.Path.glob"))


@dataclass(slots=True)
class Guard:
    """The switch of the hook, which Python cannot remove once it is set.

    ``scratch`` is a directory in which files may be changed: ``touched`` says whether files in it were looked at or
    changed since it was entered, and ``wrote`` whether they were changed.
    """

    enabled: bool = False
    active: bool = False
    blocked: list[str] = field(default_factory=list)
    scratch: str | None = None
    touched: bool = False
    wrote: bool = False

    def enter_scratch(self, path: str) -> None:
        """Let files in a directory be changed, until ``scratch`` is None again."""
        self.scratch = path
        self.touched = self.wrote = False

    def is_in_scratch(self, event: str, arguments: _Arguments) -> bool:
        """Whether a side effect is a change of files in the directory alone."""
        if event in _ONLY_ANNOUNCED:
            return True
        places = _CHANGED.get(event, ())
        return bool(places) and all(self._holds(_at(arguments, path), _at(arguments, base)) for path, base in places)

    def _holds(self, path: Any, base: Any) -> bool:
        """Whether a path leads into the directory, and not to itself; from another one if a descriptor gives that."""
        is_relative = isinstance(base, int) and base >= 0
        start = Path(f"/proc/self/fd/{base}").readlink() if is_relative else Path()
        found = (start / os.fsdecode(path)).resolve()
        return found.is_relative_to(str(self.scratch)) and found != Path(str(self.scratch))


guard = Guard()


@cache
def install() -> None:
    """Set the hook, once for this process; from then on every audit event costs a call."""
    sys.addaudithook(_hook)


def _hook(event: str, arguments: _Arguments) -> None:
    if event in _SIDE_EFFECTS and guard.active and _SIDE_EFFECTS[event](arguments):
        if guard.scratch is not None and _is_harmless(event, arguments):
            guard.touched = guard.wrote = True
            return
        what = f"{event}({', '.join(map(_show, arguments[:2]))})"
        guard.blocked.append(what)
        raise SideEffectBlocked(f"{what} was blocked: give --allow-side-effects to allow it")
    if event in _LOOKED_AT and guard.active and guard.scratch is not None:
        guard.touched = guard.touched or _is_relative(_at(arguments, 0))


def _is_harmless(event: str, arguments: _Arguments) -> bool:
    try:
        return guard.is_in_scratch(event, arguments)
    except (OSError, TypeError, ValueError):  # a path that is none
        return False


def _is_relative(path: Any) -> bool:
    """Whether what a path leads to depends on the current directory."""
    if path is None:
        return True
    return isinstance(path, str | bytes | os.PathLike) and not Path(os.fsdecode(path)).is_absolute()


def _at(arguments: _Arguments, place: int | None) -> Any:
    return arguments[place] if place is not None and place < len(arguments) else None


def _show(argument: object) -> str:
    plain = type(argument) in (str, bytes, int, NoneType)  # the repr of others might run code of the target
    text = repr(argument) if plain else type(argument).__name__
    return text if len(text) <= 80 else text[:77] + "..."
