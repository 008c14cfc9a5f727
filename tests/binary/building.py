"""The programs of these tests, compiled once."""

from __future__ import annotations

import subprocess
import tempfile
from functools import cache
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"


@cache
def _directory() -> Path:
    return Path(tempfile.mkdtemp(prefix="pessimal-tests-"))


@cache
def built(name: str, *options: str) -> Path:
    """A program, compiled with some options."""
    path = _directory() / f"{name}{''.join(options).replace('/', '_')}"
    subprocess.run(["gcc", *options, "-o", path, PROGRAMS / f"{name}.c"], check=True)
    return path


def library(name: str, *options: str) -> Path:
    """The same as a shared library."""
    return built(name, "-shared", "-fPIC", *(options or ("-O1",)))
