"""Hints of classes: members of an enum, objects that a constructor makes, and stand-ins for protocols."""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Iterable, Mapping
from enum import Enum, Flag
from functools import reduce
from inspect import Parameter
from operator import or_
from types import SimpleNamespace
from typing import Any

from pessimal.inputs.built import Function, Record
from pessimal.inputs.containers import Union
from pessimal.inputs.reading import Context, EndlessHintError, UnsupportedHintError
from pessimal.inputs.scalars import Choice, Str
from pessimal.inputs.signatures import VARIADIC, resolved_signature
from pessimal.inputs.spec import Spec

_BUILT_IN = (int, float, str, bytes, list, tuple, dict, set)
_HEAP_TYPE = 1 << 9
_MOST = 3
"""How many classes stand for an abstract one or a protocol."""


def of_class(cls: type, arguments: tuple[Any, ...], context: Context) -> Spec:
    """The values of a class, given the arguments of a generic one."""
    if issubclass(cls, Enum) and len(cls):
        return Choice(_members(cls))
    key = cls, arguments, tuple(context.variables.values())
    return context.known.read(key, lambda: _of_class(cls, arguments, context))


def _of_class(cls: type, arguments: tuple[Any, ...], context: Context) -> Spec:
    parameters = getattr(cls, "__parameters__", ())  # of classes that describe types, a descriptor
    variables = dict(zip(parameters, arguments, strict=False)) if isinstance(parameters, tuple) else {}
    if typing.is_typeddict(cls):
        return _typed_dict(cls, context.inside(cls))
    if getattr(cls, "_is_protocol", False):
        return _of_protocol(cls, context.inside(cls, variables))
    if inspect.isabstract(cls):
        return _implementing(cls, context)
    return _constructed(cls, context.inside(cls, variables))


def _implementing(cls: type, context: Context) -> Spec:
    """An object of one of the classes below an abstract one."""
    try:
        return _one_of(_subclasses(cls), cls, context.inside(cls))
    except UnsupportedHintError:
        if context.abstract and _is_importable(cls):
            return Record(cls, {})
        raise


def unsupported(hint: Any) -> UnsupportedHintError:
    """The error for a hint that no inputs can be made from."""
    if isinstance(hint, str | typing.ForwardRef):
        return UnsupportedHintError(f"its hint {hint!r} names something that cannot be found")
    shown = hint.__qualname__ if isinstance(hint, type) and not typing.get_args(hint) else str(hint)
    return UnsupportedHintError(f"no inputs can be made from the hint {shown}")


def _members(cls: type[Enum]) -> tuple[Enum, ...]:
    """The members; of flags also none of them and all of them together."""
    members = tuple(cls)
    if not issubclass(cls, Flag):
        return members
    further = (reduce(or_, members), cls(0))
    return (*members, *(member for member in further if member not in members))


def _typed_dict(cls: Any, context: Context) -> Spec:
    try:
        hints = typing.get_type_hints(cls, include_extras=True)
    except Exception:
        raise unsupported(cls) from None
    return Record(cls, {name: context.read(hint) for name, hint in hints.items()}, (), cls.__optional_keys__)


def _constructed(cls: type, context: Context) -> Spec:
    """The object that the constructor makes of its parameters."""
    built_in = next((kind for kind in (*_BUILT_IN, BaseException) if issubclass(cls, kind)), None)
    if built_in is not None and _inherits_constructor(cls, built_in):
        return Record(cls, {}, (Str() if built_in is BaseException else context.read(built_in),))
    try:
        parameters = resolved_signature(cls).parameters.values()
    except (ValueError, TypeError):
        return _compiled(cls, context)
    if not _has_python_constructor(cls):
        raise unsupported(cls)
    named = [parameter for parameter in parameters if parameter.kind not in VARIADIC]
    specs = _specs(cls, named, context)
    positional = [parameter for parameter in named if parameter.kind is Parameter.POSITIONAL_ONLY]
    args = [specs.pop(parameter.name) for parameter in positional if parameter.name in specs]
    return Record(cls, specs, tuple(args))


def _compiled(cls: type, context: Context) -> Spec:
    """The object of a class written in C, of which only a stub tells what its constructor needs."""
    needed = _inferred(cls, context)
    if not needed:
        raise unsupported(cls)
    return Record(cls, {}, tuple(needed.values()))


def _inherits_constructor(cls: type, built_in: type) -> bool:
    """Whether a subclass of a built-in class makes its objects as that does."""
    own, inherited = _constructor(cls), _constructor(built_in)
    return not any(map(_is_function, own)) if built_in is BaseException else own == inherited


def _has_python_constructor(cls: type) -> bool:
    """Whether a class statement made the class, and its constructor, if it has one, is written in Python."""
    own = _constructor(cls)
    return any(map(_is_function, own)) or (bool(cls.__flags__ & _HEAP_TYPE) and own == _constructor(object))


