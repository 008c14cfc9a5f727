"""Random instructions for the lifter, and their comparison with the emulated processor.

Every instruction is run on states whose registers, flags and memory are all symbolic. What it leaves as terms must have
the values that the emulator has afterwards.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import unicorn as uc
from capstone import x86

from pessimal.binary.code import Decoder, described, lifted
from pessimal.binary.conditions import Conditions
from pessimal.binary.flags import ALL, Known, Overridden
from pessimal.binary.registers import EFLAGS_ID, GENERAL_IDS, RIP_ID, VECTOR_BASE, VECTOR_IDS
from pessimal.binary.state import State
from pessimal.binary.terms import integer_leaf, leaf
from pessimal.binary.tracers import make_tracer
from pessimal.expr import Compare, Evaluator, Offset

CODE, DATA = 0x100000, 0x200000
SLOT = 16
MEMORY = DATA + 0x800
"""Where the memory operand of every instruction lies; r15 points there, and no other register is an address."""
GENERAL_LEAVES, VECTOR_LEAVES, MEMORY_LEAVES, FLAG_LEAVES = 0, 16, 16 + 256, 16 + 256 + 64
_R64 = ("rax", "rcx", "rdx", "rbx", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14")
_BY_SIZE = {
    64: _R64,
    32: ("eax", "ecx", "edx", "ebx", "ebp", "esi", "edi", *(f"r{i}d" for i in range(8, 15))),
    16: ("ax", "cx", "dx", "bx", "bp", "si", "di", *(f"r{i}w" for i in range(8, 15))),
    8: ("al", "cl", "dl", "bl", "sil", "dil", *(f"r{i}b" for i in range(8, 15))),
}
_HIGH = ("ah", "ch", "dh", "bh")
_SUFFIX = {64: "qword", 32: "dword", 16: "word", 8: "byte"}
_CONDITIONS = ("o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g")
_TWO = ("add", "sub", "cmp", "and", "or", "xor", "adc", "sbb", "mov")
_ONE = ("inc", "dec", "neg", "not", "mul", "imul", "div", "idiv")
_SHIFTS = ("shl", "shr", "sar", "rol", "ror")
_VECTOR = (
    *("pxor", "por", "pand", "pandn", "pcmpeqb", "pcmpeqw", "pcmpeqd", "pcmpgtb", "pcmpgtw", "pcmpgtd", "pminub"),
    *("pmaxub", "paddb", "paddw", "paddd", "paddq", "psubb", "psubw", "psubd", "psubq", "punpcklbw", "punpckhbw"),
    *("punpcklwd", "punpckhwd", "punpckldq", "punpckhdq", "punpcklqdq", "punpckhqdq", "xorps", "andnps", "movdqa"),
)


def _memory(size: int, rng: Random) -> str:
    return f"{_SUFFIX[size]} ptr [r15+{rng.randrange(24)}]"


def _register(size: int, rng: Random) -> str:
    names = _BY_SIZE[size]
    return rng.choice((*names, *_HIGH[: 4 * (size == 8)]))


def _pair(name: str, rng: Random, sizes: tuple[int, ...] = (8, 16, 32, 64)) -> str:
    """An instruction with two operands of one size."""
    size = rng.choice(sizes)
    kind = rng.randrange(4)
    first = _memory(size, rng) if kind == 0 else rng.choice(_BY_SIZE[size])
    if kind == 1:
        return f"{name} {first}, {_memory(size, rng)}"
    if kind == 2:
        limit = 1 << min(size, 32) - 1
        return f"{name} {first}, {rng.choice((0, 1, -1, limit - 1, -limit, rng.randrange(-limit, limit)))}"
    return f"{name} {first}, {rng.choice(_BY_SIZE[size])}"


def _shift(rng: Random) -> str:
    size, name = rng.choice((8, 16, 32, 64)), rng.choice(_SHIFTS)
    operand = _memory(size, rng) if rng.random() < 0.2 else _register(size, rng)
    return f"{name} {operand}, {rng.choice(('cl', '1', str(rng.randrange(70))))}"


def _wider(rng: Random) -> str:
    narrow = rng.choice((8, 16))
    size = rng.choice([size for size in (16, 32, 64) if size > narrow])
    source = _memory(narrow, rng) if rng.random() < 0.3 else rng.choice(_BY_SIZE[narrow])
    return f"{rng.choice(('movzx', 'movsx'))} {rng.choice(_BY_SIZE[size])}, {source}"


def _bits(rng: Random) -> str:
    size = rng.choice((16, 32, 64))
    name = rng.choice(("bt", "bts", "btr", "btc", "bsf", "bsr", "popcnt", "imul", "cmov", "xchg", "xadd", "test"))
    first, second = rng.choice(_BY_SIZE[size]), rng.choice(_BY_SIZE[size])
    if name.startswith("bt") and rng.random() < 0.5:
        second = str(rng.randrange(size))
    if name == "cmov":
        name += rng.choice(_CONDITIONS)
    return f"{name} {first}, {second}"


def _vector(rng: Random) -> str:
    name, a, b = rng.choice(_VECTOR), rng.randrange(16), rng.randrange(16)
    kind = rng.randrange(8)
    if kind == 0:
        return f"movdqu xmm{a}, xmmword ptr [r15+{rng.randrange(32)}]"
    if kind == 1:
        return f"movdqu xmmword ptr [r15+{rng.randrange(32)}], xmm{a}"
    if kind == 2:
        return rng.choice((f"movd xmm{a}, {rng.choice(_BY_SIZE[32])}", f"movq {rng.choice(_R64)}, xmm{a}"))
    if kind == 3:
        return f"pmovmskb {rng.choice(_BY_SIZE[32])}, xmm{a}"
    if kind == 4:
        return f"{rng.choice(('psrldq', 'pslldq'))} xmm{a}, {rng.randrange(18)}"
    if kind == 5:
        return f"{rng.choice(('pshufd', 'pshuflw', 'pshufhw'))} xmm{a}, xmm{b}, {rng.randrange(256)}"
    if kind == 6:
        return _scalar_move(rng, f"xmm{a}", f"xmm{b}")
    return f"{name} xmm{a}, xmm{b}"


def _scalar_move(rng: Random, a: str, b: str) -> str:
    name, size = rng.choice((("movss", "dword"), ("movsd", "qword")))
    memory = f"{size} ptr [r15+{rng.randrange(32)}]"
    return rng.choice((f"{name} {a}, {b}", f"{name} {a}, {memory}", f"{name} {memory}, {a}"))


def _other(rng: Random) -> str:
    size, name = rng.choice((32, 64)), rng.choice(("lea", "bswap", "shld", "set", "wide", "imul3", "j", "cmc"))
    first, second = rng.choice(_BY_SIZE[size]), rng.choice(_BY_SIZE[size])
    scale, offset = rng.choice((1, 2, 4, 8)), rng.randrange(-99, 99)
    return {
        "lea": f"lea {first}, [{rng.choice(_R64)}+{rng.choice(_R64)}*{scale}+{offset}]",
        "bswap": f"bswap {first}",
        "shld": f"{rng.choice(('shld', 'shrd'))} {first}, {second}, {rng.choice((rng.randrange(70), 'cl'))}",
        "set": f"set{rng.choice(_CONDITIONS)} {rng.choice(_BY_SIZE[8])}",
        "wide": rng.choice(("cbw", "cwde", "cdqe", "cwd", "cdq", "cqo")),
        "imul3": f"imul {first}, {second}, {rng.randrange(-1000, 1000)}",
        "j": f"j{rng.choice(_CONDITIONS)} .+6",
        "cmc": rng.choice(("cmc", "clc", "stc", "movsxd rax, ecx")),
    }[name]


def texts(count: int, seed: int) -> Iterator[str]:
    """Random instructions as text."""
    rng = Random(seed)
    for _ in range(count):
        kind = rng.randrange(10)
        if kind < 4:
            yield _pair(rng.choice(_TWO), rng)
        elif kind == 4:
            size = rng.choice((8, 16, 32, 64))
            yield f"{rng.choice(_ONE)} {_memory(size, rng) if rng.random() < 0.2 else rng.choice(_BY_SIZE[size])}"
        else:
            yield (_shift, _wider, _bits, _vector, _other)[kind - 5](rng)


def assemble(lines: list[str], directory: Path) -> bytes:
    """The instructions as code, each in a slot of sixteen bytes."""
    source, made, flat = (directory / name for name in ("code.s", "code.o", "code.bin"))
    body = "\n".join(f".balign {SLOT}\n{line}" for line in lines)
    source.write_text(f".intel_syntax noprefix\n.text\n{body}\n.balign {SLOT}\n")
    subprocess.run(["as", "-o", made, source], check=True)
    subprocess.run(["objcopy", "-O", "binary", "-j", ".text", made, flat], check=True)
    return flat.read_bytes()


class _PlainMemory:
    """The emulator's memory, as the state reads it."""

    def __init__(self, emulator: uc.Uc) -> None:
        self._emulator = emulator

    def read(self, address: int, size: int) -> bytes:
        return bytes(self._emulator.mem_read(address, size))


