"""Arrays as JSON values: what is learned is kept in files that hold numbers and nothing that could be executed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def pack(array: Any) -> dict[str, Any]:
    """An array as JSON values."""
    array = np.asarray(array)
    return {"shape": list(array.shape), "values": array.ravel().tolist()}


def unpack(data: dict[str, Any], like: Any) -> NDArray[Any]:
    """The array that :func:`pack` wrote; ValueError if its shape is not that of another one."""
    like = np.asarray(like)
    if data["shape"] != list(like.shape):
        raise ValueError(f"an array of shape {data['shape']} is not of shape {list(like.shape)}")
    with np.errstate(over="ignore"):  # what is too large becomes infinite, which callers look for
        return np.array(data["values"], like.dtype).reshape(like.shape)
