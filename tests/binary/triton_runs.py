"""Triton on a function of a library: its branches on an input, and generational search with its own solver.

Needs the package triton-library, which is an oracle here and no part of Pessimal.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pessimal.binary.elf import ElfFile
from pessimal.binary.image import Image
from pessimal.binary.processes import Confinement

DATA, STACK, RETURN = 0x10000000, 0x20000000, 0x30000000
ROOM = DATA + 0x80000
MOST_INSTRUCTIONS = 200_000
Branch = tuple[int, bool]
"""The offset of a jump that depends on the input, and whether it was taken."""


def is_installed() -> bool:
    """Whether the right one of the packages with this name is there."""
    try:
        import triton
    except ImportError:
        return False
    return hasattr(triton, "TritonContext")


class TritonFunction:
    """A function ``f(data, length, ...)`` of a library in Triton; ``rest`` are numbers, or ROOM for memory of zeros."""

    def __init__(self, library: Path, function: str, rest: Sequence[int] = ()) -> None:
        import triton as t

        self._image, self._start = Image.of_function(ElfFile.read(library), function, Confinement(False))
        self._module = next(item for item in self._image.modules if item.path == str(library.resolve()))
        self._context = t.TritonContext(t.ARCH.X86_64)
        self._modes = t.MODE.ALIGNED_MEMORY, t.MODE.CONSTANT_FOLDING, t.MODE.ONLY_ON_SYMBOLIZED
        self._on_read = t.CALLBACK.GET_CONCRETE_MEMORY_VALUE
        self._instruction, self._access = t.Instruction, t.MemoryAccess
        self._variables: dict[int, int] = {}
        self._rest = rest
        self._solver = t.SOLVER.BITWUZLA  # three times as fast as the other one here
        self.solved, self.seconds_of_solving = 0, 0.0

    def _load(self, context: Any, memory: Any) -> None:
        address, size = memory.getAddress(), memory.getSize()
        if not context.isConcreteMemoryValueDefined(address, size):
            is_own = any(base <= address < base + 0x100000 for base in (DATA, STACK - 0x80000))
            content = bytes(size) if is_own else self._image.read(address, size)
            context.setConcreteMemoryAreaValue(address, content)

    def run(self, data: bytes) -> list[Branch]:
        """Run an input; the branches that depend on it. It ends where the function leaves its own file."""
        context = self._context
        context.reset()
        self._prepare(data)
        address = self._start
        for _ in range(MOST_INSTRUCTIONS):
            if not self._module.base <= address < self._module.end:
                break
            instruction = self._instruction(address, self._image.read(address, 16))
            context.processing(instruction)
            address = context.getConcreteRegisterValue(context.registers.rip)
        return [self._branch(item) for item in context.getPathConstraints() if item.isMultipleBranches()]

    def _prepare(self, data: bytes) -> None:
        context, registers = self._context, self._context.registers
        for mode in self._modes:
            context.setMode(mode, True)
        context.setSolver(self._solver)
        context.addCallback(self._on_read, self._load)  # a reset forgets it
        context.setConcreteMemoryAreaValue(DATA, data or b"\0")
        context.setConcreteMemoryAreaValue(STACK, RETURN.to_bytes(8, "little"))
        values = ((registers.rdi, DATA), (registers.rsi, len(data)), (registers.rsp, STACK))
        others = zip((registers.rdx, registers.rcx, registers.r8), self._rest, strict=False)
        for register, value in (*values, *others, (registers.fs, self._image.registers["fs_base"])):
            context.setConcreteRegisterValue(register, value)
        made = [context.symbolizeMemory(self._access(DATA + i, 1)) for i in range(len(data))]
        self._variables = {variable.getId(): i for i, variable in enumerate(made)}

    def _branch(self, item: Any) -> Branch:
        taken = next(side for side in item.getBranchConstraints() if side["isTaken"])
        others = [side["dstAddr"] for side in item.getBranchConstraints() if not side["isTaken"]]
        after = min(side for side in (taken["dstAddr"], *others) if side > taken["srcAddr"])
        is_jump = taken["dstAddr"] != after
        return taken["srcAddr"] - self._module.base, is_jump

    def search(self, data: bytes) -> Iterator[tuple[Branch, ...]]:
        """Flip branches of one path after the other, each behind where it was flipped itself; the paths."""
        waiting, known = [(data, 0)], {data}
        while waiting:
            content, bound = waiting.pop(0)
            yield tuple(self.run(content))
            for position, changed in self._flipped(content, bound):
                if changed not in known:
                    known.add(changed)
                    waiting.append((changed, position + 1))

    def _flipped(self, data: bytes, bound: int) -> Iterator[tuple[int, bytes]]:
        context = self._context
        syntax = context.getAstContext()
        before = syntax.equal(syntax.bvtrue(), syntax.bvtrue())
        constraints = [item for item in context.getPathConstraints() if item.isMultipleBranches()]
        for position, item in enumerate(constraints):
            for side in item.getBranchConstraints() if position >= bound else ():
                if side["isTaken"]:
                    continue
                began = time.process_time()
                model = context.getModel(syntax.land([before, side["constraint"]]))
                self.seconds_of_solving += time.process_time() - began
                self.solved += 1
                changed = bytearray(data)
                for number, value in model.items():
                    changed[self._variables[number]] = value.getValue()
                if model:
                    yield position, bytes(changed)
            before = syntax.land([before, item.getTakenPredicate()])
