"""The tracer as Python sees it: what is counted and tainted during a run, and the calls for tainted instructions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from unicorn import UC_HOOK_CODE
from unicorn.unicorn_py3.unicorn import uclib

from pessimal.binary.registers import GENERAL_IDS

READS, WRITES = 1, 2
ENDS_BLOCK, CALLS, RETURNS, ALWAYS, WATCHED, REPEATS = 1, 2, 4, 8, 16, 32
RUNNING, AT_LIMIT, TIMED_OUT = 0, 1, 2
UNLIMITED = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Access:
    """A memory operand: how its address is computed, how many bytes it has, and whether they are read or written."""

    base: int
    index: int
    scale: int
    displacement: int
    segment: int
    size: int
    kind: int


@dataclass(frozen=True, slots=True)
class Decoded:
    """What the tracer must know of an instruction: the registers, as masks, and the memory that it reads and writes."""

    address: int
    reads: int
    writes: int
    accesses: tuple[Access, ...]
    flags: int


class Counters(Protocol):
    """The part of a tracer's state that is read and written from Python."""

    registers: int
    tracking: int
    addresses: Any
    instructions: int
    blocks: int
    watched: int
    limit: int
    depth: int
    status: int
    deadline: float
    segments: Any
    begins_block: int


@dataclass(frozen=True, slots=True)
class SavedCounts:
    """What a tracer has counted up to some moment: the counters, the calls that are open, and the blocks met."""

    counters: tuple[tuple[str, int], ...]
    stack: tuple[int, ...]
    visits: tuple[int, ...]

    @classmethod
    def of(cls, tracer: Tracer) -> SavedCounts:
        """What a tracer has counted; nothing may be tainted yet."""
        names = ("instructions", "blocks", "watched", "depth", "begins_block")
        counters = tuple((name, int(getattr(tracer.state, name))) for name in names)
        return cls(counters, tuple(tracer.stack), tuple(tracer.visits))


Decode = Callable[[int], Decoded]
Lift = Callable[[int], bool]
"""Called at an instruction that touches the input; true if emulation must stop before it."""


class _Access(ctypes.Structure):
    _fields_ = (
        ("displacement", ctypes.c_int64),
        ("base", ctypes.c_int8),
        ("index", ctypes.c_int8),
        ("scale", ctypes.c_uint8),
        ("kind", ctypes.c_uint8),
        ("segment", ctypes.c_uint8),
        ("size", ctypes.c_uint16),
    )


class _Instruction(ctypes.Structure):
    _fields_ = (
        ("reads", ctypes.c_uint64),
        ("writes", ctypes.c_uint64),
        ("accesses", _Access * 2),
        ("count", ctypes.c_uint8),
        ("flags", ctypes.c_uint8),
        ("epoch", ctypes.c_uint32),
        ("address", ctypes.c_uint64),
    )


class _State(ctypes.Structure):
    _fields_ = (
        ("registers", ctypes.c_uint64),
        ("tracking", ctypes.c_uint64),
        ("addresses", ctypes.c_uint64 * 2),
        ("instructions", ctypes.c_uint64),
        ("blocks", ctypes.c_uint64),
        ("watched", ctypes.c_uint64),
        ("limit", ctypes.c_uint64),
        ("depth", ctypes.c_uint64),
        ("status", ctypes.c_uint64),
        ("deadline", ctypes.c_double),
        ("segments", ctypes.c_uint64 * 3),
        ("visited", ctypes.c_uint64),
        ("begins_block", ctypes.c_uint64),
        ("visits", ctypes.POINTER(ctypes.c_uint64)),
        ("stack", ctypes.POINTER(ctypes.c_uint64)),
    )


_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64)


