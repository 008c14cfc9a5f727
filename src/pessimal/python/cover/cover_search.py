"""The search of one worker on concrete scenarios: draw one, run it, keep what covers something first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from pessimal.arcs import Arc, ArcMeter
from pessimal.python.cover.announced import is_announced, place_of
from pessimal.python.cover.attempts import Attempts
from pessimal.python.cover.documented import documented
from pessimal.python.cover.entrances import entrances_of
from pessimal.python.cover.generator import Generator
from pessimal.python.cover.goals import Goals
from pessimal.python.cover.members import members_of
from pessimal.python.cover.modules import Modules
from pessimal.python.cover.obstacles import Obstacles
from pessimal.python.cover.repairs import has_namespace
from pessimal.python.cover.runner import Runner, ScenarioRun
from pessimal.python.cover.splitting import ENDED, split
from pessimal.python.cover.tested import files_beside, scenarios_in
from pessimal.scenario import Scenario
from pessimal.trace import Outcome

Found = Callable[[Scenario, ScenarioRun], None]


class CoverSearch:
    """Covers modules with scenarios; ``on_case`` hears of each that is the first to take an arc."""

    def __init__(
        self,
        modules: Modules,
        runner: Runner,
        meter: ArcMeter,
        rng: Random,
        *,
        docstrings: Sequence[str],
        on_case: Found,
    ) -> None:
        self.modules = modules
        self.runner = runner
        self._on_case = on_case
        self._docstrings = docstrings
        self.files = frozenset(modules.files)
        members = [item for module in modules.found for item in members_of([module], modules.only.get(module.__name__))]
        self.members = members
        entrances = entrances_of(modules.found) if not modules.only else []
        self._generator = Generator(modules.found, [*members, *entrances], rng, with_files=runner.has_scratch)
        self.goals = Goals.of(modules)
        self.imported = self.goals.reached_by(meter.new())
        self._reached = set(self.imported)
        self.missing = set(self.goals.branches - self.imported)
        self._generator.aim(self.missing)
        self.last = ScenarioRun(Outcome.RETURNED)
        self._attempts = Attempts()

    def documented(self) -> list[Scenario]:
        """The examples that the documentation of the covered code shows."""
        return documented(self.modules.found) if not self.modules.only else []

    def tested(self, files: Sequence[str] | None) -> list[Scenario]:
        """The calls that existing tests make: in these files, or in those that belong to the modules by their names."""
        found = self.modules.found
        return scenarios_in(files_beside(found) if files is None else [Path(file) for file in files], found)

    def watch(self, scenario: Scenario) -> None:
        """Run a scenario once more, to see what it passes to functions."""
        with self._generator.passed.watching():
            self.runner.run(scenario)

    def add_texts(self, texts: Sequence[bytes]) -> None:
        """Draw texts and bytes from what the user has, too."""
        self._generator.add_texts(texts)

    def examine(self, scenario: Scenario) -> Sequence[Arc]:
        """Run the case that was found last once more, to see which arcs it takes and what is passed to functions."""
        with self._generator.passed.watching():
            arcs = self.runner.arcs(scenario)[1]
        self._generator.note_passed(frozenset((arc.file, arc.line) for arc in arcs))
        return arcs

    def draw(self) -> Scenario:
        """The next scenario to run."""
        return self._generator.draw()

    def judge(self, scenario: Scenario) -> int:
        """Run a scenario; how many branches it is the first to take."""
        run = self.runner.run(scenario)
        run.new = sorted(self.goals.reached_by(run.new) - self._reached)
        self._reached.update(run.new)
        fresh = self.missing.intersection(run.new)
        self._generator.learn(scenario, run)
        self._attempts.add(scenario, run)
        if run.new and run.outcome in ENDED:
            for case, its_run in split(scenario, run, self._measure):
                self._on_case(case, its_run)
        if fresh:
            self.missing -= fresh
            self._generator.aim(self.missing)
        self.last = run
        return len(fresh)

    def _measure(self, scenario: Scenario) -> tuple[ScenarioRun, frozenset[Arc]]:
        run, arcs = self.runner.arcs(scenario)
        return run, self.goals.reached_by(arcs)

    def exclude_impossible(self) -> frozenset[Arc]:
        """Look no longer for branches that the source excludes; which these are."""
        excluded = self.missing & self.goals.impossible(self.missing)
        self.missing -= excluded
        self._generator.aim(self.missing)
        return frozenset(excluded)

    def obstacles(self) -> Obstacles:
        """What kept runs so far from the branches that are missing."""
        return Obstacles(self.members, self._attempts, self._reached)

    def is_failure(self, scenario: Scenario, run: ScenarioRun) -> bool:
        """Whether a run ended in a way that nobody announced; values of the wrong type are expected to fail."""
        if run.outcome is Outcome.TIMED_OUT or run.violated is not None:
            return True
        if run.error is None or run.blocked or not self._generator.is_public(scenario) or has_namespace(scenario):
            return False
        if isinstance(run.error, TypeError | AttributeError) and not self._generator.is_typed(scenario):
            return False
        return not is_announced(run.error, self.files, self._docstrings)

    def place_of(self, run: ScenarioRun) -> str:
        """Where in the covered files a run failed."""
        return "" if run.error is None else place_of(run.error, self.files)
