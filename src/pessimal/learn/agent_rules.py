"""The parameters of agents, apart from their networks, so that checking options imports nothing heavy."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = ("moves", "qtip")


@dataclass(frozen=True, slots=True)
class AgentRules:
    """How an agent of a kind learns.

    ``tau`` is how far the target network follows in each update, ``walks`` how many walks are made side by side, and
    ``updates`` how many updates are made for each step of all of them.
    """

    kind: str
    hidden: tuple[int, ...]
    memory: int
    batch: int
    rate: float
    decay: float
    discount: float
    tau: float
    first_epsilon: float
    last_epsilon: float
    budget: int
    walks: int
    updates: int
    episodes: int

    def exploration(self, share: float) -> float:
        """The probability of a random action after a share of the training."""
        return self.first_epsilon + min(1.0, 2.0 * share) * (self.last_epsilon - self.first_epsilon)


QTIP = AgentRules(
    kind="qtip", hidden=(16, 16, 16), memory=5000, batch=32, rate=1e-7, decay=1e-6, discount=0.99, tau=0.001,
    first_epsilon=0.1, last_epsilon=0.1, budget=2000, walks=16, updates=16, episodes=5700,
)  # fmt: skip
"""What the paper says; it does not say ``tau`` or how actions are explored, for which these are usual values."""

MOVES = AgentRules(
    kind="moves", hidden=(32, 32), memory=40_000, batch=256, rate=1e-3, decay=3e-4, discount=0.98, tau=0.01,
    first_epsilon=0.5, last_epsilon=0.05, budget=250, walks=32, updates=2, episodes=20_000,
)  # fmt: skip
"""Our own agent: its reward is -1 for each evaluation, so that it learns to need few."""

RULES = {rules.kind: rules for rules in (MOVES, QTIP)}
