"""The session of the members of a portfolio: one tree, one best input, and a count of their work."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Unpack

from pessimal.expr import Leaf
from pessimal.runs import Policy, RunOptions
from pessimal.search.proxy import SessionProxy
from pessimal.strategy import Session
from pessimal.trace import COMPLETED, Trace
from pessimal.tree import Tree

SYMBOLIC_WORK, CONCRETE_WORK = (100.0, 15.0), (80.0, 0.7)
"""The estimated work of a run and of each of its branches: about its microseconds, but the same on every machine."""

SURVEY_WORK = 10.0
"""The estimated work of an input among many that are run together."""

MAX_NODES = 2_000_000
"""No paths are added to a tree of more nodes than this."""


class SharedSession(SessionProxy):
    """Adds all symbolic runs to the tree, estimates work, and remembers the best input."""

    def __init__(self, session: Session, tree: Tree) -> None:
        super().__init__(session)
        self._tree = tree
        self.work = 0.0
        self.longest_path = 0
        self.adds_to_tree = True
        self.is_proved = False
        self.best: list[Leaf] | None = None
        self.cost_of_best = -inf

    @property
    def has_room(self) -> bool:
        """Whether more paths are added to the tree."""
        return len(self._tree) < MAX_NODES

    def run(
        self, policy: Policy | None = None, start: Sequence[Leaf] | None = None, **options: Unpack[RunOptions]
    ) -> Trace:
        """One symbolic execution, added to the shared tree."""
        trace = self._session.run(policy, start, **options)
        self.longest_path = max(self.longest_path, len(trace))
        self.work += SYMBOLIC_WORK[0] + SYMBOLIC_WORK[1] * len(trace)
        cost = self._session.cost(trace) if trace.outcome in COMPLETED else -inf
        self.note_cost(trace.leaves, cost)
        if self.adds_to_tree and options.get("avoid") is None and self.has_room:
            self._tree.add(trace, cost)
        return trace

    def evaluate(self, leaves: Sequence[Leaf]) -> float:
        """What one concrete execution is worth."""
        return self.measure(leaves)[0]

    def measure(self, leaves: Sequence[Leaf]) -> tuple[float, Sequence[int]]:
        """What one concrete execution is worth, and how often each place in the code was executed."""
        self.work += CONCRETE_WORK[0] + CONCRETE_WORK[1] * self.longest_path
        cost, counts = self._session.measure(leaves)
        self.note_cost(leaves, cost)
        return cost, counts

    def survey(self, inputs: Sequence[Sequence[Leaf]]) -> tuple[Sequence[Leaf], float] | None:
        """Run many inputs quickly."""
        worst = self._session.survey(inputs)
        if worst is not None:
            self.work += SURVEY_WORK * len(inputs)
            self.note_cost(*worst)
        return worst

    def search_near(self, start: Sequence[Leaf], most: int, fresh: float = 0.0) -> tuple[Sequence[Leaf], float] | None:
        """Let the front-end choose and run inputs by itself."""
        worst = self._session.search_near(start, most, fresh)
        if worst is not None:
            self.work += SURVEY_WORK * most
            self.note_cost(*worst)
        return worst

    def note_cost(self, leaves: Sequence[Leaf], cost: float) -> None:
        """Remember an input that costs more than all before."""
        if cost > self.cost_of_best:
            self.best, self.cost_of_best = list(leaves), cost

    def claim(self, proof: str, *, every_input: bool = False) -> None:
        """Pass a proof on, which ends the search if it is accepted."""
        self._session.claim(proof, every_input=every_input)
        self.is_proved = self._session.proof is not None
