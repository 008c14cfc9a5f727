"""The operands of an instruction, as functions that read and write their terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from capstone import CsInsn
from capstone import x86 as x

from pessimal.binary.decoding import described
from pessimal.binary.registers import PARTS, VECTOR_BASE, VECTORS, Part
from pessimal.binary.state import State
from pessimal.binary.terms import Value, apply, sign_extend, zero_extend
from pessimal.binary.tracer import Access
from pessimal.expr import Expr


class Run(Protocol):
    """What a lifted instruction can ask of the run that it is part of."""

    state: State

    def branch(self, condition: Expr, target: int, next_address: int) -> None:
        """Decide a conditional jump."""
        ...

    def jump(self, target: Value, registers: Sequence[int], memory: tuple[int, int] | None) -> None:
        """Decide where a computed jump leads."""
        ...

    def pin_registers(self, mask: int, reason: str) -> None:
        """Make registers concrete."""
        ...

    def pin_memory(self, address: int, size: int, reason: str) -> None:
        """Make memory concrete."""
        ...

    def look_up(self, address: Value, size: int) -> Value | None:
        """What memory holds at an address that is a term; None where that cannot be told."""
        ...

    def decide(self, condition: Expr, reason: str) -> bool:
        """Make a truth value concrete."""
        ...


Read = Callable[[Run], Value]
Write = Callable[[Run, Value], None]


class Operands:
    """The operands of one instruction."""

    def __init__(self, instruction: CsInsn, name: str) -> None:
        self.instruction = instruction
        self.name = name
        self.operands = instruction.operands
        self.accesses = described(instruction).accesses

    def __len__(self) -> int:
        return len(self.operands)

    def width(self, index: int) -> int:
        """How many bits an operand has."""
        return int(self.operands[index].size) * 8

    def is_register(self, index: int) -> bool:
        """Whether an operand is a general register."""
        return self.operands[index].type == x.X86_OP_REG and self.operands[index].reg in PARTS

    def is_vector(self, index: int) -> bool:
        """Whether an operand is a vector register of 128 bits."""
        operand = self.operands[index]
        return operand.type == x.X86_OP_REG and operand.reg in VECTORS and operand.size == 16

    def is_memory(self, index: int) -> bool:
        """Whether an operand is memory."""
        return bool(self.operands[index].type == x.X86_OP_MEM)

    def constant(self, index: int) -> int | None:
        """The number that an operand is; None if it is not one."""
        operand = self.operands[index]
        return int(operand.imm) & (1 << 64) - 1 if operand.type == x.X86_OP_IMM else None

    def part(self, index: int) -> Part:
        """The register that an operand is."""
        return PARTS[self.operands[index].reg]

    def vector(self, index: int) -> int:
        """The number of the vector register that an operand is."""
        return VECTORS[self.operands[index].reg] - VECTOR_BASE

    def access(self, index: int) -> int:
        """Which of the accesses to memory an operand is."""
        return sum(operand.type == x.X86_OP_MEM for operand in self.operands[:index])

    def read(self, index: int, width: int | None = None) -> Read:
        """Reads an operand; a constant has the given width."""
        number = self.constant(index)
        if number is not None:
            fixed = number & (1 << (width or self.width(index))) - 1
            return lambda run: fixed
        if self.is_register(index):
            part = self.part(index)
            return lambda run: run.state.register(part)
        access = self.access(index)
        return reader(self.accesses[access], access, self.width(index) // 8)

    def write(self, index: int) -> Write:
        """Writes an operand."""
        if self.is_register(index):
            part = self.part(index)
            return lambda run, value: run.state.set_register(part, value)
        number = self.access(index)
        access = self.accesses[number]
        mask, size = address_mask(access), self.width(index) // 8

        def write(run: Run, value: Value) -> None:
            run.state.store(run.state.counters.addresses[number], size, value)

        return write if not mask else pinning(write, mask)


def pinning(write: Write, mask: int) -> Write:
    """A write for which the address must be a number."""

    def pinned(run: Run, value: Value) -> None:
        run.pin_registers(mask, "the address of a write")
        write(run, value)

    return pinned


def address_mask(access: Access) -> int:
    """The registers that an address is made of."""
    return sum({1 << number for number in (access.base, access.index) if number >= 0})


def reader(access: Access, number: int, size: int) -> Read:
    """Reads memory; at an address that depends on the input it is looked up, or the address is made concrete."""
    mask = address_mask(access)

    def read(run: Run) -> Value:
        state = run.state
        if state.counters.registers & mask:
            found = run.look_up(address_of(run, access), size)
            if found is not None:
                return found
            run.pin_registers(mask, "the address of a read")
        return state.load(state.counters.addresses[number], size)

    return read


def address_of(run: Run, access: Access) -> Value:
    """The address of an access as a term."""
    state = run.state
    address: Value = (access.displacement + state.counters.segments[access.segment]) & (1 << 64) - 1
    if access.base >= 0:
        address = apply("bvadd", 64, state.whole(access.base), address)
    if access.index >= 0:
        scaled = apply("bvmul", 64, state.whole(access.index), access.scale)
        address = apply("bvadd", 64, address, scaled)
    return address


def extended(value: Value, narrow: int, width: int, is_signed: bool) -> Value:
    """A value made wider."""
    return (sign_extend if is_signed else zero_extend)(width, value, narrow)
