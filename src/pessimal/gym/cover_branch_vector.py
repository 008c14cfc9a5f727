"""Many of QTIP's environments at once: the inputs of one step of all of them are run in one batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import error, spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from pessimal.gym.cover_branch import chosen_goal, observation_space
from pessimal.gym.errors import check_action, check_running, unusable_target
from pessimal.gym.targets import SIZE, SharedGoals
from pessimal.inputs import Spec
from pessimal.search.agent.unit_walks import BUDGET, WINDOW, Observations, UnitWalks

Bools = NDArray[np.bool_]


class CoverBranchVectorEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[np.float64]]):
    """As :class:`pessimal.gym.cover_branch.CoverBranchEnv`; an environment that has ended is reset by the next step."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - this is what Gymnasium asks for

    def __init__(
        self,
        target: str,
        num_envs: int = 1,
        *,
        inputs: Mapping[str, Spec | str] | None = None,
        size: int = SIZE,
        cc_flags: str = "",
        window: int = WINDOW,
        budget: int = BUDGET,
        scales: Sequence[int] = (1,),
        normalise: str = "exponential",
    ) -> None:
        if num_envs < 1:
            raise error.Error(f"num_envs must be at least 1, but is {num_envs}")
        self._shared = SharedGoals(target, size, inputs, cc_flags)
        with unusable_target():
            self._walks = UnitWalks(
                self._shared.goals, num_envs, np.random.default_rng(), window=window, budget=budget, scales=scales,
                normalise=normalise,
            )  # fmt: skip
        self.num_envs = num_envs
        self.goals = dict(self._shared.goals.names)
        self.single_action_space = spaces.Discrete(self._walks.actions)
        self.single_observation_space = observation_space(self._walks)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._all = np.arange(num_envs)
        self._has_begun = False
        self._has_ended: Bools = np.zeros(num_envs, bool)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin all episodes; there is one source of randomness for all of them, so that the seed is one number."""
        super().reset(seed=seed)
        self._walks.reseed(self.np_random)
        self._walks.restart(self._all, chosen_goal(options, self.goals))
        self._has_begun = True
        self._has_ended[:] = False
        return self._walks.observations(), self._infos()

    def step(  # type: ignore[override]  # Gymnasium has one type for rewards and for ends
        self, actions: NDArray[np.int64]
    ) -> tuple[Observations, NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        """One step of each environment, or its reset if it has ended."""
        check_running(self._has_begun)
        check_action(actions, self.action_space)
        walks = self._walks
        again, going = np.flatnonzero(self._has_ended), np.flatnonzero(~self._has_ended)
        rewards = np.zeros(self.num_envs)
        rewards[going] = walks.step(actions[going], going)
        terminated = walks.is_covered
        truncated = walks.is_over_budget & ~terminated
        if len(again):
            walks.restart(again)
            terminated[again] = truncated[again] = False
        self._has_ended = terminated | truncated
        return walks.observations(), rewards, terminated, truncated, self._infos()

    def _infos(self) -> dict[str, Any]:
        walks, has = self._walks, np.ones(self.num_envs, bool)
        found = {"goal": walks.goals.copy(), "level": walks.levels.copy(), "distance": walks.distances.copy()}
        return {**found, **{f"_{name}": has.copy() for name in found}}

    @property
    def process(self) -> int:
        """The process that runs the function."""
        return self._shared.process

    def close_extras(self, **kwargs: Any) -> None:
        """End the process that runs the function, unless other environments use it."""
        self._shared.close()
