"""The scores of flips, in NumPy, by one of two networks that read the branches of a window.

That of River-RL is an LSTM with one score for each position of the window, a linear combination of all that the LSTM
put out; so it needs a model for each length. Ours scores the last branch of the window alone, and also reads what the
search knows about the flip: so it needs no other for longer paths. It has a vector for each branch and one layer over
all of them, which learns five times as fast as an LSTM.
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
BRANCH = 8
"""How many numbers of our network stand for a branch."""


def new_weights(model: str, length: int, hidden: int, rng: np.random.Generator) -> dict[str, Floats]:
    """Random weights of a model whose scores are all zero until it has learned."""

    def drawn(*shape: int) -> Floats:
        return np.asarray(rng.standard_normal(shape) / np.sqrt(shape[0]), np.float32)

    if model == "per-length":
        return {
            "input": np.asarray(rng.standard_normal((ROWS, 4 * hidden)) * 0.3, np.float32),
            "recurrent": drawn(hidden, 4 * hidden),
            "bias": np.zeros(4 * hidden, np.float32),
            "output": np.zeros((length * hidden, length), np.float32),
            "offset": np.zeros(length, np.float32),
        }
    return {
        "branches": np.asarray(rng.standard_normal((ROWS, BRANCH)) * 0.3, np.float32),
        "window": drawn(length * BRANCH, hidden),
        "known": drawn(KNOWN, hidden),
        "bias": np.zeros(hidden, np.float32),
        "output": np.zeros((hidden, 1), np.float32),
        "offset": np.zeros(1, np.float32),
    }


def scores(weights: Weights, steps: NDArray[np.int16], index: NDArray[Any], known: Floats) -> Floats:
    """The score of the flip at an index of each window, equal to what the model is trained for."""
    if "recurrent" not in weights:
        read = weights["branches"][steps].sum(axis=2).reshape(len(steps), -1) @ weights["window"]
        inner = np.tanh(read + known @ weights["known"] + weights["bias"])
        found: Floats = (inner @ weights["output"] + weights["offset"])[:, 0]
        return found
    each = _outputs(weights, steps).reshape(len(steps), -1) @ weights["output"] + weights["offset"]
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
