"""The inputs of a member's parameters: as hinted, else as its code and its documentation suggest."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter
from types import ModuleType
from typing import Any, NamedTuple

from pessimal.inputs import Bool, Bytes, Const, Dict, Float, Int, List, Spec, Str, Union, from_hint
from pessimal.inputs.looking import quietly
from pessimal.python.inference import NOTHING, STUBS, element_hint, sourced_specs_for, specs_for_class

ANYTHING = Union((Int(), Str(), Const(None), Bool(), Float(), List(Int()), List(Str()), Bytes(), Dict(Str(), Int())))
"""What is tried where nothing is known, and where code looks at the types of what it gets."""


_ANY = from_hint(Any, special=True)
"""What ``Any`` means as a hint."""


class Described(NamedTuple):
    """The specification of each parameter, and which of them hints or stubs describe: the others are guesses."""

    specs: dict[str, Spec]
    trusted: frozenset[str]


def described(call: Callable[..., Any], parameters: Sequence[Parameter]) -> Described:
    """What parameters may be given; floats include infinities and nan."""
    module = sys.modules.get(getattr(call, "__module__", None) or "")
    guessed = _guessed(call, module)
    specs = {parameter.name: _spec(parameter, guessed, module) for parameter in parameters}
    for item in parameters:
        if item.kind is Parameter.VAR_POSITIONAL and not _is_hinted(item):
            specs[item.name] = _each(call, item.name, module)
    trusted = [item.name for item in parameters if _is_hinted(item) or guessed.get(item.name, _NOTHING)[1] == STUBS]
    return Described(specs, frozenset(trusted))


_NOTHING: tuple[Spec, str] = (ANYTHING, NOTHING)


def _is_hinted(parameter: Parameter) -> bool:
    return parameter.annotation is not Parameter.empty


def _guessed(call: Callable[..., Any], module: ModuleType | None) -> Mapping[str, tuple[Spec, str]]:
    try:
        return sourced_specs_for(call, module, special=True)
    except Exception:  # whatever code of others does when it is looked at
        return {}


def _each(call: Callable[..., Any], name: str, module: ModuleType | None) -> Spec:
    """What each of any number of arguments may be."""
    hint = quietly(lambda: element_hint(call, name, module), None)
    return ANYTHING if hint is None else described_hint(hint, "" if module is None else module.__name__)


def _spec(parameter: Parameter, guessed: Mapping[str, tuple[Spec, str]], module: ModuleType | None) -> Spec:
    if _is_hinted(parameter):
        return described_hint(parameter.annotation, "" if module is None else module.__name__)
    spec, source = guessed.get(parameter.name, _NOTHING)
    if source == NOTHING:
        return ANYTHING
    return spec if source == STUBS or isinstance(parameter.default, list | dict) else _widened(spec)


def _widened(spec: Spec) -> Spec:
    """A guess with other members: that of a list says little of these, and that of a dict nothing."""
    options = [wider for item in getattr(spec, "alternatives", (spec,)) for wider in _wider(item)]
    return options[0] if len(options) == 1 else Union(tuple(options))


def _wider(spec: Spec) -> tuple[Spec, ...]:
    if spec == List(Int()):
        return spec, List(Str()), List(ANYTHING)
    return (Dict(Str(), ANYTHING) if spec == Dict(Str(), Int()) else spec,)


def described_hint(hint: Any, module: str) -> Spec:
    """What a hint in a module means."""
    spec = _hinted(hint, sys.modules.get(module))
    return ANYTHING if spec == _ANY else spec


def _hinted(hint: Any, module: ModuleType | None) -> Spec:
    def infer(cls: Callable[..., Any]) -> Mapping[str, Spec]:
        return specs_for_class(cls, module, special=True)

    try:
        return from_hint(hint, special=True, module=module, infer=infer, abstract=True)
    except Exception:  # whatever a hint of others does
        return ANYTHING
