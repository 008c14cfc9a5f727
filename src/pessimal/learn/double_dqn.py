"""Double DQN in JAX: the online network chooses the next action, the target network says what it is worth.

The target network follows slowly. Import this module when something is to be learned: JAX takes a second.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax

from pessimal.learn.agent_rules import AgentRules
from pessimal.learn.cache import use_compile_cache
from pessimal.learn.layers import Weights

use_compile_cache()

IMPOSSIBLE = -1e9


def _values(weights: Any, observations: Any) -> Any:
    """The value of each action: the outputs of all rows of an observation, one after the other."""
    found = observations
    last = len(weights) // 2 - 1
    for number in range(last + 1):
        found = found @ weights[f"weight{number}"] + weights[f"bias{number}"]
        if number < last:
            found = jax.nn.relu(found)
    return found.reshape(found.shape[0], -1)


def _loss(weights: Any, target: Any, batch: Any, discount: float) -> Any:
    observations, actions, rewards, next_observations, continues, possible = batch
    online = jnp.where(possible, _values(weights, next_observations), IMPOSSIBLE)
    best = jnp.argmax(online, axis=1)[:, None]
    worth = jnp.take_along_axis(_values(target, next_observations), best, axis=1)[:, 0]
    wanted = lax.stop_gradient(rewards + discount * continues * worth)
    found = jnp.take_along_axis(_values(weights, observations), actions[:, None], axis=1)[:, 0]
    return jnp.mean((found - wanted) ** 2)


def _optimizer(rules: AgentRules) -> Any:
    return optax.adam(lambda step: rules.rate / (1.0 + rules.decay * step))


@partial(jax.jit, static_argnames=("rules",))
def _update(weights: Any, target: Any, state: Any, batches: Any, *, rules: AgentRules) -> Any:
    optimizer = _optimizer(rules)

    def step(carry: Any, batch: Any) -> Any:
        weights, target, state = carry
        loss, gradients = jax.value_and_grad(_loss)(weights, target, batch, rules.discount)
        updates, state = optimizer.update(gradients, state, weights)
        weights = optax.apply_updates(weights, updates)
        target = jax.tree.map(lambda new, old: rules.tau * new + (1 - rules.tau) * old, weights, target)
        return (weights, target, state), loss

    (weights, target, state), losses = lax.scan(step, (weights, target, state), batches)
    return weights, target, state, losses.mean()


class DoubleDqn:
    """A network that learns from batches of transitions."""

    def __init__(self, weights: Weights, rules: AgentRules) -> None:
        self._rules = rules
        self._weights: Any = dict(weights)
        self._target: Any = dict(weights)
        self._state: Any = _optimizer(rules).init(self._weights)

    def learn(self, batches: tuple[Any, ...]) -> float:
        """Learn from some batches, one after the other; the mean loss."""
        self._weights, self._target, self._state, loss = _update(
            self._weights, self._target, self._state, batches, rules=self._rules
        )
        return float(loss)

    @property
    def weights(self) -> Weights:
        """The weights of the online network."""
        return {name: np.asarray(array) for name, array in self._weights.items()}
