"""Our own rules: a tree search over everything that was observed, led by a network that knows which turns pay.

The network learns, at every branch of which both directions were seen, whether a direction keeps the largest cost that
can still be reached: a value between 0 and 1 that means the same at every size, so that practice at small sizes
carries over. The next path leaves the tree at the fork that its own results and the network favour (PUCT), and goes on
by the network's chances. A forced direction goes on instead of ending the run.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, isinf, sqrt
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pessimal.learn.forward import forward
from pessimal.learn.memory import padded
from pessimal.learn.network import QNetwork
from pessimal.learn.policies import Advised, answered, chances
from pessimal.learn.rules import TreeRules
from pessimal.learn.states import Floats, Kindwise, State, encode, steps_before
from pessimal.strategy import Session
from pessimal.tree import OPEN, Kinds, Tree

Lesson = tuple[NDArray[np.int64], Floats]
"""Numbers of states, and for each whether false and true keep the best."""


class Mood(NamedTuple):
    """How a path is picked: how curious it is, how sharply it follows the network, how much the best path counts."""

    curiosity: float
    sharpness: float
    boldness: float


SURE = 0.05
"""A chance below this is none."""


class Treewise:
    """Learns and searches at one size after the other with one network."""

    def __init__(self, rules: TreeRules, kinds: Kinds, seed: int) -> None:
        self._rules = rules
        self._seed = seed
        self._encoding = Kindwise()
        self.kinds = kinds
        self.network = QNetwork(
            rules.length + 1, Kindwise.features, rules.hidden, np.random.default_rng(seed), is_blank=True
        )
        self.tree = Tree(kinds)
        self._runs = 0
        self._numbers: dict[State, int] = {}
        self._known: list[State] = []
        self._rows: list[Floats] = []
        self._moods = (
            Mood(rules.curiosity, inf, 0.5),
            Mood(4 * rules.curiosity, rules.sharpness, 0.0),
        )
        self._mood = 0
        self._chances: list[list[float]] = [[] for _ in self._moods]
        self._state: list[int] = []
        self._lessons: list[Lesson] = []

    def restart(self) -> None:
        """Forget the tree, which belongs to a size, and keep what was learned; learn it well before."""
        for _ in range(self._rules.practice_epochs):
            self._learn()
            self._runs += 1
        if len(self.tree):
            self._lessons = [*self._lessons[-1:], self._sample()]
        self.follow(Tree(self.kinds))

    def follow(self, tree: Tree) -> None:
        """Go on with a tree, of this size or another, that may have been seen before."""
        self.tree, self._state = tree, []
        self._value_states()

    def steps(self, session: Session) -> Iterator[None]:
        """Pick a fork, run, learn, until nothing is left to see."""
        while not self.tree.is_done:
            rng = Random(f"{self._seed}:{self._runs}")
            self._mood = len(self.tree.inputs) // 2 % len(self._moods)
            with session.learning():
                wanted, start = self._fork()
            policy = Advised(self.kinds, self._rules.length, wanted, self._chance, rng)
            trace = session.run(policy, start, probe_other=True, known_prefix=len(wanted))
            cost = session.cost(trace)
            with session.learning():
                self.tree.add(trace, cost, wanted)
                self._learn()
                self._value_states()
            self._runs += 1
            yield
        if self.tree.is_exhausted:
            session.claim("tree exhausted")

    def _chance(self, state: State) -> float:
        """The chance of true, for states of a run: positions do not matter."""
        return self._chances[self._mood][self._number(tuple((0, kind, action) for _, kind, action in state))]

    def _number(self, state: State) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = self._numbers[state] = len(self._rows)
            self._known.append(state)
            (row,) = encode(self._encoding, [state], self._rules.length + 1)
            self._rows.append(row)
            values = forward(self.network.weights, row)
            for mood, column in zip(self._moods, self._chances, strict=True):
                column.append(_sharpened(values[0], values[1], mood.sharpness))
        return number

    def _value_states(self) -> None:
        """Value all states that were ever seen, in one batch."""
        if self._rows:
            values = self.network.values(np.stack(self._rows))
            self._chances = [
                [_sharpened(false, true, mood.sharpness) for false, true in values] for mood in self._moods
            ]

    def _states(self) -> list[int]:
        """The number of each node's state, with those of new nodes made now."""
        tree, length = self.tree, self._rules.length
        for node in range(len(self._state), len(tree)):
            parent = tree.parent[node]
            past: State = ()
            if parent >= 0:
                *before, (_, kind, _) = self._known[self._state[parent]]
                past = (*before, (0, *answered(self.kinds, kind, len(tree.slots(parent)), tree.turn[node])))
                past = steps_before(len(past), length, past.__getitem__)
            self._state.append(self._number((*past, (0, tree.kind[node], -1))))
        return self._state

    def _lesson(self) -> Lesson:
        """The states of all nodes that tell something, and which of their directions keep the best."""
        tree = self.tree
        first = np.array([*tree.first, len(tree.child)])
        nodes = np.flatnonzero(np.diff(first) == 2)
        numbers = np.array(self._states(), np.int64)[nodes]
        pairs = first[nodes][:, None] + np.arange(2)
        counts, best = np.array(tree.count)[pairs], np.array(tree.best)[pairs]
        if len(nodes) < len(tree):
            more, more_counts, more_best, more_nodes = self._questions(np.flatnonzero(np.diff(first) != 2).tolist())
            numbers, nodes = np.concatenate((numbers, more)), np.concatenate((nodes, more_nodes))
            counts, best = np.concatenate((counts, more_counts)), np.concatenate((best, more_best))
        closed = np.array(tree.is_closed, bool)[nodes]
        fewest = counts.min(axis=1)
        telling = np.flatnonzero((fewest >= self._rules.trust) | (closed & (fewest > 0)))
        keeps = best[telling] >= best[telling].max(axis=1, keepdims=True)
        return numbers[telling], keeps.astype(np.float32)

    def _questions(self, nodes: list[int]) -> tuple[Any, Any, Any, Any]:
        """For each outcome of nodes with several: its question, counts and best of the others and of it, its node."""
        tree, states = self.tree, self._states()
        rows = []
        for node in nodes:
            *past, (_, kind, _) = self._known[states[node]]
            slots = tree.slots(node)
            for outcome, slot in enumerate(slots):
                others = [other for other in slots if other != slot]
                number = self._number((*past, (0, self.kinds.outcome(kind, outcome), -1)))
                counts = sum(tree.count[other] for other in others), tree.count[slot]
                best = max((tree.best[other] for other in others), default=-inf), tree.best[slot]
                rows.append((number, counts, best, node))
        numbers, counted, bests, found = zip(*rows, strict=True)
        return np.array(numbers, np.int64), np.array(counted), np.array(bests), np.array(found)

    def _sample(self) -> Lesson:
        """Some of what this tree tells, to be kept beyond it."""
        numbers, keeps = self._lesson()
        kept = np.random.default_rng([self._seed, self._runs]).permutation(len(numbers))[: self._rules.memory // 8]
        return numbers[kept], keeps[kept]

    def _learn(self) -> None:
        """Learn from what practice taught and from the latest of what this tree tells."""
        lessons = list(self._lessons)
        capacity = self._rules.memory
        if len(self.tree):
            left = max(1, capacity // 2 - sum(len(numbers) for numbers, _ in lessons))
            numbers, keeps = self._lesson()
            lessons.append((numbers[-left:], keeps[-left:]))
        if not lessons:
            return
        numbers, keeps = (np.concatenate(column)[-(capacity // 2) :] for column in zip(*lessons, strict=True))
        half = len(numbers)
        if not half:
            return
        rows = np.stack(self._rows)[numbers]
        states = padded(np.concatenate((rows, rows)), capacity)
        actions = padded(np.repeat(np.arange(2, dtype=np.int32), half), capacity)
        rewards = padded(keeps.T.ravel(), capacity)
        goes_on = np.zeros(capacity, np.float32)
        self.network.learn(
            (states, actions, rewards, states, goes_on),
            2 * half,
            rng=np.random.default_rng([self._seed, self._runs]),
            size=self._rules.batch,
            rate=self._rules.rate,
        )

    def _fork(self) -> tuple[bytes, Any]:
        """The way to the most promising open direction, and an input that goes it up to there."""
        tree = self.tree
        if not tree.inputs or self._rules.mode == "basic":
            return b"", None
        scale = max(1.0, *(tree.best[slot] for slot in tree.slots(0)))
        node, turns = 0, bytearray()
        self._states()
        while True:
            waiting = tree.open_outcomes(node)
            turn = waiting[0] if len(waiting) == 1 else self._most_promising(node, waiting, scale)
            turns.append(turn)
            child = tree.child[tree.first[node] + turn]
            if child == OPEN:
                return bytes(turns), tree.inputs[tree.path[node]]
            node = child

    def _most_promising(self, node: int, waiting: list[int], scale: float) -> int:
        """The outcome to take at a node of which several are open."""
        arity, state = len(self.tree.slots(node)), self._state[node]
        if arity == 2:
            true = self._chances[self._mood][state]
            expected = [1 - true, true]
        else:
            *past, (_, kind, _) = self._known[state]
            expected = chances(self.kinds, tuple(past), 0, kind, arity, self._chance)
        return max(waiting, key=lambda turn: self._promise(node, turn, expected[turn], scale))

    def _promise(self, node: int, turn: int, chance: float, scale: float) -> float:
        """What paths in a direction have cost, and a bonus where few have gone and the network hopes."""
        tree, slot = self.tree, self.tree.first[node] + turn
        others = [item for item in tree.slots(node) if item != slot]
        count, other = tree.count[slot], sum(tree.count[item] for item in others)
        curiosity, _, bold = self._moods[self._mood]
        if count:
            best = tree.best[slot] if tree.best[slot] > -inf else 0.0  # no path there had a cost
            known = bold * best + (1 - bold) * tree.total[slot] / count
        else:
            known = sum(tree.total[item] for item in others) / max(other, 1)
        return known / scale + curiosity * (chance + 0.001) * sqrt(count + other) / (1 + count)

    def model_to_json(self) -> dict[str, Any]:
        """The network, and the lessons of practice and of this tree, to be rehearsed, as JSON values."""
        lessons = [*self._lessons, self._sample()] if len(self.tree) else self._lessons
        return {"network": self.network.to_json(), "lessons": self._written(lessons)}

    def restore_model(self, data: dict[str, Any]) -> None:
        """Take up what :meth:`model_to_json` wrote, instead of what there was."""
        self.network.restore(data["network"])
        self._lessons = []
        for lesson in data["lessons"]:
            numbers = [self._number(tuple(map(tuple, state))) for state, _, _ in lesson]
            keeps = np.array([keeps for _, *keeps in lesson], np.float32).reshape(-1, 2)
            self._lessons.append((np.array(numbers, np.int64), keeps))

    def _written(self, lessons: list[Lesson]) -> list[Any]:
        """The last lessons as JSON values."""
        return [
            [[self._known[number], *keeps] for number, keeps in zip(numbers, both.tolist(), strict=True)]
            for numbers, both in lessons[-2:]
        ]

    def to_json(self) -> dict[str, Any]:
        """Tree and model as JSON values; the experience is in the tree."""
        return {
            "tree": self.tree.to_json(),
            "network": self.network.to_json(),
            "runs": self._runs,
            "lessons": self._written(self._lessons),
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Take up what :meth:`to_json` wrote."""
        self.restore_model(data)
        if data["tree"] is not None:
            self.follow(Tree.from_json(data["tree"], self.kinds))
        self._runs = data["runs"]


def _sharpened(false: float, true: float, power: float) -> float:
    """The chance of true by the values of both, one of which may be as good as certain."""
    if isinf(power):
        return float(true >= false)
    a, b = max(float(false), 0.01) ** power, max(float(true), 0.01) ** power
    chance = b / (a + b)
    return 0.0 if chance < SURE else 1.0 if chance > 1 - SURE else chance
