"""Search for inputs that take every outcome of every test of a C function."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from random import Random
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from pessimal.c.control import parents
from pessimal.c.executor import Status
from pessimal.c.frontend import CFrontEnd
from pessimal.covering.c_seeds import Seeds, suggested
from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.learn.agent_file import Agent
from pessimal.local_search import LocalSearch
from pessimal.search.agent.arena import Ints
from pessimal.search.goals.algorithms import Input, sample
from pessimal.search.goals.fitness import Fitness, Floats
from pessimal.search.goals.sequences import runs
from pessimal.search.goals.texts import with_number
from pessimal.search.members import AGENT, NAMES, RANDOM, SHARES, Members
from pessimal.trace import Trace

MOST_STEPS = 200_000
"""After so many steps a run counts as too slow; it is run again at the end, with all the time that it may take."""
LONG_STEPS, MOST_SLOW_RUNS = 50 * MOST_STEPS, 5
"""How many steps a slow run may take that would cover something new, and how often that is tried."""
FIRST_INPUTS, BATCH = 200, 64
FIRST_BATCH, SLOWEST, LEAST_SECONDS = 4, 8, 0.1
"""How many inputs are run at once at first; a run may take one of so many parts of the time left, but this at least."""
MOST_DRAWN = 8_000
"""How many leaves the first inputs of one kind have together, about: large inputs take long to draw."""
SEEDS_EVERY = 16
"""After so many steps of members some more inputs with literals are run: each has only a few of them."""
NEAR_INPUTS = 8
"""How many of them are changes of either kind of an input that is near to a goal."""
MATCHED_AT_ONCE = 4
"""How many goals are looked at after each step of a member."""
MOST_AT_ONCE, LONGEST_BATCH = 1024, 0.2
"""How many inputs are run at once, and for how many seconds at most, as far as the last ones tell."""
OWN_SECONDS = 1.0
"""How long a run may take whose trace the user's fitness is asked about."""
MOST_PAIRS = 8
"""How many pairs of compared numbers are tried as values of leaves."""
MOST_COPIED, FEW_PLACES = 100_000, 16
"""How many leaves all inputs made for one pair have together, about, and how many leaves are tried."""
ENDED = (Status.RETURNED, Status.EXITED)
COVERING = (*ENDED, Status.ABORTED)
"""How runs end that are no failures, and those that cover what they take."""
_FAILED = np.array([status not in ENDED for status in Status])
_UNFINISHED = np.array([status not in COVERING for status in Status])
MOST_FAILURES = 20
FAILED_DISTANCE = 1.0
"""How near an input is that takes an outcome and then fails: no nearer than one a step away that does not fail."""
EndsOfRuns = NDArray[np.int32]
STRATEGIES = ("auto", *NAMES)


@dataclass(frozen=True, slots=True)
class Case:
    """An input that takes outcomes which no input before it took, and all slots that it takes."""

    leaves: tuple[Leaf, ...]
    slots: frozenset[int]


class Over(Exception):
    """All goals are reached, or the time or the runs are used up."""


