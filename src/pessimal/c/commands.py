"""The flags that a project compiles a file with, from the ``compile_commands.json`` above it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_WITH_VALUE = ("-o", "-MF", "-MT", "-MQ")
_DROPPED = ("-c", "-MD", "-MMD", "-MP", "-M", "-MM", "-Werror", "-pedantic-errors")


def project_flags(file: Path) -> tuple[str, ...]:
    """The flags for a file; none if no compile_commands.json above it names the file."""
    for database in _databases(file):
        for entry in _entries(database):
            directory = Path(entry.get("directory", database.parent))
            if (directory / entry.get("file", "")).resolve() == file.resolve():
                return tuple(_flags(entry, directory, file))
    return ()


def _databases(file: Path) -> Iterator[Path]:
    for directory in file.resolve().parents:
        for place in (directory, directory / "build"):
            if (place / "compile_commands.json").is_file():
                yield place / "compile_commands.json"


def _entries(database: Path) -> list[dict[str, Any]]:
    try:
        entries = json.loads(database.read_text())
    except (OSError, ValueError):
        return []
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _flags(entry: dict[str, Any], directory: Path, file: Path) -> Iterator[str]:
    words = entry.get("arguments") or shlex.split(entry.get("command", ""))
    skip = False
    for word in words[1:]:
        if skip:
            skip = False
        elif word in _WITH_VALUE:
            skip = True
        elif word in _DROPPED or word.startswith("-Werror") or (directory / word).resolve() == file.resolve():
            continue
        elif word.startswith("-I") and len(word) > 2:
            yield f"-I{directory / word[2:]}"
        else:
            yield word
