"""Which scenarios are flipped and for how long: those that pass a line with a way that no scenario has taken yet."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import nullcontext
from typing import Protocol

from pessimal.arcs import first_line
from pessimal.covering.flip_reasons import UNDECIDED, Reason, best_reasons
from pessimal.covering.flip_strategies import FlipStrategies
from pessimal.covering.flips import FlipSearch
from pessimal.covering.messages import ArcRow
from pessimal.errors import InputError
from pessimal.expr import Leaf
from pessimal.frontend import FrontEnd
from pessimal.scenario import Scenario
from pessimal.strategy import Stepwise
from pessimal.trace import Outcome, Site

MOST_WAITING = 60
FIRST_RUN_SECONDS, MORE_TIME, MOST_RUN_SECONDS = 0.25, 4.0, 4.0
"""How long a symbolic run may take at first; a scenario with slower ones is flipped again with more time."""
MOST_FRUITLESS = 6
"""A scenario is given up after so many turns without a new arc."""

Lines = Collection[tuple[str, int]]


class ScenarioFront(FrontEnd, Protocol):
    """The front-end of scenarios."""

    def retargeted(self, scenario: Scenario) -> ScenarioFront:
        """The front-end of another scenario."""
        ...

    def scenario(self, leaves: list[Leaf]) -> Scenario:
        """The scenario that leaves mean."""
        ...

    @property
    def is_whole(self) -> bool:
        """Whether all that varies is an input."""
        ...


class _Waiting:
    """A scenario with its flip search, once that has begun."""

    def __init__(self, scenario: Scenario, lines: Lines) -> None:
        self.scenario = scenario
        self.lines = lines
        self.search: FlipSearch | None = None
        self.turns = self.fruitless = 0
        self.run_seconds = FIRST_RUN_SECONDS
        self.descent: Stepwise | None = None
        """What descends by distances, once symbolic runs have been given up."""


class Flipping:
    """Takes turns with the flip searches of several scenarios.

    ``judge`` runs a scenario and returns how many branches it is the first to take.
    """

    def __init__(
        self,
        front_end: Callable[[Scenario], ScenarioFront],
        judge: Callable[[Scenario], int],
        strategies: FlipStrategies,
        seed: int,
    ) -> None:
        self._make = front_end
        self._judge = judge
        self._strategies = strategies
        self._seed = seed
        self._front: ScenarioFront | None = None
        self._waiting: list[_Waiting] = []
        self._missing: Lines = frozenset()
        self._reasons: dict[tuple[Site, int], Reason] = {}
        self._found = self.runs = self.flips = 0
        self.solver_calls, self.solver_seconds = 0, 0.0

    def add(self, scenario: Scenario, arcs: Collection[ArcRow]) -> None:
        """Let a scenario that takes these arcs be flipped."""
        self._waiting.append(_Waiting(scenario, frozenset((file, line) for file, line, _ in arcs)))
        if len(self._waiting) > MOST_WAITING:
            self._waiting.remove(min(self._waiting, key=self._worth))

    def aim(self, missing: Collection[ArcRow]) -> None:
        """Flip where arcs are missing."""
        self._missing = frozenset((file, line) for file, line, _ in missing)

    @property
    def is_undecided(self) -> bool:
        """Whether a scenario waits to be flipped again with more time, since a solver had not enough."""
        return any(item.search is None and item.run_seconds > FIRST_RUN_SECONDS for item in self._waiting)

    def turn(self, seconds: float, most: float) -> bool:
        """Flip the most promising scenario for a while, no run for longer than ``most``; whether there was one."""
        self._waiting = [item for item in self._waiting if self._worth(item) > 0]
        if not self._waiting:
            return False
        item = max(self._waiting, key=self._worth)
        item.turns += 1
        try:
            self._search(item, seconds, most)
        except InputError:  # values that no specification fits
            self._waiting.remove(item)
        return True

    def _worth(self, item: _Waiting) -> float:
        passed = sum(line in item.lines for line in self._missing)
        return passed / (1 + item.turns)

    def _search(self, item: _Waiting, seconds: float, most: float) -> None:
        if item.search is None:
            item.search = self._begin(item.scenario, item.descent or self._strategies.next())
        found_before, runs_before, flips_before = self._found, item.search.runs, item.search.flips
        before = item.search.statistics
        is_left = item.search.search(seconds, min(item.run_seconds, most))
        after = item.search.statistics
        self.solver_calls += after.calls - before.calls
        self.solver_seconds += after.seconds - before.seconds
        self.runs += item.search.runs - runs_before
        self.flips += item.search.flips - flips_before
        item.fruitless = 0 if self._found > found_before else item.fruitless + 1
        if not is_left or item.fruitless >= MOST_FRUITLESS:
            self._end(item, item.search, is_left)

    def _end(self, item: _Waiting, search: FlipSearch, is_left: bool) -> None:
        """Give a scenario up, or flip it again with more time if that was all that it lacked."""
        reasons = search.reasons()
        is_undecided = any(reason.weight == UNDECIDED for reason in reasons.values())
        is_hurried = is_undecided or search.counts[Outcome.TIMED_OUT.value] > 0
        if not is_left and is_hurried and item.run_seconds < MOST_RUN_SECONDS:
            item.search, item.run_seconds = None, MORE_TIME * item.run_seconds
            return
        self._reasons = best_reasons((self._reasons, reasons))
        if item.descent is None and (descent := self._descent()) is not None:
            item.search, item.descent, item.fruitless = None, descent, 0
            return
        self._waiting.remove(item)

    def _descent(self) -> Stepwise | None:
        with nullcontext() if self._front is None else self._front.importing():
            return self._strategies.descent()

    def _begin(self, scenario: Scenario, strategy: Stepwise) -> FlipSearch:
        front = self._make(scenario) if self._front is None else self._front.retargeted(scenario)
        if self._front is None:
            self._front = front

        def judge(leaves: list[Leaf]) -> float:
            found = self._judge(front.scenario(leaves))
            self._found += found
            return float(found)

        return FlipSearch(
            front,
            judge,
            lambda site: (site.file, first_line(site.file, site.line)) in self._missing,
            strategy=strategy,
            seed=self._seed,
            is_whole=front.is_whole,
            is_alone=len(scenario.steps) == 1,
        )

    def reasons(self) -> Iterator[tuple[Site, int, Reason]]:
        """Why outcomes were not reached, as far as flips have shown."""
        known = best_reasons((self._reasons, *(item.search.reasons() for item in self._waiting if item.search)))
        yield from ((site, outcome, reason) for (site, outcome), reason in known.items())
