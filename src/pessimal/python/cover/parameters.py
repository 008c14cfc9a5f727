"""The inputs of a member's parameters: as hinted, else as its code and its documentation suggest."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter
from types import ModuleType
from typing import Any

from pessimal.inputs import Bool, Bytes, Const, Dict, Float, Int, List, Spec, Str, Union, from_hint
from pessimal.inputs.signatures import VARIADIC
from pessimal.python.inference import specs_for

ANYTHING = Union((Int(), Str(), Const(None), Bool(), Float(), List(Int()), List(Str()), Bytes(), Dict(Str(), Int())))
"""What is tried where nothing is known, and where code looks at the types of what it gets."""


_UNKNOWN = from_hint(Any, special=True)
"""What inference gives where it knows nothing, and what ``Any`` means as a hint."""


def specs_of(call: Callable[..., Any], parameters: Sequence[Parameter]) -> dict[str, Spec]:
    """The specification of each parameter; floats include infinities and nan."""
    module = sys.modules.get(getattr(call, "__module__", None) or "")
    guessed = _guessed(call, module)
    return {
        parameter.name: _spec(parameter, guessed, module) for parameter in parameters if parameter.kind not in VARIADIC
    }


def _guessed(call: Callable[..., Any], module: ModuleType | None) -> Mapping[str, Spec]:
    try:
        return specs_for(call, module, special=True)
    except Exception:  # whatever code of others does when it is looked at
        return {}


def _spec(parameter: Parameter, guessed: Mapping[str, Spec], module: ModuleType | None) -> Spec:
    if parameter.annotation is Parameter.empty:
        spec = guessed.get(parameter.name, ANYTHING)
    else:
        spec = _hinted(parameter.annotation, module)
    return ANYTHING if spec == _UNKNOWN else spec


def _hinted(hint: Any, module: ModuleType | None) -> Spec:
    try:
        return from_hint(hint, special=True, module=module, infer=lambda cls: specs_for(cls, module, special=True))
    except Exception:  # whatever a hint of others does
        return ANYTHING
