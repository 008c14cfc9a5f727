"""The system calls of an emulated target: enough for programs that read their input, compute and print."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from dataclasses import dataclass
from errno import EACCES, EBADF, EINVAL, ENOENT, ENOMEM, ENOSYS, ENOTTY, EPERM
from pathlib import Path
from typing import Any

from pessimal.binary.image import Image
from pessimal.binary.memory import Memory
from pessimal.binary.registers import GENERAL_IDS, RAX

_ARGUMENTS = (7, 6, 2, 10, 8, 9)
_PAGE = 4096
_MAPPINGS = 0x1F00000000
_HEAP = 1 << 30
_REGULAR, _PIPE, _CHARACTER = 0o100644, 0o010600, 0o020620
_ANONYMOUS = 0x20
_LARGEST_FILE = 64 << 20
_CLOCK = 1_700_000_000


@dataclass(frozen=True, slots=True)
class Ended:
    """How the target ended itself."""

    code: int | None = None
    signal: int | None = None
    refused: str | None = None


@dataclass(slots=True)
class OpenFile:
    """A file that the target has open: its content, how far it was read, and which of its bytes are input."""

    content: bytes
    position: int = 0
    leaves: tuple[int, ...] = ()
    mode: int = _REGULAR


OnInput = Callable[[int, tuple[int, ...]], None]
"""Called with an address and the leaves that were just written there."""


class Kernel:
    """The state that system calls change, and the calls."""

    def __init__(self, emulator: Any, memory: Memory, image: Image) -> None:
        self._emulator = emulator
        self._memory = memory
        heap = next((region for region in image.regions if region.path == "[heap]"), None)
        last = max((region.end for region in image.regions if region.end < 1 << 46), default=1 << 32)
        self._break_start = last + (1 << 24) if heap is None else heap.end
        memory.reserve(self._break_start, _HEAP)
        self.on_input: OnInput = lambda address, leaves: None
        self.files: dict[int, OpenFile] = {}
        self.paths: dict[str, OpenFile] = {}
        self.reset()

    def reset(self) -> None:
        """Begin a new run."""
        self.ended: Ended | None = None
        self._break = self._break_start
        self._next_mapping = _MAPPINGS
        self._pages = 0
        self.files = {1: OpenFile(b"", mode=_CHARACTER), 2: OpenFile(b"", mode=_CHARACTER)}
        self.paths = {}

    def take_pages(self, count: int) -> int:
        """The number of the first of some pages that nothing else has."""
        self._pages += count
        return self._pages - count

    def call(self) -> None:
        """Do what the registers ask for."""
        number, *arguments = (int(self._emulator.reg_read(GENERAL_IDS[register])) for register in (RAX, *_ARGUMENTS))
        handler = _CALLS.get(number)
        if handler is None:
            result = -ENOSYS
            if number in _REFUSED:
                self.ended = Ended(refused=f"the program calls {_REFUSED[number]}, which cannot be emulated")
        else:
            result = handler(self, *arguments)
        self._emulator.reg_write(GENERAL_IDS[RAX], result & (1 << 64) - 1)

    def _text(self, address: int) -> str:
        found = b""
        while b"\0" not in found and len(found) < 4096:
            part = self._memory.read(address + len(found), 1)
            if part is None:
                break
            found += part
        return os.fsdecode(found.split(b"\0")[0])

    def _read(self, fd: int, buffer: int, count: int, *_: int) -> int:
        return self._read_at(fd, buffer, count, None)

    def _pread(self, fd: int, buffer: int, count: int, offset: int, *_: int) -> int:
        return self._read_at(fd, buffer, count, offset)

    def _read_at(self, fd: int, buffer: int, count: int, offset: int | None) -> int:
        file = self.files.get(fd)
        if file is None:
            return -EBADF
        start = file.position if offset is None else offset
        content = file.content[start : start + count]
        if content and not self._memory.write(buffer, content):
            return -14
        leaves = file.leaves[start : start + len(content)]
        if leaves:
            self.on_input(buffer, leaves)
        if offset is None:
            file.position = start + len(content)
        return len(content)

    def _readv(self, fd: int, vector: int, count: int, *_: int) -> int:
        total = 0
        for i in range(min(count, 1024)):
            base, size = struct.unpack("<QQ", self._memory.read(vector + 16 * i, 16) or bytes(16))
            got = self._read(fd, base, size)
            if got < 0:
                return got
            total += got
            if got < size:
                break
        return total

    def _write(self, fd: int, buffer: int, count: int, *_: int) -> int:
        return count if fd in self.files else -EBADF

    def _writev(self, fd: int, vector: int, count: int, *_: int) -> int:
        content = self._memory.read(vector, 16 * min(count, 1024)) or b""
        return sum(size for _, size in struct.iter_unpack("<QQ", content)) if fd in self.files else -EBADF

    def _open(self, path: int, flags: int, *_: int) -> int:
        return self._open_path(self._text(path), flags)

    def _openat(self, directory: int, path: int, flags: int, *_: int) -> int:
        return self._open_path(self._text(path), flags)

    def _open_path(self, path: str, flags: int) -> int:
        known = self.paths.get(path)
        if flags & (os.O_WRONLY | os.O_RDWR):
            return -EACCES
        if known is None:
            content = _content(path)
            if content is None:
                return -ENOENT
            known = OpenFile(content)
        fd = next(number for number in range(3, 1 << 16) if number not in self.files)
        self.files[fd] = OpenFile(known.content, 0, known.leaves, known.mode)
        return fd

    def _close(self, fd: int, *_: int) -> int:
        return 0 if self.files.pop(fd, None) is not None else -EBADF

    def _fstat(self, fd: int, buffer: int, *_: int) -> int:
        file = self.files.get(fd)
        if file is None:
            return -EBADF
        self._memory.write(buffer, _stat(file))
        return 0

    def _newfstatat(self, directory: int, path: int, buffer: int, flags: int, *_: int) -> int:
        name = self._text(path)
        if not name:
            return self._fstat(directory, buffer)
        return self._stat_path(name, buffer)

    def _stat(self, path: int, buffer: int, *_: int) -> int:
        return self._stat_path(self._text(path), buffer)

    def _stat_path(self, path: str, buffer: int) -> int:
        file = self.paths.get(path)
        if file is None:
            content = _content(path)
            if content is None:
                return -ENOENT
            file = OpenFile(content)
        self._memory.write(buffer, _stat(file))
        return 0

    def _lseek(self, fd: int, offset: int, whence: int, *_: int) -> int:
        file = self.files.get(fd)
        if file is None:
            return -EBADF
        if file.mode != _REGULAR:
            return -29
        offset -= (1 << 64) * (offset >> 63)
        base = {0: 0, 1: file.position, 2: len(file.content)}.get(whence)
        if base is None or base + offset < 0:
            return -EINVAL
        file.position = base + offset
        return file.position

    def _mmap(self, address: int, size: int, rights: int, flags: int, fd: int, offset: int) -> int:
        pages = (size + _PAGE - 1) // _PAGE
        if not pages or size > 1 << 36:
            return -ENOMEM
        start = self._next_mapping
        self._next_mapping += (pages + 1) * _PAGE
        self._memory.add(start, pages * _PAGE, rights & 7 | 3 if rights & 7 else 0)
        if not flags & _ANONYMOUS:
            file = self.files.get(fd & 0xFFFFFFFF)
            if file is None:
                return -EBADF
            content = file.content[offset : offset + size]
            self._memory.write(start, content)
            leaves = file.leaves[offset : offset + size]
            if leaves:
                self.on_input(start, leaves)
        return start

    def _munmap(self, address: int, size: int, *_: int) -> int:
        return 0

    def _mremap(self, address: int, old: int, new: int, *_: int) -> int:
        return -ENOMEM

    def _brk(self, address: int, *_: int) -> int:
        if self._break_start <= address <= self._break_start + _HEAP:
            self._break = address
        return self._break

    def _exit(self, code: int, *_: int) -> int:
        self.ended = Ended(code=code & 255)
        return 0

    def _kill(self, target: int, number: int, *_: int) -> int:
        return self._signal(number)

    def _tgkill(self, group: int, target: int, number: int, *_: int) -> int:
        return self._signal(number)

    def _signal(self, number: int) -> int:
        if number:
            self.ended = Ended(signal=number)
        return 0

    def _done(self, *_: int) -> int:
        return 0

    def _refuse(self, *_: int) -> int:
        return -EPERM

    def _ioctl(self, *_: int) -> int:
        return -ENOTTY

    def _identity(self, *_: int) -> int:
        return 1000

    def _random(self, buffer: int, count: int, *_: int) -> int:
        self._memory.write(buffer, bytes(range(1, 256))[: count % 256].ljust(count, b"\x07"))
        return count

    def _clock(self, clock: int, buffer: int, *_: int) -> int:
        self._memory.write(buffer, struct.pack("<qq", _CLOCK, 0))
        return 0

    def _time(self, buffer: int, *_: int) -> int:
        if buffer:
            self._memory.write(buffer, struct.pack("<q", _CLOCK))
        return _CLOCK


def _stat(file: OpenFile) -> bytes:
    size = len(file.content)
    blocks = (size + 511) // 512
    return struct.pack("<QQQIIIIQqqq", 1, 1, 1, file.mode, 0, 0, 0, 0, size, 4096, blocks).ljust(144, b"\0")


def _content(path: str) -> bytes | None:
    """What a file of this machine holds; None if it cannot be read, or is not a plain file."""
    try:
        file = Path(path)
        return file.read_bytes() if file.is_file() and file.stat().st_size <= _LARGEST_FILE else None
    except (OSError, ValueError):
        return None


_CALLS: dict[int, Callable[..., int]] = {
    0: Kernel._read,
    1: Kernel._write,
    2: Kernel._open,
    3: Kernel._close,
    4: Kernel._stat,
    5: Kernel._fstat,
    6: Kernel._stat,
    8: Kernel._lseek,
    9: Kernel._mmap,
    10: Kernel._done,
    11: Kernel._munmap,
    12: Kernel._brk,
    13: Kernel._done,
    14: Kernel._done,
    16: Kernel._ioctl,
    17: Kernel._pread,
    19: Kernel._readv,
    20: Kernel._writev,
    21: Kernel._refuse,
    24: Kernel._done,
    25: Kernel._mremap,
    28: Kernel._done,
    35: Kernel._done,
    37: Kernel._done,
    39: Kernel._identity,
    60: Kernel._exit,
    62: Kernel._kill,
    72: Kernel._done,
    96: Kernel._clock,
    102: Kernel._identity,
    104: Kernel._identity,
    107: Kernel._identity,
    108: Kernel._identity,
    110: Kernel._identity,
    131: Kernel._done,
    186: Kernel._identity,
    200: Kernel._tgkill,
    201: Kernel._time,
    202: Kernel._done,
    218: Kernel._identity,
    228: Kernel._clock,
    230: Kernel._done,
    231: Kernel._exit,
    234: Kernel._tgkill,
    257: Kernel._openat,
    262: Kernel._newfstatat,
    273: Kernel._done,
    302: Kernel._done,
    318: Kernel._random,
}
_REFUSED = {
    56: "clone (it starts a process or a thread)",
    57: "fork",
    58: "vfork",
    59: "execve",
    435: "clone3 (it starts a process or a thread)",
    41: "socket",
    42: "connect",
    7: "poll",
    23: "select",
    34: "pause",
}
