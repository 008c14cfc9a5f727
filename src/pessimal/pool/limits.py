"""Memory of a process: how much it uses, and a limit on how much more it may use.

Both need Linux's ``/proc``; elsewhere the memory limit is not enforced, and the pool warns.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SUPPORTED = Path("/proc/self/statm").exists()


def address_space() -> int:
    """Bytes of address space that this process has mapped."""
    return _statm("self")[0]


def resident(pid: int) -> int:
    """Bytes of RAM that a process holds; 0 once it is gone."""
    try:
        return _statm(str(pid))[1]
    except (OSError, IndexError):
        return 0


def _statm(pid: str) -> list[int]:
    fields = Path(f"/proc/{pid}/statm").read_text().split()
    return [int(field) * resource.getpagesize() for field in fields]


@contextmanager
def at_most(extra: int | None) -> Iterator[None]:
    """Turn an allocation beyond ``extra`` more bytes into a MemoryError at once."""
    if extra is None or not SUPPORTED:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = address_space() + extra
    resource.setrlimit(resource.RLIMIT_AS, (_smaller(wanted, soft), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _smaller(wanted: int, soft: int) -> int:
    return wanted if soft == resource.RLIM_INFINITY else min(wanted, soft)
