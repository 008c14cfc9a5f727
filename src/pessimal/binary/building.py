"""Compiling the tracer with the C compiler of this machine, once for each version of it."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

_SOURCE = Path(__file__).with_name("tracer.c")
_SECONDS = 60.0


@cache
def compiled_tracer() -> ctypes.CDLL | None:
    """The compiled tracer; None where there is no C compiler, or it does not work."""
    compiler = os.environ.get("PESSIMAL_CC", shutil.which("cc") or shutil.which("gcc") or "")
    if not compiler:
        return None
    digest = hashlib.sha256(_SOURCE.read_bytes()).hexdigest()[:16]
    name = f"tracer-{digest}.so"
    for directory in _directories():
        try:
            return ctypes.CDLL(str(_build(compiler, directory, name)))
        except (OSError, subprocess.SubprocessError):
            continue
    return None


def _directories() -> list[Path]:
    """Where the library may be kept; a temporary directory where nothing else can be written."""
    cache_home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return [cache_home / "pessimal", Path(tempfile.gettempdir()) / f"pessimal-{os.getuid()}"]


def _build(compiler: str, directory: Path, name: str) -> Path:
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    if directory.stat().st_uid != os.getuid():
        raise PermissionError(f"{directory} belongs to somebody else")
    file = directory / name
    if not file.exists():
        made = directory / f"{name}.{os.getpid()}"
        command = [compiler, "-O2", "-shared", "-fPIC", "-o", str(made), str(_SOURCE)]
        subprocess.run(command, check=True, capture_output=True, timeout=_SECONDS)
        made.replace(file)  # at once, since other processes may do the same
    return file
