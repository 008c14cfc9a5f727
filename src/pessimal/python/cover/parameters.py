"""The inputs of a member's parameters: as hinted, else whatever the code seems to expect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter
from typing import Any

from pessimal.inputs import Bool, Bytes, Const, Dict, Float, Int, List, Spec, Str, Union, from_hint
from pessimal.inputs.signatures import VARIADIC

ANYTHING = Union((Int(), Str(), Const(None), Bool(), Float(), List(Int()), List(Str()), Bytes(), Dict(Str(), Int())))
"""What is tried where nothing is known."""


def specs_of(call: Callable[..., Any], parameters: Sequence[Parameter]) -> dict[str, Spec]:
    """The specification of each parameter."""
    return {parameter.name: _spec(parameter) for parameter in parameters if parameter.kind not in VARIADIC}


def _spec(parameter: Parameter) -> Spec:
    try:
        return ANYTHING if parameter.annotation is Parameter.empty else from_hint(parameter.annotation)
    except Exception:
        return ANYTHING
