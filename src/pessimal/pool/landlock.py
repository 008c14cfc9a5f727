"""Landlock: the Linux kernel lets a process give up rights to files, TCP and signals, without privileges.

Reading stays allowed: Python imports modules during a run. The rights are described in the kernel's documentation,
``userspace-api/landlock``; a later version of the interface (ABI) only adds to them.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from pessimal.pool import syscalls

_EXECUTE, _WRITE_FILE = 1 << 0, 1 << 1
_REMOVE_AND_MAKE = sum(1 << bit for bit in range(4, 13))
_REFER, _TRUNCATE, _IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
_BIND_AND_CONNECT_TCP = 0b11
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11
_ASK_VERSION = 1
_PATH_BENEATH = 1
_NO_LOG_ENTRIES = 1


@cache
def version() -> int:
    """The version of the kernel's interface; 0 where there is none, or it is switched off."""
    if not syscalls.SUPPORTED:
        return 0
    try:
        return syscalls.call("landlock_create_ruleset", None, 0, _ASK_VERSION)
    except OSError:
        return 0


def restrict(writable: Iterable[Path], *, executable: bool = False) -> None:
    """Give up, for this thread and all that it starts, what changes anything outside; OSError if that fails.

    Beneath the writable files and directories, those of them that exist, files can still be written and removed. With
    ``executable`` programs can still be started, which are restricted as well.
    """
    ruleset = make_ruleset(writable, executable=executable)
    try:
        syscalls.call("landlock_restrict_self", ruleset, _NO_LOG_ENTRIES if version() >= 7 else 0)
    finally:
        os.close(ruleset)


def make_ruleset(writable: Iterable[Path], *, executable: bool = False) -> int:
    """The descriptor of a ruleset, by which this or another process can restrict itself.

    With ``executable`` the process can still start programs, which are restricted as well.
    """
    abi = version()
    files = _file_rights(abi) & ~(_EXECUTE if executable else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8  # an older kernel refuses fields that it does not know
    given_up = struct.pack("=QQQ", files, _BIND_AND_CONNECT_TCP, _ABSTRACT_SOCKETS_AND_SIGNALS)[:size]
    ruleset = syscalls.call("landlock_create_ruleset", given_up, size, 0)
    for path in writable:
        _allow(ruleset, path, files & ~_EXECUTE)
    return ruleset


def _file_rights(abi: int) -> int:
    """The rights to files that an interface of this version knows, but for reading."""
    later = (_REFER if abi >= 2 else 0) | (_TRUNCATE if abi >= 3 else 0) | (_IOCTL_DEVICE if abi >= 5 else 0)
    return _EXECUTE | _WRITE_FILE | _REMOVE_AND_MAKE | later


def _allow(ruleset: int, path: Path, rights: int) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(parent).st_mode):
            rights &= _WRITE_FILE | _TRUNCATE | _IOCTL_DEVICE
        syscalls.call("landlock_add_rule", ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, parent), 0)
    finally:
        os.close(parent)
