"""The basic blocks of a function as its code shows them, executed or not."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from capstone import CS_ARCH_X86, CS_GRP_CALL, CS_GRP_JUMP, CS_MODE_64, Cs
from capstone.x86 import X86_OP_IMM

from pessimal.binary.elf import ElfFile, Function

_LARGEST = 1 << 20
_NEVER_GOES_ON = ("jmp", "ljmp", "ret", "hlt", "ud2")
_OTHER_ENDS = ("ret", "hlt", "ud2", "syscall")


@dataclass(frozen=True, slots=True)
class Blocks:
    """Where the blocks of a function begin, and where what ends a block is over, by offset.

    Targets of computed jumps are missing, since only runs show them; code behind calls that never return is there.
    """

    starts: frozenset[int]
    ends: tuple[int, ...]

    def end_of(self, start: int) -> int:
        """Where the block that begins at an offset ends."""
        index = bisect_right(self.ends, start)
        return self.ends[index] if index < len(self.ends) else start + 1


def blocks_of(elf: ElfFile, function: Function) -> Blocks:
    """The blocks of a function."""
    return _blocks(elf.path, function.start, function.size)


@lru_cache(maxsize=4096)
def _blocks(path: Path, start: int, size: int) -> Blocks:
    decoder = Cs(CS_ARCH_X86, CS_MODE_64)
    decoder.detail = True
    found, ends = {start}, set()
    for instruction in decoder.disasm(_code(path, start, min(size, _LARGEST)), start):
        is_call, is_jump = instruction.group(CS_GRP_CALL), instruction.group(CS_GRP_JUMP)
        after = instruction.address + instruction.size
        if is_call or is_jump or instruction.mnemonic in _OTHER_ENDS:
            ends.add(after)
            if instruction.mnemonic not in _NEVER_GOES_ON:
                found.add(after)
        if is_jump and not is_call and instruction.operands and instruction.operands[0].type == X86_OP_IMM:
            found.add(instruction.operands[0].imm)
    starts = frozenset(item for item in found if start <= item < start + max(size, 1))
    return Blocks(starts, tuple(sorted(ends | starts)))


def _code(path: Path, start: int, size: int) -> bytes:
    """The bytes of a file that are loaded at an offset."""
    from elftools.elf.elffile import ELFFile

    with path.open("rb") as stream:
        loaded = [item for item in ELFFile(stream).iter_segments() if item["p_type"] == "PT_LOAD"]
        first = min(item["p_vaddr"] & ~0xFFF for item in loaded)
        for item in loaded:
            begin = item["p_vaddr"] - first
            if begin <= start < begin + item["p_filesz"]:
                stream.seek(item["p_offset"] + start - begin)
                return stream.read(min(size, begin + item["p_filesz"] - start))
    return b""
