"""Which compiled code accepts symbolic values: code that only stores values, or uses them by their operators.

A list stores its items, and at most compares or hashes them, which symbolic values support as real ones do. Other
compiled code may look into the representation of a value, and refuse a symbolic one.
"""

from __future__ import annotations

import builtins
import functools
import operator
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from functools import lru_cache
from types import (
    AsyncGeneratorType,
    BuiltinFunctionType,
    CoroutineType,
    GeneratorType,
    MethodDescriptorType,
    ModuleType,
    SimpleNamespace,
    WrapperDescriptorType,
)
from typing import Any

_HEAP_TYPE = 1 << 9
"""The flag of classes that are created at run time, as are all those written in Python."""

_OPERATOR_MODULES = frozenset(
    (
        *("builtins", "_heapq", "_bisect", "_operator", "_functools", "_collections", "collections", "itertools"),
        *("copy", "gc", "sys"),
    )
)
_LOOKS_INTO = frozenset((delattr, input, __import__))

_STORING = frozenset(
    (
        *(object, type, list, tuple, dict, set, frozenset, deque, defaultdict, OrderedDict, slice, range),
        *(property, classmethod, staticmethod, GeneratorType, CoroutineType, AsyncGeneratorType, ModuleType),
        *(SimpleNamespace, functools.partial, operator.itemgetter, operator.attrgetter, operator.methodcaller),
        *(type({}.keys()), type({}.values()), type({}.items())),
    )
)
_BUILT_IN = frozenset(value for value in vars(builtins).values() if isinstance(value, type))
_MOST_CLASSES = 1024


def _remembered(judge: Callable[[type], bool]) -> Callable[[type], bool]:
    """Remember the judgement of a class, for a limited number of classes, since programs may create them in a loop."""
    return lru_cache(_MOST_CLASSES)(judge)


def uses_operators(function: Any) -> bool:
    """Whether a compiled function or class of a module uses its arguments by their operators alone."""
    return function.__module__ in _OPERATOR_MODULES and function not in _LOOKS_INTO


@_remembered
def only_stores(cls: type) -> bool:
    """Whether the compiled methods of a class only store their arguments, as those of exceptions do."""
    return all(_is_storing(base) or not _is_compiled(base) for base in cls.__mro__)


@_remembered
def is_foreign(cls: type) -> bool:
    """Whether a class is, or derives from, a compiled one that is not built in and may look into its arguments."""
    return any(_is_compiled(base) and not _is_storing(base) and base.__module__ != "builtins" for base in cls.__mro__)


@_remembered
def is_made_by_compiled_code(cls: type) -> bool:
    """Whether the objects of a class are made by compiled code that may look into its arguments."""
    made: Any = cls.__new__
    prepared: Any = cls.__init__  # type: ignore[misc]
    makers: list[Any] = [made.__self__] if type(made) is BuiltinFunctionType else []
    if type(prepared) is WrapperDescriptorType:
        makers.append(prepared.__objclass__)
    return deque in makers or not all(maker in _BUILT_IN or _is_storing(maker) for maker in makers)  # it has a maxlen


def _is_storing(cls: type) -> bool:
    return cls in _STORING or issubclass(cls, BaseException)


def _is_compiled(cls: type) -> bool:
    """Whether a class has methods of its own that are compiled."""
    if not cls.__flags__ & _HEAP_TYPE:
        return True
    compiled = (MethodDescriptorType, WrapperDescriptorType)
    return any(isinstance(member, compiled) and member.__objclass__ is cls for member in vars(cls).values())
