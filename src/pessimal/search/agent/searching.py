"""``agent``: walks to several goals side by side, steered by a trained network; the inputs of a step are one batch."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import count
from typing import Protocol

import numpy as np

from pessimal.inputs import Domain
from pessimal.learn.agent_file import Agent
from pessimal.search.agent.arena import Arena, Floats, Ints
from pessimal.search.agent.columns import Columns, Words
from pessimal.search.agent.move_walks import MoveWalks
from pessimal.search.agent.moves import COUNT
from pessimal.search.agent.narrowing import Narrowed, depended_on
from pessimal.search.agent.policies import best_moves, check_fits
from pessimal.search.goals.algorithms import Input, sample
from pessimal.search.goals.many import ManyGoals

MOST_WALKS, WALK = 16, 250
"""How many walks are made side by side, and how many inputs one may run; then it begins again, from a random input
every second time."""
WIDE, NARROW_WALKS, NARROW_WALK = 64, 4, 60
"""Inputs with more leaves are walked in by changing few of them, in so many walks to the same goal, each of so many
inputs."""
EPSILON = 0.05
"""How often a random move is made, so that no walk repeats itself for ever."""


class WalkedGoals(ManyGoals, Protocol):
    """A landscape that tells approach levels and distances apart, and knows an input near to each goal."""

    def parts(self, inputs: Sequence[Input], goals: Ints) -> tuple[Ints, Floats]:
        """The approach level and the plain distance of each input to a goal of its own."""
        ...

    def nearest_input(self, goal: int) -> Input:
        """The input that is nearest to a goal so far."""
        ...


class _Landscape:
    """The landscape as an arena of walks."""

    def __init__(self, landscape: WalkedGoals) -> None:
        self._landscape = landscape
        self.domains: Sequence[Domain] = landscape.domains
        self._columns = Columns(landscape.domains)

    @property
    def goals(self) -> Sequence[int]:
        return self._landscape.active()

    def measure(self, words: Words, goals: Ints) -> tuple[Ints, Floats]:
        return self._landscape.parts(self._columns.decoded(words), goals)


class AgentWalks:
    """Walks to the goals that are active, until the landscape ends the search."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def steps(self, landscape: WalkedGoals, literals: Sequence[float] = ()) -> Iterator[None]:
        """Make one move of all walks at a time; yields after each."""
        rng = np.random.default_rng(landscape.rng.getrandbits(63))
        arena = _Landscape(landscape)
        if len(arena.domains) > WIDE:
            return self._narrow_steps(arena, landscape, literals, rng)
        return self._wide_steps(arena, landscape, literals, rng)

    def _walks(self, arena: Arena, many: int, literals: Sequence[float], rng: np.random.Generator) -> MoveWalks:
        walks = MoveWalks(arena, many, rng, literals)
        check_fits(self._agent, walks)
        return walks

    def _move(self, walks: MoveWalks, which: Ints) -> None:
        _, actions = best_moves(self._agent.weights, walks, which, EPSILON, walks.rng)
        walks.step(actions // COUNT, actions % COUNT, which)

    def _wide_steps(
        self, arena: Arena, landscape: WalkedGoals, literals: Sequence[float], rng: np.random.Generator
    ) -> Iterator[None]:
        """Walks in all leaves, each to a goal of its own."""
        walks = self._walks(arena, MOST_WALKS, literals, rng)
        turns, everything = np.zeros(MOST_WALKS, np.int64), np.arange(MOST_WALKS)
        self._begin(walks, landscape, everything, turns)
        while True:
            active = np.isin(walks.goals, list(landscape.active()))
            over = np.flatnonzero(~active | walks.is_covered | (walks.steps >= WALK))
            if len(over):
                self._begin(walks, landscape, over, turns)
            self._move(walks, everything)
            yield

    def _narrow_steps(
        self, arena: Arena, landscape: WalkedGoals, literals: Sequence[float], rng: np.random.Generator
    ) -> Iterator[None]:
        """Walks in inputs with many leaves: to one goal at a time, in the leaves that it depends on where they begin.

        They begin at the input that is nearest to the goal, and every second time at a random one.
        """
        columns = Columns(arena.domains)
        for turn in count():
            for goal in list(landscape.active()):
                near = columns.encoded([landscape.nearest_input(goal)])[0]
                begun = near if turn % 2 == 0 else columns.drawn(1, rng)[0]
                while (yield from self._narrow_walk(arena, landscape, goal, begun, literals, rng)):
                    begun = columns.encoded([landscape.nearest_input(goal)])[0]
            landscape.fitness([sample(landscape)])  # also where there is no goal, so that the search can end
            yield

    def _narrow_walk(
        self, arena: Arena, landscape: WalkedGoals, goal: int, begun: Words, literals: Sequence[float],
        rng: np.random.Generator,
    ) -> Generator[None, None, bool]:  # fmt: skip
        """Some walks from one input; whether one came to another test, where the goal may depend on other leaves."""
        leaves = depended_on(arena, Columns(arena.domains), begun, goal, rng)
        yield
        walks = self._walks(Narrowed(arena, begun, leaves), NARROW_WALKS, literals, rng)
        which, goals = np.arange(NARROW_WALKS), np.full(NARROW_WALKS, goal)
        words = np.repeat(begun[None, leaves], NARROW_WALKS, axis=0)
        walks.place(which, goals, words, *walks.arena.measure(words, goals))
        level = int(walks.levels[0])
        while goal in landscape.active() and walks.steps[0] < NARROW_WALK:
            self._move(walks, which)
            yield
            if walks.levels.min() < level:
                return goal in landscape.active()
        return False

    def _begin(self, walks: MoveWalks, landscape: WalkedGoals, which: Ints, turns: Ints) -> None:
        """Begin some walks: each to the next goal, from the input that is nearest to it or from a random one."""
        goals = list(landscape.active())
        if not goals:
            goals = [int(goal) for goal in walks.goals[which]]
        wanted = np.array([goals[int(turns[at] + at) % len(goals)] for at in which], np.int64)
        words = walks.columns.drawn(len(which), walks.rng)
        near = np.flatnonzero(turns[which] % 2 == 0)
        if len(near):
            words[near] = walks.columns.encoded([landscape.nearest_input(int(wanted[at])) for at in near])
        turns[which] += 1
        walks.place(which, wanted, words, *walks.arena.measure(words, wanted))
