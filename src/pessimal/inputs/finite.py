"""Ranges for numbers that have none, so that the size bounds every input and the question is finite."""

from __future__ import annotations

from pessimal.inputs.containers import Record, Union
from pessimal.inputs.extent import SIZE_NAME
from pessimal.inputs.scalars import Float, Int
from pessimal.inputs.spec import Spec

_LOWEST = f"-{SIZE_NAME}"


def finite(spec: Spec) -> Spec:
    """The specification with ints and floats without a range between -N and N; elements of containers are left alone.

    The size bounds how many elements a container has, and what those are seldom decides how long a program runs.
    """
    match spec:
        case Int(low=None, high=None):
            return Int(_LOWEST, SIZE_NAME)
        case Float(low=None, high=None):
            return Float(_LOWEST, SIZE_NAME)
        case Union():
            return Union(tuple(map(finite, spec.alternatives)))
        case Record():
            return Record(spec.cls, {name: finite(field) for name, field in spec.fields.items()})
    return spec
