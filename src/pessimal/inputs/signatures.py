"""Signatures: which parameters a callable has, what their hints are, and how values are handed to them."""

from __future__ import annotations

import functools
import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from inspect import Parameter, Signature
from typing import Any

from pessimal.inputs.checker_names import checker_names

VARIADIC = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
_BY_POSITION = (Parameter.POSITIONAL_ONLY, Parameter.VAR_POSITIONAL)


def resolved_signature(call: Callable[..., Any]) -> Signature:
    """The signature with hints that are strings resolved; raises what ``inspect.signature`` does.

    They are resolved one by one: a name that cannot be found spoils its own hint and no other.
    """
    signature = inspect.signature(call)
    namespace = _namespace(call)
    parameters = [
        parameter.replace(annotation=_resolved(parameter.annotation, namespace, call))
        for parameter in signature.parameters.values()
    ]
    return signature.replace(parameters=parameters)


def _resolved(annotation: Any, namespace: dict[str, Any], call: Any) -> Any:
    if annotation is Parameter.empty:
        return annotation
    with suppress(Exception):
        return _evaluated(annotation, namespace)
    with suppress(Exception):
        return _evaluated(annotation, {**_checker_names(call), **namespace})
    return annotation


def _evaluated(annotation: Any, namespace: dict[str, Any]) -> Any:
    holder = types.SimpleNamespace(__annotations__={"hint": annotation})
    return typing.get_type_hints(holder, namespace, include_extras=True)["hint"]


def underlying(call: Any) -> Any:
    """The class or function behind partial application, decorators, bound methods and callable instances."""
    while isinstance(call, functools.partial):
        call = call.func
    call = inspect.unwrap(call)
    call = getattr(call, "__func__", call)
    return call if isinstance(call, type) or inspect.isroutine(call) else type(call).__call__


def _namespace(call: Any) -> dict[str, Any]:
    """The names that a callable's hints may use."""
    function = underlying(call)
    if isinstance(function, type):
        return _class_namespace(function)
    parameters = {parameter.__name__: parameter for parameter in getattr(function, "__type_params__", ())}
    return {**getattr(function, "__globals__", {}), **parameters}


def _checker_names(call: Any) -> dict[str, Any]:
    """The names that only type checkers see in the modules of a callable."""
    function = underlying(call)
    owners = function.__mro__ if isinstance(function, type) else [function]
    modules = [module for owner in reversed(owners) if isinstance(module := getattr(owner, "__module__", None), str)]
    return {name: value for module in modules for name, value in checker_names(module).items()}


def _class_namespace(cls: type) -> dict[str, Any]:
    names: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        names |= vars(sys.modules.get(base.__module__, types))
    return {**names, cls.__name__: cls}


def arrange(parameters: Iterable[Parameter], values: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Positional and keyword arguments that hand each value to its parameter and leave the others out.

    A parameter before one that only takes a position cannot be left out: it is handed its own default.
    """
    parameters = list(parameters)
    forced = max((i for i, p in enumerate(parameters) if p.kind in _BY_POSITION and p.name in values), default=-1)
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    positional = True
    for index, parameter in enumerate(parameters):
        if parameter.name in values:
            positional = positional or index <= forced
            _hand(parameter, values[parameter.name], args if positional else None, kwargs)
        elif index < forced:
            args.append(parameter.default)
        else:
            positional = False
    return tuple(args), kwargs


def _hand(parameter: Parameter, value: Any, args: list[Any] | None, kwargs: dict[str, Any]) -> None:
    """Add one argument: by position where ``args`` is still open and the parameter takes one."""
    if parameter.kind is Parameter.VAR_KEYWORD:
        kwargs.update(value)
    elif args is None or parameter.kind is Parameter.KEYWORD_ONLY:
        kwargs[parameter.name] = value
    elif parameter.kind is Parameter.VAR_POSITIONAL:
        args.extend(value)
    else:
        args.append(value)
