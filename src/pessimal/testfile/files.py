"""Test files on disk: read with care, replaced in one step, and never lost."""

from __future__ import annotations

import os
import tempfile
import tokenize
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

from pessimal.errors import UsageError

LINE_LENGTH = 88
_SLUG = "tests"


def read(path: Path) -> str | None:
    """The text of an existing test file, with its line ends as they are; None if there is none."""
    check(path)
    try:
        with path.open("rb") as file:
            encoding, _ = tokenize.detect_encoding(file.readline)
        text = path.read_bytes().decode(encoding)
        compile(text, str(path), "exec", dont_inherit=True)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _error(path, f"cannot be read: {error.strerror or error}", "choose another file") from None
    except SyntaxError as error:
        where = f" in line {error.lineno}" if error.lineno else ""
        raise _error(path, f"is not a Python file: {error.msg}{where}", "correct it, or choose another file") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise _error(path, f"is not a Python file: {error}", "correct it, or choose another file") from None
    return text


def check(path: Path) -> None:
    """Say so now if a test file can be written neither anew nor in place of an existing one."""
    try:
        if path.is_dir():
            raise _error(path, "is a directory", "give the path of a file")
        if path.suffix != ".py":
            raise _error(path, "is not a Python file", "give a name that ends in .py")
        if not path.parent.is_dir():
            raise _error(path, f"cannot be written: there is no directory {path.parent}", "create it first")
        if path.exists() and not path.is_file():
            raise _error(path, "is not a regular file", "choose another file")
        if not os.access(path if path.exists() else path.parent, os.W_OK) or not os.access(path.parent, os.W_OK):
            raise _error(path, "cannot be written: permission denied", "choose another file")
    except (OSError, ValueError) as error:
        raise _error(path, f"cannot be written: {error}", "choose another file") from None


def write(path: Path, text: str, before: str | None) -> None:
    """Replace a test file in one step, provided that it is still as it was read before."""
    if read(path) != before:
        raise _error(path, "was changed meanwhile", "nothing was written; run the command again")
    target = path.resolve()
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".new", dir=target.parent)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123
            file.write(text.encode(_encoding(before)))
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(_mode(target))
        Path(temporary).replace(target)
    except OSError as error:
        with suppress(OSError):
            Path(temporary).unlink(missing_ok=True)
        raise _error(path, f"cannot be written: {error.strerror or error}", "choose another file") from None


def line_length(path: Path) -> int:
    """How long lines may be where a test file is: what the nearest configuration of a formatter says."""
    for directory in path.absolute().parents:
        for name, sections in ((".ruff.toml", [()]), ("ruff.toml", [()]), ("pyproject.toml", _SECTIONS)):
            for section in sections:
                found = _setting(directory / name, section)
                if isinstance(found, int) and 20 < found <= 320:
                    return found
        if (directory / "pyproject.toml").is_file():
            return LINE_LENGTH
    return LINE_LENGTH


_SECTIONS: list[tuple[str, ...]] = [("tool", "ruff"), ("tool", "black")]


def _setting(file: Path, section: tuple[str, ...]) -> Any:
    try:
        data: Any = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    for key in section:
        data = data.get(key, {}) if isinstance(data, dict) else {}
    return data.get("line-length") if isinstance(data, dict) else None


def _encoding(text: str | None) -> str:
    lines = iter((text or "").encode("utf-8", "surrogateescape").splitlines(keepends=True)[:2])
    try:
        return tokenize.detect_encoding(lambda: next(lines, b""))[0]
    except SyntaxError:
        return "utf-8"


def _mode(path: Path) -> int:
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _error(path: Path, what: str, cure: str) -> UsageError:
    return UsageError(f"the test file {path} {what}: {cure}", slug=_SLUG)
