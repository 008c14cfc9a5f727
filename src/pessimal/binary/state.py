"""What the input has become in registers, flags and memory: the terms beside the plain values of the emulator."""

from __future__ import annotations

from typing import Any

from pessimal.binary import terms
from pessimal.binary.conditions import Conditions
from pessimal.binary.flags import Flags, Known
from pessimal.binary.memory import Memory
from pessimal.binary.registers import (
    CARRY,
    EFLAGS_ID,
    GENERAL_IDS,
    OTHER_FLAGS,
    VECTOR_BASE,
    VECTOR_IDS,
    Part,
)
from pessimal.binary.terms import Value, concat, extract, zero_extend
from pessimal.binary.tracer import Tracer
from pessimal.expr import App

_WHOLE = (1 << 64) - 1


class State:
    """The terms of one run. What is not tainted is plain, and read from the emulator."""

    def __init__(self, emulator: Any, memory: Memory, tracer: Tracer, conditions: Conditions) -> None:
        self.emulator = emulator
        self.memory = memory
        self.tracer = tracer
        self.counters = tracer.state
        self.conditions = conditions
        self.general: list[Value] = [0] * 16
        self.vectors: list[list[Value]] = [[0] * 16 for _ in range(16)]
        self.shadow: dict[int, tuple[App, int]] = {}
        self.carry: Flags = Known(0)
        self.others: Flags = Known(0)

    def clear(self) -> None:
        """Forget the last run."""
        self.shadow.clear()

    # Registers

    def is_tainted(self, number: int) -> bool:
        """Whether a register holds a term."""
        return bool(self.counters.registers >> number & 1)

    def plain(self, number: int) -> int:
        """What the emulator has in a general register."""
        return int(self.emulator.reg_read(GENERAL_IDS[number]))

    def whole(self, number: int) -> Value:
        """A general register with all of its bits."""
        return self.general[number] if self.counters.registers >> number & 1 else self.plain(number)

    def register(self, part: Part) -> Value:
        """A part of a general register."""
        return extract(part.low + part.width - 1, part.low, self.whole(part.number))

    def set_register(self, part: Part, value: Value) -> None:
        """Note what an instruction writes to a part of a register; 32 bits clear those above."""
        number, width, low = part
        if width == 32:
            value = zero_extend(64, value, 32)
        elif width < 32:
            before = self.whole(number)
            high = low + width
            value = concat(extract(63, high, before), 64 - high, value, width)
            if low:
                value = concat(value, 64 - low, extract(low - 1, 0, before), low)
        self.set_whole(number, value)

    def set_whole(self, number: int, value: Value) -> None:
        """Note what an instruction writes to a general register."""
        if type(value) is int:
            self.counters.registers &= ~(1 << number)
        else:
            self.general[number] = value
            self.counters.registers |= 1 << number

    def vector(self, number: int) -> list[Value]:
        """The sixteen bytes of a vector register, the lowest first."""
        if self.is_tainted(VECTOR_BASE + number):
            return self.vectors[number]
        content = self.emulator.reg_read(VECTOR_IDS[number])
        return list(int(content).to_bytes(16, "little"))

    def set_vector(self, number: int, content: list[Value]) -> None:
        """Note what an instruction writes to a vector register."""
        if all(type(byte) is int for byte in content):
            self.counters.registers &= ~(1 << VECTOR_BASE + number)
        else:
            self.vectors[number] = content
            self.counters.registers |= 1 << VECTOR_BASE + number

    # Flags

    def flags_for(self, bit: int) -> Flags:
        """What set a flag last."""
        is_carry = bit == 0
        if not self.is_tainted(CARRY if is_carry else OTHER_FLAGS):
            return Known(self.emulator.reg_read(EFLAGS_ID))
        return self.carry if is_carry else self.others

    def set_flags(self, flags: Flags, *, keep_carry: bool = False) -> None:
        """Note the flags of an instruction."""
        self.others = flags
        self.counters.registers |= 1 << OTHER_FLAGS
        if not keep_carry:
            self.carry = flags
            self.counters.registers |= 1 << CARRY

    # Memory

    def byte(self, address: int) -> Value:
        """One byte that is known to be tainted or plain."""
        if self.tracer.tainted(address, 1):
            term, index = self.shadow[address]
            return extract(8 * index + 7, 8 * index, term)
        return self._plain(address, 1)[0]

    def load(self, address: int, size: int) -> Value:
        """What memory holds."""
        mask = self.tracer.tainted(address, size)
        if not mask:
            return int.from_bytes(self._plain(address, size), "little")
        shadow = self.shadow
        if mask == (1 << size) - 1:
            term, first = shadow[address]
            is_whole = first == 0 and term.sort == f"bv{8 * size}"
            if is_whole and all(shadow[address + i] == (term, i) for i in range(1, size)):
                return term
        plain = self._plain(address, size)
        value: Value = 0
        for i in range(size):
            byte: Value = plain[i]
            if mask >> i & 1:
                term, index = shadow[address + i]
                byte = extract(8 * index + 7, 8 * index, term)
            value = concat(byte, 8, value, 8 * i) if i else byte
        return value

    def load_bytes(self, address: int, size: int) -> list[Value]:
        """What memory holds, byte by byte."""
        mask, plain = self.tracer.tainted(address, size), self._plain(address, size)
        return [self.byte(address + i) if mask >> i & 1 else plain[i] for i in range(size)]

    def store(self, address: int, size: int, value: Value) -> None:
        """Note what an instruction writes to memory."""
        if type(value) is int:
            self.tracer.clear(address, size)
            return
        assert type(value) is App
        for i in range(size):
            self.shadow[address + i] = (value, i)
        self.tracer.taint(address, size)

    def store_bytes(self, address: int, content: list[Value]) -> None:
        """Note what an instruction writes to memory, byte by byte."""
        for i, byte in enumerate(content):
            if type(byte) is App:
                self.shadow[address + i] = (byte, 0)
                self.tracer.taint(address + i, 1)
            else:
                self.tracer.clear(address + i, 1)

    def _plain(self, address: int, size: int) -> bytes:
        return self.memory.read(address, size) or bytes(size)

    def add_input(self, address: int, leaves: tuple[int, ...]) -> None:
        """Note that memory holds bytes of the input."""
        self.store_bytes(address, [terms.leaf(leaf) for leaf in leaves])