def _constructor(cls: type) -> tuple[Any, Any]:
    return getattr(cls, "__new__"), getattr(cls, "__init__")  # noqa: B009


def _is_function(method: Any) -> bool:
    return isinstance(method, types.FunctionType)


def _specs(cls: type, parameters: Iterable[Parameter], context: Context) -> dict[str, Spec]:
    """The specification of each parameter; one with a default is left out where nothing is known of it."""
    specs: dict[str, Spec] = {}
    inferred: Mapping[str, Spec] | None = None
    for parameter in parameters:
        is_optional = parameter.default is not Parameter.empty
        try:
            if parameter.annotation is not Parameter.empty:
                specs[parameter.name] = context.read(parameter.annotation)
            elif not is_optional:
                inferred = inferred if inferred is not None else _inferred(cls, context)
                specs[parameter.name] = inferred[parameter.name]
        except (KeyError, EndlessHintError, UnsupportedHintError) as error:
            if not is_optional:
                raise unsupported(cls) if isinstance(error, KeyError) else error from None
    return specs


def _inferred(cls: type, context: Context) -> Mapping[str, Spec]:
    return {} if context.infer is None else context.infer(cls)


def _one_of(classes: Iterable[type], wanted: type, context: Context) -> Spec:
    """An object of one of some classes, of as many as inputs can be made of."""
    found: list[Spec] = []
    for cls in classes:
        try:
            found.append(context.read(cls))
        except UnsupportedHintError:
            continue
        if len(found) == _MOST:
            break
    if not found:
        raise unsupported(wanted)
    return found[0] if len(found) == 1 else Union(tuple(found))


def _subclasses(cls: type) -> list[type]:
    """The classes below an abstract one that have instances and can be imported, those of its own module first."""
    found: dict[type, None] = {}
    waiting = [cls]
    while waiting:
        below: list[type] = type.__subclasses__(waiting.pop(0))
        below = [sub for sub in below if sub not in found and _is_importable(sub)]
        found.update(dict.fromkeys(below))
        waiting += below
    concrete = [sub for sub in found if not inspect.isabstract(sub)]
    return sorted(concrete, key=lambda sub: sub.__module__ != cls.__module__)


def _is_importable(cls: type) -> bool:
    found: Any = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is cls


def _of_protocol(cls: type, context: Context) -> Spec:
    """An object of a class that has what the protocol asks for, or else a plain object with these attributes."""
    wanted = _protocol_members(cls)
    modules = [sys.modules.get(cls.__module__), context.module]
    own = [kind for module in modules if module is not None for kind in _classes_of(module)]
    fitting = [kind for kind in dict.fromkeys((*own, *_BUILT_IN)) if kind is not cls and _has(kind, wanted)]
    try:
        return _one_of(fitting, cls, context)
    except UnsupportedHintError:
        if any(name.startswith("__") for name in wanted):
            raise
    return Record(SimpleNamespace, {name: _attribute(cls, name, context) for name in sorted(wanted)})


def _classes_of(module: types.ModuleType) -> list[type]:
    """The classes that a module defines."""
    classes = [kind for kind in list(vars(module).values()) if isinstance(kind, type)]
    own = [kind for kind in classes if kind.__module__ == module.__name__ and not typing.is_typeddict(kind)]
    return [kind for kind in own if not getattr(kind, "_is_protocol", False)]


def _protocol_members(cls: type) -> set[str]:
    """The names that a protocol asks for."""
    found: set[str] = set()
    for base in cls.__mro__[:-1]:
        if getattr(base, "_is_protocol", False) and base is not typing.Protocol:
            found |= {name for name in vars(base) if name not in _NO_MEMBERS and not name.startswith("_abc_")}
            found |= set(inspect.get_annotations(base))
    return found


_NO_MEMBERS = frozenset((*vars(typing.Protocol), *vars(type("Empty", (typing.Protocol,), {})))) | frozenset(
    ("__orig_bases__", "__annotations__", "__type_params__", "__static_attributes__", "__firstlineno__")
)


def _has(kind: type, wanted: Iterable[str]) -> bool:
    hints = {name for base in kind.__mro__ for name in inspect.get_annotations(base)}
    return all(name in hints or getattr(kind, name, None) not in (None, getattr(object, name, None)) for name in wanted)


def _attribute(cls: type, name: str, context: Context) -> Spec:
    """What a plain object has where a protocol asks for a method or an attribute."""
    method = inspect.getattr_static(cls, name, None)
    if isinstance(method, types.FunctionType):
        returned = _hints(method).get("return", Any)
        return Function(context.read(returned))
    if isinstance(method, property):
        return context.read(_hints(method.fget).get("return", Any))
    return context.read(_hints(cls).get(name, Any))


def _hints(thing: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(thing)
    except Exception:
        return {}
