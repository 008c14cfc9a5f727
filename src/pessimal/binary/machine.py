"""The emulator: it begins where the image stopped, and goes on until the target returns, ends or fails."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import zip_longest
from time import monotonic
from typing import Any

import unicorn as uc
from unicorn import x86_const as x

from pessimal.binary.files import AtInput
from pessimal.binary.image import Image
from pessimal.binary.kernel import Ended, Kernel, SavedKernel
from pessimal.binary.memory import MOST_WRITABLE, Memory, MemoryExhausted
from pessimal.binary.registers import FS_BASE_ID, GENERAL, GENERAL_IDS, GS_BASE_ID, RIP_ID, RSP
from pessimal.binary.tracer import Decode, Lift, SavedCounts
from pessimal.binary.tracers import make_tracer

RETURN = 0x1FF0000000
"""Where a function returns to: nothing is there, and emulation ends."""
STACK_TOP, STACK_SIZE = 0x1FE0000000, 8 << 20
DATA = 0x1FC0000000
DATA_SIZE = 64 << 20
ARGUMENTS = (7, 6, 2, 1, 8, 9)
"""The registers of the first arguments of a function."""
_PAGE = 4096
_SYSTEM_CALL = b"\x0f\x05"
_FAULTS = {0: "SIGFPE", 1: "SIGTRAP", 3: "SIGTRAP", 6: "SIGILL", 13: "SIGSEGV", 14: "SIGSEGV", 16: "SIGFPE"}
_UNMAPPED = (uc.UC_ERR_READ_UNMAPPED, uc.UC_ERR_WRITE_UNMAPPED, uc.UC_ERR_FETCH_UNMAPPED)
_FORBIDDEN = (uc.UC_ERR_READ_PROT, uc.UC_ERR_WRITE_PROT, uc.UC_ERR_FETCH_PROT)


@dataclass(frozen=True, slots=True)
class End:
    """How a run ended: what it returned, the signal that it died of, or why it could not go on."""

    returned: int | None = None
    code: int | None = None
    signal: str | None = None
    timed_out: bool = False
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class _Kept:
    """Where every run begins: an address, registers, and what system calls and the tracer have done before."""

    address: int
    registers: Any
    kernel: SavedKernel
    counts: SavedCounts


class Machine:
    """One target in an emulator; every run begins in the same state."""

    def __init__(
        self,
        image: Image,
        start: int,
        decode: Decode,
        lift: Lift,
        *,
        memory: int,
        is_program: bool,
        special: Iterable[int] = (),
        name: Callable[[int], str] = hex,
    ) -> None:
        self.image = image
        self._name = name
        self._start = start
        self._is_program = is_program
        self.emulator = uc.Uc(uc.UC_ARCH_X86, uc.UC_MODE_64)
        self.memory = Memory(image, self.emulator, memory)
        self.tracer = make_tracer(decode, lift, special)
        self.tracer.attach(self.emulator)
        self.kernel = Kernel(self.emulator, self.memory, image)
        self._fault: str | None = None
        self._error: BaseException | None = None
        self.emulator.hook_add(uc.UC_HOOK_MEM_UNMAPPED, self._on_unmapped)
        self.emulator.hook_add(uc.UC_HOOK_INTR, self._on_interrupt)
        self.emulator.hook_add(uc.UC_HOOK_INSN, self._on_system_call, None, 1, 0, x.UC_X86_INS_SYSCALL)
        self._prepare()
        self._context = self.emulator.context_save()
        self._kept: _Kept | None = None

    def _prepare(self) -> None:
        registers = self.image.registers
        for name, number in zip(GENERAL, GENERAL_IDS, strict=True):
            self.emulator.reg_write(number, registers.get(name, 0))
        self.emulator.reg_write(FS_BASE_ID, registers["fs_base"])
        self.emulator.reg_write(GS_BASE_ID, registers.get("gs_base", 0))
        self.tracer.state.segments[1] = registers["fs_base"]
        self.tracer.state.segments[2] = registers.get("gs_base", 0)
        if not self._is_program:
            self.memory.reserve(STACK_TOP - STACK_SIZE, STACK_SIZE)
            self.emulator.reg_write(GENERAL_IDS[RSP], STACK_TOP - 0x1008)
        else:
            stack = self.image.region_at(registers["rsp"])
            if stack is not None:
                self.memory.reserve(stack.end - STACK_SIZE, STACK_SIZE - (stack.end - stack.start))

    def begin(self) -> None:
        """Put everything back as it was before the first run, or where the target first asked for its input."""
        self.memory.reset()
        self._fault = self._error = None
        kept = self._kept
        if kept is None:
            self.emulator.context_restore(self._context)
            self.tracer.reset()
            self.kernel.reset()
        else:
            self.emulator.context_restore(kept.registers)
            self.tracer.restore(kept.counts)
            self.kernel.restore(kept.kernel)

    def settle(self, resume: Callable[[], int | None], seconds: float) -> None:
        """Run to where the target first asks for its input, and let every run begin there: all inputs are alike before.

        A target that ends before that, or takes too long, is run from its beginning each time.
        """
        self.begin()
        self.kernel.files.stops_at_input = True
        try:
            self.run(resume, seconds)
        except AtInput:
            self.tracer.uncount()
            registers, counts = self.emulator.context_save(), SavedCounts.of(self.tracer)
            self._kept = _Kept(self._system_call(), registers, self.kernel.saved(), counts)
            self.memory.keep()
        finally:
            self.kernel.files.stops_at_input = False

    def _system_call(self) -> int:
        """The address of the system call at which the emulator has stopped, which it may have passed already."""
        is_here = self.memory.read(self.pc, 2) == _SYSTEM_CALL
        return self.pc if is_here else self.pc - len(_SYSTEM_CALL)

    def call(self, arguments: list[int]) -> None:
        """Prepare the call of the function; registers of arguments that are not given are zero."""
        for number, value in zip_longest(ARGUMENTS, arguments, fillvalue=0):
            self.emulator.reg_write(GENERAL_IDS[number], value & (1 << 64) - 1)
        self.memory.write(STACK_TOP - 0x1008, RETURN.to_bytes(8, "little"))

    def place(self, content: bytes, room: int) -> int:
        """Put a buffer where the memory behind it cannot be touched; its address."""
        pages = (room + _PAGE - 1) // _PAGE or 1
        start = DATA + self.kernel.take_pages(pages + 1) * _PAGE
        self.memory.add(start, pages * _PAGE, 3)
        address = start + pages * _PAGE - room
        self.memory.write(address, content)
        return address

    def run(self, resume: Callable[[], int | None], seconds: float) -> End:
        """Run to the end; where the tracer stops it, ``resume`` says where to go on, or None to end at once."""
        self.memory.forget_previous()
        state = self.tracer.state
        state.deadline = monotonic() + seconds
        address: int | None = self._start if self._kept is None else self._kept.address
        while address is not None:
            end = self._go(address)
            if end is not None:
                return end
            address = resume()
        return End()

    def _go(self, address: int) -> End | None:
        """Run until something happens; None if the tracer stopped the run to go on elsewhere."""
        try:
            self.emulator.emu_start(address, RETURN)
        except uc.UcError as error:
            return self._failed(error)
        caught = self.tracer.error or self._error
        if caught is not None:
            raise caught
        if self.kernel.ended is not None:
            return _ended(self.kernel.ended)
        if self._fault is not None:
            return End(signal=self._fault)
        if self.tracer.state.status:
            return End(timed_out=True)
        if self.pc == RETURN:
            return End(returned=int(self.emulator.reg_read(GENERAL_IDS[0])))
        return None

    @property
    def pc(self) -> int:
        """The address of the next instruction."""
        return int(self.emulator.reg_read(RIP_ID))

    def _failed(self, error: Any) -> End:
        caught = self.tracer.error or self._error
        if isinstance(caught, MemoryExhausted):
            return self._exhausted()
        if caught is not None:
            raise caught
        if self.kernel.ended is not None:
            return _ended(self.kernel.ended)
        if self._fault is not None:
            return End(signal=self._fault)
        if error.errno in _UNMAPPED or error.errno in _FORBIDDEN:
            return End(signal="SIGSEGV")
        if error.errno == uc.UC_ERR_INSN_INVALID:
            return self._invalid()
        return End(refused=f"the emulator fails at {self.pc:#x}: {error}")

    def _exhausted(self) -> End:
        """A run that needs more memory than the user grants dies of it; more than the emulator has says nothing."""
        if self.memory.is_limited_by_user:
            return End(signal="SIGKILL")
        return End(refused=f"the emulator has no more than {MOST_WRITABLE >> 20} MiB of memory for a run")

    def _invalid(self) -> End:
        """An instruction that the emulator does not know, or that no processor does."""
        code = self.memory.read(self.pc, 2) or b""
        if code == b"\x0f\x0b":
            return End(signal="SIGILL")
        module = self.image.module_at(self.pc)
        place = f"{self.pc:#x}" if module is None else f"{module.path.rpartition('/')[2]}+{self.pc - module.base:#x}"
        return End(refused=f"the instruction {self._name(self.pc)} at {place} cannot be emulated")

    def _on_unmapped(self, emulator: Any, access: int, address: int, size: int, value: int, data: Any) -> bool:
        try:
            last = address + max(size, 1) - 1
            return self.memory.touch(address) and (last // _PAGE == address // _PAGE or self.memory.touch(last))
        except BaseException as error:
            self._error = error
            return False

    def _on_interrupt(self, emulator: Any, number: int, data: Any) -> None:
        self._fault = _FAULTS.get(number, "SIGSEGV")
        emulator.emu_stop()

    def _on_system_call(self, emulator: Any, data: Any) -> None:
        try:
            self.kernel.call()
        except BaseException as error:
            self._error = error
        if self._error is not None or self.kernel.ended is not None:
            emulator.emu_stop()


def _ended(ended: Ended) -> End:
    if ended.refused is not None:
        return End(refused=ended.refused)
    if ended.signal is not None:
        name = signal.Signals(ended.signal).name
        return End(signal=name)
    return End(code=ended.code)
