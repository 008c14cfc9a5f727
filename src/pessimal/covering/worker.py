"""The worker of ``cover``: imports what is to be covered in a sandbox, and searches until its time is up."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from math import inf
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from pessimal.arcs import Arc, ArcMeter, first_line
from pessimal.covering.fatal_scenarios import FatalScenarios
from pessimal.covering.flip_strategies import FlipStrategies
from pessimal.covering.flipping import Flipping
from pessimal.covering.messages import BranchesKnown, CaseFound, CoverEnded, CoverProgress, FailureSeen, Reason
from pessimal.covering.spec import CoverSpec
from pessimal.covering.tasks import CoverTask
from pessimal.covering.time_plan import Watch
from pessimal.covering.turns import FLIP_SECONDS, Turns
from pessimal.errors import TargetError
from pessimal.importing import ImportGuard
from pessimal.pool import Channel, descriptors, sandbox, stop_signal
from pessimal.pool.scratch import scratch_under
from pessimal.python.cover.announced import docstrings_in
from pessimal.python.cover.cover_search import CoverSearch
from pessimal.python.cover.modules import Importer, Modules, patterns_of
from pessimal.python.cover.runner import Runner, ScenarioRun
from pessimal.python.scenario_frontend import ScenarioFrontEnd
from pessimal.python.scenario_target import GROWTH
from pessimal.python.world import Worlds
from pessimal.scenario import Scenario
from pessimal.target import Reference, load
from pessimal.target_spec import TargetSpec
from pessimal.trace import Outcome

IMPORT_SHARE = 0.5
"""How much of the time that is left an import may take."""
LEAST_IMPORT = 2.0
MOST_SECOND_TRIES = 10
"""How many turns of flips there are at most for what was undecided when all runs were made."""
RUN_SECONDS = 2.0
"""How long one scenario may take while others wait; what takes longer is a failure if it does so in the end, too."""
PROGRESS_EVERY = 0.2
REASONS_SECONDS = 0.2
"""How long before its time is up a worker ends, to say why branches are missing."""
IMPOSSIBLE, PROVED = "unreachable: the conditions before it exclude it", 4
"""What is said of a branch that the source excludes, and the weight of this reason."""
MOST_SKIPPED = 100_000
"""After so many drawn scenarios that end their process, as is known, nothing else is expected to be left."""


def cover(payload: bytes, channel: Channel) -> CoverEnded:
    """Search in one lane until every branch is taken or the time is up."""
    watch = Watch()
    task = CoverTask.unpack(payload)
    strategies = FlipStrategies.of(task.spec, task.lane)
    opened = open_modules(task.spec, channel, task.ends_at, strategies.writable())
    watch.opened()
    strategies.check(opened.modules.files)
    return _Lane(task, channel, opened, strategies, watch).search()


class Opened:
    """The modules to cover, imported in a sandbox, and what runs scenarios on them."""

    def __init__(self, spec: CoverSpec, worlds: Worlds, modules: Modules, meter: ArcMeter, runner: Runner) -> None:
        self._spec = spec
        self.worlds = worlds
        self.modules = modules
        self.meter = meter
        self.runner = runner

    def front_end(self, scenario: Scenario) -> ScenarioFrontEnd:
        """The front-end that runs a scenario symbolically."""
        references = [Reference(place.file, place.module, "") for place in self._spec.places]
        spec = TargetSpec(lambda: None, GROWTH, solver=self._spec.solver, limits=self._spec.limits)
        return ScenarioFrontEnd(scenario, references, spec, worlds=self.worlds)


def open_modules(spec: CoverSpec, channel: Channel, ends_at: float | None, writable: Sequence[Path] = ()) -> Opened:
    """Confine this process, then import what is to be covered."""
    descriptors.discard(2)
    scratch = scratch_under(spec.scratch, spec.allow_side_effects)
    sandbox.confine(spec.allow_side_effects, [*writable, *([] if scratch is None else [scratch.path])])
    sys.path[:] = [entry or str(Path.cwd()) for entry in sys.path]  # runs are in another directory
    worlds = Worlds()
    worlds.plain.enter()
    meter = ArcMeter([item for place in spec.places for item in patterns_of(place.file, place.module)])
    left = spec.limits.import_seconds if ends_at is None else max(LEAST_IMPORT, (ends_at - monotonic()) * IMPORT_SHARE)
    importer = Importer(worlds.plain, meter, min(left, spec.limits.import_seconds))
    for place in spec.places:
        importer.add(place.file, place.module, place.qualname)
    for module in importer.modules.found:
        worlds.scope.add_target(module.__name__, module.__file__)
    meter.name_files(importer.modules.files)
    if not importer.modules.found:
        raise TargetError(f"nothing can be covered: {importer.modules.skipped[0][1]}")
    run_seconds = min(RUN_SECONDS, spec.limits.run_seconds)
    runner = Runner(worlds.plain, meter, channel.recorder, run_seconds, scratch)
    with ImportGuard(spec.limits.import_seconds, "properties"):
        runner.properties = [(text, load(text, worlds.plain.loader).call) for text in spec.properties]
    return Opened(spec, worlds, importer.modules, meter, runner)


class _Lane:
    """The search of one worker, which the parent may send the scenarios of others."""

    def __init__(
        self, task: CoverTask, channel: Channel, opened: Opened, strategies: FlipStrategies, watch: Watch
    ) -> None:
        self._task = task
        self._watch = watch
        self._cases = 0
        self._channel = channel
        self._runner = opened.runner
        self._fatal = FatalScenarios(task.fatal)
        self._skipped = 0
        rng = Random(f"{task.spec.seed}:{task.lane}:{task.life}")
        self._search = CoverSearch(
            opened.modules,
            opened.runner,
            opened.meter,
            rng,
            docstrings=_docstrings(opened.modules.files),
            on_case=self._on_case,
        )
        self._next_progress = 0.0
        self._failed: set[tuple[str, str]] = set()
        self._received = 0
        self._is_over = False
        self._flipping = Flipping(opened.front_end, self._judge, strategies, task.spec.seed)
        self._strategies = strategies
        self._turns = Turns()
        self._impossible: frozenset[Arc] | None = None

    def search(self) -> CoverEnded:
        search, files = self._search, self._search.modules.files
        if not search.members:
            raise TargetError(f"{files[0]} defines nothing to call: nothing can be covered")
        modules = [module.__name__ for module in search.modules.found]
        goals = search.goals
        known = BranchesKnown(files, sorted(goals.branches), sorted(goals.lines), modules, search.modules.skipped)
        self._channel.send(known)
        if search.imported:
            self._channel.send(CaseFound([], sorted(search.imported), Outcome.RETURNED.value))
        with stop_signal.calling(self._stop):
            search.add_texts(self._task.spec.seeds.contents)
            self._start()
            stopped = self._run_until_over()
        self._strategies.save()
        seen = self._watch.observed(self._cases)
        return CoverEnded(stopped, self._progress(), self._reasons(), note=self._strategies.note, observed=seen)

    def _start(self) -> None:
        """Run what there is to start from: seeds, what others found, the examples of docstrings, existing tests."""
        search, spec = self._search, self._task.spec
        given = [Scenario.from_json(item) for item in (*spec.seeds.scenarios, *self._task.start)]
        is_first = not self._task.life
        tests = search.tested(spec.existing_tests) if is_first else []
        for scenario in (*given, *(search.documented() if is_first else ()), *tests):
            if self._is_over or self._left() <= 0:
                return
            if not self._fatal.include(scenario):
                self._judge(scenario)
        for scenario in tests:
            if self._left() > 0 and not self._fatal.include(scenario):
                search.watch(scenario)

    def _reasons(self) -> list[Reason]:
        """Why branches are missing: what symbolic runs showed, what the source proves, and what stood before them."""
        obstacles = self._search.obstacles()
        shown = [
            Reason(site.file, line, f"{site.column}:{outcome}", reason.text, reason.confidence, reason.weight)
            for site, outcome, reason in self._flipping.reasons()
            for line in (first_line(site.file, site.line),)
        ]
        proved = [Reason(*arc[:2], "", IMPOSSIBLE, 0.0, PROVED, arc.to) for arc in sorted(self._impossible or ())]
        others = [Reason(*arc[:2], "", obstacles.explain(arc), to=arc.to) for arc in sorted(self._search.missing)]
        return [*shown, *proved, *others]

    def _run_until_over(self) -> str:
        search = self._search
        while search.missing:
            if self._is_over or self._left() <= 0:
                return "time is up"
            if self._runs_left() <= 0:
                self._decide()
                return f"{self._task.spec.runs} runs were made"
            before = len(search.missing)
            self._draw_for(self._turns.draw_seconds)
            drawn, began = len(search.missing), monotonic()
            self._report()
            self._flip_for(FLIP_SECONDS)
            self._turns.took(before - drawn, drawn - len(search.missing), monotonic() - began)
            if self._impossible is None:
                self._impossible = search.exclude_impossible()
            self._report()
            self._receive()
        return "every branch was taken" if not self._impossible else "every branch was taken that can be"

    def _draw_for(self, seconds: float) -> None:
        ends_at = monotonic() + min(seconds, self._left())
        while monotonic() < ends_at and self._search.missing and not self._is_over and self._runs_left() > 0:
            scenario = self._search.draw()
            if self._fatal.include(scenario):
                self._skipped += 1
                self._is_over = self._is_over or self._skipped > MOST_SKIPPED
            else:
                self._judge(scenario)

    def _flip_for(self, seconds: float) -> None:
        if self._task.is_flipping and self._search.missing and not self._is_over:
            self._flipping.aim(self._search.missing)
            self._flipping.turn(seconds, max(0.05, self._left()))

    def _decide(self) -> None:
        """Let solvers have their second try, so that a number of runs leads to the same reasons on a slow machine."""
        for _ in range(MOST_SECOND_TRIES):
            if not self._flipping.is_undecided or self._left() <= 0:
                return
            self._flip_for(FLIP_SECONDS)

    def _stop(self) -> None:
        self._is_over = True

    def _runs_left(self) -> float:
        """What is left of the lane's share of the runs."""
        spec = self._task.spec
        return 1 if spec.runs is None else spec.runs / spec.workers - self._runner.executions

    def _left(self) -> float:
        """How many seconds are left for the search."""
        task = self._task
        planned = inf if task.plan is None else task.plan.search_ends_at(self._watch.observed(self._cases))
        return min(planned, inf if task.ends_at is None else task.ends_at) - REASONS_SECONDS - monotonic()

    def _judge(self, scenario: Scenario) -> int:
        found = self._search.judge(scenario)
        run = self._search.last
        if self._search.is_failure(scenario, run):
            self._report_failure(scenario, run)
        return found

    def _report_failure(self, scenario: Scenario, run: ScenarioRun) -> None:
        place = self._search.place_of(run)
        kind = kind_of(run)
        key = place or f"{scenario.steps[-1].subject}{scenario.steps[-1].name}", kind
        if key in self._failed:
            return
        self._failed.add(key)
        self._channel.send(FailureSeen(scenario.to_json(), kind, text_of(run), place))

    def _on_case(self, scenario: Scenario, run: ScenarioRun) -> None:
        self._cases += 1
        self._channel.send(self._progress())  # first, since the parent may stop here
        self._channel.send(CaseFound(scenario.to_json(), run.new, run.outcome.value, run.exception))
        self._flipping.add(scenario, self._search.examine(scenario))

    def _report(self) -> None:
        if monotonic() >= self._next_progress:
            self._next_progress = monotonic() + PROGRESS_EVERY
            self._channel.send(self._progress())

    def _progress(self) -> CoverProgress:
        flips = self._flipping
        return CoverProgress(
            executions=self._runner.executions,
            symbolic_runs=flips.runs,
            flips=flips.flips,
            solver_calls=flips.solver_calls,
            solver_seconds=flips.solver_seconds,
            worth=self._strategies.worth,
        )

    def _receive(self) -> None:
        """Run the scenarios of other lanes that the parent has left a note of."""
        recorder = self._channel.recorder
        note = None if recorder is None else recorder.take_note()
        if note is None:
            return
        cases: Sequence[Any] = json.loads(note)
        for item in cases[self._received :]:
            self._judge(Scenario.from_json(item))
        self._received = len(cases)


def kind_of(run: ScenarioRun) -> str:
    """How a run ended: a property that it violates, the name of its exception, or its outcome."""
    if run.violated is not None:
        return "property"
    return run.outcome.value if run.error is None else type(run.error).__name__


def text_of(run: ScenarioRun) -> str:
    """What went wrong, in words."""
    return run.violated or run.exception or "did not end in time"


def _docstrings(files: Sequence[str]) -> list[str]:
    found: list[str] = []
    for file in files:
        try:
            found += docstrings_in(compile(Path(file).read_bytes(), file, "exec", dont_inherit=True))
        except (OSError, SyntaxError, ValueError):
            continue
    return found
