"""``cover`` for C: which inputs take every outcome of every test, with the same result as for Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

from pessimal.c import toolchain
from pessimal.c.build import flags_for, sources_of
from pessimal.c.executor import Status
from pessimal.c.frontend import COSTS, CFrontEnd, signal_name
from pessimal.c.missing import StandIns, stand_ins
from pessimal.covering import c_tests
from pessimal.covering.c_search import COVERING, MOST_STEPS, STRATEGIES, Case, CSearch
from pessimal.covering.c_tests import CTestCase
from pessimal.covering.result import CoveringTest, CoverResult, Failure, Share, Unreached
from pessimal.errors import TargetError, UnknownNameError, UsageError
from pessimal.expr import Leaf
from pessimal.inputs import Spec, to_json
from pessimal.learn.agent_file import Agent, load, shipped
from pessimal.pool import sandbox
from pessimal.search.budget import seconds
from pessimal.target import Reference
from pessimal.target_spec import Limits, TargetSpec
from pessimal.tidy import tidy
from pessimal.trace import Outcome, Trace

DEFAULT_SIZE = 8
SIMPLIFYING_SHARE = 0.15
"""How much of the time is kept for choosing and simplifying inputs, and for writing tests."""
SHOWN_INPUTS = 3

Show = Callable[[int, int, int], None]


@dataclass(slots=True)
class COptions:
    """What ``cover`` is asked with for targets in C."""

    strategy: str = "auto"
    cc_flags: str = ""
    inputs: Mapping[str, Spec | str] = field(default_factory=dict)
    size: int | None = None
    seed: int = 0
    runs: int | None = None
    normalise: str = "ratio"
    model: str | Path | None = None
    limits: Limits = field(default_factory=Limits)
    allow_side_effects: bool = False
    fitness: str | Callable[[Trace], float] | None = None
    """The user's own function of the trace, which is minimised instead of distances."""


def is_c(target: str) -> bool:
    """Whether a target of ``cover`` is a C file, or a function in one."""
    return target.partition(":")[0].endswith(".c")


def cover(
    targets: Sequence[str], options: COptions, *, budget: float | str | None, tests: str | Path | None, show: Show
) -> CoverResult:
    """Cover functions of C files, one after the other within one budget."""
    began = monotonic()
    _check(targets, options, tests)
    whole = None if budget is None else seconds(budget, "budget")
    ends_at = inf if whole is None else began + whole
    with toolchain.until(ends_at):
        return _covered(targets, options, ends_at, tests=tests, show=show)


def _covered(
    targets: Sequence[str], options: COptions, ends_at: float, *, tests: str | Path | None, show: Show
) -> CoverResult:
    began = monotonic()
    result = _empty(targets, options)
    written: list[tuple[Any, CTestCase]] = []
    missing = StandIns()
    named = [place for target in targets for place in places(target, options.cc_flags)]
    for number, place in enumerate(named):
        left = max(0.2, (ends_at - monotonic()) / (len(named) - number))
        try:
            part = _Part(place, options, left)
        except UsageError as error:
            if len(named) == 1:
                raise
            result.skipped.append({"module": str(place), "reason": str(error)})
            continue
        try:
            part.search(show)
        except KeyboardInterrupt:
            result.interrupted = True
        part.add_to(result)
        part.front_end.close()
        written += part.cases
        missing = stand_ins(part.front_end.built.native.parent)
        if result.interrupted:
            break
    result.strategy, result.seconds = options.strategy, round(monotonic() - began, 3)
    if tests is not None and named:
        flags = flags_for(Path(str(named[0].file)), options.cc_flags)
        words = [*flags.compiling, *flags.sources, *flags.linking]
        command = f"pessimal cover {' '.join(targets)} --tests {tests}"
        result.test_file = c_tests.write(
            Path(tests), written, source=Path(str(named[0].file)), flags=words, missing=missing, command=command,
            memory=options.limits.memory,
        )  # fmt: skip
    return result


def _check(targets: Sequence[str], options: COptions, tests: str | Path | None) -> None:
    others = [target for target in targets if not is_c(target)]
    if others:
        raise UsageError(f"{others[0]} is no C file, but {targets[0]} is one: cover them one after the other")
    if options.strategy not in STRATEGIES:
        known = ", ".join(STRATEGIES)
        raise UnknownNameError(
            f"{options.strategy!r} cannot cover C, which is not run symbolically. Strategies for C: {known}"
        )
    _agent(options)
    if tests is not None:
        c_tests.check(Path(tests))
        if len({target.partition(":")[0] for target in targets}) > 1:
            raise UsageError("--tests takes the functions of one C file: give one file", slug="tests")


