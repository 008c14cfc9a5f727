"""Specifications from type hints: what the target's author already said about its inputs."""

from __future__ import annotations

import collections.abc
import dataclasses
import inspect
import types
import typing
from collections.abc import Callable, Hashable
from enum import Enum
from inspect import Parameter
from typing import Any

from pessimal.errors import InputError
from pessimal.inputs.bounds import bounded
from pessimal.inputs.containers import Dict, List, Record, Repeated, Set, Tuple, Union
from pessimal.inputs.scalars import Bool, Bytes, Choice, Const, Float, Int, Str
from pessimal.inputs.signatures import VARIADIC, resolved_signature
from pessimal.inputs.spec import Spec

Arguments = tuple[Any, ...]
Owners = tuple[type, ...]
"""The classes around a hint, which it must not mention again."""


class UnsupportedHintError(InputError):
    """A hint that says nothing from which inputs can be made."""


def from_hint(hint: Any) -> Spec:
    """The specification that a type hint means; every container and string has length N."""
    return _spec(hint, ())


def _spec(hint: Any, owners: Owners) -> Spec:
    if isinstance(hint, typing.TypeVar):
        return _type_variable(hint, owners)
    if hint == tuple[()]:
        return Tuple(())
    inner = _unwrapped(hint)
    if inner is not hint:
        return _spec(inner, owners)
    origin = typing.get_origin(hint) or hint
    if isinstance(origin, Hashable) and origin in _READERS:
        return _READERS[origin](typing.get_args(hint), owners)
    if not isinstance(origin, type):
        raise _unsupported(hint)
    return _of_class(hint, origin, owners)


def _unwrapped(hint: Any) -> Any:
    """What a new type, a type alias or an ``InitVar`` stands for."""
    if isinstance(hint, typing.NewType):
        return hint.__supertype__
    if isinstance(hint, dataclasses.InitVar):
        return hint.type
    return hint.__value__ if type(hint).__name__ == "TypeAliasType" else hint


def _unsupported(hint: Any) -> UnsupportedHintError:
    if isinstance(hint, str | typing.ForwardRef):
        return UnsupportedHintError(f"its hint {hint!r} names something that cannot be found")
    shown = hint.__qualname__ if isinstance(hint, type) and not typing.get_args(hint) else str(hint)
    return UnsupportedHintError(f"no inputs can be made from the hint {shown}")


def _type_variable(variable: typing.TypeVar, owners: Owners) -> Spec:
    """The first constraint or the bound; ints do for whatever else generic code may be asked to handle."""
    hints = variable.__constraints__ or (variable.__bound__ or int,)
    try:
        return _spec(hints[0], owners)
    except UnsupportedHintError:
        return Int()


def _element(arguments: Arguments, position: int, owners: Owners) -> Spec:
    """The specification of a container's element; a bare ``list`` and its like hold ints."""
    return _spec(arguments[position], owners) if arguments else Int()


def _list(arguments: Arguments, owners: Owners) -> Spec:
    return List(_element(arguments, 0, owners))


def _set(arguments: Arguments, owners: Owners) -> Spec:
    return Set(_element(arguments, 0, owners))


def _frozenset(arguments: Arguments, owners: Owners) -> Spec:
    return Set(_element(arguments, 0, owners), frozen=True)


def _dict(arguments: Arguments, owners: Owners) -> Spec:
    return Dict(_element(arguments, 0, owners), _element(arguments, 1, owners))


def _tuple(arguments: Arguments, owners: Owners) -> Spec:
    if arguments and arguments[-1] is not Ellipsis:
        return Tuple(tuple(_spec(argument, owners) for argument in arguments))
    return Repeated(_element(arguments, 0, owners))


def _union(arguments: Arguments, owners: Owners) -> Spec:
    """None goes last, because search starts with the first alternative."""
    ordered = sorted(arguments, key=lambda argument: argument is type(None))
    return Union(tuple(_spec(argument, owners) for argument in ordered))


def _annotated(arguments: Arguments, owners: Owners) -> Spec:
    """The hint narrowed by its metadata; a specification among the metadata is taken as it is."""
    hint, *metadata = arguments
    given = [item for item in metadata if isinstance(item, Spec)]
    return given[0] if given else bounded(_spec(hint, owners), metadata)


def _of_class(hint: Any, cls: type, owners: Owners) -> Spec:
    """The members of an enum, or an object that the annotated constructor builds from keywords."""
    if issubclass(cls, Enum) and len(cls):
        return Choice(tuple(cls))
    if cls in owners:
        raise UnsupportedHintError(f"the class {cls.__qualname__} contains itself, so no input of it would end")
    fields = _typed_dict_hints(cls) if typing.is_typeddict(cls) else _constructor_hints(cls)
    if not fields or inspect.isabstract(cls):
        raise _unsupported(hint)
    return Record(cls, {name: _spec(field, (*owners, cls)) for name, field in fields.items()})


def _typed_dict_hints(cls: type) -> dict[str, Any]:
    try:
        return typing.get_type_hints(cls, include_extras=True)
    except Exception:
        return {}


def _constructor_hints(cls: type) -> dict[str, Any]:
    """The hints of the constructor's parameters; none at all if it needs what keywords cannot give."""
    try:
        parameters = resolved_signature(cls).parameters.values()
    except (ValueError, TypeError):
        return {}
    named = [parameter for parameter in parameters if parameter.kind not in VARIADIC]
    if any(parameter.default is Parameter.empty and not _takes_hinted_keyword(parameter) for parameter in named):
        return {}
    return {parameter.name: parameter.annotation for parameter in named if _takes_hinted_keyword(parameter)}


def _takes_hinted_keyword(parameter: Parameter) -> bool:
    return parameter.kind is not Parameter.POSITIONAL_ONLY and parameter.annotation is not Parameter.empty


_READERS: dict[Any, Callable[[Arguments, Owners], Spec]] = {
    int: lambda *_: Int(),
    bool: lambda *_: Bool(),
    float: lambda *_: Float(),
    str: lambda *_: Str(),
    bytes: lambda *_: Bytes(),
    None: lambda *_: Const(None),
    type(None): lambda *_: Const(None),
    list: _list,
    collections.abc.Sequence: _list,
    collections.abc.MutableSequence: _list,
    collections.abc.Iterable: _list,
    collections.abc.Collection: _list,
    collections.abc.Container: _list,
    collections.abc.Reversible: _list,
    tuple: _tuple,
    dict: _dict,
    collections.abc.Mapping: _dict,
    collections.abc.MutableMapping: _dict,
    set: _set,
    collections.abc.Set: _set,
    collections.abc.MutableSet: _set,
    frozenset: _frozenset,
    typing.Union: _union,
    types.UnionType: _union,
    typing.Literal: lambda arguments, _: Choice(arguments),
    typing.Annotated: _annotated,
    typing.Final: lambda arguments, owners: _element(arguments, 0, owners),
    typing.Required: lambda arguments, owners: _element(arguments, 0, owners),
    typing.NotRequired: lambda arguments, owners: _element(arguments, 0, owners),
}
