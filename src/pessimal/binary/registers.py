"""The registers of the processor: their numbers here, in the decoder, and in the emulator."""

from __future__ import annotations

from typing import NamedTuple

from capstone import x86 as capstone
from unicorn import x86_const as unicorn

GENERAL = (
    *("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi"),
    *("r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"),
)
"""The general registers, by number."""
RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI = range(8)
VECTOR_BASE = 16
"""The number of the first vector register; there are sixteen."""
CARRY, OTHER_FLAGS = 32, 33
"""The carry flag, and the flags of zero, sign, overflow and parity together, as registers of their own."""
FLAGS_MASK = 1 << CARRY | 1 << OTHER_FLAGS

GENERAL_IDS = tuple(getattr(unicorn, f"UC_X86_REG_{name.upper()}") for name in GENERAL)
VECTOR_IDS = tuple(getattr(unicorn, f"UC_X86_REG_XMM{number}") for number in range(16))
EFLAGS_ID, RIP_ID = unicorn.UC_X86_REG_EFLAGS, unicorn.UC_X86_REG_RIP
FS_BASE_ID, GS_BASE_ID = unicorn.UC_X86_REG_FS_BASE, unicorn.UC_X86_REG_GS_BASE


class Part(NamedTuple):
    """A part of a general register: its number, how many bits, and from which bit on."""

    number: int
    width: int
    low: int = 0


def _parts() -> dict[int, Part]:
    found: dict[int, Part] = {}
    for number, name in enumerate(GENERAL):
        if number < 8:
            short = name[1:]
            low = f"{short[0]}l" if number < 4 else f"{short}l"
            names = {64: name, 32: f"e{short}", 16: short, 8: low}
        else:
            names = {64: name, 32: f"{name}d", 16: f"{name}w", 8: f"{name}b"}
        for width, written in names.items():
            found[getattr(capstone, f"X86_REG_{written.upper()}")] = Part(number, width)
    for number, name in enumerate(("ah", "ch", "dh", "bh")):
        found[getattr(capstone, f"X86_REG_{name.upper()}")] = Part(number, 8, 8)
    return found


PARTS = _parts()
"""The part of a general register that a register of the decoder is."""

VECTORS = {
    getattr(capstone, f"X86_REG_{kind}{number}"): VECTOR_BASE + number
    for number in range(16)
    for kind in ("XMM", "YMM")
}
"""The number of a vector register by the decoder's."""


def mask_of(register: int) -> int:
    """The mask of a register of the decoder; nothing for those that never hold what depends on the input."""
    if register in PARTS:
        return 1 << PARTS[register].number
    return 1 << VECTORS[register] if register in VECTORS else 0
