"""What an ELF file says of itself: whether it can be run here, its symbols, and the lines of its code."""

from __future__ import annotations

import struct
from bisect import bisect_left, bisect_right
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from pessimal.binary.sanitizer import MARK
from pessimal.errors import TargetError

ELF_MAGIC = b"\x7fELF"
_EXECUTABLE, _SHARED, _X86_64 = 2, 3, 62
_SHOWN = 8
_MARKED_PROGRAM = 0x08000000
_FUNCTION_RELOCATIONS = (6, 7)
_DAMAGE = (ValueError, KeyError, TypeError, AttributeError, OSError, OverflowError, MemoryError, struct.error)


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a file: its name, and where its code is, by offset from where the file is loaded."""

    name: str
    start: int
    size: int


@dataclass(frozen=True)
class ElfFile:
    """One file; all addresses are offsets from where it is loaded."""

    path: Path
    is_library: bool
    entry: int
    functions: tuple[Function, ...]
    base: int = 0
    """The address that the file itself gives to its first byte; 0 where it can be loaded anywhere."""
    is_sanitized: bool = False
    """Whether it was built with AddressSanitizer."""
    _names: dict[str, Function] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> ElfFile:
        """Read a file; TargetError in one line if it is not an x86-64 ELF file that can be run."""
        content = _content(path)
        _check(path, content)
        from elftools.common.exceptions import ELFError
        from elftools.elf.elffile import ELFFile

        try:
            with path.open("rb") as stream:
                elf = ELFFile(stream)
                segments = list(elf.iter_segments())
                loaded = [segment for segment in segments if segment["p_type"] == "PT_LOAD"]
                if not loaded:
                    raise TargetError(f"{path} has no code to load: give an executable or a shared library")
                base = min(segment["p_vaddr"] & ~0xFFF for segment in loaded)
                kinds = {segment["p_type"] for segment in segments}
                is_program = elf["e_type"] == "ET_EXEC" or _is_started(elf["e_entry"], kinds, segments)
                functions = tuple(sorted(_functions(elf, base), key=lambda item: (item.start, item.name)))
                names = {item.name: item for item in functions}
                return cls(path, not is_program, elf["e_entry"] - base, functions, base, MARK in content, names)
        except TargetError:
            raise
        except (ELFError, *_DAMAGE) as error:
            raise TargetError(
                f"{path} is a damaged ELF file ({type(error).__name__}: {error}): build it again"
            ) from None

    def function(self, name: str) -> Function:
        """The function with a name."""
        found = self._names.get(name)
        if found is None:
            raise TargetError(f"{self.path} has no function {name!r}: {self._cure(name)}")
        return found

    def _cure(self, name: str) -> str:
        names = list(self._names)
        if not names:
            return "it has no symbols, so name a function of a library that is not stripped"
        close = get_close_matches(name, names, n=3)
        return f"did you mean {' or '.join(close)}?" if close else f"choose one of {', '.join(names[:_SHOWN])}"

    @cached_property
    def _starts(self) -> list[int]:
        return [item.start for item in self.functions]

    def function_at(self, offset: int) -> str:
        """The name of the function that has the code at an offset; empty where no symbol says that."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return ""
        found = self.functions[index]
        return found.name if offset < found.start + max(found.size, 1) else ""

    @cached_property
    def lines(self) -> dict[int, tuple[str, int]]:
        """The source file and line at each offset where a line begins, if the file has debugging information."""
        from elftools.elf.elffile import ELFFile

        found: dict[int, tuple[str, int]] = {}
        with self.path.open("rb") as stream:
            elf = ELFFile(stream)
            if elf.has_dwarf_info():
                dwarf = elf.get_dwarf_info()
                for unit in dwarf.iter_CUs():
                    _add_lines(dwarf.line_program_for_CU(unit), self.base, found)
        return found

    @cached_property
    def _line_starts(self) -> list[int]:
        return sorted(self.lines)

    def line_at(self, offset: int) -> tuple[str, int] | None:
        """The source line of the code at an offset."""
        index = bisect_right(self._line_starts, offset) - 1
        return self.lines[self._line_starts[index]] if index >= 0 and self.function_at(offset) else None

    def lines_between(self, start: int, end: int) -> set[tuple[str, int]]:
        """The source lines of the code from one offset up to another."""
        found = self.line_at(start)
        first, last = (bisect_left(self._line_starts, at) for at in (start, end))
        return {self.lines[at] for at in self._line_starts[first:last]} | (set() if found is None else {found})


