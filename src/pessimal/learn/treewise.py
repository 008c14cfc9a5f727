"""Our own rules: a search of the observed tree, guided by a network that learns which outcomes keep the best cost.

At every branch of which both outcomes were seen, the network learns whether an outcome keeps the largest cost that can
still be reached: a value between 0 and 1 that means the same at every size, so that practice at small sizes carries
over. The next path leaves the tree at the outcome with the largest PUCT score, made of past results and the network's
probability, and then follows the network. Where an outcome is infeasible the run takes another instead of ending.
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
from pessimal.learn.policies import NetworkPolicy, as_answer, probabilities
from pessimal.learn.rules import TreeRules
from pessimal.learn.states import Floats, KindEncoding, State, encode, steps_before
from pessimal.strategy import Session
from pessimal.tree import OPEN, Kinds, Tree

TrainingExamples = tuple[NDArray[np.int64], Floats]
"""Numbers of states, and for each state whether false and whether true keep the best cost."""


class Phase(NamedTuple):
    """How the next path is selected.

    ``curiosity`` is the weight of exploration, ``sharpness`` how closely the network is followed, and ``best_weight``
    how much the best cost of an outcome counts beside the mean.
    """

    curiosity: float
    sharpness: float
    best_weight: float


NEGLIGIBLE = 0.05
"""A probability this close to 0 or 1 is taken as 0 or 1."""


class TreewiseLearner:
    """Searches one size after another, with one network for all of them."""

    def __init__(self, rules: TreeRules, kinds: Kinds, seed: int) -> None:
        self._rules = rules
        self._seed = seed
        self._encoding = KindEncoding()
        self.kinds = kinds
        self.network = QNetwork(
            rules.length + 1, KindEncoding.features, rules.hidden, np.random.default_rng(seed), zero_output=True
        )
        self.tree = Tree(kinds)
        self._runs = 0
        self._state_numbers: dict[State, int] = {}
        self._all_states: list[State] = []
        self._encoded_states: list[Floats] = []
        self._phases = (
            Phase(rules.curiosity, inf, 0.5),
            Phase(4 * rules.curiosity, rules.sharpness, 0.0),
        )
        self._phase = 0
        self._probabilities: list[list[float]] = [[] for _ in self._phases]
        self._node_states: list[int] = []
        self._rehearsed: list[TrainingExamples] = []

    def start_new_size(self) -> None:
        """Train the network thoroughly, keep a sample of the training examples to rehearse, and forget the tree."""
        for _ in range(self._rules.practice_epochs):
            self._learn()
            self._runs += 1
        if len(self.tree):
            self._rehearsed = [*self._rehearsed[-1:], self._example_sample()]
        self.use_tree(Tree(self.kinds))

    def use_tree(self, tree: Tree) -> None:
        """Continue with another tree, of this size or another, which others may have filled."""
        self.tree, self._node_states = tree, []
        self._value_states()

    def steps(self, session: Session) -> Iterator[None]:
        """Select an open outcome, run, and learn, until nothing is left to explore."""
        while not self.tree.is_done:
            rng = Random(f"{self._seed}:{self._runs}")
            self._phase = len(self.tree.inputs) // 2 % len(self._phases)
            with session.learning():
                prefix, start = self._select_fork()
            policy = NetworkPolicy(self.kinds, self._rules.length, prefix, self._probability_of_true, rng)
            trace = session.run(policy, start, probe_other=True, known_prefix=len(prefix))
            cost = session.cost(trace)
            with session.learning():
                self.tree.add(trace, cost, prefix)
                self._learn()
                self._value_states()
            self._runs += 1
            yield
        if self.tree.is_exhausted:
            session.claim("tree exhausted")

    def _probability_of_true(self, state: State) -> float:
        """The probability of true at a state of a run, whose positions do not matter."""
        return self._probabilities[self._phase][self._number(tuple((0, kind, action) for _, kind, action in state))]

    def _number(self, state: State) -> int:
        number = self._state_numbers.get(state)
        if number is None:
            number = self._state_numbers[state] = len(self._encoded_states)
            self._all_states.append(state)
            (encoded,) = encode(self._encoding, [state], self._rules.length + 1)
            self._encoded_states.append(encoded)
            values = forward(self.network.weights, encoded)
            for phase, column in zip(self._phases, self._probabilities, strict=True):
                column.append(_sharpened(values[0], values[1], phase.sharpness))
        return number

    def _value_states(self) -> None:
        """Evaluate all known states in one batch."""
        if self._encoded_states:
            values = self.network.values(np.stack(self._encoded_states))
            self._probabilities = [
                [_sharpened(false, true, phase.sharpness) for false, true in values] for phase in self._phases
            ]

    def _update_node_states(self) -> list[int]:
        """The number of each node's state; new nodes are numbered now."""
        tree, length = self.tree, self._rules.length
        for node in range(len(self._node_states), len(tree)):
            parent = tree.parent[node]
            past: State = ()
            if parent >= 0:
                *before, (_, kind, _) = self._all_states[self._node_states[parent]]
                past = (*before, (0, *as_answer(self.kinds, kind, len(tree.slots(parent)), tree.parent_outcome[node])))
                past = steps_before(len(past), length, past.__getitem__)
            self._node_states.append(self._number((*past, (0, tree.kind[node], -1))))
        return self._node_states

    def _examples(self) -> TrainingExamples:
        """The states of all informative nodes, and which of their outcomes keep the best cost."""
        tree = self.tree
        first = np.array([*tree.first, len(tree.child)])
        nodes = np.flatnonzero(np.diff(first) == 2)
        numbers = np.array(self._update_node_states(), np.int64)[nodes]
        pairs = first[nodes][:, None] + np.arange(2)
        counts, best = np.array(tree.count)[pairs], np.array(tree.best)[pairs]
        if len(nodes) < len(tree):
            wide = np.flatnonzero(np.diff(first) != 2).tolist()
            more, more_counts, more_best, more_nodes = self._binary_examples(wide)
            numbers, nodes = np.concatenate((numbers, more)), np.concatenate((nodes, more_nodes))
            counts, best = np.concatenate((counts, more_counts)), np.concatenate((best, more_best))
        closed = np.array(tree.is_closed, bool)[nodes]
        fewest = counts.min(axis=1)
        informative = np.flatnonzero((fewest >= self._rules.trust) | (closed & (fewest > 0)))
        keeps_best = best[informative] >= best[informative].max(axis=1, keepdims=True)
        return numbers[informative], keeps_best.astype(np.float32)

    def _binary_examples(self, nodes: list[int]) -> tuple[Any, Any, Any, Any]:
        """For each outcome of nodes with more than two: its question, counts and best (others, itself), its node."""
        tree, states = self.tree, self._update_node_states()
        rows = []
        for node in nodes:
            *past, (_, kind, _) = self._all_states[states[node]]
            slots = tree.slots(node)
            for outcome, slot in enumerate(slots):
                others = [other for other in slots if other != slot]
                number = self._number((*past, (0, self.kinds.outcome_number(kind, outcome), -1)))
                counts = sum(tree.count[other] for other in others), tree.count[slot]
                best = max((tree.best[other] for other in others), default=-inf), tree.best[slot]
                rows.append((number, counts, best, node))
        numbers, counted, bests, found = zip(*rows, strict=True)
        return np.array(numbers, np.int64), np.array(counted), np.array(bests), np.array(found)

    def _example_sample(self) -> TrainingExamples:
        """A random sample of this tree's training examples, to be kept when the tree is forgotten."""
        numbers, keeps_best = self._examples()
        kept = np.random.default_rng([self._seed, self._runs]).permutation(len(numbers))[: self._rules.memory // 8]
        return numbers[kept], keeps_best[kept]

    def _learn(self) -> None:
        """Learn from the rehearsed examples and from the latest ones of this tree."""
        examples = list(self._rehearsed)
        capacity = self._rules.memory
        if len(self.tree):
            left = max(1, capacity // 2 - sum(len(numbers) for numbers, _ in examples))
            numbers, keeps_best = self._examples()
            examples.append((numbers[-left:], keeps_best[-left:]))
        if not examples:
            return
        numbers, keeps_best = (np.concatenate(column)[-(capacity // 2) :] for column in zip(*examples, strict=True))
        count = len(numbers)
        if not count:
            return
        rows = np.stack(self._encoded_states)[numbers]
        states = padded(np.concatenate((rows, rows)), capacity)
        actions = padded(np.repeat(np.arange(2, dtype=np.int32), count), capacity)
        rewards = padded(keeps_best.T.ravel(), capacity)
        continues = np.zeros(capacity, np.float32)
        self.network.learn(
            (states, actions, rewards, states, continues),
            2 * count,
            rng=np.random.default_rng([self._seed, self._runs]),
            size=self._rules.batch,
            rate=self._rules.rate,
        )

    def _select_fork(self) -> tuple[bytes, Any]:
        """The decisions to the open outcome with the best score, and an input that follows them up to it."""
        tree = self.tree
        if not tree.inputs or self._rules.mode == "basic":
            return b"", None
        scale = max(1.0, *(tree.best[slot] for slot in tree.slots(0)))
        node, decisions = 0, bytearray()
        self._update_node_states()
        while True:
            open_outcomes = tree.open_outcomes(node)
            outcome = open_outcomes[0] if len(open_outcomes) == 1 else self._best_outcome(node, open_outcomes, scale)
            decisions.append(outcome)
            child = tree.child[tree.first[node] + outcome]
            if child == OPEN:
                return bytes(decisions), tree.inputs[tree.best_input[node]]
            node = child

    def _best_outcome(self, node: int, open_outcomes: list[int], scale: float) -> int:
        """The open outcome of a node with the best score."""
        arity, state = len(self.tree.slots(node)), self._node_states[node]
        if arity == 2:
            true = self._probabilities[self._phase][state]
            expected = [1 - true, true]
        else:
            *past, (_, kind, _) = self._all_states[state]
            expected = probabilities(self.kinds, tuple(past), 0, kind, arity, self._probability_of_true)
        return max(open_outcomes, key=lambda outcome: self._score(node, outcome, expected[outcome], scale))

    def _score(self, node: int, outcome: int, probability: float, scale: float) -> float:
        """The PUCT score of an outcome: what its paths cost, and a bonus for one that is rare and probable."""
        tree, slot = self.tree, self.tree.first[node] + outcome
        others = [item for item in tree.slots(node) if item != slot]
        count, other = tree.count[slot], sum(tree.count[item] for item in others)
        curiosity, _, best_weight = self._phases[self._phase]
        if count:
            best = tree.best[slot] if tree.best[slot] > -inf else 0.0  # no path there was completed
            known = best_weight * best + (1 - best_weight) * tree.total[slot] / count
        else:
            known = sum(tree.total[item] for item in others) / max(other, 1)
        return known / scale + curiosity * (probability + 0.001) * sqrt(count + other) / (1 + count)

    def model_to_json(self) -> dict[str, Any]:
        """The network, and training examples of practice and of this tree to rehearse, as JSON values."""
        examples = [*self._rehearsed, self._example_sample()] if len(self.tree) else self._rehearsed
        return {"network": self.network.to_json(), "examples": self._examples_to_json(examples)}

    def restore_model(self, data: dict[str, Any]) -> None:
        """Replace the model by what :meth:`model_to_json` wrote."""
        self.network.restore(data["network"])
        self._rehearsed = []
        for item in data["examples"]:
            numbers = [self._number(tuple(map(tuple, state))) for state, _, _ in item]
            keeps_best = np.array([keeps_best for _, *keeps_best in item], np.float32).reshape(-1, 2)
            self._rehearsed.append((np.array(numbers, np.int64), keeps_best))

    def _examples_to_json(self, examples: list[TrainingExamples]) -> list[Any]:
        """The last two sets of training examples, as JSON values."""
        return [
            [[self._all_states[number], *keeps_best] for number, keeps_best in zip(numbers, both.tolist(), strict=True)]
            for numbers, both in examples[-2:]
        ]

    def to_json(self) -> dict[str, Any]:
        """Tree and model, as JSON values."""
        return {
            "tree": self.tree.to_json(),
            "network": self.network.to_json(),
            "runs": self._runs,
            "examples": self._examples_to_json(self._rehearsed),
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Restore what :meth:`to_json` wrote."""
        self.restore_model(data)
        if data["tree"] is not None:
            self.use_tree(Tree.from_json(data["tree"], self.kinds))
        self._runs = data["runs"]


def _sharpened(false: float, true: float, power: float) -> float:
    """The probability of true, given the values of false and true."""
    if isinf(power):
        return float(true >= false)
    a, b = max(float(false), 0.01) ** power, max(float(true), 0.01) ** power
    probability = b / (a + b)
    return 0.0 if probability < NEGLIGIBLE else 1.0 if probability > 1 - NEGLIGIBLE else probability
