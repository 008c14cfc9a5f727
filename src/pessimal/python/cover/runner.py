"""Runs scenarios natively, each behind the guard and in the flight recorder; tells what it is the first to cover."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from time import monotonic
from types import CoroutineType
from typing import Any

from pessimal.arcs import Arc, ArcMeter
from pessimal.fatal_runs import CONCRETE
from pessimal.importing import describe
from pessimal.inputs.looking import is_a
from pessimal.performing import perform_steps
from pessimal.pool import Recorder, audit, sandbox
from pessimal.pool.alarm import PUT_OFF_SECONDS
from pessimal.pool.confinement import was_denied
from pessimal.pool.process_state import restore_builtins
from pessimal.pool.run_guard import RunGuard
from pessimal.pool.scratch import Scratch, inside
from pessimal.python.async_adapter import run_to_end
from pessimal.python.cover.properties import Property, violated
from pessimal.python.world import World
from pessimal.scenario import Scenario
from pessimal.trace import Outcome

LEAST_SECONDS, LONGER = 0.1, 50.0
"""A run may take so many times as long as a usual one, and at least so many seconds."""
FIRST_USUAL, ADAPT = 0.002, 1.05
"""How long a usual run seems to take at first, and the factor by which each run moves that up or down. It comes to be
the median: a few slow runs, which the mean would follow, must not let all others take as long."""
MOST_ITEMS = 100
"""How many items are taken of an iterator that a scenario returns: its code runs only then."""


TEXT_SECONDS = 0.2
"""How long the text of an exception may take."""


@dataclass(slots=True)
class ScenarioRun:
    """How a scenario ended; ``results`` are those of the steps that were completed, ``new`` the arcs taken first."""

    outcome: Outcome
    results: list[Any] = field(default_factory=list)
    new: list[Arc] = field(default_factory=list)
    error: BaseException | None = None
    blocked: bool = False
    seconds: float = 0.0
    violated: str | None = None
    """Which property of the user's it violates, in words."""

    @property
    def exception(self) -> str | None:
        """The exception that ended it, in words; its text may take a while, since code of the target makes it."""
        if self.error is None:
            return None
        try:
            with RunGuard(TEXT_SECONDS):
                return describe(self.error)
        except sandbox.DeadlineExceeded:
            return type(self.error).__name__


class Runner:
    """Runs scenarios in one world, each in an empty directory if there is one; each may take at most ``seconds``."""

    def __init__(
        self,
        world: World,
        meter: ArcMeter,
        recorder: Recorder | None,
        seconds: float,
        scratch: Scratch | None = None,
    ) -> None:
        self._scratch = scratch
        self._world = world
        self._meter = meter
        self._recorder = recorder
        self._granted = seconds
        self._usual = FIRST_USUAL
        self.executions = 0
        self.properties: Sequence[tuple[str, Property]] = ()

    @property
    def has_scratch(self) -> bool:
        """Whether runs may write files in a directory of their own."""
        return self._scratch is not None

    def run(self, scenario: Scenario, seconds: float | None = None) -> ScenarioRun:
        """Run a scenario once; what it newly covers counts as covered from then on."""
        with self._meter:
            found = self._run(scenario, seconds)
        found.new = self._meter.new()
        return found

    def arcs(self, scenario: Scenario) -> tuple[ScenarioRun, list[Arc]]:
        """Run a scenario once, and return all arcs that it takes."""
        found: list[ScenarioRun] = []
        arcs = self._meter.taken_by(lambda: found.append(self._run(scenario)))
        return found[0], arcs

    def _run(self, scenario: Scenario, seconds: float | None = None) -> ScenarioRun:
        self.executions += 1
        found, began = ScenarioRun(Outcome.RETURNED), monotonic()
        try:
            with self.guarded(scenario, seconds):
                self._perform(scenario, found)
        except sandbox.DeadlineExceeded:
            found.outcome = Outcome.TIMED_OUT
        found.seconds = monotonic() - began
        self._usual *= ADAPT if found.seconds > self._usual else 1 / ADAPT
        found.blocked = bool(audit.guard.blocked) or (found.error is not None and was_denied(found.error))
        return found

    @contextmanager
    def guarded(self, scenario: Scenario, seconds: float | None = None) -> Iterator[None]:
        """A block that runs a scenario: its deadline passes as an exception, and the scenario survives its process."""
        self._world.enter()
        if seconds is None:
            seconds = min(self._granted, max(LEAST_SECONDS, LONGER * self._usual))
        if self._recorder is not None:
            limit = seconds + PUT_OFF_SECONDS
            self._recorder.begin(CONCRETE, json.dumps(scenario.to_json()).encode(), 0, limit)
        try:
            with inside(self._scratch), RunGuard(seconds, patient=True):
                yield
        finally:
            if self._recorder is not None:
                self._recorder.end()

    def _perform(self, scenario: Scenario, found: ScenarioRun) -> None:
        try:
            try:
                for result in perform_steps(scenario):
                    found.results.append(result)
                _finish(found.results[-1])
                found.violated = violated(self.properties, scenario, found.results)
            finally:
                restore_builtins()
        except sandbox.DeadlineExceeded:
            found.outcome = Outcome.TIMED_OUT
        except BaseException as error:
            found.outcome, found.error = Outcome.RAISED, error


def _finish(result: Any) -> None:
    """Run what a result only promises: the body of a generator or of a coroutine."""
    if type(result) is CoroutineType:
        run_to_end(_awaiting)(result)
    elif is_a(result, Iterator):
        for _ in islice(result, MOST_ITEMS):
            pass


async def _awaiting(coroutine: Any) -> Any:
    return await coroutine