def is_elf(path: Path) -> bool:
    """Whether a file begins as ELF files do."""
    try:
        with path.open("rb") as stream:
            return stream.read(4) == ELF_MAGIC
    except OSError:
        return False


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TargetError(f"{path} cannot be read: {error.strerror}") from None


def _check(path: Path, content: bytes) -> None:
    if not content.startswith(ELF_MAGIC):
        raise TargetError(f"{path} is not an ELF file: give an x86-64 executable or shared library for Linux")
    if len(content) < 64 or content[32:40] == bytes(8):
        raise TargetError(f"{path} is a damaged ELF file, in which nothing says what to load: build it again")
    if content[4] != 2 or content[5] != 1:
        raise TargetError(f"{path} is not a 64-bit little-endian ELF file: build it for x86-64")
    kind, machine = (int.from_bytes(content[at : at + 2], "little") for at in (16, 18))
    if machine != _X86_64:
        raise TargetError(f"{path} is for another processor (ELF machine {machine}): build it for x86-64")
    if kind not in (_EXECUTABLE, _SHARED):
        raise TargetError(f"{path} is an ELF file of type {kind}, which cannot be run: link it first")


_SYMBOL, _RELOCATION = struct.Struct("<IBBHQQ"), struct.Struct("<QQq")
_CODE_SYMBOLS = (2, 10)


def _functions(elf: Any, base: int) -> list[Function]:
    """The functions that symbols name; tables are unpacked here, since large ones take long elsewhere."""
    found: dict[str, Function] = {}
    for name in (".symtab", ".dynsym"):
        section = elf.get_section_by_name(name)
        if section is None or not section["sh_link"]:
            continue
        names = elf.get_section(section["sh_link"]).data()
        content = section.data()
        for at, info, _, index, value, size in _SYMBOL.iter_unpack(content[: len(content) // 24 * 24]):
            if info & 15 in _CODE_SYMBOLS and index:
                text = _text(names, at)
                found.setdefault(text, Function(text, value - base, size))
    found.pop("", None)
    return list(found.values())


def _is_started(entry: int, kinds: set[str], segments: list[Any]) -> bool:
    """Whether a file that can be loaded anywhere is a program; some libraries, such as that of C, can be started."""
    dynamic = [tag for segment in segments if segment["p_type"] == "PT_DYNAMIC" for tag in segment.iter_tags()]
    tags = {tag.entry.d_tag: tag.entry.d_val for tag in dynamic}
    is_marked = bool(tags.get("DT_FLAGS_1", 0) & _MARKED_PROGRAM)
    return is_marked or ("PT_INTERP" in kinds and entry != 0 and "DT_SONAME" not in tags)


def _text(names: bytes, at: int) -> str:
    end = names.find(b"\0", at)
    return names[at : end if end >= 0 else None].decode("utf-8", "replace")


def _data(elf: Any, name: str) -> bytes:
    section = elf.get_section_by_name(name)
    return b"" if section is None else bytes(section.data())


def relocated_names(path: str, wanted: frozenset[str]) -> list[tuple[int, str]]:
    """The offsets of the words in a file that the dynamic linker filled with the addresses of some functions."""
    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile

    found: list[tuple[int, str]] = []
    with suppress(ELFError, OSError, ValueError, KeyError, struct.error), Path(path).open("rb") as stream:
        elf = ELFFile(stream)
        base = min(item["p_vaddr"] & ~0xFFF for item in elf.iter_segments() if item["p_type"] == "PT_LOAD")
        symbols, names = _data(elf, ".dynsym"), _data(elf, ".dynstr")
        for content in (_data(elf, ".rela.plt"), _data(elf, ".rela.dyn")) if symbols else ():
            for offset, info, _ in _RELOCATION.iter_unpack(content[: len(content) // 24 * 24]):
                if info & 0xFFFFFFFF in _FUNCTION_RELOCATIONS:
                    name = _text(names, _SYMBOL.unpack_from(symbols, 24 * (info >> 32))[0])
                    if name in wanted:
                        found.append((offset - base, name))
    return found


def _add_lines(program: Any, base: int, found: dict[int, tuple[str, int]]) -> None:
    """Add the lines of one compilation unit."""
    if program is None:
        return
    header = program.header
    first = 1 if header.version < 5 else 0
    for entry in program.get_entries():
        state = entry.state
        if state is None or state.end_sequence:
            continue
        files = header["file_entry"]
        index = state.file - first
        if 0 <= index < len(files):
            found[state.address - base] = (files[index].name.decode("utf-8", "replace"), state.line)
