"""The task that makes tests of cases: each runs again in a fresh process, and those that are chosen are simplified."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import inf
from time import monotonic
from typing import Any, ClassVar

from pessimal.covering.messages import ArcRow
from pessimal.covering.selection import chosen, shares
from pessimal.covering.simplify import simplified
from pessimal.covering.spec import CoverSpec
from pessimal.covering.worker import kind_of, open_modules, text_of
from pessimal.pool import Channel
from pessimal.pool.task import Task
from pessimal.python.cover.announced import place_of
from pessimal.python.cover.goals import Goals
from pessimal.python.cover.runner import Runner, ScenarioRun
from pessimal.python.cover.splitting import ENDED, up_to_error
from pessimal.scenario import Scenario

SIMPLIFY_SHARE = 0.7
"""How much of its part of the time a case may spend on being simplified."""
FAILURES_RESERVE = 0.8
"""How much of its part a case may take where failures wait to be run again."""
MEASURE_RESERVE = 0.5
"""How much of the time that is left measuring must leave for the rest."""


@dataclass(frozen=True, slots=True)
class Refined:
    """A case as it will be written: its scenario, what it reaches, and how it ends."""

    index: int
    scenario: list[Any]
    arcs: Sequence[ArcRow]
    outcome: str
    exception: str | None = None
    error: tuple[str, str] | None = None
    """Module and qualified name of the exception's class."""
    is_final: bool = False
    """Whether this is how it will be written, and not only a measurement."""

    @property
    def steps(self) -> Scenario:
        """The scenario itself."""
        return Scenario.from_json(self.scenario)


@dataclass(frozen=True, slots=True)
class ConfirmedFailure:
    """A failure that happened again in a fresh process, with the simplest scenario that was found for it."""

    index: int
    scenario: list[Any]
    text: str


@dataclass(frozen=True, slots=True)
class RefineTask(Task[Refined | ConfirmedFailure, None]):
    """Refine cases, which are scenarios as JSON values; what is sent of each names its index.

    The failures, each with its kind, are run again and simplified, too.
    """

    entry_point: ClassVar[str] = "pessimal.covering.refine:refine"

    spec: CoverSpec
    branches: Sequence[ArcRow]
    lines: Sequence[ArcRow]
    cases: Sequence[tuple[int, list[Any]]]
    failures: Sequence[tuple[int, list[Any], str]] = ()
    ends_at: float | None = None


def refine(payload: bytes, channel: Channel) -> None:
    """Send all cases as they are measured here, then those that are chosen as they will be written."""
    task = RefineTask.unpack(payload)
    opened = open_modules(task.spec, channel, task.ends_at)
    refiner = _Refiner(opened.runner, opened.modules.files, Goals(task.branches, task.lines))
    ends_at = inf if task.ends_at is None else task.ends_at
    measured: list[Refined] = []
    measure_ends_at = ends_at - MEASURE_RESERVE * (ends_at - monotonic()) if ends_at < inf else inf
    for index, data in task.cases:
        if monotonic() > measure_ends_at:
            break
        item = refiner.measured(index, Scenario.from_json(data))
        if item is not None:
            channel.send(item)
            measured.append(item)
    picked = chosen(measured)
    for number, (item, own) in enumerate(zip(picked, shares(picked), strict=True)):
        left = (ends_at - monotonic()) / (len(picked) - number)
        if left <= 0:
            return
        channel.send(refiner.refined(item, own, FAILURES_RESERVE * left if task.failures else left))
    for number, (index, data, kind) in enumerate(task.failures):
        left = (ends_at - monotonic()) / (len(task.failures) - number)
        confirmed = refiner.confirmed(index, Scenario.from_json(data), kind, left) if left > 0 else None
        if confirmed is not None:
            channel.send(confirmed)


class _Refiner:
    """Measures cases, and makes them simpler as long as they take what they are there for and end as they do."""

    def __init__(self, runner: Runner, files: Collection[str], goals: Goals) -> None:
        self._runner = runner
        self._files = files
        self._goals = goals

    def measured(self, index: int, scenario: Scenario) -> Refined | None:
        """The case with all arcs that it takes; nothing if it does not end."""
        run, arcs = self._runner.arcs(scenario)
        if run.outcome not in ENDED or run.blocked:
            return None
        scenario = up_to_error(scenario, run)
        rows = tuple(sorted(self._goals.reached_by(arcs)))
        error = None if run.error is None else (type(run.error).__module__, type(run.error).__qualname__)
        return Refined(index, scenario.to_json(), rows, run.outcome.value, run.exception, error)

    def refined(self, case: Refined, wanted: frozenset[ArcRow], seconds: float) -> Refined:
        """The case as it will be written."""
        simpler = self._simplified(Scenario.from_json(case.scenario), wanted, seconds)
        found = self.measured(case.index, simpler) or case
        return replace(found, is_final=True)

    def confirmed(self, index: int, scenario: Scenario, kind: str, seconds: float) -> ConfirmedFailure | None:
        """A failure that happens again, with a simpler scenario; nothing if it does not."""
        run = self._runner.run(scenario, max(0.1, seconds / 2))
        if kind_of(run) != kind:
            return None
        if run.error is not None or run.violated is not None:
            scenario = self._simplified(scenario, frozenset(), seconds)
            run = self._runner.run(scenario)
        return ConfirmedFailure(index, scenario.to_json(), text_of(run))

    def _simplified(self, scenario: Scenario, wanted: frozenset[ArcRow], seconds: float) -> Scenario:
        """The simplest scenario that takes the same wanted arcs and ends alike, at the same place if it raises."""
        run, arcs = self._runner.arcs(scenario)
        still, end = wanted & self._goals.reached_by(arcs), self._end(run)
        ends_at = monotonic() + SIMPLIFY_SHARE * seconds

        def holds(candidate: Scenario) -> bool:
            if monotonic() > ends_at:
                return False
            run, arcs = self._runner.arcs(candidate)
            return self._end(run) == end and still <= self._goals.reached_by(arcs)

        return simplified(scenario, holds)

    def _end(self, run: ScenarioRun) -> tuple[str, str]:
        return kind_of(run), "" if run.error is None else place_of(run.error, self._files)
