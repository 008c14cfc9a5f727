"""Finding the main function of a program without symbols in the few instructions that it begins with."""

from __future__ import annotations

from capstone import CS_ARCH_X86, CS_MODE_64, Cs
from capstone.x86 import X86_OP_IMM, X86_OP_MEM, X86_REG_RDI, X86_REG_RIP


def main_from_start(code: bytes, address: int) -> int | None:
    """The address that the code at the entry passes to the C library as the main function; None if it does not."""
    decoder = Cs(CS_ARCH_X86, CS_MODE_64)
    decoder.detail = True
    for instruction in decoder.disasm(code, address):
        if instruction.mnemonic.startswith("call"):
            return None
        operands = instruction.operands
        if len(operands) == 2 and operands[0].reg == X86_REG_RDI:
            source = operands[1]
            if source.type == X86_OP_IMM:
                return int(source.imm)
            if source.type == X86_OP_MEM and source.mem.base == X86_REG_RIP and instruction.mnemonic == "lea":
                return int(instruction.address + instruction.size + source.mem.disp)
    return None
