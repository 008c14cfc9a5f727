"""The network's values for one state, in NumPy: for a single one that is quicker than a compiled batch."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pessimal.learn.states import Floats


def forward(weights: Mapping[str, Floats], state: Floats) -> Floats:
    """The values of false and true, as :meth:`pessimal.learn.network.QNetwork.values` gives them."""
    hidden = len(weights["bias"]) // 4
    cell = output = np.zeros(hidden, np.float32)
    outputs = []
    for branch in state:
        gates = np.clip(branch @ weights["input"] + output @ weights["recurrent"] + weights["bias"], -80, 80)
        enter, forget, leave = 1 / (1 + np.exp(-gates[: 3 * hidden].reshape(3, hidden)))
        cell = forget * cell + enter * np.tanh(gates[3 * hidden :])
        output = leave * np.tanh(cell)
        outputs.append(output)
    values: Floats = np.concatenate(outputs) @ weights["output"] + weights["offset"]
    return values
