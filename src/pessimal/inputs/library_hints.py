"""Hints of the standard library's types: which call makes a value of each."""

from __future__ import annotations

import array
import asyncio
import collections
import collections.abc
import contextlib
import datetime
import heapq
import importlib
import io
import numbers
import os
import pathlib
import re
import types
import typing
import uuid
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from pessimal.inputs.built import Function, Record
from pessimal.inputs.containers import Dict, List, Repeated, Set, Tuple, Union
from pessimal.inputs.extent import SIZE_NAME
from pessimal.inputs.reading import Context, EndlessHintError, UnsupportedHintError, stands_for
from pessimal.inputs.scalars import Bool, Bytes, Choice, Const, Int, Str
from pessimal.inputs.spec import Spec

Arguments = tuple[Any, ...]
Reader = Callable[[Arguments, Context], Spec]

_PATTERNS = ("a", "[0-9]+", r"\w+", "^$", ".*", "(a)(b)?", r"\s")
_MODULES = ("string", "json", "math")
_FACTORIES = (int, float, str, list, dict, set, bool)
_AROUND_SIZE = Int(f"-{SIZE_NAME}", SIZE_NAME)
_FEW = 2
"""How many elements a container has whose elements contain such containers again."""


def _called(builder: Callable[..., Any], *args: Spec, **fields: Spec) -> Reader:
    """A reader of a type without parameters."""
    return lambda arguments, context: Record(builder, fields, args)


def element(arguments: Arguments, position: int, context: Context) -> Spec:
    """The specification of a container's element; a bare ``list`` and its like hold ints."""
    return context.inside().read(arguments[position]) if len(arguments) > position else Int()


def _container(make: Callable[..., Spec], count: int = 1, empty: Spec | None = None) -> Reader:
    """A reader of a container, which is short or empty where its elements contain it again."""

    def read(arguments: Arguments, context: Context) -> Spec:
        try:
            parts = [element(arguments, position, context) for position in range(count)]
        except EndlessHintError:
            if not context.owners:
                raise
            return make(*([Int()] * count), length=0)
        repeats = any(context.owners.count(owner) for part in parts for owner in _classes(part))
        return Union((make(*parts, length=0), make(*parts, length=_FEW))) if repeats else make(*parts)

    return read


def _classes(spec: Spec) -> tuple[Any, ...]:
    if isinstance(spec, Record):
        return (spec.builder,)
    return tuple(owner for part in spec.alternatives for owner in _classes(part)) if isinstance(spec, Union) else ()


def _frozenset(member: Spec, length: Any = SIZE_NAME) -> Spec:
    return Set(member, length, frozen=True)


def _tuple(arguments: Arguments, context: Context) -> Spec:
    if arguments and arguments[-1] is not Ellipsis:
        return Tuple(tuple(context.inside().read(argument) for argument in arguments))
    return _container(Repeated)(arguments[:1], context)


_LIST, _DICT = _container(List), _container(Dict, 2)


def _over(builder: Callable[..., Any], inner: Reader) -> Reader:
    """A reader of a type that is made from a list or a dict."""
    return lambda arguments, context: Record(builder, {}, (inner(arguments, context),))


def _counter(arguments: Arguments, context: Context) -> Spec:
    return Record(collections.Counter, {}, (Dict(element(arguments, 0, context), Int()),))


def _defaultdict(arguments: Arguments, context: Context) -> Spec:
    value = (typing.get_origin(arguments[1]) or arguments[1]) if len(arguments) > 1 else int
    factory = value if value in _FACTORIES else None
    return Record(collections.defaultdict, {}, (Const(factory), _DICT(arguments, context)))


def _chain_map(arguments: Arguments, context: Context) -> Spec:
    return Record(collections.ChainMap, {}, (_DICT(arguments, context), _DICT(arguments, context)))


def _items(arguments: Arguments, context: Context) -> Spec:
    return Record(dict.items, {}, (_DICT(arguments, context),))


def _complex(arguments: Arguments, context: Context) -> Spec:
    return Record(complex, {"real": context.float, "imag": context.float})


def _number(arguments: Arguments, context: Context) -> Spec:
    return Union((Int(), context.float))


def _hashable(arguments: Arguments, context: Context) -> Spec:
    return Union((Int(), Str(), Const(None), Tuple((Int(), Int()))))


