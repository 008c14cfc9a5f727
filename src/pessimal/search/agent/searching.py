"""``agent``: walks to several goals side by side, steered by a trained network; the inputs of a step are one batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from pessimal.inputs import Domain
from pessimal.learn.agent_file import Agent
from pessimal.search.agent.arena import Floats, Ints
from pessimal.search.agent.columns import Columns, Words
from pessimal.search.agent.move_walks import MoveWalks
from pessimal.search.agent.moves import COUNT
from pessimal.search.agent.policies import best_moves, check_fits
from pessimal.search.goals.algorithms import Input
from pessimal.search.goals.many import ManyGoals

MOST_WALKS, MOST_LEAVES = 16, 2000
"""How many walks are made side by side, and how many leaves they may have together."""
WALK = 250
"""How many inputs one walk may run; then it begins again, from a random input every second time."""
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
        count = max(1, min(MOST_WALKS, MOST_LEAVES // max(1, len(arena.domains))))
        walks = MoveWalks(arena, count, rng, literals)
        check_fits(self._agent, walks)
        turns = np.zeros(count, np.int64)
        self._begin(walks, landscape, np.arange(count), turns)
        everything = np.arange(count)
        while True:
            active = np.isin(walks.goals, list(landscape.active()))
            over = np.flatnonzero(~active | walks.is_covered | (walks.steps >= WALK))
            if len(over):
                self._begin(walks, landscape, over, turns)
            _, actions = best_moves(self._agent.weights, walks, everything, EPSILON, rng)
            walks.step(actions // COUNT, actions % COUNT, everything)
            yield

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