class Refused(Exception):
    """The instruction was made concrete, which must happen only where it is known to."""


@dataclass
class Comparison:
    """What was compared, and the differences."""

    counts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


class Laboratory:
    """Runs one instruction after the other on random states."""

    def __init__(self, code: bytes) -> None:
        self._emulator = uc.Uc(uc.UC_ARCH_X86, uc.UC_MODE_64)
        self._emulator.mem_map(CODE, (len(code) + 0x2000) & ~0xFFF)
        self._emulator.mem_write(CODE, code)
        self._emulator.mem_map(DATA, 0x2000)
        self._code = code
        self._decoder = Decoder()
        self._instructions, self._functions = {}, {}
        self._tracer = make_tracer(lambda address: described(self._instruction(address)), self._on_tainted, ())
        self._tracer.attach(self._emulator)
        self._condition: object = None
        self.state: State

    def _instruction(self, address: int):
        if address not in self._instructions:
            self._instructions[address] = self._decoded(address)
        return self._instructions[address]

    def _decoded(self, address: int):
        return self._decoder.instruction(self._code[address - CODE : address - CODE + 15].ljust(15, b"\x90"), address)

    # What a lifted instruction asks of its run

    def branch(self, condition, target, next_address):
        self._condition = condition

    def decide(self, condition, reason):
        return Evaluator(self._model).condition(condition)

    def jump(self, target, registers, memory):
        raise Refused

    def look_up(self, address, size):
        return None

    def pin_registers(self, mask, reason):
        mask &= self.state.counters.registers & 0xFFFF
        self.state.counters.registers &= ~mask  # the value is the current one, which the emulator has

    def pin_memory(self, address, size, reason):
        raise Refused

    def _on_tainted(self, address: int) -> bool:
        if address != self._address:
            return True
        function = self._lifted(address)
        if function is None:
            raise Refused
        function(self)
        return False

    def _lifted(self, address: int):
        if address not in self._functions:
            self._functions[address] = lifted(self._instruction(address))
        return self._functions[address]

    def compare(self, index: int, text: str, rng: Random, result: Comparison) -> None:
        """Run one instruction on a random state, and compare."""
        self._address = CODE + SLOT * index
        self._prepare(rng, has_vectors="xmm" in text, has_memory="r15" in text)
        instruction = self._instruction(self._address)
        name = instruction.mnemonic
        end = self._address + instruction.size
        self._condition = None
        try:
            self._emulator.emu_start(self._address, 0xFFFF0000, count=1)
        except uc.UcError:
            result.counts["faults"] += 1
            return
        if self._tracer.error is not None:
            error, self._tracer.error = self._tracer.error, None
            if isinstance(error, Refused):
                result.counts["not lifted"] += 1
                return
            raise error
        result.counts["compared"] += 1
        result.counts[f"mnemonic {name}"] += 1
        for what in self._differences(instruction, end):
            result.differences.append(f"{text}: {what}")

    def _prepare(self, rng: Random, has_vectors: bool, has_memory: bool) -> None:
        emulator, tracer = self._emulator, self._tracer
        tracer.reset()
        tracer.state.tracking = 1
        self.state = state = State(emulator, _PlainMemory(emulator), tracer, Conditions(((1 << 320) - 1) << 16))
        model: list[int] = []
        for number in range(16):
            value = _number(rng) if number not in (4, 15) else (DATA + 0x1000 if number == 4 else MEMORY)
            emulator.reg_write(GENERAL_IDS[number], value)
            model.append(value)
            if number not in (4, 15):
                state.set_whole(number, integer_leaf(GENERAL_LEAVES + number, 64))
        for number in range(16) if has_vectors else ():
            content = rng.randbytes(16) if rng.random() < 0.7 else bytes(rng.choice((0, 255)) for _ in range(16))
            emulator.reg_write(VECTOR_IDS[number], int.from_bytes(content, "little"))
            model += content
            state.set_vector(number, [leaf(VECTOR_LEAVES + 16 * number + i) for i in range(16)])
        model += bytes(MEMORY_LEAVES - len(model))
        content = rng.randbytes(64) if rng.random() < 0.7 else bytes(64)
        emulator.mem_write(MEMORY, content)
        model += content
        if has_memory:
            state.add_input(MEMORY, tuple(range(MEMORY_LEAVES, MEMORY_LEAVES + 64)))
        flags = {bit: rng.randrange(2) for bit in ALL}
        emulator.reg_write(EFLAGS_ID, 0x202 | sum(value << bit for bit, value in flags.items()))
        model += flags.values()
        conditions = {bit: Compare("==", Offset(FLAG_LEAVES + i), 1) for i, bit in enumerate(ALL)}
        state.set_flags(Overridden(conditions, Known(0)))
        self._model = model

    def _differences(self, instruction, end: int) -> Iterator[str]:
        evaluator, state, emulator = Evaluator(self._model), self.state, self._emulator
        mask = state.counters.registers
        for number in range(16):
            if mask >> number & 1:
                ours, real = evaluator.term(state.general[number]), emulator.reg_read(GENERAL_IDS[number])
                if ours != real:
                    yield f"register {number} is {ours:#x}, not {real:#x}"
            if mask >> VECTOR_BASE + number & 1:
                ours = bytes(evaluator.term(byte) for byte in state.vectors[number])
                real = int(emulator.reg_read(VECTOR_IDS[number])).to_bytes(16, "little")
                if ours != real:
                    yield f"vector {number} is {ours.hex()}, not {real.hex()}"
        for address, (term, index) in state.shadow.items():
            if self._tracer.tainted(address, 1):
                ours, real = evaluator.term(term) >> 8 * index & 255, emulator.mem_read(address, 1)[0]
                if ours != real:
                    yield f"memory at {address - MEMORY} is {ours:#x}, not {real:#x}"
        yield from self._wrong_flags(instruction, evaluator)
        if self._condition is not None:
            taken = emulator.reg_read(RIP_ID) != end
            if evaluator.condition(self._condition) is not taken:
                yield f"the jump is {'not ' * taken}taken"

    def _wrong_flags(self, instruction, evaluator: Evaluator) -> Iterator[str]:
        real = self._emulator.reg_read(EFLAGS_ID)
        undefined = {
            bit
            for bit, name in zip(ALL, ("CF", "PF", "ZF", "SF", "OF"), strict=True)
            if instruction.eflags & getattr(x86, f"X86_EFLAGS_UNDEFINED_{name}", 0)
        }
        if instruction.mnemonic in ("shl", "shr", "sar", "rol", "ror", "shld", "shrd"):
            undefined |= self._undefined_after_shift(instruction)
        if instruction.mnemonic in ("imul", "mul"):
            undefined |= {2, 6, 7}
        for bit in ALL:
            if bit in undefined:
                continue
            ours = evaluator.condition(self.state.flags_for(bit).flag(bit))
            if ours is not bool(real >> bit & 1):
                yield f"flag {bit} is {ours}"

    def _undefined_after_shift(self, instruction) -> set[int]:
        """Overflow is defined for a shift by one only, and carry not beyond the width."""
        size = instruction.operands[0].size * 8
        last = instruction.operands[-1]
        count = (last.imm if last.type == x86.X86_OP_IMM else self._model[1] & 255) & (63 if size == 64 else 31)
        if len(instruction.operands) == 1:
            count = 1
        if count > size:
            return {0, 11}
        return {11} if count > 1 else set()


def _number(rng: Random) -> int:
    """A number that is often near an edge."""
    kind = rng.randrange(4)
    if kind == 0:
        return rng.randrange(1 << 64)
    if kind == 1:
        return rng.choice((0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, (1 << 31) - 1, 1 << 31, (1 << 63) - 1, 1 << 63))
    return rng.randrange(256) if kind == 2 else (1 << 64) - 1 - rng.randrange(1 << rng.randrange(1, 64))


def compare_all(instructions: int, states: int, seed: int, directory: Path) -> Comparison:
    """Compare random instructions, each on several random states."""
    lines = list(texts(instructions, seed))
    laboratory = Laboratory(assemble(lines, directory))
    result, rng = Comparison(), Random(seed)
    for index, line in enumerate(lines):
        for _ in range(states):
            laboratory.compare(index, line, rng, result)
    return result
