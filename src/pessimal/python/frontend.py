"""The Python front-end as a session sees it: symbolic runs, concrete runs, native replay, each behind the guard."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from copy import copy
from dataclasses import replace
from functools import cached_property
from inspect import unwrap
from math import inf, nan
from types import FunctionType
from typing import Any

from pessimal.comparison import Comparison, Operand
from pessimal.cost import BRANCHES, Cost
from pessimal.coverage import Place
from pessimal.endings import difference
from pessimal.errors import NotSymbolicError, TargetError
from pessimal.execution import Execution
from pessimal.expr import Leaf
from pessimal.fatal_runs import CONCRETE, SYMBOLIC, FatalRun, RunStart
from pessimal.importing import ImportGuard
from pessimal.inputs import Inputs, Spec
from pessimal.inputs.method import MethodCall
from pessimal.pool import audit, sandbox
from pessimal.pool.alarm import Paused
from pessimal.pool.process_state import restore_modules
from pessimal.pool.recorder import RecordedRun, Recorder
from pessimal.pool.run_guard import RunGuard
from pessimal.python.admissible import admissible_input
from pessimal.python.async_adapter import run_to_end
from pessimal.python.byvalue import rewrite_function
from pessimal.python.caches import TargetCaches, know_caches
from pessimal.python.concrete import Concrete
from pessimal.python.costs import find
from pessimal.python.counted import BranchCounter, LocateSite, hash_by_identity, hash_natively
from pessimal.python.counting import needs_rewrite
from pessimal.python.coverage import LineCoverage
from pessimal.python.executed_lines import ExecutedLines
from pessimal.python.handlers.black_boxes import NamedBoxes, SampleWatch
from pessimal.python.inference import specs_for_call
from pessimal.python.measured.functions import MeasuredFunctions
from pessimal.python.plain_calls import repeated
from pessimal.python.repetition import Repetition
from pessimal.python.require import Requirement
from pessimal.python.sites import Sites
from pessimal.python.symbolic import Symbolic
from pessimal.python.work import instrumentation, literals
from pessimal.python.world import World, Worlds
from pessimal.registry import SOLVERS
from pessimal.runs import Request
from pessimal.solve import Solver, Statistics, solver_factory
from pessimal.target import Reference, Target, load
from pessimal.target_spec import TargetSpec
from pessimal.trace import COMPLETED, Outcome, Trace

COUNTERS_SECONDS = 5.0
"""How much longer than its limit a run may last because its code gets counters meanwhile."""
COUNTED_SHARE = 1 / 4
"""How much of the time of a run one with counted values may take beside it: they are many times as slow."""
TABLES_SECONDS = 3.0
"""How much longer than its limit a symbolic run may last because tables of characters are made meanwhile."""

sandbox.protect(Execution._record.__code__)  # a decision is written into several columns: into all of them or none
sandbox.protect(BranchCounter.note.__code__)


class PythonFrontEnd:
    """One Python target at one size, loaded once as it is and once rewritten, each when it is first needed."""

    def __init__(
        self,
        spec: TargetSpec,
        recorder: Recorder | None = None,
        fatal: Sequence[FatalRun] = (),
        worlds: Worlds | None = None,
    ) -> None:
        self._spec = spec
        self._recorder = recorder
        self._written = 0
        self._fatal = [item for item in fatal if not item.sample]
        self._worlds = worlds or Worlds()
        self._boxes = NamedBoxes(spec.black_boxes, SampleWatch(recorder, [item.sample for item in fatal]))
        self._sites = Sites()
        self._load_solver: Callable[[], Callable[[], Solver]] = SOLVERS.loader(spec.solver)
        self._solver_class: Callable[..., Solver] | None = None
        self._refusal: NotSymbolicError | None = None
        self._cost = find(spec.cost)
        self.target = self._load(rewriting=False)
        self.name = self.target.name
        names = [parameter.name for parameter in self.target.parameters]
        self._requirements = [Requirement(item, names) for item in spec.requirements]
        self._caches = TargetCaches(self.target.module)
        self._measured = MeasuredFunctions()
        self._repetition = Repetition(self.native, self._worlds.scope.includes)
        self._specify()

    @staticmethod
    def preload() -> None:
        """Do once, for all processes that are forked from this one, what does not depend on the target."""
        know_caches()

    def _specify(self) -> None:
        """Lay out the inputs of the job's size."""
        spec = self._spec
        self.size = spec.size
        self.inputs = Inputs.of(
            self.target.signature,
            spec.size,
            spec.given,
            name=self.name,
            growing=spec.growing,
            sized_numbers=spec.sized_numbers,
            infer=self._infer,
            call=unwrap(self.target.call),
        )
        self.domains = self.inputs.domains
        self.initial = self.inputs.initial()

    def _infer(self, call: Callable[..., Any]) -> Mapping[str, Spec]:
        """Inputs for the parameters of a callable that have no hints, guessed from its code."""
        module = sys.modules.get(self.target.module)
        with self.importing():
            return specs_for_call(call, module)

    def resized(self, size: int) -> PythonFrontEnd:
        """The same target at another size, ready to run."""
        other = copy(self)
        other._spec = replace(self._spec, size=size)
        other._forget()
        other._specify()
        other.prepare()
        return other

    def _forget(self) -> None:
        """Forget what depends on the inputs."""
        for name in ("_symbolic", "_concrete", "_counted", "_plain"):
            self.__dict__.pop(name, None)

    def _load(self, rewriting: bool) -> Target:
        world, given = self._world(rewriting), self._spec.target
        world.enter()
        if isinstance(given, Reference):
            limits = self._spec.limits
            seconds = limits.rewriting_seconds if rewriting else limits.import_seconds
            with ImportGuard(seconds, str(given.file or given.module)):
                return self._runnable(load(given, world.loader))
        rewritable = rewriting and isinstance(given, FunctionType)
        return self._runnable(Target.of(rewrite_function(given) if rewritable else given))  # type: ignore[arg-type]

    def _world(self, rewriting: bool) -> World:
        return self._worlds.rewritten if rewriting else self._worlds.plain

    def _runnable(self, target: Target) -> Target:
        """The target as a call that runs to its end; the module that it lives in is rewritten whatever it is."""
        self._worlds.scope.add_target(target.module, target.file)
        self._boxes.register(target)
        return replace(target, call=run_to_end(target.call))

    @cached_property
    def _rewritten(self) -> Target:
        """The copy for symbolic runs; what keeps it from being made does so for good."""
        if self._refusal is None:
            try:
                return self._load(rewriting=True)
            except TargetError as error:
                self._refusal = NotSymbolicError(f"{self.name} cannot be run symbolically: {error}")
        raise self._refusal

    def _solver(self) -> Solver:
        """A back-end for one run; its class is loaded when the first run needs it, since many never do."""
        if self._solver_class is None:
            with Paused(), self.importing():
                self._solver_class = solver_factory(self._load_solver())
        return self._solver_class(**self._spec.solver_options)

    @cached_property
    def _symbolic(self) -> Symbolic:
        return Symbolic(
            self._rewritten.call,
            self.inputs,
            requirements=self._requirements,
            namespace=_namespace(self._rewritten),
            sites=self._sites,
            solver=self._solver,
            identity_hash=self._spec.pyse_compatible,
            uncounted_files=self._worlds.scope.uncounted_files,
        )

    @cached_property
    def _concrete(self) -> Concrete:
        """Takes the cost of a concrete run: of the unmodified target if it is metered, otherwise with its branches."""
        if self._cost.meter is None:
            return self._counting(self._cost)
        if self._cost.is_counted and self.target.file is not None:
            instrumentation().count_from_the_start(str(self.target.file))
        return Concrete(
            self.target.call,
            self.inputs.decode,
            self._cost,
            timeout=sandbox.DeadlineExceeded,
            prepare=self._caches.empty,
        )

    @cached_property
    def _counted(self) -> Concrete:
        """Counts the branches of a run whose cost is metered."""
        return self._counting(BRANCHES)

    def _counting(self, cost: Cost) -> Concrete:
        """Counting needs the rewritten target where the code passes values through what counted values cannot see."""
        (hash_by_identity if self._spec.pyse_compatible else hash_natively)()
        target = self._rewritten if self._counts_rewritten else self.target
        return Concrete(
            target.call,
            self.inputs.decode,
            cost,
            timeout=sandbox.DeadlineExceeded,
            uncounted_files=self._worlds.scope.uncounted_files if self._counts_rewritten else (),
            prepare=(TargetCaches(self.target.module) if self._counts_rewritten else self._caches).empty,
        )

    @cached_property
    def _counts_rewritten(self) -> bool:
        if not isinstance(self._spec.target, Reference):
            return True
        self._worlds.plain.enter()
        call = self.target.call
        arguments: Iterable[Any] = ()
        with suppress(Exception):  # which a constructor raises that rejects its values
            arguments = self.inputs.arguments(self.initial).values()
        has_text = any(domain.kind in ("char", "byte") for domain in self.domains)
        target = call.cls if isinstance(call, MethodCall) else call
        return needs_rewrite(target, arguments, self._worlds.scope.counts, has_text=has_text) is not None

    def describe_call(self, leaves: Sequence[Leaf]) -> str:
        """The call of the target on an input, as Python text."""
        return self.target.describe_call(self.inputs, leaves)

    def coverage(self, places: Sequence[Place]) -> LineCoverage:
        """A meter of the ways through the target's lines."""
        return LineCoverage(self.native, places, self._worlds.scope.includes)

    @property
    def path_determined(self) -> bool:
        """Whether the cost is the same for all inputs of one path, as far as runs have shown."""
        is_kept = "_concrete" in self.__dict__ and self._concrete.keeps_state
        keeps_state = is_kept or self._repetition.difference is not None
        is_seen = self._cost.from_trace or not self._boxes.run_python
        return self._cost.path_determined and is_seen and not keeps_state

    @property
    def counts_branches(self) -> bool:
        """Whether a concrete run counts branches without recording them."""
        return self._cost.meter is None

    @property
    def statistics(self) -> Statistics:
        """What solving cost so far."""
        return self._symbolic.statistics if "_symbolic" in self.__dict__ else Statistics()

    def importing(self) -> AbstractContextManager[None]:
        """A block in which imports find the ordinary modules and not the target's copies."""
        restore_modules()
        return self._worlds.outside()

    def prepare(self) -> None:
        """Find an input that satisfies the preconditions, for strategies to start from."""
        if self.admits(self.initial):
            return
        self._worlds.rewritten.enter()
        namespace = _namespace(self._rewritten)
        self.initial = admissible_input(self.inputs, self.initial, self._requirements, namespace, self.admits)

    def run(self, request: Request, seconds: float) -> Trace:
        """One symbolic execution."""
        symbolic = self._symbolic
        self._worlds.rewritten.enter()
        request = replace(request, start=list(self.initial if request.start is None else request.start))
        this = RunStart(tuple(request.start or ()), request.avoid, self._spec.size)
        fatal = {
            item.decisions: item.outcome for item in self._fatal if item.run == this and item.decisions is not None
        }

        def run() -> Trace:
            with self._recorded(SYMBOLIC, this, seconds + TABLES_SECONDS) as note:
                trace = symbolic.run(
                    request,
                    guard=RunGuard(seconds),
                    seconds=seconds,
                    timeout=sandbox.DeadlineExceeded,
                    note=note,
                    fatal=fatal,
                )
                self._written = len(trace)
            return _marked_if_blocked(trace)

        return repeated(run)

    def evaluate(self, leaves: Sequence[Leaf], seconds: float, recording: bool = False) -> Trace:
        """One concrete execution with counted values; with recording, its branches too."""
        leaves = list(leaves)
        if not self.admits(leaves):
            return Trace(leaves=leaves, outcome=Outcome.REJECTED)
        known = self._known_end(leaves)
        if known is not None:
            return Trace(leaves=leaves, outcome=known, known_fatal=True)
        self._repetition.try_input(leaves, seconds)
        return self._count(leaves, seconds, recording)

    def _known_end(self, leaves: Sequence[Leaf]) -> Outcome | None:
        """How a concrete run ends that is known to be fatal."""
        this = RunStart(tuple(leaves), None, self._spec.size)
        return next((item.outcome for item in self._fatal if item.run == this and item.decisions is None), None)

    def _count(self, leaves: list[Leaf], seconds: float, recording: bool) -> Trace:
        """A concrete run of an input that satisfies the preconditions."""
        this = RunStart(tuple(leaves), None, self._spec.size)
        is_metered = self._cost.meter is not None
        concrete = self._concrete
        self._world(not is_metered and self._counts_rewritten).enter()
        locate = self._sites.locate if recording and not is_metered else None
        trace = self._guarded(concrete, this, seconds, locate, recording)
        if is_metered and recording and trace.outcome in COMPLETED:
            return self._with_branches(trace, seconds)
        return trace

    def _with_branches(self, measured: Trace, seconds: float) -> Trace:
        """A run with its branches, which are those of another run; without them where that is impossible or slow."""
        measured.costs[BRANCHES.name] = nan
        try:
            trace = self._run_counted(measured.leaves, COUNTED_SHARE * seconds, recording=True)
        except NotSymbolicError:
            return measured
        if trace.outcome is Outcome.TIMED_OUT:
            return measured
        trace.costs[BRANCHES.name] = trace.length
        trace.costs = measured.costs | trace.costs
        trace.counts = measured.counts
        return trace

    def _guarded(
        self,
        concrete: Concrete,
        start: RunStart,
        seconds: float,
        recording: LocateSite | None = None,
        show_returned: bool = True,
        alarm: float = inf,
    ) -> Trace:
        """One concrete execution behind the guard, whose alarm may also go off just before or after the target."""
        leaves = list(start.leaves)
        guard = RunGuard(min(seconds, alarm))
        try:
            with self._recorded(CONCRETE, start, seconds + self._spare_seconds), guard:
                trace = concrete.run(leaves, recording, show_returned=show_returned)
        except sandbox.DeadlineExceeded:
            trace = Trace(leaves=leaves, outcome=Outcome.TIMED_OUT)
        trace.seconds = guard.used
        return _marked_if_blocked(trace)

    @property
    def _spare_seconds(self) -> float:
        return COUNTERS_SECONDS if self._cost.is_counted else 0.0

    def survey(self, inputs: Sequence[Sequence[Leaf]], seconds: float) -> list[float] | None:
        """The cost of each input, run behind one guard for all; None if that is not possible, or a run went wrong."""
        if not self._cost.is_counted or self._requirements or self._fatal:
            return None
        concrete, size, recorder = self._concrete, self._spec.size, self._recorder

        def begin(leaves: Sequence[Leaf]) -> None:
            if recorder is not None:
                recorder.begin(CONCRETE, RunStart(tuple(leaves), None, size).pack(), 0, seconds)

        self._worlds.plain.enter()
        try:
            with self._recorded(CONCRETE, RunStart(tuple(inputs[0]), None, size), seconds), RunGuard(seconds):
                costs = concrete.survey(inputs, begin)
        except (sandbox.DeadlineExceeded, Exception):
            return None
        return None if audit.guard.blocked else costs

    def native(self, leaves: Sequence[Leaf], seconds: float, alarm: float = inf) -> Trace:
        """One execution of the unmodified target on plain values; it is interrupted after ``alarm`` seconds."""
        self._worlds.plain.enter()
        self._caches.empty()
        with self._original_code():
            return self._guarded(self._plain, RunStart(tuple(leaves), None, self._spec.size), seconds, alarm=alarm)

    def _original_code(self) -> AbstractContextManager[None]:
        """A block in which no code has counters."""
        return instrumentation().paused() if self._cost.is_counted else nullcontext()

    def differs_natively(self, leaves: Sequence[Leaf], seconds: float) -> str | None:
        """How a counted run of an input differs from a native one, in its end or in the lines it executes; in words."""
        if not self.admits(leaves):
            return None
        try:
            with ExecutedLines(self._worlds.scope.includes) as ours:
                counted = self._run_counted(list(leaves), seconds, recording=False)
        except NotSymbolicError:
            return None
        if counted.outcome not in COMPLETED:
            return None if counted.outcome is Outcome.REJECTED else f"{counted.outcome.value} with counted values"
        with ExecutedLines(self._worlds.scope.includes) as theirs:
            native = self.native(leaves, seconds)
        return difference(counted, native) or ours.difference(theirs) or self._uncounted(theirs)

    def _uncounted(self, executed: ExecutedLines) -> str | None:
        """Whether a file was executed whose statements should be the cost but are not counted; in words."""
        if not self._cost.is_counted:
            return None
        missing = [file for file in executed.files if not instrumentation().counts_in(file)]
        return f"the statements of {missing[0]} are not counted" if missing else None

    def _run_counted(self, leaves: list[Leaf], seconds: float, recording: bool) -> Trace:
        """One execution on counted values, whatever the cost."""
        if self._cost.meter is None:
            return self._count(leaves, seconds, recording=True)
        counted = self._counted
        self._world(self._counts_rewritten).enter()
        start = RunStart(tuple(leaves), None, self._spec.size)
        with self._original_code():
            return self._guarded(counted, start, seconds, self._sites.locate if recording else None)

    def approach(self, leaves: Sequence[Leaf], seconds: float) -> Trace:
        """One execution on plain values with the distance of each test from its other outcome."""
        leaves = list(leaves)
        known = self._known_end(leaves) if self.admits(leaves) else Outcome.REJECTED
        if known is not None:
            return Trace(leaves=leaves, outcome=known, known_fatal=known is not Outcome.REJECTED)
        self._worlds.plain.enter()
        self._caches.empty()
        self._measured.take(self._measured_modules)
        with self._measured.measuring() as log:
            trace = self._guarded(self._plain, RunStart(tuple(leaves), None, self._spec.size), seconds)
        log.fill(trace)
        return trace

    @property
    def _measured_modules(self) -> Collection[str]:
        """The modules whose tests tell their distances."""
        return (self.target.module,)

    def comparisons(self, leaves: Sequence[Leaf], seconds: float) -> list[Comparison]:
        """What one execution on plain values compares, in code that was counted before; empty for other costs."""
        if not self._cost.is_counted:
            return []
        self._worlds.plain.enter()
        with instrumentation().comparing() as log:
            self._guarded(self._plain, RunStart(tuple(leaves), None, self._spec.size), seconds)
        return log.found

    def literals(self) -> list[Operand]:
        """The literals in the code that was counted; empty for other costs."""
        module = sys.modules.get(self.target.module)
        return (
            literals(instrumentation(), getattr(module, "__file__", None), self.size) if self._cost.is_counted else []
        )

    def cost(self, trace: Trace, seconds: float) -> float:
        """What the search maximises: read off the trace, or measured natively on its input."""
        known = trace.costs.get(self._cost.name)
        if known is None:
            is_own = self._cost.from_trace and trace.refused is None  # else it left the target's own way
            measured = trace if is_own else self.evaluate(trace.leaves, seconds)
            known = self._cost.of(measured) if self._cost.from_trace else measured.costs.get(self._cost.name, -inf)
            trace.costs[self._cost.name] = known
        return known

    @cached_property
    def _plain(self) -> Concrete:
        return Concrete(self.target.call, self.inputs.decode, None, timeout=sandbox.DeadlineExceeded, counted=False)

    def admits(self, leaves: Sequence[Leaf]) -> bool:
        """Whether an input satisfies all preconditions, each of which gets arguments of its own."""
        if not self._requirements:
            return True
        self._worlds.plain.enter()
        namespace = _namespace(self.target)
        return all(item.accepts(self.inputs.arguments(leaves), namespace) for item in self._requirements)

    def _recorded(self, kind: int, run: RunStart, seconds: float) -> RecordedRun:
        """Tell the flight recorder what is about to run, so that its input survives the process."""
        written, self._written = self._written, 0
        return RecordedRun(self._recorder, kind, run.pack(), written, seconds)


def _marked_if_blocked(trace: Trace) -> Trace:
    """The trace of the latest run, marked as refused if a side effect was blocked: the target may hide that."""
    if audit.guard.blocked:
        trace.refused = f"a side effect was blocked: {audit.guard.blocked[0]}"
    return trace


def _namespace(target: Target) -> Mapping[str, Any]:
    """The names that a precondition may use beside the parameters: those of the target's module."""
    module = sys.modules.get(target.module)
    return vars(module) if module is not None else getattr(target.call, "__globals__", {})