def _agent(options: COptions) -> Agent | None:
    """The agent that searches, if one does: that of a file, or the one that comes with the package."""
    if options.strategy not in ("agent", "auto"):
        return None
    return shipped() if options.model is None else load(options.model, ("moves",))


def _empty(targets: Sequence[str], options: COptions) -> CoverResult:
    return CoverResult(
        targets=list(targets),
        branches=Share(),
        lines=Share(),
        tests=[],
        unreached=[],
        failures=[],
        solver={"queries": 0, "calls": 0, "seconds": 0.0},
        executions=0,
        symbolic_runs=0,
        seconds=0.0,
        seed=options.seed,
        strategy=options.strategy,
        confined_by=("seccomp",) if sandbox.protection(options.allow_side_effects) else (),
    )


def places(target: str, cc_flags: str) -> list[Reference]:
    """The function that a target names, or all functions of the file."""
    file, _, function = target.partition(":")
    if function:
        return [Reference(file, None, function.lstrip(":"))]
    source = sources_of(Path(file), flags_for(Path(file), cc_flags))[0].instrumented
    own = [name for name in source.functions if any(test.site.function == name for test in source.tests)]
    if not own:
        raise TargetError(f"{file} has no function with a branch: nothing can be covered")
    return [Reference(file, None, name) for name in own]


