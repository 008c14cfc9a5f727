"""A target as the real dynamic linker loaded it: a stopped process, of which the memory is read and never written."""

from __future__ import annotations

import os
import weakref
from bisect import bisect_right
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pessimal.binary.elf import ElfFile
from pessimal.binary.entry import main_from_start
from pessimal.binary.processes import EMULATED, Confinement, Host
from pessimal.binary.ptrace import Traced
from pessimal.errors import TargetError

READ, WRITE, EXECUTE = 1, 2, 4
_UNREADABLE = ("[vsyscall]",)


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the memory: where it is, what may be done with it, and the file that it comes from."""

    start: int
    end: int
    rights: int
    path: str


@dataclass(frozen=True, slots=True)
class Module:
    """A file that is loaded, and where."""

    path: str
    base: int
    end: int


class Image:
    """The stopped process: its memory, its modules, and the registers with which emulation begins."""

    def __init__(self, host: Host, registers: dict[str, int]) -> None:
        pid = host.process.pid
        self.registers = registers
        self.regions = _regions(pid)
        self._starts = [region.start for region in self.regions]
        self.modules = _modules(self.regions)
        self._memory = os.open(f"/proc/{pid}/mem", os.O_RDONLY)
        self._end = weakref.finalize(self, _end, host, self._memory)

    @classmethod
    def of_function(cls, elf: ElfFile, function: str, confinement: Confinement) -> tuple[Image, int]:
        """A library that is loaded, and the address of its function."""
        elf.function(function)
        if elf.is_sanitized:
            raise TargetError(f"{elf.path} was built with a sanitizer, for which it must be linked into a program")
        path = str(elf.path.absolute())
        host = Host("library", confinement, EMULATED, path=path, function=function)
        found = host.receive()
        if found is None or "error" in found:
            host.close()
            raise TargetError(_unloadable(elf.path, found))
        _wait_for_stop(host.process.pid)
        return cls(host, {"fs_base": found["fs_base"]}), found["address"]

    @classmethod
    def of_program(
        cls, elf: ElfFile, arguments: Sequence[str], confinement: Confinement, seconds: float
    ) -> tuple[Image, int]:
        """A program that has come to its main function, and the address of that."""
        path = str(elf.path.absolute())
        if not os.access(path, os.X_OK):
            raise TargetError(f"{elf.path} may not be executed: chmod +x {elf.path}")
        order = {"path": path, "arguments": [path, *arguments], "environment": EMULATED}
        host = Host("program", confinement, EMULATED, **order)
        try:
            traced = Traced(host.process.pid, str(elf.path), seconds)
            entry = traced.entry()
            traced.run_to(entry)
            main = _main(elf, traced, entry)
            if main is not None:
                traced.run_to(main)
            return cls(host, traced.registers()), entry if main is None else main
        except BaseException as error:
            host.process.kill()
            found = host.receive()  # what kept the program from starting, if that is what happened
            host.close()
            if isinstance(error, TargetError) and found is not None and "error" in found:
                raise TargetError(_unloadable(elf.path, found)) from None
            raise

    def region_at(self, address: int) -> Region | None:
        """The region that has an address."""
        index = bisect_right(self._starts, address) - 1
        if index < 0:
            return None
        region = self.regions[index]
        return region if address < region.end and region.path not in _UNREADABLE else None

    def module_at(self, address: int) -> Module | None:
        """The module that has an address."""
        return next((module for module in self.modules if module.base <= address < module.end), None)

    def read(self, address: int, size: int) -> bytes:
        """The content of memory; zeros where it cannot be read, such as the kernel's clocks.

        On zeros the code that the kernel provides asks for the time by a system call.
        """
        with suppress(OSError, OverflowError):
            return os.pread(self._memory, size, address).ljust(size, b"\0")
        return bytes(size)

    def close(self) -> None:
        """End the process."""
        self._end()


def _end(host: Host, memory: int) -> None:
    os.close(memory)
    host.close()


def _main(elf: ElfFile, traced: Traced, entry: int) -> int | None:
    """The address of the main function: by its symbol, or as the code at the entry says."""
    base = entry - elf.entry
    with suppress(TargetError):
        return base + elf.function("main").start
    return main_from_start(traced.read(entry, 64), entry)


def _unloadable(path: Path, found: dict[str, str] | None) -> str:
    why = "its process ends when it is loaded" if found is None else found["error"]
    return f"{path} cannot be loaded: {why}"


def _wait_for_stop(pid: int) -> None:
    os.waitpid(pid, os.WUNTRACED)


def _regions(pid: int) -> list[Region]:
    found = []
    for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
        addresses, rights, _, _, _, *path = line.split(maxsplit=5)
        start, end = (int(part, 16) for part in addresses.split("-"))
        mask = sum(bit for bit, char in zip((READ, WRITE, EXECUTE), "rwx", strict=True) if char in rights)
        found.append(Region(start, end, mask, path[0] if path else ""))
    return found


def _modules(regions: Sequence[Region]) -> list[Module]:
    found: dict[str, Module] = {}
    for region in regions:
        if region.path.startswith("/"):
            known = found.get(region.path)
            base = region.start if known is None else known.base
            found[region.path] = Module(region.path, base, region.end)
    return list(found.values())
