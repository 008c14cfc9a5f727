"""The front-end for C: a function of a C file, run on inputs by a process of its own."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from inspect import Parameter
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pessimal.c import returned
from pessimal.c.annealing import GOAL, MOST_BRANCHES, MOST_STEPS
from pessimal.c.build import Built, build
from pessimal.c.executor import FURTHER, UNLIMITED, Executor, Layout, Mode, Result, Status
from pessimal.c.fitting import Fitting, compared_with_sizes, tested_for_null
from pessimal.c.layout import CInt, CSpec
from pessimal.c.tracing import Tests
from pessimal.comparison import Comparison, Operand
from pessimal.cost import BRANCHES, NEUTRAL, Cost, Costs
from pessimal.coverage import CoverageGain, Place
from pessimal.errors import InputError, NotSymbolicError, TargetError
from pessimal.expr import Leaf
from pessimal.fatal_runs import FatalRun
from pessimal.inputs import Allocator, Domain, Inputs
from pessimal.local_search import LocalFindings, LocalSearch
from pessimal.pool import Recorder
from pessimal.runs import Request
from pessimal.solve import Statistics
from pessimal.target import Reference
from pessimal.target_spec import TargetSpec
from pessimal.trace import Outcome, Site, Trace

STEPS = Cost("steps", True, lambda trace: trace.costs["steps"])
COSTS = Costs({**NEUTRAL.simple, STEPS.name: STEPS}, NEUTRAL.families)
Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
GROWING_TEXT = "3*N"
"""How long texts become where no size is given: they need more elements than lists to be interesting."""
MOST_COMPARISONS = 10_000
"""How many comparisons of one run are looked at."""
LARGE = 2_000
"""From how many leaves on lists and trees of structs are made shorter."""
TRIES = 10_000
"""How many random inputs are tried to find one that satisfies the preconditions."""

_started: dict[tuple[str, str, int, bool], tuple[Built, Executor]] = {}

NOT_DEFINED = " is not defined"
"""How the message of a run ends that called a function which nobody defines."""


class CFrontEnd:
    """One function of a C file at one size."""

    def __init__(self, spec: TargetSpec, recorder: Recorder | None = None, fatal: Sequence[FatalRun] = ()) -> None:
        assert isinstance(spec.target, Reference) and spec.target.file is not None
        self._spec = spec
        self._built, self._executor = started(spec)
        self._tests = Tests(self._built.tests, self._built.slots)
        self._cost = COSTS.find(spec.cost)
        self._is_counted = self._cost.name in (BRANCHES.name, STEPS.name)
        self._requirements = [_requirement(item) for item in spec.requirements]
        self.name = str(spec.target)
        self.statistics = Statistics()
        self.most_seconds = spec.limits.run_seconds
        self._resize(spec.size)

    @staticmethod
    def start_outside(spec: TargetSpec) -> None:
        """Compile the target and start what runs it, while this process is not confined yet."""
        started(spec)

    def _resize(self, size: int) -> None:
        self.size = size
        spec = replace(self._spec, size=size)
        self.specs, self.inputs, self._layout = arranged(self._built, spec)
        self.initial: list[Leaf] = self.inputs.initial()

    @property
    def built(self) -> Built:
        """The compiled target."""
        return self._built

    @property
    def layout(self) -> Layout:
        """How arguments are made of leaves."""
        return self._layout

    @property
    def executor(self) -> Executor:
        """What runs the target."""
        return self._executor

    def stand_in(self) -> str | None:
        """The first function that the last run called and nobody defines."""
        message = self._executor.output()[2]
        return message.removesuffix(NOT_DEFINED) if message.endswith(NOT_DEFINED) else None

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
        """Every run counts them."""
        return True

    def prepare(self) -> None:
        """Find an input that satisfies the preconditions among random ones."""
        if self._built.zeros:
            raise TargetError(
                f"{self._built.zeros[0]}{NOT_DEFINED}: name the file or library that defines it in --cc-flags"
            )
        rng = Random(0)
        for _ in range(TRIES):
            if self.admits(self.initial):
                return
            self.initial = self.inputs.sample(rng)
        raise InputError(f"none of {TRIES} random inputs satisfies the preconditions: check --require")

    def run(self, request: Request, seconds: float) -> Trace:
        """C is not run symbolically."""
        raise NotSymbolicError(
            f"{self.name} cannot be run symbolically: C is run on concrete inputs; use --strategy auto, fuzz, climb, "
            "enumerate, flips, dynamosa or avm"
        )

    def evaluate(self, leaves: Sequence[Leaf], seconds: float, recording: bool = False) -> Trace:
        """One run of the instrumented code."""
        recording = recording or not self._is_counted
        trace = self._run(leaves, seconds, Mode.EVENTS if recording else Mode.NOTHING)
        if recording and trace.outcome is not Outcome.REJECTED:
            self._tests.fill(trace, self._executor.events())
        return trace

    def last_site(self, leaves: Sequence[Leaf], most_steps: int) -> Site | None:
        """The last test of a run, or that of its first steps if it takes more; None if it makes no test."""
        self._executor.limit_steps(most_steps)
        self._run(leaves, self.most_seconds, Mode.EVENTS)
        self._executor.limit_steps()
        slots = self._executor.events()["slot"]
        tests = slots[slots != FURTHER]
        return self._tests.at(int(tests[-1])).site if len(tests) else None

    def native(self, leaves: Sequence[Leaf], seconds: float) -> Trace:
        """One run of the code as it was written."""
        return self._run(leaves, seconds, Mode.NATIVE)

    def _run(self, leaves: Sequence[Leaf], seconds: float, mode: Mode) -> Trace:
        trace = Trace(leaves=list(leaves))
        if not self.admits(leaves):
            trace.outcome = Outcome.REJECTED
            return trace
        executor = self._executor
        executor.use(self._layout)
        result = executor.run(leaves, seconds, mode)
        trace.costs = {BRANCHES.name: float(result.branches), STEPS.name: float(result.steps)}
        trace.outcome, trace.exception = ending(result, executor)
        if mode & (Mode.EVENTS | Mode.NATIVE) and trace.outcome is Outcome.RETURNED:
            data, text, _ = executor.output()
            trace.returned = returned.shown(self._built.signature.returns, data, text)
        return trace

    def survey(self, inputs: Sequence[Sequence[Leaf]], seconds: float) -> list[float] | None:
        """The costs of many inputs in one request."""
        executor = self._executor
        executor.use(self._layout)
        if not self._is_counted or self._requirements or len(inputs) > executor.most_inputs:
            return None
        pack = self._layout.packing.pack
        words = np.frombuffer(b"".join(pack(*leaves) for leaves in inputs), np.int64)
        results = executor.run_all(words.reshape(len(inputs), -1), seconds)
        if results["status"].any():
            return None
        found: list[float] = results[self._cost.name].astype(float).tolist()
        return found

    def search_near(self, search: LocalSearch, most_steps: int = UNLIMITED) -> LocalFindings | None:
        """Let the executor search by itself; None where it cannot: preconditions and most costs are known only here."""
        if self._requirements or not (search.goal or self._is_counted):
            return None
        executor = self._executor
        executor.use(self._layout)
        executor.limit_steps(most_steps)
        cost = MOST_STEPS if self._cost.name == STEPS.name else MOST_BRANCHES
        found = executor.search(search, GOAL if search.goal else cost, self.most_seconds)
        executor.limit_steps()
        return found

    def distances(self, inputs: Sequence[Sequence[Leaf]], most_steps: int) -> tuple[Floats, Ints, Ints]:
        """Of each input the least distance to each slot, how it ended, and by which signal or exit."""
        pack = self._layout.packing.pack
        words = np.frombuffer(b"".join(pack(*leaves) for leaves in inputs), np.int64)
        return self.distances_of_words(words.reshape(len(inputs), -1), most_steps)

    def distances_of_words(self, words: NDArray[np.int64], most_steps: int) -> tuple[Floats, Ints, Ints]:
        """As :meth:`distances`, of inputs whose leaves are rows of 64-bit words, as the executor reads them."""
        executor = self._executor
        executor.use(self._layout)
        most = executor.most_inputs
        if len(words) > most:
            parts = [self.distances_of_words(words[i : i + most], most_steps) for i in range(0, len(words), most)]
            rows, statuses, codes = (np.concatenate(column) for column in zip(*parts, strict=True))
            return rows, statuses, codes
        executor.limit_steps(most_steps)
        results = executor.run_all(words, self.most_seconds, Mode.ROWS)
        executor.limit_steps()
        return executor.rows(len(words)), results["status"], results["code"]

    def lines(self, leaves: Sequence[Leaf], seconds: float) -> set[tuple[str, int]]:
        """The lines of the file that a run executes."""
        self._executor.clear_lines()
        self._run(leaves, seconds, Mode.LINES)
        executed = np.flatnonzero(self._executor.lines()).tolist()
        statements = self._built.statements
        return {(statements[at].file, statements[at].line) for at in executed}

    def differs_natively(self, leaves: Sequence[Leaf], seconds: float) -> str | None:
        """How the instrumented code ends otherwise than the code as it was written."""
        ours, theirs = (self._run(leaves, seconds, mode) for mode in (Mode.EVENTS, Mode.NATIVE))
        if (ours.outcome, ours.returned, ours.exception) == (theirs.outcome, theirs.returned, theirs.exception):
            return None
        return f"instrumented it {_end(ours)}, but natively it {_end(theirs)}"

    def comparisons(self, leaves: Sequence[Leaf], seconds: float) -> list[Comparison]:
        """The numbers that a run compares."""
        self._run(leaves, seconds, Mode.EVENTS)
        pairs = self._tests.operands(self._executor.events()[:MOST_COMPARISONS])
        return [Comparison(slot, _plain(left), _plain(right)) for slot, left, right in pairs]

    def operands(self, leaves: Sequence[Leaf], slot: int, most_steps: int) -> list[tuple[Leaf, Leaf]]:
        """The different pairs of numbers that one test compares in a run."""
        self._executor.limit_steps(most_steps)
        self._run(leaves, self.most_seconds, Mode.EVENTS)
        self._executor.limit_steps()
        events = self._executor.events()
        own = events[events["slot"] == slot][:MOST_COMPARISONS]
        pairs = dict.fromkeys(zip(own["left"].tolist(), own["right"].tolist(), strict=True))
        return [(_plain(left), _plain(right)) for left, right in pairs]

    def literals(self) -> list[Operand]:
        """The literals in the code."""
        return list(self._built.literals)

    def cost(self, trace: Trace, seconds: float) -> float:
        """The cost of a run."""
        return trace.costs[self._cost.name] if self._is_counted else self._cost.of(trace)

    def admits(self, leaves: Sequence[Leaf]) -> bool:
        """Whether an input satisfies the preconditions."""
        if not self._requirements:
            return True
        arguments = self.inputs.arguments(leaves)
        return all(requirement(arguments) for requirement in self._requirements)

    def describe_call(self, leaves: Sequence[Leaf]) -> str:
        """The call as C."""
        values = self.inputs.arguments(leaves)
        return f"{self._built.signature.name}({', '.join(self.specs[name].text(values[name]) for name in values)})"

    def coverage(self, places: Sequence[Place]) -> NoCoverage:
        """Ways through the code are not measured one by one."""
        return NoCoverage()

    def resized(self, size: int) -> CFrontEnd:
        """The same function at another size, run by the same process."""
        return CFrontEnd(replace(self._spec, size=size))

    def close(self) -> None:
        """End the process that runs the target; it ends with this process otherwise."""
        _started.pop(_key(self._spec), None)
        self._executor.close()

    def importing(self) -> AbstractContextManager[None]:
        """The target imports nothing."""
        return nullcontext()


class NoCoverage:
    """Finds nothing new in any run."""

    def run(self, leaves: Sequence[Leaf], seconds: float) -> CoverageGain:
        """Nothing."""
        return CoverageGain([], [])


def started(spec: TargetSpec) -> tuple[Built, Executor]:
    """The compiled target of a specification and what runs it, which all sizes of it share."""
    assert isinstance(spec.target, Reference) and spec.target.file is not None
    key = _key(spec)
    if key not in _started:
        built = build(spec.target.file, spec.target.qualname, spec.cc_flags)
        _started[key] = built, Executor(built, memory=spec.limits.memory, is_confined=not spec.allow_side_effects)
    return _started[key]


def _key(spec: TargetSpec) -> tuple[str, str, int, bool]:
    return str(spec.target), spec.cc_flags, spec.limits.memory, spec.allow_side_effects


def arranged(built: Built, spec: TargetSpec) -> tuple[dict[str, CSpec], Inputs, Layout]:
    """The specifications of the parameters, their leaves at a size, and how the executor makes arguments of them."""
    signature = built.signature
    own = [test.site.text for test in built.tests if test.site.function == signature.name]
    nullable, tested = tested_for_null([test.site.text for test in built.tests]), tested_for_null(own)
    text_length = GROWING_TEXT if spec.growing else "N"
    fitting = Fitting(
        signature.name,
        nullable,
        spec.sized_numbers,
        tested | {built.aliases[name] for name in tested if name in built.aliases},
        text_length,
        built.declared,
        built.dimensions,
        compared_with_sizes(own),
    )
    specs, inputs = _fitted(fitting, built, spec)
    while len(inputs.domains) > LARGE:
        fitting, before = replace(fitting, shallower=fitting.shallower + 1), len(inputs.domains)
        specs, inputs = _fitted(fitting, built, spec)
        if len(inputs.domains) == before:
            break
    allocator = Allocator(spec.size, spec.growing)
    plans = [specs[item.name].allocate(allocator, item.name) for item in signature.parameters]
    code = [word for plan, offset in zip(plans, built.offsets, strict=True) for word in plan.code(offset)]
    return specs, inputs, Layout.of(code, inputs.domains)


def _fitted(fitting: Fitting, built: Built, spec: TargetSpec) -> tuple[dict[str, CSpec], Inputs]:
    specs = fitting.specs(built.signature.parameters, spec.given)
    parameters = [Parameter(item.name, Parameter.POSITIONAL_ONLY) for item in built.signature.parameters]
    return specs, Inputs(parameters, specs, spec.size, spec.growing, _assumed(specs, spec))


def _assumed(specs: Mapping[str, CSpec], spec: TargetSpec) -> dict[str, str]:
    """The ranges of numbers that neither their type nor the user gives."""
    ranges = {name: item for name, item in specs.items() if isinstance(item, CInt) and name not in spec.given}
    return {name: str(item).replace("N", str(spec.size)) for name, item in ranges.items() if "N" in str(item)}


def ending(result: Result, executor: Executor) -> tuple[Outcome, str | None]:
    """How a run ended, and by which signal or exit."""
    match result.status:
        case Status.RETURNED:
            return Outcome.RETURNED, None
        case Status.EXITED:
            return Outcome.RAISED, f"exit({result.code})"
        case Status.SIGNALLED:
            return Outcome.CRASHED, executor.output()[2] or signal_name(result.code)
        case Status.ABORTED:
            message = executor.output()[2]
            return Outcome.CRASHED, f"SIGABRT: {message}" if message else "SIGABRT"
        case Status.UNDEFINED:
            return Outcome.CRASHED, executor.output()[2]
    return Outcome.TIMED_OUT, None


def signal_name(number: int) -> str:
    """The name of a signal."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _end(trace: Trace) -> str:
    return f"{trace.outcome.value} {trace.exception or trace.returned or ''}".strip()


def _plain(number: float) -> int | float:
    return int(number) if abs(number) < 1 << 63 and number == int(number) else number


def _requirement(given: str | Callable[..., Any]) -> Callable[[Mapping[str, Any]], bool]:
    """A precondition as a function of the arguments; one that cannot be evaluated is not met."""
    if callable(given):
        return lambda arguments: bool(given(**arguments))
    try:
        code = compile(given, "--require", "eval")
    except (SyntaxError, ValueError):
        raise InputError(f"--require {given!r} is not a Python expression over the parameters") from None

    def holds(arguments: Mapping[str, Any]) -> bool:
        try:
            return bool(eval(code, {}, dict(arguments)))
        except Exception:
            return False

    return holds