class _Part:
    """The search for one function, and what it adds to the result."""

    def __init__(self, place: Reference, options: COptions, left: float) -> None:
        began = monotonic()
        size = DEFAULT_SIZE if options.size is None else options.size
        spec = TargetSpec(
            place, size, given=options.inputs, limits=options.limits, cc_flags=options.cc_flags,
            allow_side_effects=options.allow_side_effects, growing=options.size is None,
        )  # fmt: skip
        self.front_end = CFrontEnd(spec)
        self.front_end.executor.go_on()
        self._options = options
        self._ends_at = max(began + left, monotonic() + 0.2)
        own = None if options.fitness is None else COSTS.find(options.fitness).of
        self._search = CSearch(self.front_end, options.seed, options.normalise, own, _agent(options))
        self._stopped = ""
        self._chosen: list[Case] = []
        self.cases: list[tuple[Any, CTestCase]] = []

    def search(self, show: Show) -> None:
        """Search, then choose inputs and simplify them."""
        left = self._ends_at - monotonic()
        ends_at = monotonic() + (1 - SIMPLIFYING_SHARE) * left
        try:
            self._stopped = self._search.search(
                self._options.strategy, ends_at=ends_at, runs=self._options.runs, show=show
            )
        finally:
            self._chosen = [self._simplified(case) for case in chosen(self._search.cases, set(self._search.goals))]

    def _simplified(self, case: Case) -> Case:
        """A simpler input that takes the same outcomes."""
        wanted = case.slots & frozenset(self._search.goals)

        def covers(leaves: list[Leaf]) -> bool:
            if monotonic() >= self._ends_at:
                return False
            rows, statuses, _ = self.front_end.distances([leaves], MOST_STEPS)
            return int(statuses[0]) in COVERING and all(rows[0][slot] == 0.0 for slot in wanted)

        return Case(tuple(tidy(case.leaves, self.front_end.domains, covers, thorough=True)), case.slots)

    def add_to(self, result: CoverResult) -> None:
        """Add what was found."""
        search, built = self._search, self.front_end.built
        covered = set(search.goals) - search.missing
        result.branches.covered += len(covered)
        result.branches.total += len(search.goals)
        result.executions += search.executions
        result.stand_ins += (name for name in built.zeros if name not in result.stand_ins)
        result.stopped = self._stopped if not result.stopped or self._stopped == "time is up" else result.stopped
        result.curve += search.curve
        lines = {(item.file, item.line) for item in built.statements if item.function == built.signature.name}
        executed: set[tuple[str, int]] = set()
        taken: set[int] = set()
        for case in self._chosen:
            executed |= self.front_end.lines(case.leaves, self._options.limits.run_seconds)
            self._add_test(case, taken, result)
        result.lines.covered += len(lines & executed)
        result.lines.total += len(lines)
        result.unreached += [self._unreached(slot) for slot in sorted(search.missing)]
        result.failures += self._failures()
        file = built.tests[0].site.file if built.tests else str(self.front_end.name)
        result.files.append(
            {
                "file": file,
                "branches": asdict(Share(len(covered), len(search.goals))),
                "lines": asdict(Share(len(lines & executed), len(lines))),
            }
        )

    def _add_test(self, case: Case, taken: set[int], result: CoverResult) -> None:
        new = sorted((case.slots & set(self._search.goals)) - taken)
        taken |= case.slots
        trace = self.front_end.native(case.leaves, self._options.limits.run_seconds)
        called = self.front_end.stand_in()
        if called is not None and called not in result.stand_ins:
            result.stand_ins.append(called)
        call, arguments = self.front_end.describe_call(case.leaves), self.front_end.inputs.arguments(case.leaves)
        scenario = [{name: to_json(value) for name, value in arguments.items()}]
        shown = [self._shown(slot) for slot in new]
        result.tests.append(CoveringTest(call, trace.outcome.value, shown, trace.exception, scenario))
        status = 0
        if trace.exception is not None:
            status = _exit_status(trace.exception)
        if trace.outcome is not Outcome.TIMED_OUT:
            case_of_file = CTestCase(call, arguments, trace.outcome.value, trace.returned, status)
            self.cases.append((self.front_end.built.signature, case_of_file))

    def _test_of(self, slot: int) -> Any:
        return next(test for test in self.front_end.built.tests if test.slot <= slot < test.slot + test.arity)

    def _shown(self, slot: int) -> str:
        test = self._test_of(slot)
        return f"{Path(test.site.file).name}:{test.site.line} -> {test.labels[slot - test.slot]}  {test.site.text}"

    def _unreached(self, slot: int) -> Unreached:
        test = self._test_of(slot)
        distance = self._search.nearest[slot]
        if distance == inf:
            reason = "its test was not reached"
        elif distance == 0:
            reason = "only inputs that crash or do not end take it"
        else:
            reason = f"no input found; the nearest was {distance:g} away"
        return Unreached(
            f"{Path(test.site.file).name}:{test.site.line}", test.site.text, test.labels[slot - test.slot], reason
        )

    def _failures(self) -> list[Failure]:
        """One failure for each way to fail, run again as the code was written, and with all the time it may take."""
        found: dict[tuple[str, str], Failure] = {}
        for (status, _), inputs in self._search.failed.items():
            for leaves in sorted(inputs, key=lambda item: sum(map(abs, item)))[:SHOWN_INPUTS]:
                is_slow = status in (Status.OUT_OF_STEPS, Status.OUT_OF_TIME)
                left = self._ends_at - monotonic()
                if left < 0 and found and is_slow:
                    break
                limit = min(max(1.0, left / 2) if is_slow and not found else 1.0, self._options.limits.run_seconds)
                trace = self.front_end.native(leaves, limit)
                if trace.outcome not in (Outcome.CRASHED, Outcome.TIMED_OUT):
                    continue
                site = self._last_site(leaves)
                kind = trace.exception or "timed out"
                failure = Failure(kind, _said(kind), site, self.front_end.describe_call(leaves), 1)
                known = found.setdefault((kind, site), failure)
                known.count += known is not failure
        return list(found.values())

    def _last_site(self, leaves: Sequence[Leaf]) -> str:
        """The last test before a run failed."""
        site = self.front_end.last_site(leaves, MOST_STEPS)
        return f"{Path(site.file).name}:{site.line}" if site is not None else ""


def _said(kind: str) -> str:
    return "did not end in time" if kind == "timed out" else kind


def _exit_status(exception: str) -> int:
    """What the process of a test ends with, by what its run ended with: ``exit(3)``, or the name of a signal."""
    if exception.startswith("exit("):
        return int(exception[5:-1]) & 0xFF
    names = {signal_name(number): number for number in range(1, 32)}
    return -names.get(exception.partition(":")[0], 6)


def chosen(cases: Sequence[Case], goals: set[int]) -> list[Case]:
    """A few cases that take all that the cases take, those first that take most of what is left."""
    left = set().union(*(case.slots for case in cases)) & goals
    kept: list[Case] = []
    while left:
        best = max(cases, key=lambda case: len(case.slots & left))
        kept.append(best)
        left -= best.slots
    return kept
