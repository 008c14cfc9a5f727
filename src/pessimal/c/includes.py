"""Directories of headers that a file includes and its flags do not name: they are looked for in its project."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

from pessimal.c import toolchain
from pessimal.c.toolchain import Flags

_MISSING = re.compile(r":\d+: fatal error: '?([^':\n]+)'?(?:: No such file| file not found)")
_PROJECT = (
    *(".git", "configure", "configure.ac", "CMakeLists.txt", "meson.build", "Makefile"),
    *("setup.py", "pyproject.toml"),
)
"""What the directory of a project has, one of them at least."""
_HIGHEST, _MOST_DIRECTORIES, _MOST_HEADERS = 5, 5_000, 40


def including(file: Path, flags: Flags) -> Flags:
    """The flags, with the directories of the project that have the headers which the compiler does not find."""
    for _ in range(_MOST_HEADERS):
        header = _missing(file, flags)
        place = None if header is None else _place_of(header, file.resolve())
        if place is None or f"-I{place}" in flags.compiling:
            return flags
        flags = replace(flags, compiling=(*flags.compiling, f"-I{place}"))
    return flags


def _missing(file: Path, flags: Flags) -> str | None:
    """The first header that the compiler does not find."""
    done = toolchain.attempt(["-w", "-M", *flags.compiling, file], Path.cwd())
    found = _MISSING.search(done.stderr.decode(errors="replace")) if done.returncode else None
    return found and found[1]


def _place_of(header: str, file: Path) -> Path | None:
    """The directory from which a header is included, the nearest to the file; None if there is none."""
    found = [place for place in _directories(_project_of(file)) if (place / header).is_file()]
    return max(found, key=lambda place: (len(os.path.commonpath([place, file])), -len(place.parts)), default=None)


def _project_of(file: Path) -> Path:
    """The highest directory near a file that looks like that of a project; otherwise the file's own."""
    near = islice(file.parents, _HIGHEST)
    return max(
        (place for place in near if any((place / name).exists() for name in _PROJECT)),
        key=lambda place: -len(place.parts),
        default=file.parent,
    )


@lru_cache(maxsize=8)
def _directories(project: Path) -> tuple[Path, ...]:
    return tuple(islice(_walked(project), _MOST_DIRECTORIES))


def _walked(project: Path) -> Iterator[Path]:
    for place, inside, _ in os.walk(project):
        inside[:] = sorted(name for name in inside if not name.startswith("."))
        yield Path(place)
