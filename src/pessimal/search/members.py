"""The members of a search for goals: each an endless iterator of steps, which take turns by what they earn."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from math import inf
from time import monotonic
from typing import Protocol

from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.learn.agent_file import Agent
from pessimal.local_search import LocalSearch
from pessimal.search.agent.searching import AgentWalks, WalkedGoals
from pessimal.search.goals.algorithms import ALGORITHMS, Input, Reached, algorithm, mutated
from pessimal.search.goals.many import Dynamosa
from pessimal.search.goals.sequences import runs
from pessimal.search.schedule import Schedule

DYNAMOSA, AGENT = "dynamosa", "agent"
ANNEAL, RANDOM = "anneal", "random"
SHARES: Mapping[str, float] = {
    RANDOM: 4.0, ANNEAL: 4.0, "probe": 4.0, DYNAMOSA: 4.0, "avm": 2.0, "genetic": 1.0, "hill": 1.0, AGENT: 1.0,
    "avm-geometric": 0.5, "avm-lattice": 0.5, "avm-exploratory": 0.5,
}  # fmt: skip
"""The members of ``auto`` and their shares of the time, as long as none earns more than others."""
NAMES = (DYNAMOSA, *ALGORITHMS, AGENT)
FIRST_DESCENT, LONGEST_DESCENT, FULL_DESCENT = 2000, 16_000, 5
"""How many inputs a descent towards a goal may run without coming nearer, at first, if no other number is given, and at
most, and how many times as many in all. They double when all goals were tried in vain."""
MOST_PATIENCE = 64
FIRST_ANNEALING, ANNEALING_SECONDS = 20_000, 0.05
"""How many inputs one annealing may run at first, which doubles as well, and for how long in all. Where runs count and
not the time, it may run no more than others."""
RUN_WORK = 20.0
"""The work of one run where it is estimated, in microseconds."""


class Goals(WalkedGoals, Protocol):
    """What members see of a search."""

    executions: int

    @property
    def missing(self) -> Collection[int]:
        """The goals that are not reached."""
        ...

    @property
    def literals(self) -> Sequence[float]:
        """The numbers in the code."""
        ...

    @property
    def is_reproducible(self) -> bool:
        """Whether nothing may depend on the time."""
        ...

    def matched(self, goal: int, leaves: Input) -> list[Input]:
        """The input, and such with leaves set to what the test of a goal compares."""
        ...

    def ranks(self, inputs: Sequence[Input], goal: int) -> list[float]:
        """The fitness of inputs for one goal, so that the least difference counts."""
        ...

    def levels(self, goal: int) -> Sequence[Sequence[int]]:
        """The slots on the way to a goal."""
        ...

    def search_near(self, search: LocalSearch) -> bool:
        """Let the front-end search by itself; whether it can."""
        ...

    def starts(self) -> list[Input]:
        """Inputs that take different outcomes."""
        ...


class Members:
    """Takes turns with some members; the weight of one that takes new outcomes doubles, that of others halves."""

    def __init__(
        self, goals: Goals, names: Sequence[str], agent: Agent | None, first_descent: int = FIRST_DESCENT
    ) -> None:
        self._goals = goals
        self._running = {name: _steps(name, goals, agent, first_descent) for name in names}
        self._schedule = Schedule({name: SHARES.get(name, 1.0) for name in names}, {}, least={})

    def steps(self) -> Iterator[None]:
        """Take turns; yields after each step of a member."""
        schedule = self._schedule
        while (name := schedule.next()) is not None:
            missing, left = len(self._goals.missing), schedule.turn(name)
            while left > 0:
                before = self._work()
                next(self._running[name])
                schedule.charge(name, max(self._work() - before, 1.0))
                left -= max(self._work() - before, 1.0)
                yield
            schedule.reward(name, len(self._goals.missing) < missing)

    def _work(self) -> float:
        return RUN_WORK * self._goals.executions if self._goals.is_reproducible else 1e6 * monotonic()


def _steps(name: str, goals: Goals, agent: Agent | None, first: int) -> Iterator[None]:
    if name == DYNAMOSA:
        return Dynamosa().generations(goals, goals.starts())
    if name == AGENT:
        assert agent is not None
        return AgentWalks(agent).steps(goals, goals.literals)
    return _descents(name, goals, first)


def _descents(name: str, goals: Goals, first: int) -> Iterator[None]:
    """Descend to one goal after the other, from the input that is nearest to it; some from a mutation of that."""
    turn, patience = 0, 1
    while True:
        for goal in goals.active() or sorted(goals.missing):
            if goal not in goals.missing:
                continue
            start = goals.nearest_input(goal)
            start = mutated(start, goals) if turn % 4 == 3 else start
            if name not in (ANNEAL, RANDOM) or not goals.search_near(_annealing(name, goals, goal, start, patience)):
                _descend(name, goals, goal, start, first * patience)
            turn += 1
            yield
        patience = min(2 * patience, MOST_PATIENCE)
        if not goals.missing:
            yield


def _descend(name: str, goals: Goals, goal: int, start: Input, most: int) -> None:
    """Minimise the fitness of one goal for some runs."""
    with suppress(Reached):
        descent = _Descent(goals, goal, min(most, LONGEST_DESCENT))
        descent.fitness(goals.matched(goal, start))
        algorithm(name).descend(descent, start)


def _annealing(name: str, goals: Goals, goal: int, start: Input, patience: int) -> LocalSearch:
    """The search for one goal beside the function; whatever else is missing ends it as well."""
    sequences = [(run.length, run.first, run.most) for run in runs(goals.domains)]
    ends_at = inf if goals.is_reproducible else monotonic() + ANNEALING_SECONDS
    runs_at_first = FIRST_DESCENT if goals.is_reproducible else FIRST_ANNEALING
    return LocalSearch(
        start, goals.domains, goals.rng.getrandbits(63), runs_at_first * patience, sequences, ends_at,
        goals.levels(goal), sorted(goals.missing), 1.0 if name == RANDOM else 0.0,
    )  # fmt: skip


class _Descent:
    """The landscape of one goal, as long as inputs come nearer to it."""

    def __init__(self, goals: Goals, goal: int, most: int) -> None:
        self._goals, self._goal = goals, goal
        self._most, self._left, self._all = most, most, FULL_DESCENT * most
        self._best = inf
        self.domains: Sequence[Domain] = goals.domains
        self.rng = goals.rng

    def fitness(self, inputs: Sequence[list[Leaf]]) -> list[float]:
        """The fitness for the goal, as a rank."""
        if self._left <= 0 or self._all <= 0 or self._goal not in self._goals.missing:
            raise Reached
        ranks = self._goals.ranks(inputs, self._goal)
        self._left -= len(inputs)
        self._all -= len(inputs)
        if min(ranks) < self._best:
            self._best, self._left = min(ranks), self._most
        return ranks
