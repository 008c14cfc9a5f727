"""PySE's environment: an agent decides each branch of a symbolic run, and wants the run to be long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pessimal.errors import UsageError
from pessimal.gym.errors import check_action, check_running, unusable_target
from pessimal.gym.site_numbers import MOST_SITES, SiteNumbers
from pessimal.gym.targets import SIZE, symbolic

Observation = NDArray[np.float32]
LENGTH, PENALTY = 2, -20.0
"""How many decisions before the next one are seen, and what an infeasible one costs, as in the paper."""
MOST_BRANCHES = 10_000


class BranchingEnv(gymnasium.Env[Observation, np.int64]):
    """An episode is one run of the function, whose branches are decided one after the other.

    The observation has the last ``length`` decisions, oldest first, and the one to make: the number of the site, and
    the outcome that was taken, counted from 1; 0 for what there is not. Each branch gives the reward 1. A decision that
    is infeasible ends the episode with ``penalty``.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 - this is what Gymnasium asks for

    def __init__(
        self,
        target: str,
        *,
        size: int = SIZE,
        inputs: Mapping[str, str] | None = None,
        length: int = LENGTH,
        outcomes: int = 2,
        penalty: float = PENALTY,
        budget: int = MOST_BRANCHES,
        render_mode: str | None = None,
    ) -> None:
        with unusable_target():
            for name, number, least in (("length", length, 0), ("outcomes", outcomes, 2), ("budget", budget, 1)):
                if number < least:
                    raise UsageError(f"{name} must be at least {least}, but is {number}")
        self._runs = symbolic(target, size, inputs)
        self._sites = SiteNumbers()
        self._length, self._penalty, self._budget = length, penalty, budget
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(outcomes)
        high = np.tile(np.array([MOST_SITES, 255], np.float32), (length + 1, 1))
        self.observation_space = spaces.Box(0.0, high, (length + 1, 2), np.float32)
        self._is_running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a run."""
        super().reset(seed=seed)
        self._run, self._position, self._is_running = self._runs.first, 0, True
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Decide the next branch; the target is only run again if its input would decide otherwise."""
        check_running(self._is_running)
        check_action(action, self.action_space)
        reward = self._penalty
        is_feasible = self._decide(min(int(action), self._run.arities[self._position] - 1))
        if is_feasible:
            reward = float(self._position not in self._run.choices)
            self._position += 1
        terminated = not is_feasible or self._position >= len(self._run)
        truncated = not terminated and self._position >= self._budget
        self._is_running = not (terminated or truncated)
        return self._observation(), reward, terminated, truncated, self._info()

    def _decide(self, wanted: int) -> bool:
        """Whether the wanted outcome is possible, with the run that takes it as the current one if it is."""
        if wanted == self._run.decisions[self._position]:
            return True
        decisions = self._run.decisions[: self._position] + bytes((wanted,))
        found = self._runs.follow(decisions, self._run.leaves)
        if found.has_followed(decisions):
            self._run = found
            return True
        return False

    def _observation(self) -> Observation:
        seen = np.zeros((self._length + 1, 2), np.float32)
        last = len(seen) - 1
        for row in range(len(seen)):
            at = self._position - last + row
            if 0 <= at < len(self._run):
                taken = self._run.decisions[at] + 1 if at < self._position else 0
                seen[row] = self._sites.number(self._run.sites[at]), taken
        return seen

    def _info(self) -> dict[str, Any]:
        return {"branches": self._position, "leaves": list(self._run.leaves), "call": self._run.call}

    def close(self) -> None:
        """End the process that runs the function."""
        self._runs.close()