def _callable(arguments: Arguments, context: Context) -> Spec:
    """A function whose answers are inputs, whatever it is asked."""
    if len(arguments) < 2:
        return Function(Int())
    try:
        return Function(context.inside().read(arguments[-1]))
    except UnsupportedHintError:
        return Function(context.inside().anything)


def _awaitable(arguments: Arguments, context: Context) -> Spec:
    """A coroutine that sleeps for no time and returns the input."""
    result = context.inside().read(arguments[-1]) if arguments else Int()
    return Record(asyncio.sleep, {}, (Const(0), result))


def _class(arguments: Arguments, context: Context) -> Spec:
    """The class itself and those that derive from it; of a bare ``type``, some built-in ones."""
    hint = context.variables.get(arguments[0], arguments[0]) if arguments else object
    if isinstance(hint, typing.TypeVar):
        hint = stands_for(hint) or object
    options = typing.get_args(hint) if isinstance(hint, types.UnionType) else (typing.get_origin(hint) or hint,)
    if options[0] in (Any, object):
        return Choice((int, str, float, list))
    found = [kind for option in options if isinstance(option, type) for kind in (option, *_below(option))]
    if not found:
        raise UnsupportedHintError(f"no classes are known for the hint type[{hint}]")
    return Choice(tuple(found))


def _below(cls: type) -> list[type]:
    """The classes of the same module that derive from one."""
    below: list[type] = type.__subclasses__(cls)
    return [kind for kind in below if kind.__module__ == cls.__module__][:3]


def _module(arguments: Arguments, context: Context) -> Spec:
    """A module: one of Python, a package, a built-in one, or that under test."""
    own = () if context.module is None else (context.module.__name__,)
    return Record(importlib.import_module, {}, (Choice((*_MODULES, *own)),))


def _manager(arguments: Arguments, context: Context) -> Spec:
    """A context manager that gives the input to its block."""
    return Record(contextlib.nullcontext, {}, (element(arguments, 0, context),))


def _pattern(arguments: Arguments, context: Context) -> Spec:
    patterns: tuple[Any, ...] = _PATTERNS
    if arguments and arguments[0] is bytes:
        patterns = tuple(pattern.encode() for pattern in _PATTERNS)
    return Record(re.compile, {}, (Choice(patterns),))


def _match(arguments: Arguments, context: Context) -> Spec:
    """What a pattern that matches everything finds: the text as a whole, and as its first group."""
    is_bytes = bool(arguments) and arguments[0] is bytes
    return Record(re.match, {}, (Const(b"(?s)(.*)"), Bytes()) if is_bytes else (Const("(?s)(.*)"), Str()))


def _file(arguments: Arguments, context: Context) -> Spec:
    return _BINARY((), context) if arguments and arguments[0] is bytes else _TEXT((), context)


_TEXT, _BINARY = _called(io.StringIO, Str()), _called(io.BytesIO, Bytes())
_END = Union((_AROUND_SIZE, Const(None)))
_DAY = {"year": Int(1, 9999, 2000), "month": Int(1, 12), "day": Int(1, 31)}
_CLOCK = {"hour": Int(0, 23), "minute": Int(0, 59), "second": Int(0, 59), "microsecond": Int(0, 999_999)}
_OFFSET = Record(datetime.timedelta, {"hours": Int(-23, 23)})
_ZONE = Record(datetime.timezone, {}, (_OFFSET,))
_MOST_DAYS = 999_999_999
_SPAN = {"days": Int(-_MOST_DAYS, _MOST_DAYS), "seconds": Int(0, 86_399), "microseconds": Int(0, 999_999)}
_DECIMAL = Record(Decimal.scaleb, {}, (Record(Decimal, {}, (Int(),)), Int(-6, 6)))
_LISTS = (
    *(list, collections.abc.Sequence, collections.abc.MutableSequence, collections.abc.Iterable),
    *(collections.abc.Collection, collections.abc.Container, collections.abc.Reversible, collections.abc.Sized),
)
_FILES = (typing.IO, io.IOBase, io.TextIOBase, io.TextIOWrapper, typing.TextIO, io.StringIO)
_BINARY_FILES = (typing.BinaryIO, io.BytesIO, io.BufferedIOBase, io.RawIOBase, io.BufferedReader, io.FileIO)

