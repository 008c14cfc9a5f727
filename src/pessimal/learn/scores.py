"""The scores of flips, in NumPy: an LSTM reads the branches of a window, and a head turns what it has read into scores.

There are two heads. That of River-RL has one score for each position of the window, a linear combination of all that
the LSTM put out; so it needs a model for each length. Ours scores the last branch of the window alone, and also reads
what the search knows about the flip: so it needs no other for longer paths.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pessimal.learn.branches import ROWS

Floats = NDArray[np.float32]
Weights = Mapping[str, Floats]

KNOWN = 7
"""How many numbers tell what the search knows about a flip."""
HEAD = 16


def new_weights(model: str, length: int, hidden: int, rng: np.random.Generator) -> dict[str, Floats]:
    """Random weights of a model whose scores are all zero until it has learned."""

    def drawn(*shape: int) -> Floats:
        return np.asarray(rng.standard_normal(shape) / np.sqrt(shape[0]), np.float32)

    weights = {
        "input": np.asarray(rng.standard_normal((ROWS, 4 * hidden)) * 0.3, np.float32),
        "recurrent": drawn(hidden, 4 * hidden),
        "bias": np.zeros(4 * hidden, np.float32),
    }
    if model == "per-length":
        return {
            **weights,
            "output": np.zeros((length * hidden, length), np.float32),
            "offset": np.zeros(length, np.float32),
        }
    return {
        **weights,
        "head": drawn(hidden + KNOWN, HEAD),
        "head_bias": np.zeros(HEAD, np.float32),
        "output": np.zeros((HEAD, 1), np.float32),
        "offset": np.zeros(1, np.float32),
    }


def scores(weights: Weights, steps: NDArray[np.int16], index: NDArray[Any], known: Floats) -> Floats:
    """The score of the flip at an index of each window, equal to what the model is trained for."""
    outputs = _outputs(weights, steps)
    if "head" in weights:
        features = np.concatenate((outputs[:, -1], known), axis=1)
        inner = np.maximum(features @ weights["head"] + weights["head_bias"], 0)
        found: Floats = (inner @ weights["output"] + weights["offset"])[:, 0]
        return found
    each = outputs.reshape(len(steps), -1) @ weights["output"] + weights["offset"]
    of_index: Floats = np.take_along_axis(each, np.asarray(index, np.int64)[:, None], axis=1)[:, 0]
    return of_index


def _outputs(weights: Weights, steps: NDArray[np.int16]) -> Floats:
    """What the LSTM puts out after each branch of each window."""
    hidden = len(weights["bias"]) // 4
    read = weights["input"][steps].sum(axis=2) + weights["bias"]
    cell = output = np.zeros((len(steps), hidden), np.float32)
    outputs = []
    for step in range(steps.shape[1]):
        gates = np.clip(read[:, step] + output @ weights["recurrent"], -60, 60)
        gated = 1 / (1 + np.exp(-gates[:, : 3 * hidden]))
        cell = gated[:, hidden : 2 * hidden] * cell + gated[:, :hidden] * np.tanh(gates[:, 3 * hidden :])
        output = gated[:, 2 * hidden :] * np.tanh(cell)
        outputs.append(output)
    return np.stack(outputs, axis=1)
