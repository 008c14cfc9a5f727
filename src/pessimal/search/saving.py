"""Saving what a strategy learned: checked before the search, and never half written."""

from __future__ import annotations

from errno import EISDIR
from os import strerror
from pathlib import Path

from pessimal.errors import UsageError


def check_writable(file: Path, slug: str) -> None:
    """Raise an error if a file cannot be written, before time is spent on what it should hold."""
    try:
        if file.is_dir():
            raise IsADirectoryError(EISDIR, strerror(EISDIR))
        _part(file).touch()
        _part(file).unlink()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{file} cannot be written: {reason}", slug=slug) from None


def write(file: Path, text: str) -> None:
    """Replace the content of a file as a whole."""
    _part(file).write_text(text, encoding="utf-8")
    _part(file).replace(file)


def folder(file: Path | None) -> list[Path]:
    """The directory that must be writable for a file to be replaced; none for no file."""
    return [] if file is None else [file.absolute().parent]


def _part(file: Path) -> Path:
    return file.with_name(file.name + ".part")
