"""Training of scores in JAX: one compiled update over arrays of fixed capacity. Import it when an update is due."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax

from pessimal.learn.cache import use_compile_cache

use_compile_cache()


def _outputs(weights: Any, steps: Any) -> Any:
    hidden = weights["bias"].shape[0] // 4
    read = weights["input"][steps].sum(axis=2) + weights["bias"]
    start = jnp.zeros((steps.shape[0], hidden))

    def step(carry: Any, now: Any) -> Any:
        cell, output = carry
        gates = now + output @ weights["recurrent"]
        input_gate, forget_gate, output_gate, candidate = jnp.split(gates, 4, axis=1)
        cell = jax.nn.sigmoid(forget_gate) * cell + jax.nn.sigmoid(input_gate) * jnp.tanh(candidate)
        output = jax.nn.sigmoid(output_gate) * jnp.tanh(cell)
        return (cell, output), output

    _, outputs = lax.scan(step, (start, start), jnp.swapaxes(read, 0, 1))
    return jnp.swapaxes(outputs, 0, 1)


def _scores(weights: Any, steps: Any, index: Any, known: Any) -> Any:
    """As :func:`pessimal.learn.scores.scores`."""
    if "recurrent" not in weights:
        read = weights["branches"][steps].sum(axis=2).reshape(steps.shape[0], -1) @ weights["window"]
        inner = jnp.tanh(read + known @ weights["known"] + weights["bias"])
        return (inner @ weights["output"] + weights["offset"])[:, 0]
    each = _outputs(weights, steps).reshape(steps.shape[0], -1) @ weights["output"] + weights["offset"]
    return jnp.take_along_axis(each, index[:, None], axis=1)[:, 0]


def _loss(weights: Any, batch: Any) -> Any:
    steps, index, known, targets = batch
    return jnp.mean((_scores(weights, steps, index, known) - targets) ** 2)


@partial(jax.jit, static_argnames=("rate", "decay"))
def _update(weights: Any, state: Any, memory: Any, rows: Any, *, rate: float, decay: float) -> Any:
    optimizer = optax.rmsprop(rate, decay=decay)

    def step(carry: Any, chosen: Any) -> Any:
        weights, state = carry
        loss, gradients = jax.value_and_grad(_loss)(weights, tuple(column[chosen] for column in memory))
        updates, state = optimizer.update(gradients, state, weights)
        return (optax.apply_updates(weights, updates), state), loss

    (weights, state), losses = lax.scan(step, (weights, state), rows)
    return weights, state, losses.mean()


def update(weights: Any, state: Any, memory: Any, rows: Any, *, rate: float, decay: float) -> Any:
    """Learn from the rows of each batch in turn; the weights, the state of RMSProp as a list, and the mean loss.

    Before the first update the state is empty.
    """
    leaves, shape = jax.tree.flatten(optax.rmsprop(rate, decay=decay).init(weights))
    whole = jax.tree.unflatten(shape, state or leaves)
    learned, whole, loss = _update(weights, whole, memory, rows, rate=rate, decay=decay)
    found = {name: np.asarray(learned[name]) for name in weights}
    return found, [np.asarray(leaf) for leaf in jax.tree.leaves(whole)], float(loss)
