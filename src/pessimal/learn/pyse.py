"""PySE's own rules: Q-learning over experiences, ε-greedy runs, and the Unique Path Finder.

A run ends at the first infeasible decision, which is penalised. In basic mode runs start from nothing; in advanced
mode a virtual execution over the observed tree first looks for a prefix that leads to a state nobody has seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from random import Random
from typing import Any

import numpy as np

from pessimal.learn.forward import forward
from pessimal.learn.memory import Experience, Memory
from pessimal.learn.network import QNetwork
from pessimal.learn.policies import Advised, answered, chances, drawn
from pessimal.learn.rules import PaperRules
from pessimal.learn.states import Raw, State, Step, encode, steps_before
from pessimal.strategy import Session
from pessimal.trace import Outcome, Trace
from pessimal.tree import OPEN, PAID, Kinds, Tree


class Paper:
    """Learns and searches at one size after the other with one network."""

    def __init__(self, rules: PaperRules, kinds: Kinds, seed: int) -> None:
        self._rules = rules
        self._seed = seed
        self._encoding = Raw()
        self.kinds = kinds
        self.tree = Tree(kinds)
        self.network = QNetwork(
            rules.length + 1, Raw.features, rules.hidden, np.random.default_rng(seed), is_blank=False
        )
        self._memory = Memory(rules.memory)
        self._directions: dict[State, bool] = {}
        self._runs = 0
        self._pays_branches = True

    def restart(self) -> None:
        """Forget the tree and the experiences, which belong to a size, and keep what was learned."""
        self.tree = Tree(self.kinds)
        self._memory = Memory(self._rules.memory)

    def follow(self, tree: Tree) -> None:
        """Go on with a tree that may have been seen before."""
        self.tree = tree

    def steps(self, session: Session) -> Iterator[None]:
        """Run, learn, look for something new, until nothing is left to see."""
        while not self.tree.is_done:
            rng = Random(f"{self._seed}:{self._runs}")
            with session.learning():
                prefix = self._unique_prefix(rng) if self._rules.mode == "advanced" and self.tree.inputs else b""
            chance = self._chance(self._rules.epsilon)
            policy = Advised(self.kinds, self._rules.length, prefix, chance, rng)
            trace = session.run(policy, stop_when_infeasible=True)
            cost = session.cost(trace) if trace.outcome in PAID else -inf
            with session.learning():
                self._take_in(trace, cost, prefix)
                self._learn()
            self._runs += 1
            yield
        if self.tree.is_exhausted:
            session.claim("tree exhausted")

    def _chance(self, epsilon: float) -> Any:
        """ε-greedy: the better direction, or with a small probability any."""

        def chance(state: State) -> float:
            return 1 - epsilon / 2 if self._is_true_better(state) else epsilon / 2

        return chance

    def _is_true_better(self, state: State) -> bool:
        known = self._directions.get(state)
        if known is None:
            (row,) = encode(self._encoding, [state], self._rules.length + 1)
            false, true = forward(self.network.weights, row)
            known = self._directions[state] = bool(true > false)
        return known

    def _unique_prefix(self, rng: Random) -> bytes:
        """Decisions that lead to a state nobody has seen, by virtual executions; none if none is found."""
        rules = self._rules
        epsilon = rules.epsilon
        for trial in range(rules.trials):
            if trial == rules.trials // 2:
                epsilon = min(1.0, 2 * epsilon)
            prefix = self._virtual_execution(self._chance(epsilon), rng)
            if prefix is not None:
                return prefix
        return b""

    def _virtual_execution(self, chance: Any, rng: Random) -> bytes | None:
        tree, node = self.tree, 0
        turns = bytearray()
        steps: list[Step] = []
        while node >= 0 and len(tree):
            position, kind = len(steps), tree.kind[node]
            past = steps_before(position, self._rules.length, steps.__getitem__)
            slots = tree.slots(node)
            weights = chances(self.kinds, past, position, kind, len(slots), chance)
            turn = int(rng.random() < weights[1]) if len(slots) == 2 else drawn(weights, rng)
            turns.append(turn)
            steps.append((position, *answered(self.kinds, kind, len(slots), turn)))
            node = tree.child[slots[turn]]
        return bytes(turns) if node == OPEN else None

    def _take_in(self, trace: Trace, cost: float, prefix: bytes) -> None:
        """Remember a run as experiences, the last of which is the penalty if it was infeasible."""
        is_infeasible = trace.outcome is Outcome.INFEASIBLE
        steps = [(i, *self._answer(trace, i, taken)) for i, taken in enumerate(trace.decisions)]
        asked = list(steps)
        if trace.wanted is not None:  # the last decision could not be made as it was wanted
            asked[-1] = len(steps) - 1, *self._answer(trace, len(steps) - 1, trace.wanted)
        length, step_at = self._rules.length, steps.__getitem__
        states = [(*steps_before(i, length, step_at), (i, kind, -1)) for i, kind, _ in asked]
        if trace.outcome in PAID and cost != trace.length:
            self._pays_branches = False
        experiences = []
        for i, state in enumerate(states):
            is_last = i + 1 == len(states)
            reward = float(i not in trace.choices)
            if not self._pays_branches:
                reward = cost if is_last and cost > -inf else 0.0
            if is_last and is_infeasible:
                reward = self._rules.penalty
            experiences.append(Experience(state, asked[i][2], reward, None if is_last else states[i + 1]))
        self._memory.add(experiences)
        self.tree.add(trace, cost, prefix)

    def _answer(self, trace: Trace, position: int, outcome: int) -> tuple[int, int]:
        kind = self.kinds.number(trace.sites[position], trace.conditions[position])
        return answered(self.kinds, kind, trace.arity(position), outcome)

    def _learn(self) -> None:
        if len(self._memory):
            rng = np.random.default_rng([self._seed, self._runs])
            arrays = self._memory.arrays(self._encoding, self._rules.length + 1)
            for _ in range(self._rules.epochs):
                self.network.learn(arrays, len(self._memory), rng=rng, size=self._rules.batch, rate=self._rules.rate)
        self._directions.clear()

    def model_to_json(self) -> dict[str, Any]:
        """The network alone: the paper keeps nothing else of what it practised."""
        return {"network": self.network.to_json()}

    def restore_model(self, data: dict[str, Any]) -> None:
        """Take up what :meth:`model_to_json` wrote."""
        self.network.restore(data["network"])

    def to_json(self) -> dict[str, Any]:
        """Experience, tree and model as JSON values."""
        return {
            "tree": self.tree.to_json(),
            "memory": self._memory.to_json(),
            **self.model_to_json(),
            "runs": self._runs,
            "pays_branches": self._pays_branches,
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Take up what :meth:`to_json` wrote."""
        if data["tree"] is not None:
            self.tree = Tree.from_json(data["tree"], self.kinds)
        self._memory.restore(data["memory"])
        self.restore_model(data)
        self._runs = data["runs"]
        self._pays_branches = data["pays_branches"]
