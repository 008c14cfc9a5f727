"""Cover a branch of a C function by moves of any size: the environment that our own agent is trained in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pessimal.errors import UsageError
from pessimal.gym.cover_branch import ONLY, chosen_goal
from pessimal.gym.errors import check_action, check_running, unusable_target
from pessimal.gym.targets import SIZE, SharedGoals
from pessimal.inputs import Spec
from pessimal.search.agent.move_walks import FEATURES, LARGEST_FEATURE, Features, MoveWalks
from pessimal.search.agent.moves import COUNT, OF_A_LEAF, OF_ALL

MOVES_BUDGET = 250


class CoverBranchMovesEnv(gymnasium.Env[Features, np.int64]):
    """Each episode has a branch of the function as goal, another one at each reset; the better input is kept.

    An observation has a row for each leaf, and a last one for moves of all leaves. Action ``row * moves + move`` makes
    a move; ``info["action_mask"]`` says which are possible, and one that is not changes nothing. Each step has the
    reward -1.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 - this is what Gymnasium asks for

    def __init__(
        self,
        target: str,
        *,
        inputs: Mapping[str, Spec | str] | None = None,
        size: int = SIZE,
        cc_flags: str = "",
        budget: int = MOVES_BUDGET,
        render_mode: str | None = None,
    ) -> None:
        self._shared = SharedGoals(target, size, inputs, cc_flags)
        goals = self._shared.goals
        with unusable_target():
            if not goals.goals or not goals.domains:
                raise UsageError("the target has no branch or no input: there is nothing to walk to", slug="target")
            if budget < 1:
                raise UsageError(f"budget must be at least 1, but is {budget}")
        self._budget = budget
        self.render_mode = render_mode
        self.goals = dict(goals.names)
        self._rows = len(goals.domains) + 1
        self.action_space = spaces.Discrete(self._rows * COUNT)
        self.observation_space = spaces.Box(0.0, LARGEST_FEATURE, (self._rows, FEATURES), np.float32)
        self._steps = 0
        self._is_running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        """Begin at a random input that does not take the branch."""
        super().reset(seed=seed)
        shared = self._shared.goals
        self._walks = MoveWalks(shared, 1, self.np_random, shared.literals)
        goal = chosen_goal(options, self.goals)
        wanted = self.np_random.choice(np.array(shared.goals)) if goal is None else goal
        self._walks.restart(ONLY, np.array([wanted]))
        self._steps, self._is_running = 0, True
        return self._walks.features()[0], self._info()

    def step(self, action: np.int64) -> tuple[Features, float, bool, bool, dict[str, Any]]:
        """Make one move and run the function."""
        check_running(self._is_running)
        check_action(action, self.action_space)
        row, move = divmod(int(action), COUNT)
        self._steps += 1
        if self._walks.possible()[0, row, move]:
            self._walks.step(np.array([row]), np.array([move]), ONLY)
        terminated = bool(self._walks.is_covered[0])
        truncated = self._steps >= self._budget and not terminated
        self._is_running = not (terminated or truncated)
        return self._walks.features()[0], -1.0, terminated, truncated, self._info()

    def _info(self) -> dict[str, Any]:
        walks = self._walks
        mask: NDArray[np.int8] = walks.possible()[0].reshape(-1).astype(np.int8)
        return {
            "goal": int(walks.goals[0]),
            "leaves": walks.columns.decoded(walks.words)[0],
            "level": int(walks.levels[0]),
            "distance": float(walks.distances[0]),
            "action_mask": mask,
        }

    def name_of(self, action: int) -> str:
        """What an action does, in words."""
        row, move = divmod(int(action), COUNT)
        if row < self._rows - 1:
            return f"{OF_A_LEAF[move]} {self._shared.goals.domains[row].name}"
        return OF_ALL[move] if move < len(OF_ALL) else "nothing"

    def close(self) -> None:
        """End the process that runs the function, unless other environments use it."""
        self._shared.close()
