"""Fully connected layers in NumPy: what an agent's network says while it walks, without JAX."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pessimal.learn.arrays import pack, unpack

Floats = NDArray[np.float32]
Weights = dict[str, Floats]
WIDEST, DEEPEST = 4096, 16
LARGEST = 1e4
"""No training gives larger weights than this, in absolute value."""
DIGITS = 7


def new_layers(sizes: Sequence[int], rng: np.random.Generator) -> Weights:
    """Layers from as many numbers as the first of the sizes to as many as the last, with Glorot's random weights."""
    weights: Weights = {}
    for number, (before, after) in enumerate(pairwise(sizes)):
        most = np.sqrt(6.0 / (before + after))
        weights[f"weight{number}"] = rng.uniform(-most, most, (before, after)).astype(np.float32)
        weights[f"bias{number}"] = np.zeros(after, np.float32)
    return weights


def outputs(weights: Weights, inputs: Floats) -> Floats:
    """What the layers make of the last axis of the inputs; between two layers what is negative becomes 0."""
    found = inputs
    last = len(weights) // 2 - 1
    for number in range(last + 1):
        found = found @ weights[f"weight{number}"] + weights[f"bias{number}"]
        if number < last:
            found = np.maximum(found, 0.0)
    return found


def to_json(weights: Weights) -> dict[str, Any]:
    """The weights as JSON values, to seven digits, which is what their type holds."""
    return {
        name: pack(np.array([float(f"{value:.{DIGITS}g}") for value in array.ravel()]).reshape(array.shape))
        for name, array in weights.items()
    }


def from_json(data: dict[str, Any], sizes: Sequence[int]) -> Weights:
    """The weights of layers of these sizes; ValueError, LookupError or TypeError if they cannot be that."""
    if not (2 <= len(sizes) <= DEEPEST and all(type(size) is int and 1 <= size <= WIDEST for size in sizes)):
        raise ValueError(f"layers of sizes {list(sizes)} cannot be built")
    like = new_layers(sizes, np.random.default_rng(0))
    if set(data) != set(like):
        raise ValueError(f"its weights are not those of layers of sizes {list(sizes)}")
    weights: Weights = {name: unpack(data[name], array) for name, array in like.items()}
    if not all(np.isfinite(array).all() and (np.abs(array) <= LARGEST).all() for array in weights.values()):
        raise ValueError("its weights are not those of a network")
    return weights
