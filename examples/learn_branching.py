"""An agent of Stable-Baselines3 learns to make insertion sort slow, and its reward curve is printed.

pip install 'pessimal[gym]' stable-baselines3
python -m examples.learn_branching
"""

from __future__ import annotations

import sys
from pathlib import Path

import gymnasium
from stable_baselines3 import DQN
from stable_baselines3.common.monitor import Monitor

import pessimal.gym  # noqa: F401 - it registers the environments

SORTING = Path(__file__).parent / "sorting.py"
POINTS, WIDTH = 10, 50


def learned(steps: int = 1500, size: int = 6) -> list[float]:
    """Train an agent that decides the branches of insertion sort; the rewards of its episodes."""
    env = Monitor(gymnasium.make("pessimal/Branching-v0", target=f"{SORTING}:insertion_sort", size=size))
    agent = DQN(
        "MlpPolicy", env, learning_rate=1e-3, learning_starts=200, target_update_interval=200, train_freq=2,
        exploration_fraction=0.5, exploration_final_eps=0.02, policy_kwargs={"net_arch": [32]}, seed=0, device="cpu",
    )  # fmt: skip
    agent.learn(steps)
    env.close()
    return env.get_episode_rewards()


def curve(rewards: list[float]) -> str:
    """The mean reward of each tenth of the episodes, as numbers and as bars."""
    part = max(1, len(rewards) // POINTS)
    means = [sum(rewards[i : i + part]) / len(rewards[i : i + part]) for i in range(0, len(rewards), part)]
    largest = max(means)
    rows = [
        f"{number * part:6}  {mean:6.2f}  {'#' * round(WIDTH * mean / largest)}" for number, mean in enumerate(means)
    ]
    return "\n".join(["episode  reward", *rows])


if __name__ == "__main__":
    print(curve(learned(int(sys.argv[1]) if len(sys.argv) > 1 else 1500)))
