"""What a target does with files, tried in a directory of its own inside the sandbox."""

from __future__ import annotations

import os
import shutil
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pessimal.pool import Channel, audit, sandbox
from pessimal.pool.run_guard import RunGuard
from pessimal.pool.scratch import inside, scratch_under


def _archive() -> list[str]:
    Path("f").write_text("data")
    with tarfile.open("t.tar", "w") as archive:
        archive.add("f")
    with tarfile.open("t.tar") as archive:
        return archive.getnames()


def _through_a_link(victim: str) -> None:
    Path("link").symlink_to(victim)
    Path("link").write_text("changed")


def _tree() -> None:
    Path("a/b").mkdir(parents=True)
    Path("a/b/c").write_text("x")
    shutil.rmtree("a")


def _renamed() -> None:
    Path("a").write_text("x")
    Path("a").rename("b")
    Path("b").unlink()


def tries(payload: tuple[str, str], channel: Channel) -> dict[str, Any]:
    """For each thing that is tried: what it returned or raised, whether it touched and wrote files, what is left."""
    parent, victim = payload
    scratch = scratch_under(parent, False)
    assert scratch is not None
    home = Path.cwd()
    sandbox.confine(False, [scratch.path])
    actions: dict[str, Callable[[], Any]] = {
        "write": lambda: Path("a.txt").write_text("abc"),
        "above": lambda: Path("../a.txt").write_text("abc"),
        "outside": lambda: Path(victim).write_text("changed"),
        "link": lambda: _through_a_link(victim),
        "hard link": lambda: Path("hard").hardlink_to(victim),
        "tree": _tree,
        "archive": _archive,
        "rename": _renamed,
        "temporary": lambda: os.close(tempfile.mkstemp()[0]),
        "list": lambda: list(Path().iterdir()),
        "missing": lambda: Path("missing").read_text(),
        "read outside": lambda: Path(victim).read_text(),
        "nothing": lambda: 3,
        "elsewhere": lambda: os.chdir("/"),
        "itself": lambda: Path(scratch.path).rmdir(),
    }
    found: dict[str, Any] = {}
    for name, action in actions.items():
        try:
            with inside(scratch), RunGuard(10.0):
                result = action()
        except OSError as error:
            result = type(error).__name__
        guard = audit.guard
        is_clean = not list(scratch.path.iterdir()) and Path.cwd() == home
        found[name] = [result, guard.touched, guard.wrote, is_clean]
    return found
