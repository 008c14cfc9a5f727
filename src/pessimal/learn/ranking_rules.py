"""The parameters of ranked search, apart from its models, so that checking options imports nothing heavy."""

from __future__ import annotations

from dataclasses import dataclass

MODELS = ("outlook", "single", "per-length")
NO_SCORE = 1e9
"""Stands for the score of a flip that no model is for: such flips come first, as in River-RL."""


@dataclass(frozen=True, slots=True)
class RankingRules:
    """The values of River-RL, but for its learning rate of 0.95, which cannot be one, and its penalty of -1.

    With that penalty few infeasible flips are made, and fewer outcomes are reached all the same.

    ``model`` is ``outlook``, ``single`` or ``per-length``. With ``per-length`` there is one model for each length of a
    path's tail from ``shortest`` to ``longest``; with ``single`` the model reads the last ``longest`` branches before a
    flip. ``outlook`` is no network: most parameters do not concern it. A model that does not ``learn`` stays as it is.
    """

    model: str = "outlook"
    learns: bool = True
    shortest: int = 4
    longest: int = 8
    hidden: int = 16
    memory: int = 2048
    update_every: int = 32
    batch: int = 64
    batches: int = 16
    updates: int = 512
    rate: float = 0.001
    decay: float = 0.95
    discount: float = 0.0
    unsatisfiable: float = 0.0
    first_epsilon: float = 1.0
    last_epsilon: float = 0.3
    epsilon: float = 0.1
    epsilon_episodes: int = 100
    episodes: int = 1
    episode_runs: int = 300

    @property
    def shape(self) -> dict[str, int | str]:
        """What a model file and a search must have in common."""
        if self.model == "outlook":
            return {"model": self.model}
        return {"model": self.model, "shortest": self.shortest, "longest": self.longest, "hidden": self.hidden}

    @property
    def is_training(self) -> bool:
        """Whether there are several episodes, so that what one finds matters less than what is learned."""
        return self.episodes > 1

    def exploration(self, episode: int) -> float:
        """The probability that the model does not choose: falls exponentially over the episodes of a training."""
        if not self.is_training:
            return self.epsilon
        share = min(1.0, episode / self.epsilon_episodes)
        return float(max(self.last_epsilon, self.first_epsilon * (self.last_epsilon / self.first_epsilon) ** share))
