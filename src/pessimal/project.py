"""The path of a source file within its project, so that names made from it are the same on every machine."""

from __future__ import annotations

import sysconfig
from functools import cache
from pathlib import Path

MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg")
"""Files and directories that mark the root of a project."""


@cache
def project_path(file: str) -> str:
    """The path of a file from the root of its project, or from the directory that its package is installed in.

    A file outside of any project is named from the directory that contains its outermost package; a file of no package
    by its bare name.
    """
    path = Path(file)
    for root in _installed():
        if path.is_relative_to(root):
            return path.relative_to(root).as_posix()
    return path.relative_to(_root(path.parent)).as_posix()


@cache
def _installed() -> tuple[Path, ...]:
    """The directories of installed packages, then that of the standard library, which may contain them."""
    paths = sysconfig.get_paths()
    return tuple(Path(paths[name]) for name in ("purelib", "platlib", "stdlib", "platstdlib"))


@cache
def _root(directory: Path) -> Path:
    marked = next((parent for parent in (directory, *directory.parents) if _is_marked(parent)), None)
    if marked is not None:
        return marked
    while (directory / "__init__.py").is_file():
        directory = directory.parent
    return directory


def _is_marked(directory: Path) -> bool:
    return any((directory / name).exists() for name in MARKERS)
