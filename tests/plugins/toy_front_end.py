"""A front-end for the stack language: everything that Pessimal needs to search a kind of target that is not Python."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from inspect import Parameter, Signature

from stack_language import Machine, Program, read

from pessimal.comparison import Comparison, Operand
from pessimal.cost import NEUTRAL
from pessimal.coverage import CoverageGain, Place
from pessimal.execution import Execution, Stop
from pessimal.expr import Compare, Leaf, Offset, conjunction, negation
from pessimal.fatal_runs import FatalRun
from pessimal.inputs import Domain, Inputs
from pessimal.pool import Recorder
from pessimal.registry import SOLVERS
from pessimal.runs import Request
from pessimal.solve import PathSolver, Statistics
from pessimal.target import Reference
from pessimal.target_spec import TargetSpec
from pessimal.trace import Outcome, Site, Trace

SIGNATURE = Signature([Parameter("memory", Parameter.POSITIONAL_OR_KEYWORD, annotation=list[int])])


class StackFrontEnd:
    """One program at one size: the size is how many cells the memory has."""

    def __init__(self, spec: TargetSpec, recorder: Recorder | None = None, fatal: Sequence[FatalRun] = ()) -> None:
        assert isinstance(spec.target, Reference) and spec.target.file is not None
        self._spec = spec
        self._program = read(spec.target.file, spec.target.qualname)
        self._sites = [_site(self._program, at) for at in range(len(self._program.code))]
        self._cost = NEUTRAL.find(spec.cost)
        self._load_solver = SOLVERS.loader(spec.solver)
        self.name = str(spec.target)
        self.statistics = Statistics()
        self._resize(spec.size)

    def _resize(self, size: int) -> None:
        self.size = size
        self.inputs = Inputs.of(SIGNATURE, size, self._spec.given, name=self.name, growing=self._spec.growing)
        self.initial: list[Leaf] = self.inputs.initial()

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
        """Every concrete run counts them."""
        return True

    def prepare(self) -> None:
        """There are no preconditions."""

    def run(self, request: Request, seconds: float) -> Trace:
        """One symbolic execution."""
        bounds = [(domain.low, domain.high) for domain in self.domains]
        start = self.initial if request.start is None else request.start
        solver = PathSolver(start, bounds, lambda: self._load_solver()())
        execution = Execution(solver, request)

        def less(at: int, left: object, right: object) -> bool:
            return execution.branch_at(self._sites[at], Compare("<", left, right))

        def switch(at: int, number: object, arity: int) -> int:
            cases = [Compare("==", number, outcome) for outcome in range(arity - 1)]
            otherwise = conjunction([negation(case) for case in cases])
            return execution.switch_at(self._sites[at], [*cases, otherwise])

        memory = [Offset(leaf) for leaf in range(len(start))]
        trace = execution.trace
        try:
            execution.begin()
            Machine(self._program, memory, less, switch).run()
        except Stop as stop:
            trace.outcome = stop.outcome
        except ZeroDivisionError as error:
            trace.outcome, trace.exception = Outcome.RAISED, type(error).__name__
        trace.leaves = solver.leaves
        self.statistics.add(solver.statistics)
        return trace

    def evaluate(self, leaves: Sequence[Leaf], seconds: float, recording: bool = False) -> Trace:
        """One concrete execution; every branch on the input is recorded, since that is cheap here."""
        trace = Trace(leaves=list(leaves))

        def note(at: int, outcome: int) -> int:
            trace.sites.append(self._sites[at])
            trace.decisions.append(outcome)
            return outcome

        def less(at: int, left: object, right: object) -> bool:
            return note(at, int(_number(left) < _number(right))) == 1

        def switch(at: int, value: object, arity: int) -> int:
            number = _number(value)
            return note(at, number if 0 <= number < arity - 1 else arity - 1)

        try:
            cells = Machine(self._program, [_Cell(int(leaf)) for leaf in leaves], less, switch).run()
            trace.returned = str([_number(cell) for cell in cells])
        except ZeroDivisionError as error:
            trace.outcome, trace.exception = Outcome.RAISED, f"{type(error).__name__}: {error}"
        size = len(trace.decisions)
        trace.conditions, trace.others, trace.depths = [None] * size, bytearray(size), [0] * size
        trace.costs["branches"] = float(size)
        return trace

    def comparisons(self, leaves: Sequence[Leaf], seconds: float) -> list[Comparison]:
        """The machine does not note what it compares."""
        return []

    def survey(self, inputs: Sequence[Sequence[Leaf]], seconds: float) -> list[float] | None:
        """Inputs are run one by one."""
        return None

    def literals(self) -> list[Operand]:
        """The machine's programs have no literals."""
        return []

    def native(self, leaves: Sequence[Leaf], seconds: float) -> Trace:
        """The machine has no other way to run than this one."""
        return self.evaluate(leaves, seconds)

    def differs_natively(self, leaves: Sequence[Leaf], seconds: float) -> str | None:
        """A concrete run is a native one."""
        return None

    def cost(self, trace: Trace, seconds: float) -> float:
        """The cost of a run, which can be read off its trace."""
        return self._cost.of(trace)

    def admits(self, leaves: Sequence[Leaf]) -> bool:
        """There are no preconditions."""
        return True

    def describe_call(self, leaves: Sequence[Leaf]) -> str:
        """The program and its memory."""
        return f"{self._program.name} {' '.join(map(str, leaves))}"

    def coverage(self, places: Sequence[Place]) -> NoCoverage:
        """The machine does not measure which ways it goes."""
        return NoCoverage()

    def resized(self, size: int) -> StackFrontEnd:
        """The same program with another number of cells."""
        other = StackFrontEnd(self._spec)
        other._resize(size)
        return other

    def importing(self) -> AbstractContextManager[None]:
        """A program of this language imports nothing."""
        return nullcontext()


class NoCoverage:
    """Finds nothing new in any run."""

    def run(self, leaves: Sequence[Leaf], seconds: float) -> CoverageGain:
        """Nothing."""
        return CoverageGain([], [])


@dataclass(frozen=True)
class _Cell:
    """A number that depends on the input, so that the machine asks for every decision on it."""

    value: int

    def __add__(self, other: object) -> _Cell:
        return _Cell(self.value + _number(other))

    __radd__ = __add__


def _number(value: object) -> int:
    return value.value if isinstance(value, _Cell) else value


def _site(program: Program, at: int) -> Site:
    op, args = program.code[at]
    return Site(program.file, program.name, program.lines[at], 0, " ".join(map(str, (op, *args))), at)
