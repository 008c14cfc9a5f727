"""PySE's rules: Q-learning from experiences, ε-greedy runs, and the Unique Path Finder.

A run ends at the first infeasible decision, which is penalised. In basic mode a run has no prefix; in advanced mode
virtual executions on the observed tree first look for a prefix that leads to an unseen state.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from random import Random
from typing import Any

import numpy as np

from pessimal.learn.forward import forward
from pessimal.learn.memory import Experience, ReplayMemory
from pessimal.learn.network import QNetwork
from pessimal.learn.policies import NetworkPolicy, as_answer, drawn, probabilities
from pessimal.learn.rules import PaperRules
from pessimal.learn.states import NumberedStep, PaperEncoding, State, encode, steps_before
from pessimal.strategy import Session
from pessimal.trace import COMPLETED, Outcome, Trace
from pessimal.tree import OPEN, Kinds, Tree


class PyseLearner:
    """Searches one size after another, with one network for all of them."""

    def __init__(self, rules: PaperRules, kinds: Kinds, seed: int) -> None:
        self._rules = rules
        self._seed = seed
        self._encoding = PaperEncoding()
        self.kinds = kinds
        self.tree = Tree(kinds)
        self.network = QNetwork(
            rules.length + 1, PaperEncoding.features, rules.hidden, np.random.default_rng(seed), zero_output=False
        )
        self._memory = ReplayMemory(rules.memory)
        self._greedy_actions: dict[State, bool] = {}
        self._runs = 0
        self._rewards_branches = True

    def start_new_size(self) -> None:
        """Forget the tree and the experiences, which belong to one size, and keep the network."""
        self.tree = Tree(self.kinds)
        self._memory = ReplayMemory(self._rules.memory)

    def use_tree(self, tree: Tree) -> None:
        """Continue with another tree, which others may have filled."""
        self.tree = tree

    def steps(self, session: Session) -> Iterator[None]:
        """Look for an unseen state, run, and learn, until nothing is left to explore."""
        while not self.tree.is_done:
            rng = Random(f"{self._seed}:{self._runs}")
            with session.learning():
                prefix = self._unique_prefix(rng) if self._rules.mode == "advanced" and self.tree.inputs else b""
            probability_of_true = self._probability_of_true(self._rules.epsilon)
            policy = NetworkPolicy(self.kinds, self._rules.length, prefix, probability_of_true, rng)
            trace = session.run(policy, stop_when_infeasible=True)
            cost = session.cost(trace) if trace.outcome in COMPLETED else -inf
            with session.learning():
                self._remember(trace, cost, prefix)
                self._learn()
            self._runs += 1
            yield
        if self.tree.is_exhausted:
            session.claim("tree exhausted")

    def _probability_of_true(self, epsilon: float) -> Any:
        """ε-greedy: the better outcome, or with probability ε a random one."""

        def probability_of_true(state: State) -> float:
            return 1 - epsilon / 2 if self._is_true_better(state) else epsilon / 2

        return probability_of_true

    def _is_true_better(self, state: State) -> bool:
        known = self._greedy_actions.get(state)
        if known is None:
            (encoded,) = encode(self._encoding, [state], self._rules.length + 1)
            false, true = forward(self.network.weights, encoded)
            known = self._greedy_actions[state] = bool(true > false)
        return known

    def _unique_prefix(self, rng: Random) -> bytes:
        """Decisions that lead to an unseen state, found by virtual executions; empty if none was found."""
        rules = self._rules
        epsilon = rules.epsilon
        for trial in range(rules.trials):
            if trial == rules.trials // 2:
                epsilon = min(1.0, 2 * epsilon)
            prefix = self._virtual_execution(self._probability_of_true(epsilon), rng)
            if prefix is not None:
                return prefix
        return b""

    def _virtual_execution(self, probability_of_true: Any, rng: Random) -> bytes | None:
        tree, node = self.tree, 0
        decisions = bytearray()
        steps: list[NumberedStep] = []
        while node >= 0 and len(tree):
            position, kind = len(steps), tree.kind[node]
            past = steps_before(position, self._rules.length, steps.__getitem__)
            slots = tree.slots(node)
            weights = probabilities(self.kinds, past, position, kind, len(slots), probability_of_true)
            outcome = int(rng.random() < weights[1]) if len(slots) == 2 else drawn(weights, rng)
            decisions.append(outcome)
            steps.append((position, *as_answer(self.kinds, kind, len(slots), outcome)))
            node = tree.child[slots[outcome]]
        return bytes(decisions) if node == OPEN else None

    def _remember(self, trace: Trace, cost: float, prefix: bytes) -> None:
        """Store a run as experiences; if it was infeasible, the last one has the penalty as its reward."""
        is_infeasible = trace.outcome is Outcome.INFEASIBLE
        steps = [(i, *self._answer(trace, i, taken)) for i, taken in enumerate(trace.decisions)]
        requested = list(steps)
        if trace.wanted is not None:  # the last decision could not be made as requested
            requested[-1] = len(steps) - 1, *self._answer(trace, len(steps) - 1, trace.wanted)
        length, step_at = self._rules.length, steps.__getitem__
        states = [(*steps_before(i, length, step_at), (i, kind, -1)) for i, kind, _ in requested]
        if trace.outcome in COMPLETED and cost != trace.length:
            self._rewards_branches = False
        experiences = []
        for i, state in enumerate(states):
            is_last = i + 1 == len(states)
            reward = float(i not in trace.choices)
            if not self._rewards_branches:
                reward = cost if is_last and cost > -inf else 0.0
            if is_last and is_infeasible:
                reward = self._rules.penalty
            experiences.append(Experience(state, requested[i][2], reward, None if is_last else states[i + 1]))
        self._memory.add(experiences)
        self.tree.add(trace, cost, prefix)

    def _answer(self, trace: Trace, position: int, outcome: int) -> tuple[int, int]:
        kind = self.kinds.number(trace.sites[position], trace.conditions[position])
        return as_answer(self.kinds, kind, trace.arity(position), outcome)

    def _learn(self) -> None:
        if len(self._memory):
            rng = np.random.default_rng([self._seed, self._runs])
            arrays = self._memory.arrays(self._encoding, self._rules.length + 1)
            for _ in range(self._rules.epochs):
                self.network.learn(arrays, len(self._memory), rng=rng, size=self._rules.batch, rate=self._rules.rate)
        self._greedy_actions.clear()

    def model_to_json(self) -> dict[str, Any]:
        """The network alone: the paper keeps nothing else from practice."""
        return {"network": self.network.to_json()}

    def restore_model(self, data: dict[str, Any]) -> None:
        """Restore what :meth:`model_to_json` wrote."""
        self.network.restore(data["network"])

    def to_json(self) -> dict[str, Any]:
        """Experiences, tree and model, as JSON values."""
        return {
            "tree": self.tree.to_json(),
            "memory": self._memory.to_json(),
            **self.model_to_json(),
            "runs": self._runs,
            "rewards_branches": self._rewards_branches,
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Restore what :meth:`to_json` wrote."""
        if data["tree"] is not None:
            self.tree = Tree.from_json(data["tree"], self.kinds)
        self._memory.restore(data["memory"])
        self.restore_model(data)
        self._runs = data["runs"]
        self._rewards_branches = data["rewards_branches"]