READERS: dict[Any, Reader] = {
    int: lambda *_: Int(),
    bool: lambda *_: Bool(),
    float: lambda arguments, context: context.float,
    complex: _complex,
    str: lambda *_: Str(),
    bytes: lambda *_: Bytes(),
    bytearray: _called(bytearray, Bytes()),
    memoryview: _called(memoryview, Bytes()),
    None: lambda *_: Const(None),
    type(None): lambda *_: Const(None),
    types.EllipsisType: lambda *_: Const(...),
    **dict.fromkeys(_LISTS, _LIST),
    tuple: _tuple,
    **dict.fromkeys((dict, collections.abc.Mapping, collections.abc.MutableMapping), _DICT),
    **dict.fromkeys((set, collections.abc.Set, collections.abc.MutableSet), _container(Set)),
    frozenset: _container(_frozenset),
    collections.deque: _over(collections.deque, _LIST),
    collections.Counter: _counter,
    collections.defaultdict: _defaultdict,
    collections.OrderedDict: _over(collections.OrderedDict, _DICT),
    collections.ChainMap: _chain_map,
    collections.UserList: _over(collections.UserList, _LIST),
    collections.UserDict: _over(collections.UserDict, _DICT),
    collections.UserString: _called(collections.UserString, Str()),
    collections.abc.KeysView: lambda arguments, context: Record(
        dict.keys, {}, (_DICT((*arguments, int)[:2], context),)
    ),
    collections.abc.ItemsView: _items,
    array.array: _called(array.array, Const("q"), List(Int(-(2**63), 2**63 - 1))),
    range: _called(range, _AROUND_SIZE, _AROUND_SIZE, Choice((1, 2, -1))),
    slice: _called(slice, _END, _END, Choice((None, 1, 2, -1))),
    Decimal: lambda *_: _DECIMAL,
    Fraction: _called(Fraction, numerator=Int(), denominator=Int(1, None)),
    datetime.date: _called(datetime.date, **_DAY),
    datetime.time: _called(datetime.time, **_CLOCK),
    datetime.datetime: _called(datetime.datetime, **_DAY, **_CLOCK, tzinfo=Union((Const(None), _ZONE))),
    datetime.timedelta: _called(datetime.timedelta, **_SPAN),
    datetime.timezone: lambda *_: _ZONE,
    datetime.tzinfo: lambda *_: _ZONE,
    uuid.UUID: _called(uuid.UUID, int=Int(0, 2**128 - 1)),
    pathlib.PurePath: _called(pathlib.PurePath, Str()),
    **dict.fromkeys((pathlib.Path, os.PathLike), _called(pathlib.Path, Str())),
    re.Pattern: _pattern,
    re.Match: _match,
    **dict.fromkeys(_FILES, _file),
    **dict.fromkeys(_BINARY_FILES, _BINARY),
    **dict.fromkeys((numbers.Integral, numbers.Rational), lambda *_: Int()),
    **dict.fromkeys((numbers.Real, numbers.Complex, numbers.Number), _number),
    **dict.fromkeys((typing.SupportsAbs, typing.SupportsRound, typing.SupportsFloat, typing.SupportsComplex), _number),
    **dict.fromkeys((typing.SupportsInt, typing.SupportsIndex), lambda *_: Int()),
    typing.SupportsBytes: lambda *_: Bytes(),
    **dict.fromkeys((typing.AnyStr, typing.LiteralString), lambda *_: Str()),
    getattr(collections.abc, "Buffer", collections.abc.ByteString): lambda *_: Bytes(),
    collections.abc.ByteString: lambda *_: Bytes(),
    collections.abc.Hashable: _hashable,
    collections.abc.Iterator: _over(iter, _LIST),
    collections.abc.Generator: _over(heapq.merge, lambda arguments, context: _LIST(arguments[:1], context)),
    **dict.fromkeys((collections.abc.Awaitable, collections.abc.Coroutine), _awaitable),
    **dict.fromkeys((collections.abc.Callable, types.FunctionType, types.MethodType, types.LambdaType), _callable),
    type: _class,
    BaseException: _called(ValueError, Str()),
    Exception: _called(ValueError, Str()),
    types.SimpleNamespace: _called(types.SimpleNamespace),
    types.ModuleType: _module,
    **dict.fromkeys((contextlib.AbstractContextManager, contextlib.AbstractAsyncContextManager), _manager),
    typing.Any: lambda arguments, context: context.anything,
    object: lambda arguments, context: context.anything,
}
"""The reader for each type, given the hint's arguments."""
