"""The task that makes tests of cases: each is simplified, run again in a fresh process, and observed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, ClassVar

from pessimal.cover.messages import ArcRow
from pessimal.cover.simplify import simplified
from pessimal.cover.spec import CoverSpec
from pessimal.cover.worker import open_modules
from pessimal.pool import Channel
from pessimal.pool.task import Task
from pessimal.python.cover.runner import Runner, ScenarioRun
from pessimal.scenario import Scenario
from pessimal.testfile.observation import agreed
from pessimal.testfile.observe import CannotObserve, observe
from pessimal.trace import Outcome

ENDED = (Outcome.RETURNED, Outcome.RAISED)
SIMPLIFY_SHARE = 0.5
"""How much of its part of the time a case may spend on being simplified."""


@dataclass(frozen=True, slots=True)
class Refined:
    """A case as it will be written: its scenario, all arcs that it takes, how it ends, and what can be asserted."""

    index: int
    scenario: list[Any]
    arcs: Sequence[ArcRow]
    outcome: str
    exception: str | None = None
    error: tuple[str, str] | None = None
    """Module and qualified name of the exception's class."""
    observation: dict[str, Any] | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class RefineTask(Task[Refined, None]):
    """Refine cases; each has an index that its message names, its scenario, and the arcs that it is there for."""

    entry_point: ClassVar[str] = "pessimal.cover.refine:refine"

    spec: CoverSpec
    cases: Sequence[tuple[int, list[Any], Sequence[ArcRow]]]
    simplify: bool = True
    ends_at: float | None = None


def refine(payload: bytes, channel: Channel) -> None:
    """Send every case as it will be written, one after the other."""
    task = RefineTask.unpack(payload)
    opened = open_modules(task.spec, channel, task.ends_at)
    files = opened.modules.files
    for number, (index, data, arcs) in enumerate(task.cases):
        left = None if task.ends_at is None else (task.ends_at - monotonic()) / (len(task.cases) - number)
        if left is not None and left <= 0:
            return
        refiner = _Refiner(opened.runner, files, frozenset(arcs))
        scenario = Scenario.from_json(data)
        if task.simplify:
            scenario = refiner.simplified(scenario, left)
        channel.send(refiner.refined(index, scenario))


class _Refiner:
    """Refines one case, which must go on taking its arcs and ending as it does."""

    def __init__(self, runner: Runner, files: Collection[str], wanted: frozenset[ArcRow]) -> None:
        self._runner = runner
        self._files = files
        self._wanted = wanted

    def simplified(self, scenario: Scenario, seconds: float | None) -> Scenario:
        """The simplest scenario that takes the same wanted arcs and ends alike."""
        run, arcs = self._runner.arcs(scenario)
        wanted = self._wanted & set(arcs)
        kind = _kind(run)
        ends_at = None if seconds is None else monotonic() + SIMPLIFY_SHARE * seconds

        def holds(candidate: Scenario) -> bool:
            if ends_at is not None and monotonic() > ends_at:
                return False
            run, arcs = self._runner.arcs(candidate)
            return _kind(run) == kind and wanted <= set(arcs)

        return simplified(scenario, holds)

    def refined(self, index: int, scenario: Scenario) -> Refined:
        """The case with all that is known of it now."""
        run, arcs = self._runner.arcs(scenario)
        rows = [arc for arc in arcs if arc.file in self._files]
        error = None if run.error is None else (type(run.error).__module__, type(run.error).__qualname__)
        observation = self._observed(scenario) if run.outcome in ENDED else None
        return Refined(index, scenario.to_json(), rows, run.outcome.value, run.exception, error, observation)

    def _observed(self, scenario: Scenario) -> dict[str, Any] | None:
        """What two runs agree on."""
        try:
            with self._runner.guarded(scenario):
                first, second = (observe(scenario, self._files) for _ in range(2))
        except (CannotObserve, Exception):
            return None
        both = agreed(first, second)
        return None if both is None else both.to_json()


def _kind(run: ScenarioRun) -> tuple[str, type | None]:
    return run.outcome.value, None if run.error is None else type(run.error)
