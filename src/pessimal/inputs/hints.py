"""Specifications from type hints: what the target's author already said about its inputs."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Hashable
from types import ModuleType
from typing import Any

from pessimal.inputs.bounds import bounded
from pessimal.inputs.class_hints import of_class, unsupported
from pessimal.inputs.containers import Tuple, Union
from pessimal.inputs.library_hints import READERS, Arguments, Reader, element
from pessimal.inputs.reading import Context, EndlessHintError, Infer, UnsupportedHintError, stands_for
from pessimal.inputs.scalars import Choice, Int
from pessimal.inputs.spec import Spec


def from_hint(
    hint: Any,
    *,
    special: bool = False,
    module: ModuleType | None = None,
    infer: Infer | None = None,
    abstract: bool = False,
) -> Spec:
    """The specification that a type hint means; every container and string has length N.

    With ``special``, floats include infinities and NaN. Classes that have what a protocol asks for are looked for in
    ``module``. ``infer`` guesses the parameters of a constructor that have no hint. With ``abstract``, a class that is
    abstract and has none below it is a record without fields, for those who can make one that implements it.
    """
    return _spec(hint, Context(_spec, special=special, module=module, infer=infer, abstract=abstract))


def _spec(hint: Any, context: Context) -> Spec:
    if isinstance(hint, typing.TypeVar):
        return _type_variable(hint, context)
    if hint == tuple[()]:
        return Tuple(())
    inner = _unwrapped(hint)
    if inner is not hint:
        return _spec(inner, context.inside(hint) if _is_alias(hint) else context)
    if hint is typing.Self and context.owners:
        return _spec(context.owners[-1], context)
    origin = typing.get_origin(hint) or hint
    reader = _READERS.get(origin) if isinstance(origin, Hashable) else None
    if reader is not None:
        return reader(typing.get_args(hint), context)
    if not isinstance(origin, type):
        raise unsupported(hint)
    return of_class(origin, typing.get_args(hint), context)


def _unwrapped(hint: Any) -> Any:
    """What a new type, a type alias or an ``InitVar`` stands for."""
    if isinstance(hint, typing.NewType):
        return hint.__supertype__
    if isinstance(hint, dataclasses.InitVar):
        return hint.type
    return hint.__value__ if _is_alias(hint) else hint


def _is_alias(hint: Any) -> bool:
    """Whether a type statement made the hint, which may name itself."""
    return type(hint).__name__ == "TypeAliasType"


def _type_variable(variable: typing.TypeVar, context: Context) -> Spec:
    """What it stands for, the first constraint or the bound; ints do for whatever else generic code may handle."""
    if variable in context.variables:
        return _spec(context.variables[variable], dataclasses.replace(context, variables={}))
    try:
        return _spec(stands_for(variable) or int, context)
    except UnsupportedHintError:
        return Int()


def _union(arguments: Arguments, context: Context) -> Spec:
    """None goes last, because search starts with the first alternative, but first where a class contains itself.

    An alternative that no input can be made of is left out.
    """
    if not arguments:
        raise unsupported(typing.Union)
    repeats = any(argument in context.owners for argument in arguments)
    ordered = sorted(arguments, key=lambda argument: (argument is type(None)) is not repeats)
    found: dict[Any, Spec] = {}
    refused: UnsupportedHintError | None = None
    for argument in ordered:
        try:
            found[argument] = _spec(argument, context)
        except UnsupportedHintError as error:
            refused = error
    if refused is not None and (not found or (set(found) == {type(None)} and not context.owners)):
        raise refused
    return Union(tuple(found.values()))


def _annotated(arguments: Arguments, context: Context) -> Spec:
    """The hint narrowed by its metadata; a specification among the metadata is taken as it is."""
    hint, *metadata = arguments
    given = [item for item in metadata if isinstance(item, Spec)]
    return given[0] if given else bounded(_spec(hint, context), metadata)


def _inner(arguments: Arguments, context: Context) -> Spec:
    return _spec(arguments[0], context) if arguments else element(arguments, 0, context)


_READERS: dict[Any, Reader] = {
    **READERS,
    typing.Union: _union,
    types.UnionType: _union,
    typing.Literal: lambda arguments, _: Choice(arguments),
    typing.Annotated: _annotated,
    **dict.fromkeys((typing.Final, typing.Required, typing.NotRequired, typing.ClassVar), _inner),
}

__all__ = ["EndlessHintError", "UnsupportedHintError", "from_hint"]
