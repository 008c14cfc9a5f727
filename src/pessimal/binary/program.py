"""One target that can be run: loaded, emulated and run natively, each when it is first needed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from pessimal.binary.calls import STDIN, Buffer, Command, Fixed, FunctionCall, Integer, Shapes
from pessimal.binary.code import Code
from pessimal.binary.conditions import Conditions
from pessimal.binary.elf import ElfFile
from pessimal.binary.image import WRITE, Image, Module
from pessimal.binary.machine import ARGUMENTS, End, Machine
from pessimal.binary.models import modelled
from pessimal.binary.native import InputFile, NativeEnd, NativeRuns
from pessimal.binary.plain import PlainRun
from pessimal.binary.processes import Confinement
from pessimal.binary.sanitizer import summary
from pessimal.binary.state import State
from pessimal.binary.symbolic import SymbolicRun
from pessimal.binary.terms import integer_leaf
from pessimal.binary.views import Model
from pessimal.execution import Execution
from pessimal.expr import Compare, Leaf, Offset
from pessimal.inputs import Inputs
from pessimal.target import Reference
from pessimal.target_spec import TargetSpec
from pessimal.trace import Outcome, Site, Trace

_TEXT = re.compile(rb"[\x20-\x7e]{3,16}")
_MOST_LITERALS = 200
_FRAMES = 3
"""How many of the innermost calls tell two failures apart."""


class Program:
    """A function of a library, or a program, with its inputs."""

    def __init__(self, elf: ElfFile, spec: TargetSpec, watched: str | None) -> None:
        assert isinstance(spec.target, Reference)
        self._elf = elf
        self._spec = spec
        self._watched = watched
        self._confinement = Confinement(spec.allow_side_effects)
        self._function = spec.target.qualname
        self.call: FunctionCall | Command
        if elf.is_library:
            elf.function(self._function)
            self.call = FunctionCall.parse(self._function, spec.call, spec.given)
        else:
            self.call = Command.parse(spec.call, spec.given)
        self._run: SymbolicRun | PlainRun | None = None

    def prepare(self) -> None:
        """Do now what the first run would have to do."""
        _ = self.machine

    @cached_property
    def _input_file(self) -> InputFile:
        return InputFile()

    @cached_property
    def _loaded(self) -> tuple[Image, int]:
        if isinstance(self.call, FunctionCall):
            return Image.of_function(self._elf, self._function, self._confinement)
        words = self.call.arguments(self._input_file.path)
        return Image.of_program(self._elf, words, self._confinement, self._spec.limits.import_seconds)

    @cached_property
    def code(self) -> Code:
        """The code that runs have met."""
        image, _ = self._loaded
        watched, modelled = self._watched_addresses(image), frozenset(self._models)
        return Code(image, self._elf, watched=watched, modelled=modelled)

    @cached_property
    def _models(self) -> dict[int, Model]:
        return modelled(self._loaded[0], str(self._elf.path.resolve()))

    def _watched_addresses(self, image: Image) -> frozenset[int]:
        if self._watched is None:
            return frozenset()
        base = next(module.base for module in image.modules if module.path == str(self._elf.path.resolve()))
        is_number = self._watched.lower().startswith("0x") or self._watched.isdigit()
        offset = int(self._watched, 16) if is_number else self._elf.function(self._watched).start
        return frozenset((base + offset,))

    @cached_property
    def machine(self) -> Machine:
        """The emulator."""
        image, start = self._loaded
        is_program = isinstance(self.call, Command)
        limits = self._spec.limits
        made = Machine(
            image,
            start,
            self.code.decoded,
            self._lift,
            memory=limits.memory,
            is_program=is_program,
            special=self.code.special,
            name=self.code.name,
        )
        if isinstance(self.call, Command):
            made.kernel.files.offer_input(self._input_file.path, self.call.source == STDIN)
            self._run = run = PlainRun(made.emulator, made.memory, made.tracer, self._models)
            made.settle(run.resume, limits.import_seconds)
        return made

    def _lift(self, address: int) -> bool:
        assert self._run is not None
        return self._run.lift(address)

    @cached_property
    def _native(self) -> NativeRuns:
        words = self.call.arguments(self._input_file.path) if isinstance(self.call, Command) else []
        return NativeRuns(self._elf, self._function, words, self._spec.limits.memory, self._confinement)

    def describe(self, arguments: dict[str, Any]) -> str:
        """The call with an input, as a user would write it."""
        if isinstance(self.call, FunctionCall):
            return self.call.describe(arguments)
        return self.call.describe(str(self._spec.target), arguments)

    def replay(self, arguments: dict[str, Any]) -> str:
        """A shell command that runs the real target on an input."""
        if isinstance(self.call, FunctionCall):
            return self.call.command(str(self._elf.path.absolute()), arguments)
        return self.describe(arguments)

    def run_concrete(self, inputs: Inputs, leaves: Sequence[Leaf], seconds: float) -> Trace:
        """Emulate an input without looking at what it becomes."""
        machine = self.machine
        machine.begin()
        machine.tracer.state.tracking = 0
        self._prepare(inputs, leaves, lambda leaf: int(leaves[leaf]), None)
        trace = Trace(leaves=list(leaves))
        self._run = run = PlainRun(machine.emulator, machine.memory, machine.tracer, self._models)
        self._finish(trace, machine.run(run.resume, seconds))
        return trace

    def run_symbolic(self, execution: Execution, inputs: Inputs, seconds: float) -> None:
        """Emulate with the input as terms; the trace is that of the execution."""
        site = Site(str(self._elf.path), self._function or "main", 0, 0, "input")
        bounds = execution.solver.bounds

        def choose(leaf: int) -> int:
            low, high = (int(bound or 0) for bound in bounds[leaf])
            while low < high:
                middle = (low + high) // 2
                if execution.choice_at(site, Compare("<=", Offset(leaf), middle)):
                    high = middle
                else:
                    low = middle + 1
            return low

        byte_leaves = sum(1 << i for i, domain in enumerate(inputs.domains) if domain.kind == "byte")
        machine = self.machine
        machine.begin()
        machine.tracer.state.tracking = 1
        state = State(machine.emulator, machine.memory, machine.tracer, Conditions(byte_leaves))
        shape = inputs.values(Shapes(choose))  # type: ignore[arg-type]
        self._prepare(inputs, execution.solver.leaves, lambda leaf: 0, state, shape)
        self._run = run = SymbolicRun(state, execution, byte_leaves, self.code, self._models)
        end = machine.run(run.resume, seconds)
        execution.finish()
        self._finish(execution.trace, end)

    def _prepare(
        self, inputs: Inputs, leaves: Sequence[Leaf], choose: Any, state: State | None, shape: Any = None
    ) -> None:
        """Put the input where the target finds it."""
        machine = self.machine
        if shape is None:
            shape = inputs.values(Shapes(choose))  # type: ignore[arg-type]
        machine.kernel.on_input = (lambda address, items: None) if state is None else state.add_input
        if isinstance(self.call, Command):
            buffer = shape[self.call.source]
            machine.kernel.files.set_input(_content(buffer, leaves), buffer.leaves)
            return
        numbers = []
        tainted: list[tuple[int, Any]] = []
        for position, item in enumerate(self.call.arrange(shape)):
            if isinstance(item, Buffer):
                address = machine.place(_content(item, leaves), len(item.leaves) + item.is_text)
                numbers.append(address)
                machine.kernel.on_input(address, item.leaves)
            elif isinstance(item, Integer):
                numbers.append(int(leaves[item.leaf]))
                tainted.append((position, item.leaf))
            elif isinstance(item, Fixed):
                numbers.append(machine.place(item.content, len(item.content)))
            else:
                numbers.append(item)
        machine.call(numbers)
        for position, leaf in tainted if state is not None else ():
            assert state is not None
            state.set_whole(ARGUMENTS[position], integer_leaf(leaf, 64))

    def _finish(self, trace: Trace, end: End) -> None:
        """Write how a run ended, and what it cost, into its trace."""
        state = self.machine.tracer.state
        trace.costs["instructions"] = float(state.instructions)
        trace.costs["blocks"] = float(state.blocks)
        if self._watched is not None:
            trace.costs[f"address:{self._watched}"] = float(state.watched)
        if end.timed_out:
            trace.outcome = Outcome.TIMED_OUT
        elif end.refused is not None:
            trace.outcome, trace.exception = Outcome.REJECTED, end.refused
        elif end.signal is not None:
            report = summary(self.machine.kernel.printed) if self._elf.is_sanitized else None
            where = self._where() if report is None else f"{report}: {self._where()}"
            trace.outcome, trace.exception = Outcome.RAISED, f"{end.signal}: {where}"
        elif end.code is not None:
            trace.returned = f"exit {end.code}"
        else:
            value = end.returned or 0
            is_pointer = self.machine.memory.region_at(value) is not None
            trace.returned = "a pointer" if is_pointer else str(_as_int(value))

    def _where(self) -> str:
        """The innermost calls, by which failures are told apart."""
        frames = [*self.machine.tracer.stack, self.machine.pc][::-1]
        own = str(self._elf.path.resolve())
        image, _ = self._loaded

        def is_own(address: int) -> bool:
            module = image.module_at(address)
            return module is not None and module.path == own

        shown = [address for address in frames if is_own(address)][:_FRAMES] or frames[:1]
        return " < ".join(self.code.place(address) for address in shown)

    def executed_blocks(self) -> set[int]:
        """The offsets of the blocks of the target's own file that the last run executed."""
        own = self._own_module
        return {address - own.base for address in self.machine.tracer.visits if own.base <= address < own.end}

    @cached_property
    def _own_module(self) -> Module:
        return next(module for module in self._loaded[0].modules if module.path == str(self._elf.path.resolve()))

    def run_native(self, inputs: Inputs, leaves: Sequence[Leaf], seconds: float) -> NativeEnd:
        """Run the real target on an input."""
        values = inputs.arguments(leaves)
        if isinstance(self.call, Command):
            path = self._input_file.write(values[self.call.source])
            return self._native.run([], path if self.call.source == STDIN else "/dev/null", seconds)
        shape = inputs.values(Shapes(lambda leaf: int(leaves[leaf])))  # type: ignore[arg-type]
        data: list[Any] = []
        for item in self.call.arrange(shape):
            if isinstance(item, Buffer):
                data.append((_content(item, leaves) + b"\0" * item.is_text).hex())
            elif isinstance(item, Fixed):
                data.append(item.content.hex())
            else:
                data.append(int(leaves[item.leaf]) if isinstance(item, Integer) else item)
        return self._native.run(data, "/dev/null", seconds)

    def literals(self) -> list[Any]:
        """The words of the dictionary, and texts in the constant data of the target."""
        image, _ = self._loaded
        own = str(self._elf.path.resolve())
        found: dict[bytes, None] = dict.fromkeys(self._spec.dictionary)
        for region in image.regions:
            if region.path == own and not region.rights & (WRITE | 4):
                content = image.read(region.start, region.end - region.start)
                found.update(dict.fromkeys(_TEXT.findall(content)))
        return list(found)[: _MOST_LITERALS + len(self._spec.dictionary)]


def _content(buffer: Buffer, leaves: Sequence[Leaf]) -> bytes:
    return bytes(int(leaves[leaf]) for leaf in buffer.leaves)


def _as_int(value: int) -> int:
    """What a C function that returns an int returns."""
    value &= (1 << 32) - 1
    return value - (value >> 31 << 32)


def trace_of(leaves: Sequence[Leaf], end: NativeEnd) -> Trace:
    """A native run as a trace."""
    trace = Trace(leaves=list(leaves), returned=end.returned)
    if end.timed_out:
        trace.outcome = Outcome.TIMED_OUT
    elif end.signal is not None:
        report = "" if end.report is None else f": {end.report}"
        trace.outcome, trace.exception = Outcome.RAISED, f"{end.signal}{report}"
    return trace
