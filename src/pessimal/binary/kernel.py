"""The system calls of an emulated target: enough for programs that read their input, compute and print."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from dataclasses import dataclass
from errno import EACCES, EBADF, EFAULT, EINVAL, ENOMEM, ENOSYS, ENOTTY
from typing import Any

from pessimal.binary.files import Files, OpenFile, may_access, real_link
from pessimal.binary.image import Image
from pessimal.binary.memory import Memory
from pessimal.binary.registers import GENERAL_IDS, RAX

_ARGUMENTS = (7, 6, 2, 10, 8, 9)
_PAGE = 4096
_MAPPINGS = 0x1F00000000
_HEAP = 1 << 30
_ANONYMOUS, _FIXED = 0x20, 0x10
_CLOCK = 1_700_000_000
_UNLIMITED = (1 << 64) - 1
_DUPLICATE, _GET_FLAGS, _DUPLICATE_CLOSING = 0, 3, 1030
_MOST_POLLED = 1024
_ERRORS, _MOST_PRINTED = 2, 1 << 13


@dataclass(frozen=True, slots=True)
class Ended:
    """How the target ended itself."""

    code: int | None = None
    signal: int | None = None
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class SavedKernel:
    """What system calls have changed up to some moment."""

    heap_end: int
    next_mapping: int
    pages: int
    files: dict[int, OpenFile]


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
        self.files = Files()
        self.reset()

    def reset(self) -> None:
        """Begin a new run."""
        self.ended: Ended | None = None
        self._break = self._break_start
        self._next_mapping = _MAPPINGS
        self._pages = 0
        self.printed = b""
        self.files.reset()

    def saved(self) -> SavedKernel:
        """What a later run can go on from."""
        return SavedKernel(self._break, self._next_mapping, self._pages, self.files.saved())

    def restore(self, saved: SavedKernel) -> None:
        """Go back to where it was saved."""
        self.ended, self.printed = None, b""
        self._break, self._next_mapping, self._pages = saved.heap_end, saved.next_mapping, saved.pages
        self.files.restore(saved.files)

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

    def _put(self, buffer: int, content: bytes | int) -> int:
        """Write what a call has found, unless that is the number of an error."""
        if isinstance(content, int):
            return content
        return 0 if self._memory.write(buffer, content) else -EFAULT

    # Files

    def _read(self, fd: int, buffer: int, count: int, *_: int) -> int:
        file = self.files.find(fd)
        if file is None:
            return -EBADF
        got = self._read_at(file, buffer, count, file.position)
        file.position += max(got, 0)
        return got

    def _pread(self, fd: int, buffer: int, count: int, offset: int, *_: int) -> int:
        file = self.files.find(fd)
        return -EBADF if file is None else self._read_at(file, buffer, count, offset)

    def _read_at(self, file: OpenFile, buffer: int, count: int, start: int) -> int:
        source = file.source
        content = source.content[start : start + count]
        if content and not self._memory.write(buffer, content):
            return -EFAULT
        leaves = source.leaves[start : start + len(content)]
        if leaves:
            self.on_input(buffer, leaves)
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
        if fd == _ERRORS and len(self.printed) < _MOST_PRINTED:
            self.printed += self._memory.read(buffer, min(count, _MOST_PRINTED)) or b""
        return count if self.files.is_open(fd) else -EBADF

    def _writev(self, fd: int, vector: int, count: int, *_: int) -> int:
        content = self._memory.read(vector, 16 * min(count, 1024)) or b""
        return sum(size for _, size in struct.iter_unpack("<QQ", content)) if self.files.is_open(fd) else -EBADF

    def _open(self, path: int, flags: int, *_: int) -> int:
        return self.files.open(self._text(path), flags)

    def _openat(self, directory: int, path: int, flags: int, *_: int) -> int:
        return self.files.open(self._text(path), flags)

    def _close(self, fd: int, *_: int) -> int:
        return self.files.close(fd)

    def _dup(self, fd: int, *_: int) -> int:
        return self.files.duplicate(fd)

    def _dup2(self, fd: int, to: int, *_: int) -> int:
        return self.files.duplicate(fd, to & 0xFFFFFFFF)

    def _fcntl(self, fd: int, command: int, value: int, *_: int) -> int:
        if command in (_DUPLICATE, _DUPLICATE_CLOSING):
            return self.files.duplicate(fd, least=value)
        if command == _GET_FLAGS:
            return self.files.flags(fd)
        return 0 if self.files.is_open(fd) else -EBADF

    def _fstat(self, fd: int, buffer: int, *_: int) -> int:
        return self._put(buffer, self.files.describe(fd))

    def _newfstatat(self, directory: int, path: int, buffer: int, flags: int, *_: int) -> int:
        name = self._text(path)
        return self._put(buffer, self.files.describe_path(name) if name else self.files.describe(directory))

    def _stat(self, path: int, buffer: int, *_: int) -> int:
        return self._put(buffer, self.files.describe_path(self._text(path)))

    def _lstat(self, path: int, buffer: int, *_: int) -> int:
        return self._put(buffer, self.files.describe_path(self._text(path), follow=False))

    def _lseek(self, fd: int, offset: int, whence: int, *_: int) -> int:
        return self.files.seek(fd, offset - (1 << 64) * (offset >> 63), whence)

    def _access(self, path: int, mode: int, *_: int) -> int:
        return may_access(self._text(path), mode)

    def _faccessat(self, directory: int, path: int, mode: int, *_: int) -> int:
        return may_access(self._text(path), mode)

    def _readlink(self, path: int, buffer: int, size: int, *_: int) -> int:
        found = real_link(self._text(path))
        if isinstance(found, bytes):
            return self._put(buffer, found[:size]) or len(found[:size])
        return found

    def _readlinkat(self, directory: int, path: int, buffer: int, size: int, *_: int) -> int:
        return self._readlink(path, buffer, size)

    def _getcwd(self, buffer: int, size: int, *_: int) -> int:
        content = os.fsencode(os.getcwd()) + b"\0"  # noqa: PTH109
        return self._put(buffer, content) or len(content)

    def _poll(self, items: int, count: int, *_: int) -> int:
        """Whatever is waited for has happened: all of the input is there, and output is never in the way."""
        ready = 0
        for i in range(min(count, _MOST_POLLED)):
            fd, wanted = struct.unpack("<ih", self._memory.read(items + 8 * i, 6) or bytes(6))
            found = 0 if fd < 0 else wanted if self.files.is_open(fd) else 32
            self._memory.write(items + 8 * i + 6, struct.pack("<h", found))
            ready += found != 0
        return ready

    def _denied(self, *_: int) -> int:
        return -EACCES

    # Memory

    def _mmap(self, address: int, size: int, rights: int, flags: int, fd: int, offset: int) -> int:
        pages = (size + _PAGE - 1) // _PAGE
        if not pages or size > 1 << 36:
            return -ENOMEM
        file = None if flags & _ANONYMOUS else self.files.find(fd)
        if file is None and not flags & _ANONYMOUS:
            return -EBADF
        start = address if flags & _FIXED else self._next_mapping
        if flags & _FIXED:
            self._memory.replace(start, pages * _PAGE, _granted(rights))
            self._memory.clear(start, pages * _PAGE)
        else:
            self._next_mapping += (pages + 1) * _PAGE
            self._memory.add(start, pages * _PAGE, _granted(rights))
        if file is not None:
            self._read_at(file, start, size, offset)
        return start

    def _mprotect(self, address: int, size: int, rights: int, *_: int) -> int:
        """Give access where there was none; access is never taken away."""
        region = self._memory.region_at(address)
        if region is not None and not region.rights and rights & 7:
            self._memory.replace(address, (size + _PAGE - 1) // _PAGE * _PAGE, _granted(rights))
        return 0

    def _mremap(self, address: int, old: int, new: int, *_: int) -> int:
        return address if new <= old else -ENOMEM

    def _brk(self, address: int, *_: int) -> int:
        if self._break_start <= address <= self._break_start + _HEAP:
            self._break = address
        return self._break

    # Processes and signals

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

    def _no_terminal(self, *_: int) -> int:
        return -ENOTTY

    def _identity(self, *_: int) -> int:
        return 1000

    def _limits(self, which: int, buffer: int, *_: int) -> int:
        return self._put(buffer, struct.pack("<QQ", _UNLIMITED, _UNLIMITED))

    def _prlimit(self, process: int, which: int, new: int, buffer: int, *_: int) -> int:
        return self._limits(which, buffer) if buffer else 0

    def _usage(self, who: int, buffer: int, *_: int) -> int:
        return self._put(buffer, bytes(144))

    def _uname(self, buffer: int, *_: int) -> int:
        names = ("Linux", "localhost", "6.1.0", "#1", "x86_64", "(none)")
        return self._put(buffer, b"".join(name.encode().ljust(65, b"\0") for name in names))

    def _sysinfo(self, buffer: int, *_: int) -> int:
        memory = (1 << 32, 1 << 31, 0, 0, 0, 0)
        return self._put(buffer, struct.pack("<q3Q6QHHIQQI", 1, 0, 0, 0, *memory, 1, 0, 0, 0, 0, 1).ljust(112, b"\0"))

    def _affinity(self, process: int, size: int, mask: int, *_: int) -> int:
        return self._put(mask, (1).to_bytes(8, "little")) or 8 if size >= 8 else -EINVAL

    def _random(self, buffer: int, count: int, *_: int) -> int:
        self._memory.write(buffer, bytes(range(1, 256))[: count % 256].ljust(count, b"\x07"))
        return count

    def _clock(self, clock: int, buffer: int, *_: int) -> int:
        return self._put(buffer, struct.pack("<qq", _CLOCK, 0))

    def _time_of_day(self, buffer: int, *_: int) -> int:
        return self._put(buffer, struct.pack("<qq", _CLOCK, 0))

    def _time(self, buffer: int, *_: int) -> int:
        if buffer:
            self._memory.write(buffer, struct.pack("<q", _CLOCK))
        return _CLOCK


def _granted(rights: int) -> int:
    """What may be done with new memory: all but execution, or nothing."""
    return rights & 7 | 3 if rights & 7 else 0


_CALLS: dict[int, Callable[..., int]] = {
    0: Kernel._read,
    1: Kernel._write,
    2: Kernel._open,
    3: Kernel._close,
    4: Kernel._stat,
    5: Kernel._fstat,
    6: Kernel._lstat,
    7: Kernel._poll,
    8: Kernel._lseek,
    9: Kernel._mmap,
    10: Kernel._mprotect,
    12: Kernel._brk,
    16: Kernel._no_terminal,
    17: Kernel._pread,
    19: Kernel._readv,
    20: Kernel._writev,
    21: Kernel._access,
    25: Kernel._mremap,
    32: Kernel._dup,
    33: Kernel._dup2,
    60: Kernel._exit,
    62: Kernel._kill,
    63: Kernel._uname,
    72: Kernel._fcntl,
    79: Kernel._getcwd,
    89: Kernel._readlink,
    96: Kernel._time_of_day,
    97: Kernel._limits,
    98: Kernel._usage,
    99: Kernel._sysinfo,
    200: Kernel._tgkill,
    201: Kernel._time,
    204: Kernel._affinity,
    228: Kernel._clock,
    231: Kernel._exit,
    234: Kernel._tgkill,
    257: Kernel._openat,
    262: Kernel._newfstatat,
    267: Kernel._readlinkat,
    269: Kernel._faccessat,
    292: Kernel._dup2,
    302: Kernel._prlimit,
    318: Kernel._random,
    439: Kernel._faccessat,
    **dict.fromkeys((39, 102, 104, 107, 108, 110, 186, 218), Kernel._identity),
    # munmap, signals, yielding, advice, sleeping, timers, locks, and what threads register
    **dict.fromkeys((11, 13, 14, 24, 28, 35, 37, 38, 73, 131, 202, 221, 230, 273, 334), Kernel._done),
    # whatever changes files by their names, or goes to another directory
    **dict.fromkeys((76, *range(80, 89), *range(90, 95), 133, *range(258, 262), *range(263, 267), 268), Kernel._denied),
}
_REFUSED = {
    56: "clone (it starts a process or a thread)",
    57: "fork",
    58: "vfork",
    59: "execve",
    435: "clone3 (it starts a process or a thread)",
    41: "socket",
    42: "connect",
    23: "select",
    34: "pause",
}
