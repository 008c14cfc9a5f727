"""The front-end for x86-64 as a session sees it: symbolic runs and concrete ones in the emulator, and native ones."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

from pessimal.binary import needs
from pessimal.comparison import Comparison, Operand
from pessimal.coverage import CoverageGain, Place
from pessimal.errors import InputError, TargetError
from pessimal.execution import Execution, Note, Stop
from pessimal.expr import Leaf
from pessimal.fatal_runs import CONCRETE, SYMBOLIC, FatalRun, RunStart
from pessimal.inputs import Bytes, Domain, Inputs, encode
from pessimal.pool import Recorder
from pessimal.pool.recorder import DECISIONS
from pessimal.registry import SOLVERS
from pessimal.runs import Request
from pessimal.solve import PathSolver, Solver, Statistics
from pessimal.target import Reference
from pessimal.target_spec import TargetSpec
from pessimal.trace import Outcome, Trace

needs.check()

from pessimal.binary.block_report import BlockReport  # noqa: E402
from pessimal.binary.calls import check_specs  # noqa: E402
from pessimal.binary.costs import BLOCKS, COSTS, INSTRUCTIONS, watched_place  # noqa: E402
from pessimal.binary.elf import ElfFile  # noqa: E402
from pessimal.binary.program import Program, trace_of  # noqa: E402
from pessimal.binary.remembering import Memory  # noqa: E402

DEFAULT_SOLVER = "portfolio"


class BinaryFrontEnd:
    """One function of a library, or one program, at one size of its input."""

    confines_itself = True
    """The target runs in processes of its own, which are confined; this one emulates it."""

    def __init__(self, spec: TargetSpec, recorder: Recorder | None = None, fatal: Sequence[FatalRun] = ()) -> None:
        assert isinstance(spec.target, Reference) and spec.target.file is not None
        self._spec = spec
        self._recorder = recorder
        self._fatal = fatal
        self._cost = COSTS.find(spec.cost)
        self._load_solver = SOLVERS.loader(spec.solver)
        self._remembers = spec.solver == DEFAULT_SOLVER and not spec.solver_options
        self.name = str(spec.target)
        self.statistics = Statistics()
        self._elf = elf = ElfFile.read(Path(spec.target.file))
        _check_target(elf, spec.target)
        self._program = Program(elf, spec, watched_place(spec.cost))
        self._resize(spec.size)

    def _resize(self, size: int) -> None:
        self.size = size
        spec = self._spec
        call = self._program.call
        self.inputs = Inputs.of(call.signature, size, spec.given, name=self.name, growing=spec.growing)
        check_specs(self.inputs)
        self._memory = Memory([(domain.low, domain.high) for domain in self.domains])
        self.initial: list[Leaf] = self._first() or self.inputs.initial()

    def _first(self) -> list[Leaf] | None:
        """The input to start from, cut or filled up to the size; None if none was given."""
        return None if self._spec.start is None else self.encoded(self._spec.start)

    def encoded(self, content: bytes) -> list[Leaf] | None:
        """The leaves of an input with a content, cut or filled up to the size; None if there is more than one input."""
        inputs = self.inputs
        name = next((name for name, spec in inputs.specs.items() if isinstance(spec, Bytes)), None)
        if name is None or len(inputs.specs) > 1:
            return None
        try:
            return encode(inputs, {name: content[: self.size] if inputs.growing else _fitted(content, self._length())})
        except InputError:
            return None

    def _length(self) -> int:
        return sum(domain.kind == "byte" for domain in self.inputs.domains)

    def executed_blocks(self) -> set[int]:
        """The offsets of the blocks of the target's own file that the last run executed."""
        return self._program.executed_blocks()

    def block_report(self, executed: set[int]) -> BlockReport:
        """What blocks are in terms of functions and source lines."""
        return BlockReport.of(self._elf, executed)

    def replay_command(self, arguments: dict[str, Any]) -> str:
        """A shell command that runs the real target on an input."""
        return self._program.replay(arguments)

    @property
    def domains(self) -> Sequence[Domain]:
        """The domains of the leaves."""
        return self.inputs.domains

    @property
    def path_determined(self) -> bool:
        """Whether the cost is the same for all inputs of one path."""
        return self._cost.path_determined

    @property
    def counts_branches(self) -> bool:
        """Branches are counted where they are recorded."""
        return False

    def prepare(self) -> None:
        """Load the target, and run a program to where it asks for its input."""
        self._program.prepare()

    def run(self, request: Request, seconds: float) -> Trace:
        """One symbolic execution."""
        bounds = [(domain.low, domain.high) for domain in self.domains]
        start = list(self.initial if request.start is None else request.start)
        solver = PathSolver(start, bounds, self._solver, deadline=monotonic() + seconds)
        this = RunStart(tuple(start), request.avoid, self.size)
        fatal = {
            item.decisions: item.outcome for item in self._fatal if item.run == this and item.decisions is not None
        }
        execution = Execution(solver, request, note=self._begin(SYMBOLIC, this, seconds), fatal=fatal)
        trace = execution.trace
        try:
            execution.begin()
            self._program.run_symbolic(execution, self.inputs, seconds)
        except Stop as stop:
            trace.outcome = stop.outcome
        self._end()
        trace.leaves = solver.leaves
        self.statistics.add(solver.statistics)
        return trace

    def _solver(self) -> Solver:
        """The back-end of one run: the one that the user has chosen, or behind ours by default."""

        def make() -> Solver:
            made: Solver = self._load_solver()(**self._spec.solver_options)
            return made

        return self._memory.solver(make) if self._remembers else make()

    def _begin(self, kind: int, start: RunStart, seconds: float) -> Note | None:
        """Tell the flight recorder which run begins; how to tell it of decisions."""
        if self._recorder is None:
            return None
        self._recorder.begin(kind, start.pack(), 0, seconds)
        memory = self._recorder.memory

        def note(position: int, outcome: int) -> None:
            memory[DECISIONS + position] = outcome + 1

        return note

    def _end(self) -> None:
        if self._recorder is not None:
            self._recorder.end()

    def evaluate(self, leaves: Sequence[Leaf], seconds: float, recording: bool = False) -> Trace:
        """One concrete execution with its cost; with recording, its branches, which a symbolic run follows."""
        if recording or not self._is_measured:
            trace = self.run(Request(start=leaves), seconds)
            trace.costs["branches"] = float(trace.length)
            return trace
        this = RunStart(tuple(leaves), None, self.size)
        known = next((item.outcome for item in self._fatal if item.run == this and item.decisions is None), None)
        if known is not None:
            return Trace(leaves=list(leaves), outcome=known, known_fatal=True)
        self._begin(CONCRETE, this, seconds)
        trace = self._program.run_concrete(self.inputs, leaves, seconds)
        self._end()
        return trace

    @property
    def _is_measured(self) -> bool:
        """Whether the emulator counts the cost itself, so that no branches are needed."""
        return self._cost in (INSTRUCTIONS, BLOCKS) or watched_place(self._cost.name) is not None

    def survey(self, inputs: Sequence[Sequence[Leaf]], seconds: float) -> list[float] | None:
        """Inputs are run one by one."""
        return None

    def native(self, leaves: Sequence[Leaf], seconds: float) -> Trace:
        """One run of the real target on the real processor."""
        return trace_of(leaves, self._program.run_native(self.inputs, leaves, seconds))

    def differs_natively(self, leaves: Sequence[Leaf], seconds: float) -> str | None:
        """How an emulated run ends otherwise than a native one."""
        emulated, native = self.evaluate(leaves, seconds), self.native(leaves, seconds)
        if emulated.outcome is native.outcome and emulated.returned == native.returned:
            return None
        if emulated.outcome is native.outcome is Outcome.RAISED:
            return None
        return f"{_brief(emulated)} in the emulator, but natively {_brief(native)}"

    def comparisons(self, leaves: Sequence[Leaf], seconds: float) -> list[Comparison]:
        """Comparisons are not noted."""
        return []

    def literals(self) -> list[Operand]:
        """Texts in the target's data."""
        return self._program.literals()

    def cost(self, trace: Trace, seconds: float) -> float:
        """The cost of a run, which is read off its trace."""
        return self._cost.of(trace)

    def admits(self, leaves: Sequence[Leaf]) -> bool:
        """There are no preconditions."""
        return True

    def describe_call(self, leaves: Sequence[Leaf]) -> str:
        """The call of the function, or the command."""
        return self._program.describe(self.inputs.arguments(leaves))

    def coverage(self, places: Sequence[Place]) -> NoCoverage:
        """Lines are not measured."""
        return NoCoverage()

    def resized(self, size: int) -> BinaryFrontEnd:
        """The same target at another size."""
        other = copy(self)
        other._spec = replace(self._spec, size=size)
        other.statistics = Statistics()
        other._resize(size)
        return other

    def importing(self) -> AbstractContextManager[None]:
        """The target imports nothing."""
        return nullcontext()


class NoCoverage:
    """Finds nothing new in any run."""

    def run(self, leaves: Sequence[Leaf], seconds: float) -> CoverageGain:
        """Nothing."""
        return CoverageGain([], [])


def _check_target(elf: ElfFile, target: Reference) -> None:
    if elf.is_library and not target.qualname:
        raise TargetError(f"{elf.path} is a library: name a function of it, {elf.path}:function")
    if not elf.is_library and target.qualname:
        raise TargetError(f"{elf.path} is a program, of which no function can be called: write {elf.path}")


def _fitted(content: bytes, size: int) -> bytes:
    return content[:size].ljust(size, b"\0")


def _brief(trace: Trace) -> str:
    return f"{trace.outcome.value} {trace.exception or trace.returned or ''}".strip()
