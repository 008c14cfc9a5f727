"""The Q-network: an LSTM over the last branches, whose features give the value of taking true or false next.

It is made of plain jitted functions on a dict of arrays. One compiled epoch serves any number of experiences, because
the arrays have a fixed capacity and the count is an argument; batches for evaluation are padded to powers of two.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax

from pessimal.learn.arrays import pack, unpack
from pessimal.learn.cache import use_compile_cache
from pessimal.learn.states import Floats

use_compile_cache()

Weights = dict[str, Any]


def _features(weights: Weights, states: Any) -> Any:
    """The LSTM's outputs for the branches of each state, oldest first, concatenated."""
    hidden = weights["bias"].shape[0] // 4
    cell = jnp.zeros((states.shape[0], hidden))
    output = cell
    outputs = []
    for step in range(states.shape[1]):
        gates = states[:, step] @ weights["input"] + output @ weights["recurrent"] + weights["bias"]
        input_gate, forget_gate, output_gate, candidate = jnp.split(gates, 4, axis=1)
        cell = jax.nn.sigmoid(forget_gate) * cell + jax.nn.sigmoid(input_gate) * jnp.tanh(candidate)
        output = jax.nn.sigmoid(output_gate) * jnp.tanh(cell)
        outputs.append(output)
    return jnp.concatenate(outputs, axis=1)


def _values(weights: Weights, states: Any) -> Any:
    return _features(weights, states) @ weights["output"] + weights["offset"]


def _loss(weights: Weights, batch: Any, mask: Any) -> Any:
    """The mean squared difference between the value of each action taken and its target, the Bellman update."""
    states, actions, rewards, next_states, continues = batch
    best_next = jnp.max(_values(weights, next_states), axis=1)
    targets = lax.stop_gradient(rewards + continues * best_next)
    predicted = jnp.take_along_axis(_values(weights, states), actions[:, None], axis=1)[:, 0]
    return jnp.sum(mask * (predicted - targets) ** 2) / jnp.maximum(jnp.sum(mask), 1.0)


@partial(jax.jit, static_argnames=("size", "rate"))
def _epoch(
    weights: Weights, optimizer_state: Any, memory: Any, order: Any, count: Any, *, size: int, rate: float
) -> Any:
    """One pass over the first ``count`` of the experiences in the given order, in batches of ``size``."""
    optimizer = optax.adam(rate)

    def step(number: Any, carry: Any) -> Any:
        weights, optimizer_state, total = carry
        start = number * size
        rows = lax.dynamic_slice_in_dim(order, start, size)
        mask = (start + jnp.arange(size) < count).astype(jnp.float32)
        batch = tuple(column[rows] for column in memory)
        loss, gradients = jax.value_and_grad(_loss)(weights, batch, mask)
        updates, optimizer_state = optimizer.update(gradients, optimizer_state, weights)
        return optax.apply_updates(weights, updates), optimizer_state, total + loss

    batches = (count + size - 1) // size
    weights, optimizer_state, total = lax.fori_loop(0, batches, step, (weights, optimizer_state, jnp.float32(0)))
    return weights, optimizer_state, total / jnp.maximum(batches, 1)


_compiled_values = jax.jit(_values)


class QNetwork:
    """Values the two outcomes at a state, and learns these values."""

    def __init__(self, steps: int, features: int, hidden: int, rng: np.random.Generator, *, zero_output: bool) -> None:
        """A network with random weights; with ``zero_output`` all values are zero until it has learned."""

        def random_weights(*shape: int) -> Floats:
            return np.asarray(rng.standard_normal(shape) / np.sqrt(shape[0]), np.float32)

        self.weights: dict[str, Floats] = {
            "input": random_weights(features, 4 * hidden),
            "recurrent": random_weights(hidden, 4 * hidden),
            "bias": np.zeros(4 * hidden, np.float32),
            "output": np.zeros((steps * hidden, 2), np.float32) if zero_output else random_weights(steps * hidden, 2),
            "offset": np.zeros(2, np.float32),
        }
        self._weights: Weights = dict(self.weights)
        self._optimizer_state: Any = optax.adam(1.0).init(self._weights)

    def values(self, states: Floats) -> Floats:
        """The values of false and true for a batch of states."""
        count = len(states)
        capacity = max(64, 1 << (count - 1).bit_length()) if count else 64
        padded = np.zeros((capacity, *states.shape[1:]), np.float32)
        padded[:count] = states
        values: Floats = np.asarray(_compiled_values(self._weights, padded))[:count]
        return values

    def learn(self, memory: tuple[Any, ...], count: int, *, rng: np.random.Generator, size: int, rate: float) -> float:
        """Learn once from ``count`` experiences in random order, in batches of ``size``; return the mean loss."""
        order = np.zeros(len(memory[0]) + size, np.int32)
        order[:count] = rng.permutation(count)
        self._weights, self._optimizer_state, loss = _epoch(
            self._weights, self._optimizer_state, memory, order, count, size=size, rate=rate
        )
        self.weights = {name: np.asarray(array) for name, array in self._weights.items()}
        return float(loss)

    def to_json(self) -> dict[str, Any]:
        """The weights and the state of the optimizer, as JSON values."""
        return {
            "weights": {name: pack(array) for name, array in self.weights.items()},
            "optimizer_state": [pack(leaf) for leaf in jax.tree.leaves(self._optimizer_state)],
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Restore what :meth:`to_json` wrote; ValueError if it has another shape."""
        self.weights = {name: unpack(data["weights"][name], array) for name, array in self.weights.items()}
        self._weights = dict(self.weights)
        leaves, shape = jax.tree.flatten(self._optimizer_state)
        found = [unpack(item, leaf) for item, leaf in zip(data["optimizer_state"], leaves, strict=True)]
        self._optimizer_state = jax.tree.unflatten(shape, found)
