"""QTIP's environment: cover a branch of a C function by steps of single leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from pessimal.gym.errors import check_action, check_running, unusable_target
from pessimal.gym.targets import SIZE, SharedGoals
from pessimal.inputs import Spec
from pessimal.search.agent.unit_walks import BUDGET, SEEN, WINDOW, Observations, UnitWalks
from pessimal.search.goals.fitness import MOST_LEVELS

ONLY = np.array([0])


def observation_space(walks: UnitWalks) -> spaces.Space[Observations]:
    """The window: for each of the last steps its action, counted from 1, its approach level, its distance."""
    high = np.tile(np.array([walks.actions, MOST_LEVELS + 1, 1], np.float32), (walks.window, 1))
    return spaces.Box(0.0, high, (walks.window, SEEN), np.float32)


class CoverBranchEnv(gymnasium.Env[Observations, np.int64]):
    """Each episode has a branch of the function as goal, another one at each reset.

    An action adds one of ``scales`` to a leaf, or subtracts it. The reward is the decrease of fitness, which is the
    approach level plus the distance, normalised below 1. An episode is terminated when the branch is taken, and
    truncated after ``budget`` steps. ``reset(options={"goal": number})`` chooses the branch; ``goals`` lists them.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - this is what Gymnasium asks for

    def __init__(
        self,
        target: str,
        *,
        inputs: Mapping[str, Spec | str] | None = None,
        size: int = SIZE,
        cc_flags: str = "",
        window: int = WINDOW,
        budget: int = BUDGET,
        scales: Sequence[int] = (1,),
        normalise: str = "exponential",
        render_mode: str | None = None,
    ) -> None:
        self._shared = SharedGoals(target, size, inputs, cc_flags)
        with unusable_target():
            self._walks = UnitWalks(
                self._shared.goals, 1, np.random.default_rng(), window=window, budget=budget, scales=scales,
                normalise=normalise,
            )  # fmt: skip
        self.render_mode = render_mode
        self.goals = dict(self._shared.goals.names)
        self.action_space = spaces.Discrete(self._walks.actions)
        self.observation_space = observation_space(self._walks)
        self._is_running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin at a random input that does not take the branch."""
        super().reset(seed=seed)
        self._walks.reseed(self.np_random)
        self._walks.restart(ONLY, chosen_goal(options, self.goals))
        self._is_running = True
        return self._walks.observations()[0], self._info()

    def step(self, action: np.int64) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        """Change one leaf and run the function."""
        check_running(self._is_running)
        check_action(action, self.action_space)
        walks = self._walks
        reward = float(walks.step(np.array([action]), ONLY)[0])
        terminated = bool(walks.is_covered[0])
        truncated = bool(walks.is_over_budget[0]) and not terminated
        self._is_running = not (terminated or truncated)
        return walks.observations()[0], reward, terminated, truncated, self._info()

    def _info(self) -> dict[str, Any]:
        walks = self._walks
        goal = int(walks.goals[0])
        leaves = walks.columns.decoded(walks.words)[0]
        return {"goal": goal, "leaves": leaves, "level": int(walks.levels[0]), "distance": float(walks.distances[0])}

    def render(self) -> str:
        """The call, and how far it is from its goal."""
        info = self._info()
        call = self._shared.goals.describe(info["leaves"])
        return f"{call}  {self.goals[info['goal']]}  level {info['level']}, distance {info['distance']:g}"

    def close(self) -> None:
        """End the process that runs the function, unless other environments use it."""
        self._shared.close()


def chosen_goal(options: Mapping[str, Any] | None, goals: Mapping[int, str]) -> int | None:
    """The goal that the options of a reset ask for, if they do."""
    goal = (options or {}).get("goal")
    if goal is not None and goal not in goals:
        raise ValueError(f"goal must be one of {', '.join(map(str, goals))}, but is {goal!r}")
    return goal