class CompiledTracer:
    """The tracer in C, attached to one emulator."""

    def __init__(self, library: ctypes.CDLL, decode: Decode, lift: Lift, special: Iterable[int]) -> None:
        self._library = library
        self._decode = decode
        self._callbacks = _CALLBACK(self._on_unknown), _CALLBACK(self._on_tainted)
        self._lift = lift
        self.error: BaseException | None = None
        self._visited_before: tuple[int, ...] = ()
        ids = (ctypes.c_int * 16)(*GENERAL_IDS)
        library.make_tracer.restype = ctypes.POINTER(_State)
        library.tainted.restype = ctypes.c_uint64
        self._pointer = library.make_tracer(
            *self._callbacks,
            ctypes.cast(uclib.uc_reg_read, ctypes.c_void_p),
            ctypes.cast(uclib.uc_emu_stop, ctypes.c_void_p),
            ctypes.cast(uclib.uc_mem_read, ctypes.c_void_p),
            ids,
        )
        self.state: Counters = self._pointer.contents
        for address in special:
            self._on_unknown(address)

    def attach(self, emulator: Any) -> None:
        """Watch an emulator; must be done before it runs anything."""
        self._hook = ctypes.c_size_t()
        function = ctypes.cast(self._library.on_instruction, ctypes.c_void_p)
        begin, end = ctypes.c_uint64(1), ctypes.c_uint64(0)  # everywhere
        uclib.uc_hook_add(emulator._uch, ctypes.byref(self._hook), UC_HOOK_CODE, function, self._pointer, begin, end)

    def reset(self) -> None:
        """Forget the last run."""
        self._library.reset(self._pointer)
        self.error = None
        self._visited_before = ()

    def restore(self, saved: SavedCounts) -> None:
        """Go on from what was counted before."""
        self.reset()
        state = self._pointer.contents
        for name, value in saved.counters:
            setattr(state, name, value)
        for i, address in enumerate(saved.stack):
            state.stack[i] = address
        self._visited_before = saved.visits

    def taint(self, address: int, size: int) -> None:
        """Note that memory depends on the input."""
        self._library.set_taint(self._pointer, ctypes.c_uint64(address), ctypes.c_uint64(size), 1)

    def clear(self, address: int, size: int) -> None:
        """Note that memory does not depend on the input any more."""
        self._library.set_taint(self._pointer, ctypes.c_uint64(address), ctypes.c_uint64(size), 0)

    def tainted(self, address: int, size: int) -> int:
        """Which of up to 64 bytes depend on the input, as a mask."""
        return int(self._library.tainted(self._pointer, ctypes.c_uint64(address), ctypes.c_uint64(size)))

    def uncount(self) -> None:
        """Take back the count of the instruction at which emulation was stopped, because it goes on there."""
        self._library.uncount(self._pointer)

    @property
    def visits(self) -> list[int]:
        """Where blocks began that were executed, each once."""
        state = self._pointer.contents
        return list(dict.fromkeys((*self._visited_before, *state.visits[: state.visited])))

    @property
    def stack(self) -> list[int]:
        """The addresses of the calls that have not returned, the outermost first."""
        state = self._pointer.contents
        return list(state.stack[: min(state.depth, 65536)])

    def _on_unknown(self, address: int) -> int:
        try:
            decoded = self._decode(address)
            self._library.add_instruction(self._pointer, ctypes.byref(_packed(decoded)))
        except BaseException as error:
            self.error = error
            return 1
        return 0

    def _on_tainted(self, address: int) -> int:
        try:
            return self._lift(address)
        except BaseException as error:
            self.error = error
            return 1


def _packed(decoded: Decoded) -> _Instruction:
    accesses = [
        _Access(item.displacement, item.base, item.index, item.scale, item.kind, item.segment, item.size)
        for item in decoded.accesses
    ]
    return _Instruction(
        decoded.reads,
        decoded.writes,
        (_Access * 2)(*accesses),
        len(accesses),
        decoded.flags,
        0,
        decoded.address,
    )


class Tracer(Protocol):
    """What both tracers can do."""

    state: Counters
    error: BaseException | None

    def attach(self, emulator: Any) -> None:
        """Watch an emulator; must be done before it runs anything."""
        ...

    def reset(self) -> None:
        """Forget the last run."""
        ...

    def restore(self, saved: SavedCounts) -> None:
        """Go on from what was counted before."""
        ...

    def taint(self, address: int, size: int) -> None:
        """Note that memory depends on the input."""
        ...

    def clear(self, address: int, size: int) -> None:
        """Note that memory does not depend on the input any more."""
        ...

    def tainted(self, address: int, size: int) -> int:
        """Which of up to 64 bytes depend on the input, as a mask."""
        ...

    def uncount(self) -> None:
        """Take back the count of the instruction at which emulation was stopped, because it goes on there."""
        ...

    @property
    def visits(self) -> list[int]:
        """Where blocks began that were executed, each once."""
        ...

    @property
    def stack(self) -> list[int]:
        """The addresses of the calls that have not returned, the outermost first."""
        ...
