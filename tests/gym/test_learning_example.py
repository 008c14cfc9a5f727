"""An agent of Stable-Baselines3 learns on an environment as it is; runs where that library is installed."""

import pytest

pytest.importorskip("stable_baselines3")


def test_the_reward_of_the_example_rises():
    from examples.learn_branching import curve, learned

    rewards = learned()
    tenth = max(1, len(rewards) // 10)
    first, last = rewards[:tenth], rewards[-tenth:]
    assert sum(last) / len(last) > sum(first) / len(first) + 3
    assert max(last) == 15  # every pair of six elements is compared
    assert "#" in curve(rewards)
