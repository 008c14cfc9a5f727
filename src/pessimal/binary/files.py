"""The files of an emulated target: its input, files of this machine to read, and its descriptors."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from errno import EACCES, EBADF, EINVAL, ENOENT, ENXIO
from functools import lru_cache
from pathlib import Path
from stat import S_IFMT, S_ISREG
from struct import pack

REGULAR, CHARACTER = 0o100644, 0o020620
_LARGEST_FILE = 64 << 20
_WRITES = os.O_WRONLY | os.O_RDWR
_STANDARD = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_NULL, _TERMINAL, _RANDOM = os.devnull, "/dev/tty", ("/dev/random", "/dev/urandom")


class AtInput(Exception):
    """The target is about to find out something about its input."""


@dataclass(slots=True, eq=False)
class Source:
    """What a file holds, and which of its bytes are input; ``is_input`` even if there are none."""

    content: bytes
    leaves: tuple[int, ...] = ()
    mode: int = REGULAR
    is_input: bool = False


@dataclass(slots=True, eq=False)
class OpenFile:
    """A file that is open, and how far it was read; descriptors that were duplicated share it."""

    source: Source
    position: int = 0
    flags: int = os.O_RDONLY


class Files:
    """The descriptors of one run. With ``stops_at_input`` the first use of the input raises AtInput."""

    def __init__(self) -> None:
        self.stops_at_input = False
        self._input = Source(b"", is_input=True)
        self._path = ""
        self._is_stdin = False
        self.reset()

    def reset(self) -> None:
        """Begin a new run."""
        output = OpenFile(Source(b"", mode=CHARACTER), flags=os.O_RDWR)
        self._open = {0: OpenFile(self._input if self._is_stdin else Source(b"")), 1: output, 2: output}

    def offer_input(self, path: str, is_stdin: bool) -> None:
        """Let every run have the input as the file at a path, and as the standard input if that is wanted."""
        self._path, self._is_stdin = path, is_stdin
        self.reset()

    def set_input(self, content: bytes, leaves: tuple[int, ...]) -> None:
        """Give the input its content, also where it is open already."""
        self._input.content, self._input.leaves = content, leaves

    def saved(self) -> dict[int, OpenFile]:
        """The descriptors as they are now."""
        copies: dict[int, OpenFile] = {}
        return {fd: copies.setdefault(id(file), replace(file)) for fd, file in self._open.items()}

    def restore(self, saved: dict[int, OpenFile]) -> None:
        """Go back to descriptors that were saved."""
        self._open = saved
        self._open = self.saved()

    def find(self, fd: int) -> OpenFile | None:
        """What a descriptor stands for, when it is used."""
        found = self._open.get(fd & 0xFFFFFFFF)
        if found is not None and found.source.is_input and self.stops_at_input:
            raise AtInput
        return found

    def is_open(self, fd: int) -> bool:
        """Whether a descriptor stands for anything."""
        return fd & 0xFFFFFFFF in self._open

    def open(self, path: str, flags: int) -> int:
        """A new descriptor of a file, or what is wrong."""
        if path in _STANDARD:
            return self.duplicate(_STANDARD[path])
        if path == _TERMINAL:
            return -ENXIO
        if flags & _WRITES and path != _NULL:
            return -EACCES
        source = self._source(path)
        if source is None:
            return -EACCES if os.path.exists(path) else -ENOENT  # noqa: PTH110
        return self._add(OpenFile(source, 0, flags & _WRITES), 0)

    def _source(self, path: str) -> Source | None:
        if path == self._path:
            return self._input
        if path == _NULL:
            return Source(b"", mode=CHARACTER)
        if path in _RANDOM:
            return Source(bytes(range(256)) * 16, mode=CHARACTER)
        content = _content(path)
        return None if content is None else Source(content)

    def _add(self, file: OpenFile, least: int) -> int:
        fd = next(number for number in range(least, 1 << 16) if number not in self._open)
        self._open[fd] = file
        return fd

    def duplicate(self, fd: int, to: int | None = None, least: int = 0) -> int:
        """Let another descriptor stand for the same: a given one, or the first that is free."""
        file = self._open.get(fd & 0xFFFFFFFF)
        if file is None:
            return -EBADF
        if to is None:
            return self._add(file, least)
        self._open[to] = file
        return to

    def close(self, fd: int) -> int:
        """Forget a descriptor."""
        return 0 if self._open.pop(fd & 0xFFFFFFFF, None) is not None else -EBADF

    def flags(self, fd: int) -> int:
        """How a file was opened."""
        file = self._open.get(fd & 0xFFFFFFFF)
        return -EBADF if file is None else file.flags

    def seek(self, fd: int, offset: int, whence: int) -> int:
        """Move to another position."""
        file = self.find(fd)
        if file is None:
            return -EBADF
        if not S_ISREG(file.source.mode):
            return -29
        base = {0: 0, 1: file.position, 2: len(file.source.content)}.get(whence)
        if base is None or base + offset < 0:
            return -EINVAL
        file.position = base + offset
        return file.position

    def describe(self, fd: int) -> bytes | int:
        """What ``fstat`` writes, or what is wrong."""
        file = self.find(fd)
        return -EBADF if file is None else _described(file.source)

    def describe_path(self, path: str, follow: bool = True) -> bytes | int:
        """What ``stat`` writes, or what is wrong."""
        if path == self._path:
            if self.stops_at_input:
                raise AtInput
            return _described(self._input)
        try:
            found = Path(path).stat(follow_symlinks=follow)
        except (OSError, ValueError) as error:
            return -(getattr(error, "errno", None) or ENOENT)
        kind = found.st_mode & 0xFFFF if S_IFMT(found.st_mode) else REGULAR
        return _stat(kind, found.st_size, found.st_ino, found.st_nlink)


def _described(source: Source) -> bytes:
    return _stat(source.mode, len(source.content), 1, 1)


def _stat(mode: int, size: int, number: int, links: int) -> bytes:
    blocks = (size + 511) // 512
    return pack("<QQQIIIIQqqq", 1, number, links, mode, 0, 0, 0, 0, size, 4096, blocks).ljust(144, b"\0")


@lru_cache(maxsize=64)
def _content(path: str) -> bytes | None:
    """What a file of this machine holds; None if it cannot be read, or is not a plain file."""
    try:
        file = Path(path)
        return file.read_bytes() if file.is_file() and file.stat().st_size <= _LARGEST_FILE else None
    except (OSError, ValueError):
        return None


def real_link(path: str) -> bytes | int:
    """Where a symbolic link leads, or what is wrong."""
    try:
        return os.readlink(path).encode("utf-8", "surrogateescape")  # noqa: PTH115
    except (OSError, ValueError) as error:
        return -(getattr(error, "errno", None) or EINVAL)


def may_access(path: str, mode: int) -> int:
    """What ``access`` returns."""
    if os.access(path, mode & 7):
        return 0
    return -EACCES if os.path.exists(path) else -ENOENT  # noqa: PTH110
