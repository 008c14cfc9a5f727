"""Saving what a strategy has learnt: refused at once where it cannot be, and never half written."""

from __future__ import annotations

from errno import EISDIR
from os import strerror
from pathlib import Path

from pessimal.errors import UsageError


def check_writable(file: Path, slug: str) -> None:
    """Refuse a place where nothing could be saved, before anything is run for it."""
    try:
        if file.is_dir():
            raise IsADirectoryError(EISDIR, strerror(EISDIR))
        _part(file).touch()
        _part(file).unlink()
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}", slug=slug) from None


def write(file: Path, text: str) -> None:
    """Put a text in the place of what was there, all of it or nothing."""
    _part(file).write_text(text, encoding="utf-8")
    _part(file).replace(file)


def _part(file: Path) -> Path:
    return file.with_name(file.name + ".part")
