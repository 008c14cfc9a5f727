"""Training of agents: walks to drawn goals of some targets, and updates of the network by Double DQN."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from pessimal.learn.agent_rules import AgentRules
from pessimal.learn.layers import Weights, new_layers
from pessimal.learn.replay import Replay, Transitions
from pessimal.search.agent.arena import Arena, Ints
from pessimal.search.agent.move_walks import FEATURES, MoveWalks
from pessimal.search.agent.moves import COUNT
from pessimal.search.agent.policies import best_moves, best_steps
from pessimal.search.agent.unit_walks import SEEN, WINDOW, UnitWalks

CURVE_POINTS = 40
WARM_UP = 4
"""Learning begins with so many batches of experience."""


@dataclass(slots=True)
class Practised:
    """What came of a training: the curve has for some episodes their number, reached share, and mean evaluations."""

    weights: Weights
    sizes: list[int]
    episodes: int = 0
    steps: int = 0
    curve: list[tuple[int, float, float]] = field(default_factory=list)
    interrupted: bool = False
    _ended: list[tuple[bool, int]] = field(default_factory=list)

    def note(self, ended: Sequence[tuple[bool, int]], every: int) -> None:
        """Count episodes, and add a point to the curve for every so many of them."""
        self.episodes += len(ended)
        self._ended += ended
        while len(self._ended) >= every:
            part, self._ended = self._ended[:every], self._ended[every:]
            reached = sum(is_reached for is_reached, _ in part) / every
            mean = sum(steps for _, steps in part) / every
            self.curve.append((self.episodes - len(self._ended), round(reached, 4), round(mean, 1)))


class _Trainee(Protocol):
    """Walks on one target that learn."""

    def step(self, weights: Weights, epsilon: float) -> tuple[Transitions, list[tuple[bool, int]]]:
        """One step of all walks; what can be learned from it, and the episodes that ended: reached, steps."""
        ...


class _UnitTrainee:
    """QTIP's walks, with the decrease of fitness as reward."""

    def __init__(self, arena: Arena, rules: AgentRules, rng: np.random.Generator) -> None:
        self._walks = UnitWalks(arena, rules.walks, rng, budget=rules.budget)
        self._all = np.arange(rules.walks)
        self._walks.restart(self._all)
        self._rng = rng

    def step(self, weights: Weights, epsilon: float) -> tuple[Transitions, list[tuple[bool, int]]]:
        walks = self._walks
        seen, actions = best_steps(weights, walks, self._all, epsilon, self._rng)
        rewards = walks.step(actions, self._all)
        after = walks.observations().reshape(len(actions), -1)
        reached = walks.is_covered
        possible = np.ones((len(actions), walks.actions), bool)
        found = Transitions(seen, actions.astype(np.int32), rewards.astype(np.float32), after, _ends(reached), possible)
        over = np.flatnonzero(reached | walks.is_over_budget)
        ended = [(bool(reached[at]), int(walks.steps[at])) for at in over]
        if len(over):
            walks.restart(over)
        return found, ended


class _MoveTrainee:
    """Our own walks, with -1 for each evaluation as reward; rows that a target does not have are empty."""

    def __init__(self, arena: Arena, rules: AgentRules, rows: int, rng: np.random.Generator) -> None:
        literals: Sequence[float] = getattr(arena, "literals", ())
        self._walks = MoveWalks(arena, rules.walks, rng, literals)
        self._rules, self._rows, self._rng = rules, rows, rng
        self._all = np.arange(rules.walks)
        self._begin(self._all)

    def _begin(self, which: Ints) -> None:
        self._walks.restart(which, self._rng.choice(np.array(self._walks.arena.goals), len(which)))

    def step(self, weights: Weights, epsilon: float) -> tuple[Transitions, list[tuple[bool, int]]]:
        walks = self._walks
        seen, actions = best_moves(weights, walks, self._all, epsilon, self._rng)
        walks.step(actions // COUNT, actions % COUNT, self._all)
        reached = walks.is_covered
        found = Transitions(
            self._filled(seen), self._placed(actions), np.full(len(actions), -1.0, np.float32),
            self._filled(walks.features()), _ends(reached), self._filled(walks.possible()).reshape(len(actions), -1),
        )  # fmt: skip
        over = np.flatnonzero(reached | (walks.steps >= self._rules.budget))
        ended = [(bool(reached[at]), int(walks.steps[at])) for at in over]
        if len(over):
            self._begin(over)
        return found, ended

    def _filled(self, rows: Any) -> Any:
        """Rows filled up to the number of the largest target; that of all leaves stays the last one."""
        missing = self._rows - rows.shape[1]
        empty = np.zeros((len(rows), missing, rows.shape[2]), rows.dtype)
        return np.concatenate([rows[:, :-1], empty, rows[:, -1:]], axis=1)

    def _placed(self, actions: Ints) -> Any:
        is_last = actions // COUNT == len(self._walks.columns)
        return np.where(is_last, (self._rows - 1) * COUNT + actions % COUNT, actions).astype(np.int32)


def _ends(reached: Any) -> Any:
    return (~reached).astype(np.float32)


def practise(
    arenas: Sequence[Arena],
    rules: AgentRules,
    episodes: int,
    seed: int,
    weights: Weights | None = None,
    goes_on: Callable[[Practised], bool] = lambda practised: True,
) -> Practised:
    """Train a new network, or go on with one, on the goals of some targets, as long as ``goes_on`` says so."""
    from pessimal.learn.double_dqn import DoubleDqn

    rng = np.random.default_rng(seed)
    sizes, replay, trainees = _prepared(arenas, rules, rng)
    result = Practised(weights or new_layers(sizes, rng), sizes)
    network = DoubleDqn(result.weights, rules)
    try:
        while result.episodes < episodes and goes_on(result):
            ended = _stepped(trainees, replay, result, rules.exploration(result.episodes / episodes))
            result.note(ended, max(1, episodes // CURVE_POINTS))
            if len(replay) >= WARM_UP * rules.batch:
                network.learn(replay.batches(rules.updates * len(trainees), rules.batch, rng))
                result.weights = network.weights
    except KeyboardInterrupt:
        result.interrupted = True
    return result


def layer_sizes(rules: AgentRules, arenas: Sequence[Arena]) -> list[int]:
    """The sizes of the layers of an agent for some targets."""
    if rules.kind == "qtip":
        return [WINDOW * SEEN, *rules.hidden, 2 * len(arenas[0].domains)]
    return [FEATURES, *rules.hidden, COUNT]


def _prepared(
    arenas: Sequence[Arena], rules: AgentRules, rng: np.random.Generator
) -> tuple[list[int], Replay, list[_Trainee]]:
    sizes = layer_sizes(rules, arenas)
    if rules.kind == "qtip":
        units: list[_Trainee] = [_UnitTrainee(arena, rules, rng) for arena in arenas]
        return sizes, Replay(rules.memory, sizes[:1], sizes[-1]), units
    rows = max(len(arena.domains) for arena in arenas) + 1
    moves: list[_Trainee] = [_MoveTrainee(arena, rules, rows, rng) for arena in arenas]
    return sizes, Replay(rules.memory, (rows, FEATURES), rows * COUNT), moves


def _stepped(trainees: Sequence[_Trainee], replay: Replay, result: Practised, epsilon: float) -> list[tuple[bool, int]]:
    """One step of all walks; the episodes that it ended."""
    ended: list[tuple[bool, int]] = []
    for trainee in trainees:
        found, over = trainee.step(result.weights, epsilon)
        replay.add(found)
        ended += over
        result.steps += len(found.actions)
    return ended