class CSearch:
    """The search for one function: the goals are the outcomes of its own tests.

    With ``own_fitness``, a function of the trace, that is minimised instead of the distance to a goal.
    """

    def __init__(
        self,
        front_end: CFrontEnd,
        seed: int,
        normalise: str = "ratio",
        own_fitness: Callable[[Trace], float] | None = None,
        agent: Agent | None = None,
    ) -> None:
        built = front_end.built
        self._front_end = front_end
        self._own_fitness = own_fitness
        self._agent = agent
        self.domains: Sequence[Domain] = suggested(front_end.domains, front_end.literals())
        self.rng = Random(seed)
        self._texts = runs(self.domains)
        self._seeds = Seeds(self.domains, front_end.literals(), self.rng)
        owners = [(test.slot, test.arity) for test in built.tests for _ in range(test.arity)]
        self._parents = parents(built)
        self._first = [first for first, _ in owners]
        self.fitness_of = Fitness(owners, self._parents, normalise)
        own = [test for test in built.tests if test.site.function == built.signature.name]
        self.goals = [slot for test in own for slot in range(test.slot, test.slot + test.arity)]
        self.missing = set(self.goals)
        self.cases: list[Case] = []
        self.failed: dict[tuple[int, int], list[tuple[Leaf, ...]]] = {}
        self.executions = 0
        self.nearest = np.full(built.slots, np.inf)
        self.best: dict[int, tuple[float, Input]] = {}
        self._nearer: set[int] = set()
        self._matched: set[int] = set()
        self._slow_runs = MOST_SLOW_RUNS
        self.curve: list[tuple[float, int]] = []
        self._ends_at, self._most_runs = float("inf"), float("inf")
        self._began = monotonic()
        self._is_opening = False
        self._step = FIRST_BATCH
        self._run_seconds = front_end.most_seconds
        self._show: Callable[[int, int, int], None] = lambda executions, covered, total: None

    def search(
        self,
        strategy: str,
        *,
        ends_at: float,
        runs: int | None = None,
        show: Callable[[int, int, int], None] = lambda executions, covered, total: None,
    ) -> str:
        """Run inputs until every outcome was taken or the time is up; why it ended."""
        self._ends_at, self._show = ends_at, show
        self._most_runs = float("inf") if runs is None else runs
        try:
            self._is_opening = bool(self.domains)
            self._run_batch([list(self._front_end.initial)])  # also where compiling has used up all the time
            self._check()
            for _ in self._steps(strategy):
                pass
        except Over as over:
            return str(over)
        return "nothing left to try"

    def _steps(self, strategy: str) -> Iterator[None]:
        if not self.domains:
            return
        yield from self._first_inputs()
        names = SHARES if strategy == "auto" else (strategy,)
        own = [name for name in names if name != AGENT or self._agent is not None]
        for number, _ in enumerate(Members(self, own, self._agent).steps(), start=1):
            if own != [RANDOM]:
                self._match()
            if number % SEEDS_EVERY == 0:
                self.run([*self._seeds.batch(1), *(self._nearest_with_literals() if own != [RANDOM] else ())])
            self._check()
            yield

    def _match(self) -> None:
        """Set what the tests of some goals compare, in inputs that came nearer than any before, and in the simplest."""
        wanted = sorted(self._nearer & self.missing)
        for goal in self.rng.sample(wanted, min(len(wanted), MATCHED_AT_ONCE)):
            self._nearer.discard(goal)
            starts = [self.nearest_input(goal), *([] if goal in self._matched else self._simplest())]
            self._matched.add(goal)
            for start in starts:
                self.ranks(self.matched(goal, start), goal)

    def _simplest(self) -> list[Input]:
        """The first input, and the one that has as many zeros as there may be."""
        zeros: Input = [domain.clip(domain.initial if domain.kind == "choice" else 0) for domain in self.domains]
        return [list(self._front_end.initial), zeros]

    def _nearest_with_literals(self) -> list[Input]:
        """The input that is nearest to some goal, with literals in it: a second word may be what it lacks."""
        goals = self.active()
        if not goals:
            return []
        nearest = self.nearest_input(self.rng.choice(goals))
        return [change(nearest) for change in (self._seeds.with_literals, self._redrawn) for _ in range(NEAR_INPUTS)]

    def _redrawn(self, leaves: Input) -> Input:
        """The input with a stretch of leaves drawn anew: of many leaves it is one of a few that count."""
        length = 1 << self.rng.randrange(len(leaves).bit_length())
        start = self.rng.randrange(len(leaves))
        drawn = [domain.sample(self.rng) for domain in self.domains[start : start + length]]
        return [*leaves[:start], *drawn, *leaves[start + len(drawn) :]]

    def _first_inputs(self) -> Iterator[None]:
        """Inputs that are likely to be interesting.

        All of them are run, even if every branch is taken before: some inputs fail where there is no branch.
        """
        self._is_opening = True
        count = max(1, min(BATCH // 4, MOST_DRAWN // len(self.domains)))
        self.run(self._simplest())
        for _ in range(max(1, FIRST_INPUTS // BATCH)):
            self.run(self._seeds.batch(count))
            yield
        self._is_opening = False

    # What the members ask

    @property
    def is_reproducible(self) -> bool:
        """A search that ends after so many runs is the same each time."""
        return self._most_runs < inf

    @property
    def literals(self) -> list[float]:
        """The numbers in the code."""
        return [float(item) for item in self._front_end.literals() if isinstance(item, int | float)]

    def starts(self) -> list[Input]:
        """The inputs that took something new."""
        return [list(case.leaves) for case in self.cases]

    def levels(self, goal: int) -> Sequence[Sequence[int]]:
        """The slots on the way to a goal."""
        return self.fitness_of.levels(goal)

    def search_near(self, search: LocalSearch) -> bool:
        """Let the front-end search by itself, and note what it found; whether it can."""
        self._check()
        if self._own_fitness is not None:
            return False
        most = int(min(search.most, self._most_runs - self.executions))
        search = replace(search, most=most, ends_at=min(search.ends_at, self._ends_at))
        findings = self._front_end.search_near(search, MOST_STEPS)
        if findings is None:
            return False
        self.executions += findings.runs
        for status, code, leaves in findings.failures:
            self._note_failure(status, code, leaves)
        inputs = [findings.best, *([] if findings.found is None else [findings.found])]
        self._noted(self._run_batch(inputs), search.goal[0][0], inputs)
        return True

    def matched(self, goal: int, leaves: Input) -> list[Input]:
        """The input, and such with leaves changed by what its test lacks, or set to what it compares them with."""
        found = [leaves]
        for left, right in self._front_end.operands(leaves, self._first[goal], MOST_STEPS)[:MOST_PAIRS]:
            lacking = right - left
            for at in self._places(leaves, left, right):
                value, domain = leaves[at], self.domains[at]
                wanted: tuple[Leaf, ...] = (value + lacking, value - lacking, left, right, right + 1, right - 1)
                wanted = wanted if domain.kind != "choice" else ()
                found += ([*leaves[:at], domain.clip(item), *leaves[at + 1 :]] for item in wanted)
            found += with_number(leaves, self._texts, self.domains, left, right)
            found += with_number(leaves, self._texts, self.domains, right, left)
        return found

    def _places(self, leaves: Input, left: Leaf, right: Leaf) -> Collection[int]:
        """The leaves that are set to what a test compares; of very many those that it compares, and a few others."""
        most = MOST_COPIED // max(1, len(leaves))
        if len(leaves) <= most:
            return range(len(leaves))
        single = [at for at, domain in enumerate(self.domains) if domain.kind != "choice" and "[" not in domain.name]
        compared = [at for at, value in enumerate(leaves) if value in (left, right)]
        return {*single[:most], *compared[:most], *self.rng.sample(range(len(leaves)), min(most, FEW_PLACES))}

    def active(self) -> list[int]:
        """The goals whose test was reached, or depends on nothing that was not."""
        found = []
        for goal in sorted(self.missing):
            above = self._parents.get(self._first[goal], frozenset())
            if not above or any(self.nearest[slot] < np.inf for slot in above) or self.nearest[goal] < np.inf:
                found.append(goal)
        return found

    def values(self, inputs: Sequence[Input], goals: Sequence[int]) -> Floats:
        """The fitness of inputs for goals."""
        rows, own = self.run(inputs), self._own_values(inputs)
        if own or not goals:
            return np.repeat(np.array(own or [0.0] * len(inputs))[:, None], len(goals), axis=1)
        return np.stack([self._noted(rows, goal, inputs) for goal in goals], axis=1)

    def _own_values(self, inputs: Sequence[Input]) -> list[float]:
        """What the user's function says of each input; nothing if there is none."""
        if self._own_fitness is None:
            return []
        traces = (self._front_end.evaluate(leaves, OWN_SECONDS, recording=True) for leaves in inputs)
        return [self._own_fitness(trace) for trace in traces]

    def ranks(self, inputs: Sequence[Input], goal: int) -> list[float]:
        """The fitness of inputs for one goal, so that the least difference counts."""
        rows = self.run(inputs)
        found = self._own_values(inputs) or self.fitness_of.order(rows, goal)
        least = min(range(len(found)), key=found.__getitem__)
        self._keep_best(goal, found[least], inputs[least])
        return list(found)

    def fitness(self, inputs: Sequence[Input]) -> list[float]:
        """The smallest fitness of inputs for any goal."""
        found = self.values(inputs, self.active())
        return [float(value) for value in found.min(axis=1)] if found.shape[1] else [0.0] * len(inputs)

    def parts(self, inputs: Sequence[Input], goals: Ints) -> tuple[Ints, Floats]:
        """The approach level and the distance of each input to a goal of its own."""
        rows = self.run(inputs)
        for goal in set(goals.tolist()):
            own = np.flatnonzero(goals == goal).tolist()
            self._noted(rows[own], goal, [inputs[at] for at in own])
        return self.fitness_of.parts(rows, goals)

    def nearest_input(self, goal: int) -> Input:
        """The input that is nearest to a goal so far; a random one if none was measured for it."""
        return self.best[goal][1] if goal in self.best else sample(self)

    def _noted(self, rows: Floats, goal: int, inputs: Sequence[Input]) -> Floats:
        values = self.fitness_of.of(rows, goal)
        at = int(values.argmin())
        self._keep_best(goal, self.fitness_of.order(rows[at : at + 1], goal)[0], inputs[at])
        return values

    def _keep_best(self, goal: int, rank: float, leaves: Input) -> None:
        if goal not in self.best or rank < self.best[goal][0]:
            self.best[goal] = rank, list(leaves)
            if self.nearest[goal] < np.inf:
                self._nearer.add(goal)

    def run(self, inputs: Sequence[Input]) -> Floats:
        """Run inputs and keep those that take something new; the least distance to each slot."""
        parts, start = [], 0
        while start < len(inputs):
            self._check()
            step = self._step
            parts.append(self._run_batch(inputs[start : start + step]))
            start += step
        return np.concatenate(parts)

    def _run_batch(self, inputs: Sequence[Input]) -> Floats:
        began = monotonic()
        share = (self._ends_at - began) / SLOWEST
        self._front_end.most_seconds = min(self._run_seconds, max(share, LEAST_SECONDS))
        rows, statuses, codes = self._front_end.distances(inputs, MOST_STEPS)
        self.executions += len(inputs)
        at_most = LONGEST_BATCH * len(inputs) / max(monotonic() - began, 1e-9)
        self._step = max(1, min(int(at_most), MOST_AT_ONCE, self._front_end.executor.most_inputs))
        self._finish_slow(rows, statuses, codes, inputs)
        least = rows.min(axis=0)
        nearer = np.flatnonzero(least < self.nearest)
        self.nearest = np.minimum(self.nearest, least)
        for at in np.flatnonzero(_FAILED[statuses]).tolist():
            self._note_failure(int(statuses[at]), int(codes[at]), inputs[at])
        for at in np.flatnonzero(_UNFINISHED[statuses]).tolist():
            rows[at] = np.where(rows[at] == 0.0, FAILED_DISTANCE, rows[at])  # it comes near, and does not count
        for goal in self.missing.intersection(nearer.tolist()):
            self._noted(rows, goal, inputs)
        taken = rows == 0.0
        for at in np.flatnonzero(taken[:, sorted(self.missing)].any(axis=1)).tolist():
            slots = frozenset(np.flatnonzero(taken[at]).tolist())
            if slots & self.missing:
                self.missing -= slots
                self.cases.append(Case(tuple(inputs[at]), slots))
                self.curve.append((round(monotonic() - self._began, 3), len(self.goals) - len(self.missing)))
        return rows

    def _finish_slow(self, rows: Floats, statuses: EndsOfRuns, codes: EndsOfRuns, inputs: Sequence[Input]) -> None:
        """Run slow inputs to their end that take something new; only a few, since some never end."""
        missing = sorted(self.missing)
        slow: list[int] = np.flatnonzero(statuses == Status.OUT_OF_STEPS).tolist()
        for at in [at for at in slow if (rows[at][missing] == 0.0).any()][: self._slow_runs]:
            self._slow_runs -= 1
            row, status, code = self._front_end.distances([inputs[at]], LONG_STEPS)
            rows[at], statuses[at], codes[at] = row[0], status[0], code[0]

    def _note_failure(self, status: int, code: int, leaves: Input) -> None:
        known = self.failed.setdefault((status, code), [])
        if len(known) < MOST_FAILURES:
            known.append(tuple(leaves))

    def _check(self) -> None:
        self._show(self.executions, len(self.goals) - len(self.missing), len(self.goals))
        if not self.missing and not self._is_opening:
            raise Over("every branch was taken")
        if monotonic() >= self._ends_at:
            raise Over("time is up")
        if self.executions >= self._most_runs:
            raise Over(f"{self._most_runs:.0f} runs were made")
