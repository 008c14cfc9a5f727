"""Decoding instructions: which registers, flags and memory each reads and writes."""

from __future__ import annotations

from functools import cache

from capstone import CS_AC_READ, CS_AC_WRITE, CS_ARCH_X86, CS_GRP_CALL, CS_GRP_JUMP, CS_GRP_RET, CS_MODE_64, Cs, CsInsn
from capstone import x86 as x

from pessimal.binary.registers import CARRY, OTHER_FLAGS, PARTS, RBP, RSP, mask_of
from pessimal.binary.tracer import CALLS, ENDS_BLOCK, READS, REPEATS, RETURNS, WRITES, Access, Decoded

_CARRY = x.X86_EFLAGS_MODIFY_CF | x.X86_EFLAGS_RESET_CF | x.X86_EFLAGS_SET_CF | x.X86_EFLAGS_UNDEFINED_CF
_OTHERS = ("OF", "SF", "ZF", "PF")
_SEGMENTS = {x.X86_REG_FS: 1, x.X86_REG_GS: 2}
_NO_ACCESS = frozenset(("lea", "nop", "prefetch", "prefetchnta", "prefetcht0", "prefetcht1", "prefetcht2", "prefetchw"))
_WRITTEN_ONLY = frozenset(
    (
        *("mov", "movzx", "movsx", "movsxd", "lea", "pop", "movabs"),
        *("movdqa", "movdqu", "movaps", "movups", "movapd", "movupd", "movd", "movq", "movntdq", "movntps"),
    )
)


class Undecodable(Exception):
    """There is no instruction that the decoder knows."""


class Decoder:
    """Decodes instructions one by one."""

    def __init__(self) -> None:
        self._decoder = Cs(CS_ARCH_X86, CS_MODE_64)
        self._decoder.detail = True

    def instruction(self, code: bytes, address: int) -> CsInsn:
        """The instruction that some code begins with."""
        found = next(self._decoder.disasm(code, address, 1), None)
        if found is None:
            raise Undecodable
        return found


def described(instruction: CsInsn) -> Decoded:
    """What the tracer must know of an instruction."""
    reads, writes = _registers(instruction)
    accesses = (*_accesses(instruction), *_implicit(instruction))[:2]
    flags = 0
    if instruction.group(CS_GRP_CALL):
        flags |= CALLS | ENDS_BLOCK
    if instruction.group(CS_GRP_RET):
        flags |= RETURNS | ENDS_BLOCK
    if instruction.group(CS_GRP_JUMP) or instruction.mnemonic in ("syscall", "hlt"):
        flags |= ENDS_BLOCK
    if instruction.prefix[0] in (0xF2, 0xF3) and instruction.id in _STRINGS:
        flags |= REPEATS
    return Decoded(instruction.address, reads, writes, accesses, flags)


def _registers(instruction: CsInsn) -> tuple[int, int]:
    read, written = instruction.regs_access()
    reads = writes = 0
    for register in read:
        reads |= mask_of(register)
    for register in written:
        writes |= mask_of(register)
        part = PARTS.get(register)
        if (part is not None and part.width < 32) or (part is None and not _writes_all(instruction)):
            reads |= mask_of(register)  # the rest of the register stays as it is
    flags_read, flags_written = _flags(instruction)
    return reads | flags_read, writes | flags_written


def _writes_all(instruction: CsInsn) -> bool:
    """Whether a vector register that is written is written as a whole."""
    return instruction.mnemonic in _WRITTEN_ONLY


def _flags(instruction: CsInsn) -> tuple[int, int]:
    """The masks of flags that are read and written; flags of which only some are written count as read, too."""
    reads, writes = _flag_masks(instruction.eflags)
    if instruction.mnemonic in _BY_COUNT and not _has_fixed_count(instruction):
        reads |= writes  # a count of zero leaves them as they are
    return reads, writes


@cache
def _flag_masks(mask: int) -> tuple[int, int]:
    written = [bool(mask & _all_of(name)) for name in _OTHERS]
    reads = (1 << CARRY) * bool(mask & x.X86_EFLAGS_TEST_CF)
    tests = x.X86_EFLAGS_TEST_OF | x.X86_EFLAGS_TEST_SF | x.X86_EFLAGS_TEST_ZF | x.X86_EFLAGS_TEST_PF
    reads |= (1 << OTHER_FLAGS) * bool(mask & tests)
    writes = (1 << CARRY) * bool(mask & _CARRY) | (1 << OTHER_FLAGS) * any(written)
    if any(written) and not all(written):
        reads |= 1 << OTHER_FLAGS
    return reads, writes


_BY_COUNT = frozenset(("shl", "shr", "sar", "sal", "rol", "ror", "rcl", "rcr", "shld", "shrd"))


def _has_fixed_count(instruction: CsInsn) -> bool:
    """Whether a shift is by a constant other than zero, so that it writes all flags."""
    last = instruction.operands[-1]
    is_constant = last.type == x.X86_OP_IMM and last.imm & (63 if instruction.operands[0].size == 8 else 31) != 0
    return is_constant and instruction.mnemonic in ("shl", "shr", "sar", "sal")


_STRINGS = frozenset(
    getattr(x, f"X86_INS_{name}{size}") for name in ("MOVS", "STOS", "LODS", "SCAS", "CMPS") for size in "BWDQ"
)


def _all_of(flag: str) -> int:
    names = ("MODIFY", "RESET", "SET", "UNDEFINED")
    return sum(getattr(x, f"X86_EFLAGS_{name}_{flag}", 0) for name in names)


def _accesses(instruction: CsInsn) -> list[Access]:
    if instruction.mnemonic in _NO_ACCESS:
        return []
    found = []
    for operand in instruction.operands:
        if operand.type != x.X86_OP_MEM:
            continue
        kind = READS * bool(operand.access & CS_AC_READ) | WRITES * bool(operand.access & CS_AC_WRITE)
        found.append(_access(instruction, operand.mem, operand.size, kind or READS))
    return found


def _access(instruction: CsInsn, memory: x.X86OpMem, size: int, kind: int) -> Access:
    displacement, base = memory.disp, -1
    if memory.base == x.X86_REG_RIP:
        displacement += instruction.address + instruction.size
    elif memory.base:
        base = PARTS[memory.base].number
    index = PARTS[memory.index].number if memory.index in PARTS else -1
    return Access(base, index, memory.scale, displacement, _SEGMENTS.get(memory.segment, 0), size, kind)


def _implicit(instruction: CsInsn) -> list[Access]:
    """The access to the stack that an instruction does not write down."""
    name = instruction.mnemonic
    size = instruction.operands[0].size if instruction.operands and name in ("push", "pop") else 8
    if name in ("push", "call", "pushfq", "lcall"):
        return [Access(RSP, -1, 1, -size, 0, size, WRITES)]
    if name in ("pop", "ret", "popfq"):
        return [Access(RSP, -1, 1, 0, 0, size, READS)]
    if name == "leave":
        return [Access(RBP, -1, 1, 0, 0, 8, READS)]
    return []


def address_operand(instruction: CsInsn) -> Access:
    """The memory operand of an instruction that only computes its address."""
    operand = next(operand for operand in instruction.operands if operand.type == x.X86_OP_MEM)
    return _access(instruction, operand.mem, operand.size, 0)
