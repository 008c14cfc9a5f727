"""Search for inputs that take every outcome of every test of a C function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from time import monotonic

import numpy as np

from pessimal.c.control import parents
from pessimal.c.executor import Status
from pessimal.c.frontend import CFrontEnd
from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.learn.agent_file import Agent
from pessimal.search.agent.arena import Ints
from pessimal.search.agent.searching import AgentWalks
from pessimal.search.goals.algorithms import ALGORITHMS, Input, Reached, algorithm, mutated, sample
from pessimal.search.goals.fitness import Fitness, Floats
from pessimal.search.goals.many import Dynamosa

MOST_STEPS = 200_000
"""After so many steps a run counts as too slow; it is run again at the end, with all the time that it may take."""
FIRST_INPUTS, BATCH = 200, 64
DESCENT = 400
"""How many inputs one descent towards a goal may run."""
GENERATIONS = 5
ENDED = (Status.RETURNED, Status.EXITED)
COVERING = (*ENDED, Status.ABORTED)
"""How runs end that are no failures, and those that cover what they take."""
MOST_FAILURES = 20
STRATEGIES = ("auto", "dynamosa", *ALGORITHMS, "agent")


@dataclass(frozen=True, slots=True)
class Case:
    """An input that takes outcomes which no input before it took, and all slots that it takes."""

    leaves: tuple[Leaf, ...]
    slots: frozenset[int]


class Over(Exception):
    """All goals are reached, or the time or the runs are used up."""


class CSearch:
    """The search for one function: the goals are the outcomes of its own tests."""

    def __init__(self, front_end: CFrontEnd, seed: int, normalise: str = "ratio", agent: Agent | None = None) -> None:
        built = front_end.built
        self._front_end = front_end
        self._agent = agent
        self.domains: Sequence[Domain] = front_end.domains
        self.rng = Random(seed)
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
        self.curve: list[tuple[float, int]] = []
        self._ends_at, self._most_runs = float("inf"), float("inf")
        self._began = monotonic()
        self._is_opening = False
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
            self.run([list(self._front_end.initial)])
            for _ in self._steps(strategy):
                pass
        except Over as over:
            return str(over)
        return "nothing left to try"

    def _steps(self, strategy: str) -> Iterator[None]:
        if not self.domains:
            return
        yield from self._first_inputs()
        if strategy == "agent" and self._agent is not None:
            numbers = [float(item) for item in self._front_end.literals() if isinstance(item, int | float)]
            yield from AgentWalks(self._agent).steps(self, numbers)
        generations = Dynamosa().generations(self, [list(case.leaves) for case in self.cases])
        turn = 0
        while True:
            self._check()
            if strategy in ("auto", "dynamosa"):
                for _ in range(GENERATIONS):
                    next(generations)
            if strategy != "dynamosa":
                names = ("avm", "random", "avm-geometric", "anneal") if strategy == "auto" else (strategy,)
                self._descend(names[turn % len(names)], turn)
            turn += 1
            yield

    def _first_inputs(self) -> Iterator[None]:
        """Random inputs, such with literals of the code in them, and such with extreme values.

        All of them are run, even if every branch is taken before: some inputs fail where there is no branch.
        """
        self._is_opening = True
        for _ in range(max(1, FIRST_INPUTS // BATCH)):
            drawn = [sample(self) for _ in range(BATCH // 4)]
            changed = [change(item) for change in (self._with_literals, self._with_extremes) for item in drawn]
            self.run([*drawn, *changed, *map(self._with_extremes, changed[: len(drawn)])])
            yield
        self._is_opening = False

    def _with_extremes(self, leaves: Input) -> Input:
        """The input with some leaves at an end of their range or next to zero."""
        changed = list(leaves)
        for _ in range(self.rng.randrange(1, 3)):
            at = self.rng.randrange(len(changed))
            domain = self.domains[at]
            ends = [value for value in (domain.low, domain.high) if value is not None]
            changed[at] = domain.clip(self.rng.choice([*ends, 0, 0, 1, -1]))
        return changed

    def _with_literals(self, leaves: Input) -> Input:
        """The input with some literals of the code written into it."""
        changed, known = list(leaves), self._front_end.literals()
        for _ in range(self.rng.randrange(1, 4)):
            if not known:
                break
            literal, at = self.rng.choice(known), self.rng.randrange(len(changed))
            if isinstance(literal, str):
                self._write_text(changed, literal, at)
            elif isinstance(literal, int | float):
                changed[at] = self.domains[at].clip(literal + self.rng.choice((0, 0, 1, -1)))
        return changed

    def _write_text(self, leaves: Input, text: str, at: int) -> None:
        """Write a text into the characters from a leaf on, from the start of their text if there is room."""
        is_char = [domain.kind == "char" for domain in self.domains]
        starts = [i for i, char in enumerate(is_char) if char and (i == 0 or not is_char[i - 1])]
        if not starts:
            return
        start = self.rng.choice([*starts, *starts, at])
        written = 0
        for char in text:
            if start + written >= len(leaves) or not is_char[start + written]:
                break
            leaves[start + written] = self.domains[start + written].clip(ord(char))
            written += 1
        if start in starts and start and self.domains[start - 1].name.startswith("len("):
            leaves[start - 1] = self.domains[start - 1].clip(written)

    def _descend(self, name: str, turn: int) -> None:
        """Minimise the fitness of one goal for some runs."""
        goals = self.active()
        if not goals:
            return
        goal = goals[(turn // 2) % len(goals)]
        start = self.best.get(goal, (0.0, sample(self)))[1]
        if turn % 8 >= 4:
            start = mutated(start, self)
        with suppress(Reached):
            algorithm(name).descend(_Descent(self, goal), start)

    # What the algorithms ask

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
        rows = self.run(inputs)
        return (
            np.stack([self._noted(rows, goal, inputs) for goal in goals], axis=1) if goals else np.zeros((len(rows), 0))
        )

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
        if goal not in self.best or values[at] < self.best[goal][0]:
            self.best[goal] = float(values[at]), list(inputs[at])
        return values

    def run(self, inputs: Sequence[Input]) -> Floats:
        """Run inputs and keep those that take something new; the least distance to each slot."""
        parts = []
        for start in range(0, len(inputs), BATCH):
            self._check()
            parts.append(self._run_batch(inputs[start : start + BATCH]))
        return np.concatenate(parts)

    def _run_batch(self, inputs: Sequence[Input]) -> Floats:
        rows, statuses, codes = self._front_end.distances(inputs, MOST_STEPS)
        self.executions += len(inputs)
        self.nearest = np.minimum(self.nearest, rows.min(axis=0))
        for at in np.flatnonzero(~np.isin(statuses, ENDED)).tolist():
            known = self.failed.setdefault((int(statuses[at]), int(codes[at])), [])
            if len(known) < MOST_FAILURES:
                known.append(tuple(inputs[at]))
        for at in np.flatnonzero(~np.isin(statuses, COVERING)).tolist():
            rows[at] = np.where(rows[at] == 0.0, 1e-3, rows[at])  # it comes near, and does not count
        taken = rows == 0.0
        for at in np.flatnonzero(taken[:, sorted(self.missing)].any(axis=1)).tolist():
            slots = frozenset(np.flatnonzero(taken[at]).tolist())
            if slots & self.missing:
                self.missing -= slots
                self.cases.append(Case(tuple(inputs[at]), slots))
                self.curve.append((round(monotonic() - self._began, 3), len(self.goals) - len(self.missing)))
        return rows

    def _check(self) -> None:
        self._show(self.executions, len(self.goals) - len(self.missing), len(self.goals))
        if not self.missing and not self._is_opening:
            raise Over("every branch was taken")
        if monotonic() >= self._ends_at:
            raise Over("time is up")
        if self.executions >= self._most_runs:
            raise Over(f"{self._most_runs:.0f} runs were made")


class _Descent:
    """The landscape of one goal, for a limited number of runs."""

    def __init__(self, search: CSearch, goal: int) -> None:
        self._search = search
        self._goal = goal
        self._left = DESCENT
        self.domains = search.domains
        self.rng = search.rng

    def fitness(self, inputs: Sequence[Input]) -> list[float]:
        """The fitness for the goal."""
        if self._left <= 0 or self._goal not in self._search.missing:
            raise Reached
        self._left -= len(inputs)
        return [float(value) for value in self._search.values(inputs, [self._goal])[:, 0]]
