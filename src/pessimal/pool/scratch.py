"""A directory of its own for every run: what a target writes to relative paths lands there, and is gone afterwards.

It is the current directory while the target runs. The hook lets changes inside it pass, and so does Landlock.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from pessimal.pool import audit, confinement


class Scratch:
    """A directory for the runs of one process, whose temporary files are there, too: a block leaves it empty."""

    def __init__(self, parent: str) -> None:
        self.path = Path(os.path.realpath(tempfile.mkdtemp(dir=parent)))
        self._home = Path.cwd()
        os.environ["TMPDIR"], tempfile.tempdir = str(self.path), None

    def __enter__(self) -> Scratch:
        os.chdir(self.path)
        audit.guard.enter_scratch(str(self.path))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        audit.guard.scratch = None
        with suppress(OSError):
            os.chdir(self._home)
        if audit.guard.wrote:
            self._clear()

    def _clear(self) -> None:
        with suppress(OSError):
            for path in list(self.path.iterdir()):
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink()


def scratch_under(parent: str | None, allow_side_effects: bool) -> Scratch | None:
    """A new directory under one that the parent process removes; none where nothing is blocked.

    Where the system can deny changes of files only altogether, it does so, and there is none either.
    """
    layers = confinement.layers()
    if parent is None or allow_side_effects or ("seccomp" in layers and "landlock" not in layers):
        return None
    return Scratch(parent)


def inside(scratch: Scratch | None) -> AbstractContextManager[Any]:
    """A block in the directory, if there is one."""
    return nullcontext() if scratch is None else scratch
