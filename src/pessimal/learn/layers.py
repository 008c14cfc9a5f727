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
MOST_PRODUCTS = 1 << 17
"""A product of matrices with no more multiplications than this is made by one thread. Larger ones are made by several,
which wait for each other: beside other processes that takes fifty times as long."""


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
    layers = [(weights[f"weight{number}"], weights[f"bias{number}"]) for number in range(len(weights) // 2)]
    rows = inputs.reshape(-1, inputs.shape[-1])
    step = max(1, MOST_PRODUCTS // max(weight.size for weight, _ in layers))
    parts = [_outputs(layers, rows[start : start + step]) for start in range(0, len(rows), step)]
    found = np.concatenate([np.zeros((0, layers[-1][1].size), np.float32), *parts])
    return found.reshape(*inputs.shape[:-1], found.shape[1])


def _outputs(layers: Sequence[tuple[Floats, Floats]], found: Floats) -> Floats:
    for number, (weight, bias) in enumerate(layers):
        found = found @ weight + bias
        if number < len(layers) - 1:
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
