"""River-RL's environment: an agent chooses which branch of a path to flip, and wants to reach what was not reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pessimal.errors import UsageError
from pessimal.gym.errors import check_action, check_running, unusable_target
from pessimal.gym.site_numbers import MOST_SITES, SiteNumbers
from pessimal.gym.symbolic_runs import Run
from pessimal.gym.targets import SIZE, symbolic

Observation = NDArray[np.float32]
CHOICES, BUDGET = 8, 100
SEEN = 5


class _Flip(NamedTuple):
    """Another outcome at a position of the current path."""

    position: int
    outcome: int


class FlipChoiceEnv(gymnasium.Env[Observation, np.int64]):
    """An episode begins with the path of a random input; each step flips one branch of the current path.

    The observation has a row for each of the last ``choices`` flips of the path, the last one first: the number of the
    site, the outcome, counted from 1, whether that outcome was reached in this episode, how often flips to it were
    tried and how often in vain. The reward is how many outcomes the new run reaches first. If a flip is infeasible, the
    path stays. ``info["action_mask"]`` says which flips there are.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 - this is what Gymnasium asks for

    def __init__(
        self,
        target: str,
        *,
        size: int = SIZE,
        inputs: Mapping[str, str] | None = None,
        choices: int = CHOICES,
        budget: int = BUDGET,
        infeasible: float = 0.0,
        render_mode: str | None = None,
    ) -> None:
        with unusable_target():
            for name, number in (("choices", choices), ("budget", budget)):
                if number < 1:
                    raise UsageError(f"{name} must be at least 1, but is {number}")
        self._runs = symbolic(target, size, inputs)
        self._sites = SiteNumbers()
        self._choices, self._budget, self._infeasible = choices, budget, infeasible
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(choices)
        high = np.tile(np.array([MOST_SITES, 255, 1, budget, budget], np.float32), (choices, 1))
        self.observation_space = spaces.Box(0.0, high, (choices, SEEN), np.float32)
        self._is_running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin with the path of another input, and nothing reached but what it reaches."""
        super().reset(seed=seed)
        self._reached: set[tuple[str, int]] = set()
        self._tries: Counter[tuple[str, int]] = Counter()
        self._vain: Counter[tuple[str, int]] = Counter()
        self._made: set[bytes] = set()
        self._steps = 0
        self._follow(self._runs.random(int(self.np_random.integers(1 << 62))))
        self._is_running = True
        return self._observation(), self._info()

    def _follow(self, run: Run) -> int:
        """Go on with a path; how many outcomes it is the first to reach."""
        found = set(zip(run.sites, run.decisions, strict=True))
        new = len(found - self._reached)
        self._reached |= found
        self._run = run
        self._flips = self._candidates()
        return new

    def _candidates(self) -> list[_Flip]:
        """The last flips of the path that were not made yet."""
        found: list[_Flip] = []
        for position in range(len(self._run) - 1, -1, -1):
            for outcome in range(self._run.arities[position]):
                flip = _Flip(position, outcome)
                if outcome != self._run.decisions[position] and self._decisions(flip) not in self._made:
                    found.append(flip)
            if len(found) >= self._choices:
                break
        return found[: self._choices]

    def _decisions(self, flip: _Flip) -> bytes:
        return self._run.decisions[: flip.position] + bytes((flip.outcome,))

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a flip; one that there is not changes nothing."""
        check_running(self._is_running)
        check_action(action, self.action_space)
        self._steps += 1
        reward = self._flip(self._flips[int(action)]) if int(action) < len(self._flips) else 0.0
        terminated = not self._flips
        truncated = not terminated and self._steps >= self._budget
        self._is_running = not (terminated or truncated)
        return self._observation(), reward, terminated, truncated, self._info()

    def _flip(self, flip: _Flip) -> float:
        decisions, key = self._decisions(flip), (self._run.sites[flip.position], flip.outcome)
        self._made.add(decisions)
        self._tries[key] += 1
        found = self._runs.follow(decisions, self._run.leaves)
        if not found.has_followed(decisions):
            self._vain[key] += 1
            self._flips = self._candidates()
            return self._infeasible
        return float(self._follow(found))

    def _observation(self) -> Observation:
        seen = np.zeros((self._choices, SEEN), np.float32)
        for row, flip in enumerate(self._flips):
            site = self._run.sites[flip.position]
            key = site, flip.outcome
            numbers = self._sites.number(site), flip.outcome + 1, key in self._reached, self._tries[key]
            seen[row] = *numbers, self._vain[key]
        return seen

    def _info(self) -> dict[str, Any]:
        mask: NDArray[np.int8] = np.zeros(self._choices, np.int8)
        mask[: len(self._flips)] = 1
        leaves = list(self._run.leaves)
        reached = len(self._reached)
        return {"action_mask": mask, "reached": reached, "leaves": leaves, "steps": self._steps}

    def close(self) -> None:
        """End the process that runs the function."""
        self._runs.close()
