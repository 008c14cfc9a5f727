"""The choice of the tracer, and the one in Python for machines without a C compiler: the same, but much slower."""

from __future__ import annotations

from collections.abc import Iterable
from time import monotonic
from types import SimpleNamespace
from typing import Any

from unicorn import UC_HOOK_CODE

from pessimal.binary.building import compiled_tracer
from pessimal.binary.registers import GENERAL_IDS, RCX
from pessimal.binary.tracer import (
    ALWAYS,
    AT_LIMIT,
    CALLS,
    ENDS_BLOCK,
    READS,
    REPEATS,
    RETURNS,
    TIMED_OUT,
    UNLIMITED,
    WATCHED,
    WRITES,
    Access,
    CompiledTracer,
    Counters,
    Decode,
    Decoded,
    Lift,
    SavedCounts,
    Tracer,
)

_CHECK_EVERY = 0xFFF


def make_tracer(decode: Decode, lift: Lift, special: Iterable[int]) -> Tracer:
    """The compiled tracer where there is a C compiler, and the other one elsewhere.

    Of instructions at special addresses more must be known than their code tells, in every run.
    """
    library = compiled_tracer()
    return PythonTracer(decode, lift) if library is None else CompiledTracer(library, decode, lift, special)


class PythonTracer:
    """The tracer in Python."""

    def __init__(self, decode: Decode, lift: Lift) -> None:
        self._decode = decode
        self._lift = lift
        self._known: dict[int, Decoded] = {}
        self._tainted: set[int] = set()
        self._visited: dict[int, None] = {}
        self._stack: list[int] = []
        self._was_block = True
        self.error: BaseException | None = None
        self.state: Counters = SimpleNamespace(segments=[0, 0, 0], limit=UNLIMITED, deadline=1e300, tracking=0)
        self.reset()

    def attach(self, emulator: Any) -> None:
        """Watch an emulator; must be done before it runs anything."""
        emulator.hook_add(UC_HOOK_CODE, self._on_instruction)

    def reset(self) -> None:
        """Forget the last run."""
        state = self.state
        state.registers = state.instructions = state.blocks = state.watched = state.depth = state.status = 0
        state.begins_block, state.addresses = 1, [0, 0]
        self._tainted.clear()
        self._visited.clear()
        self._stack.clear()
        self.error = None

    def restore(self, saved: SavedCounts) -> None:
        """Go on from what was counted before."""
        self.reset()
        for name, value in saved.counters:
            setattr(self.state, name, value)
        self._stack = list(saved.stack)
        self._visited = dict.fromkeys(saved.visits)

    def taint(self, address: int, size: int) -> None:
        """Note that memory depends on the input."""
        self._tainted.update(range(address, address + size))

    def clear(self, address: int, size: int) -> None:
        """Note that memory does not depend on the input any more."""
        self._tainted.difference_update(range(address, address + size))

    def tainted(self, address: int, size: int) -> int:
        """Which of up to 64 bytes depend on the input, as a mask."""
        return sum(1 << i for i in range(size) if address + i in self._tainted)

    def uncount(self) -> None:
        """Take back the count of the instruction at which emulation was stopped, because it goes on there."""
        self.state.instructions -= 1
        self.state.begins_block = int(self._was_block)
        self.state.blocks -= self._was_block

    @property
    def visits(self) -> list[int]:
        """Where blocks began that were executed, each once."""
        return list(self._visited)

    @property
    def stack(self) -> list[int]:
        """The addresses of the calls that have not returned, the outermost first."""
        return self._stack[: self.state.depth]

    def _on_instruction(self, emulator: Any, address: int, size: int, data: Any) -> None:
        try:
            if self._must_stop(emulator, address):
                emulator.emu_stop()
        except BaseException as error:
            self.error = error
            emulator.emu_stop()

    def _must_stop(self, emulator: Any, address: int) -> bool:
        state = self.state
        known = self._known.get(address)
        if known is None:
            known = self._known[address] = self._decode(address)
        if self._is_over():
            return True
        self._was_block = bool(state.begins_block)
        if self._was_block:
            state.blocks += 1
            self._visited[address] = None
        state.begins_block = known.flags & ENDS_BLOCK
        state.instructions += 1
        state.watched += bool(known.flags & WATCHED)
        is_touched = bool(state.tracking) and self._touches(emulator, known)
        if (is_touched or known.flags & ALWAYS) and (self._is_late() or self._lift(address)):
            return True
        self._note_call(known)
        return False

    def _is_over(self) -> bool:
        state = self.state
        if state.instructions >= state.limit:
            state.status = AT_LIMIT
        elif state.instructions & _CHECK_EVERY == 0:
            self._is_late()
        return state.status != 0

    def _is_late(self) -> bool:
        if monotonic() > self.state.deadline:
            self.state.status = TIMED_OUT
        return self.state.status == TIMED_OUT

    def _note_call(self, known: Decoded) -> None:
        if known.flags & CALLS:
            del self._stack[self.state.depth :]
            self._stack.append(known.address)
            self.state.depth += 1
        elif known.flags & RETURNS and self.state.depth:
            self.state.depth -= 1

    def _touches(self, emulator: Any, known: Decoded) -> bool:
        """Whether an instruction touches the input; one that does not makes what it writes untainted."""
        state = self.state
        if known.flags & REPEATS and not state.registers >> RCX & 1 and not emulator.reg_read(GENERAL_IDS[RCX]):
            return False
        found = known.reads & state.registers
        for number, access in enumerate(known.accesses):
            state.addresses[number] = self._effective(emulator, access)
            if access.kind & READS:
                found |= self.tainted(state.addresses[number], access.size)
        if found:
            return True
        state.registers &= ~known.writes
        for number, access in enumerate(known.accesses):
            if access.kind & WRITES:
                self.clear(state.addresses[number], access.size)
        return False

    def _effective(self, emulator: Any, access: Access) -> int:
        address = access.displacement + self.state.segments[access.segment]
        if access.base >= 0:
            address += emulator.reg_read(GENERAL_IDS[access.base])
        if access.index >= 0:
            address += emulator.reg_read(GENERAL_IDS[access.index]) * access.scale
        return int(address) & (1 << 64) - 1
