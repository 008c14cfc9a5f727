"""What agents do: the action that their network values most, or now and then another one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pessimal.errors import UsageError
from pessimal.learn.agent_file import Agent
from pessimal.learn.layers import Weights, outputs
from pessimal.search.agent.move_walks import FEATURES, MoveWalks
from pessimal.search.agent.moves import COUNT
from pessimal.search.agent.unit_walks import SEEN, UnitWalks

IMPOSSIBLE = -1e9
Actions = NDArray[np.int64]


def best_moves(
    weights: Weights, walks: MoveWalks, which: Actions, epsilon: float, rng: np.random.Generator
) -> tuple[NDArray[np.float32], Actions]:
    """For some walks what the network sees, and the action it takes: the number of a row times that of the moves."""
    seen = walks.features()[which]
    possible = walks.possible()[which].reshape(len(which), -1)
    values = np.where(possible, outputs(weights, seen).reshape(len(which), -1), IMPOSSIBLE)
    best = values.argmax(axis=1)
    drawn = np.where(possible, rng.random(possible.shape), IMPOSSIBLE).argmax(axis=1)
    return seen, np.where(rng.random(len(which)) < epsilon, drawn, best)


def best_steps(
    weights: Weights, walks: UnitWalks, which: Actions, epsilon: float, rng: np.random.Generator
) -> tuple[NDArray[np.float32], Actions]:
    """What the network sees of some walks, and the actions it takes."""
    seen = walks.observations(which).reshape(len(which), -1)
    best = outputs(weights, seen).argmax(axis=1)
    drawn = rng.integers(0, walks.actions, len(best))
    return seen, np.where(rng.random(len(best)) < epsilon, drawn, best)


def check_fits(agent: Agent, walks: MoveWalks | UnitWalks) -> None:
    """An agent of other observations or actions cannot walk here."""
    if isinstance(walks, MoveWalks):
        wanted = (FEATURES, COUNT)
    else:
        wanted = (walks.window * SEEN, walks.actions)
    if (agent.sizes[0], agent.sizes[-1]) != wanted:
        raise UsageError(
            f"the agent has {agent.sizes[0]} inputs and {agent.sizes[-1]} outputs, but {wanted[0]} and {wanted[1]} are"
            " needed here: train another one",
            slug="model",
        )
