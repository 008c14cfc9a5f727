"""The Q-network: an LSTM over the last branches, whose features give the value of taking true or false next.

Plain jitted functions on a dict of arrays. One compiled epoch serves every number of experiences, because arrays have
a fixed capacity and the count is an argument; batches to be valued are padded to powers of two.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax
from numpy.typing import NDArray

from pessimal.learn.cache import use_compile_cache
from pessimal.learn.states import Floats

use_compile_cache()

Weights = dict[str, Any]


def _features(weights: Weights, states: Any) -> Any:
    """The LSTM's outputs over the branches of each state, oldest first, side by side."""
    hidden = weights["bias"].shape[0] // 4
    cell = jnp.zeros((states.shape[0], hidden))
    output = cell
    outputs = []
    for step in range(states.shape[1]):
        gates = states[:, step] @ weights["input"] + output @ weights["recurrent"] + weights["bias"]
        enter, forget, leave, content = jnp.split(gates, 4, axis=1)
        cell = jax.nn.sigmoid(forget) * cell + jax.nn.sigmoid(enter) * jnp.tanh(content)
        output = jax.nn.sigmoid(leave) * jnp.tanh(cell)
        outputs.append(output)
    return jnp.concatenate(outputs, axis=1)


def _values(weights: Weights, states: Any) -> Any:
    return _features(weights, states) @ weights["output"] + weights["offset"]


def _loss(weights: Weights, batch: Any, mask: Any) -> Any:
    """The squared difference between the value of what was done and what came of it."""
    states, actions, rewards, following, goes_on = batch
    best_next = jnp.max(_values(weights, following), axis=1)
    wanted = lax.stop_gradient(rewards + goes_on * best_next)
    had = jnp.take_along_axis(_values(weights, states), actions[:, None], axis=1)[:, 0]
    return jnp.sum(mask * (had - wanted) ** 2) / jnp.maximum(jnp.sum(mask), 1.0)


@partial(jax.jit, static_argnames=("size", "rate"))
def _epoch(weights: Weights, momentum: Any, memory: Any, order: Any, count: Any, *, size: int, rate: float) -> Any:
    """One pass over the first ``count`` of the experiences in the given order, in batches of ``size``."""
    optimizer = optax.adam(rate)

    def step(number: Any, carry: Any) -> Any:
        weights, momentum, total = carry
        start = number * size
        rows = lax.dynamic_slice_in_dim(order, start, size)
        mask = (start + jnp.arange(size) < count).astype(jnp.float32)
        batch = tuple(column[rows] for column in memory)
        loss, slope = jax.value_and_grad(_loss)(weights, batch, mask)
        change, momentum = optimizer.update(slope, momentum, weights)
        return optax.apply_updates(weights, change), momentum, total + loss

    batches = (count + size - 1) // size
    weights, momentum, total = lax.fori_loop(0, batches, step, (weights, momentum, jnp.float32(0)))
    return weights, momentum, total / jnp.maximum(batches, 1)


_valued = jax.jit(_values)


class QNetwork:
    """The values of the two directions at a state, and how they are learned."""

    def __init__(self, steps: int, features: int, hidden: int, rng: np.random.Generator, *, is_blank: bool) -> None:
        """A network with random weights; a blank one values everything at zero until it has learned."""

        def drawn(*shape: int) -> Floats:
            return np.asarray(rng.standard_normal(shape) / np.sqrt(shape[0]), np.float32)

        self.weights: dict[str, Floats] = {
            "input": drawn(features, 4 * hidden),
            "recurrent": drawn(hidden, 4 * hidden),
            "bias": np.zeros(4 * hidden, np.float32),
            "output": np.zeros((steps * hidden, 2), np.float32) if is_blank else drawn(steps * hidden, 2),
            "offset": np.zeros(2, np.float32),
        }
        self._weights: Weights = dict(self.weights)
        self._momentum: Any = optax.adam(1.0).init(self._weights)

    def values(self, states: Floats) -> Floats:
        """The values of false and true, for many states at once."""
        count = len(states)
        room = max(64, 1 << (count - 1).bit_length()) if count else 64
        padded = np.zeros((room, *states.shape[1:]), np.float32)
        padded[:count] = states
        values: Floats = np.asarray(_valued(self._weights, padded))[:count]
        return values

    def learn(self, memory: tuple[Any, ...], count: int, *, rng: np.random.Generator, size: int, rate: float) -> float:
        """Learn once from ``count`` experiences in a random order, in batches of ``size``, and tell the mean loss."""
        order = np.zeros(len(memory[0]) + size, np.int32)
        order[:count] = rng.permutation(count)
        self._weights, self._momentum, loss = _epoch(
            self._weights, self._momentum, memory, order, count, size=size, rate=rate
        )
        self.weights = {name: np.asarray(array) for name, array in self._weights.items()}
        return float(loss)

    def to_json(self) -> dict[str, Any]:
        """Weights and momentum as JSON values."""
        return {
            "weights": _pack(self.weights),
            "momentum": [_pack_one(leaf) for leaf in jax.tree.leaves(self._momentum)],
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Take up what :meth:`to_json` wrote; ValueError if it is of another shape."""
        self.weights = {name: _unpack(data["weights"][name], array) for name, array in self.weights.items()}
        self._weights = dict(self.weights)
        leaves, shape = jax.tree.flatten(self._momentum)
        found = [_unpack(item, leaf) for item, leaf in zip(data["momentum"], leaves, strict=True)]
        self._momentum = jax.tree.unflatten(shape, found)


def _pack(arrays: Weights) -> dict[str, Any]:
    return {name: _pack_one(array) for name, array in arrays.items()}


def _pack_one(array: Any) -> dict[str, Any]:
    array = np.asarray(array)
    return {"shape": list(array.shape), "values": array.ravel().tolist()}


def _unpack(data: dict[str, Any], like: Any) -> NDArray[Any]:
    like = np.asarray(like)
    if data["shape"] != list(like.shape):
        raise ValueError(f"an array of shape {data['shape']} is no {list(like.shape)}")
    return np.array(data["values"], like.dtype).reshape(like.shape)
