"""Confining a worker by the operating system, so that compiled code in a target cannot change anything outside either.

On Linux this is Landlock for files, TCP and signals, and a seccomp filter for the rest. Neither needs privileges, and
neither can be lifted again. Elsewhere only the audit hook protects: see docs/security.md.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from pathlib import Path

from pessimal.errors import UsageError
from pessimal.pool import landlock, seccomp

_PR_SET_NO_NEW_PRIVS = 38
_confined = False

DENIED = " (a side effect was denied: give --allow-side-effects to allow it)"
"""What is added to the text of an exception that the operating system caused by denying something."""


def layers() -> tuple[str, ...]:
    """What this system confines workers by; nothing where only the audit hook protects."""
    found = (("landlock", landlock.version() > 0), ("seccomp", seccomp.is_available()))
    return tuple(name for name, is_there in found if is_there)


def was_denied(error: BaseException) -> bool:
    """Whether an exception comes from the operating system, which may have denied a side effect."""
    return _confined and type(error) is PermissionError and error.errno is not None


def confine(writable: Sequence[Path] = ()) -> None:
    """Confine this process for good, except that it can write to the given files and directories and to /dev/null.

    Without Landlock no such exceptions are possible. If there are any, changes of files are then left to the hook.
    """
    global _confined
    found = layers()
    if not found or _confined:
        return
    try:
        forbid_privileges()
        if "landlock" in found:
            landlock.restrict([Path(os.devnull), *writable])
        if "seccomp" in found:
            seccomp.restrict(deny_file_changes="landlock" not in found and not writable)
    except OSError as error:
        raise UsageError(
            f"the target's process cannot be confined: {error}: give --allow-side-effects to run it unconfined",
            slug="confinement",
        ) from None
    _confined = True


def forbid_privileges() -> None:
    """Give up gaining privileges by starting programs, without which the kernel confines no process."""
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no_new_privs cannot be set")
