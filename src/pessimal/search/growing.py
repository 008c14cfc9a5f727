"""Growing an input: to the next size, by repeating a piece of it, as worst inputs often do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pessimal.errors import InputError
from pessimal.expr import Leaf
from pessimal.inputs import Inputs, encode

_SEQUENCES = (list, tuple, str, bytes)


def grown(small: Inputs, leaves: list[Leaf], large: Inputs) -> Iterator[list[Leaf]]:
    """Inputs of a larger size made from a smaller one; each repeats another piece of every sequence."""
    values = small.arguments(leaves)
    model = large.arguments(large.initial())
    for position in range(large.size):
        try:
            yield encode(large, _grow_all(values, model, position))
        except InputError:
            continue  # the input has parts that grow in another way


def _grow_all(values: Mapping[str, Any], model: Mapping[str, Any], position: int) -> dict[str, Any]:
    return {name: _grow(value, model[name], position) for name, value in values.items()}


def _grow(value: Any, model: Any, position: int) -> Any:
    """The value grown to the length of the model by repeating members at the position; likewise in every member."""
    if type(value) not in _SEQUENCES or type(value) is not type(model):
        return value
    more = len(model) - len(value)
    if more > 0:
        start = min(position * more, len(value) - more) if len(value) >= more else 0
        value = value[:start] + value[start : start + more] + value[start:]
    if type(value) in (list, tuple) and len(value) == len(model):
        return type(value)(_grow(item, model[i], position) for i, item in enumerate(value))
    return value
