"""Returning from a function that a model took the place of."""

from __future__ import annotations

import struct
from typing import Any

from pessimal.binary.memory import Memory
from pessimal.binary.registers import GENERAL_IDS, RAX, RSP, VECTOR_IDS
from pessimal.binary.tracer import Counters
from pessimal.binary.views import Returned


def return_address(emulator: Any, memory: Memory) -> int:
    """Where the function that was just called returns to."""
    return int.from_bytes(memory.read(emulator.reg_read(GENERAL_IDS[RSP]), 8) or bytes(8), "little")


def leave_function(emulator: Any, counters: Counters, result: Returned, value: int) -> None:
    """Return from a function that a model took the place of; each byte that it looked at counts as an instruction."""
    emulator.reg_write(GENERAL_IDS[RAX], value)
    if result.number is not None:
        emulator.reg_write(VECTOR_IDS[0], int.from_bytes(struct.pack("<d", result.number), "little"))
    emulator.reg_write(GENERAL_IDS[RSP], emulator.reg_read(GENERAL_IDS[RSP]) + 8)
    counters.instructions += result.steps
    counters.depth -= min(1, counters.depth)
    counters.begins_block = 1
