"""What is known of compiled code: which of it only keeps values, or asks them by their operators.

A list keeps what it is given, and asks it at most whether it is equal, smaller, or what its hash is: a symbolic value
answers that as a real one does. Other compiled code may look into a value, and refuse one that is not the real thing.
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
    WrapperDescriptorType,
)
from typing import Any

_HEAP_TYPE = 1 << 9
"""The flag of classes that are made at run time, as all are that are written in Python."""

_ASKING_MODULES = frozenset(
    ("builtins", "_heapq", "_bisect", "_operator", "_functools", "_collections", "itertools", "copy", "gc", "sys")
)
_LOOKS_INTO = frozenset((delattr, input, __import__))

_KEEPING = frozenset(
    (
        *(object, type, list, tuple, dict, set, frozenset, deque, defaultdict, OrderedDict, slice, range),
        *(property, classmethod, staticmethod, GeneratorType, CoroutineType, AsyncGeneratorType, ModuleType),
        *(functools.partial, operator.itemgetter, operator.attrgetter, operator.methodcaller),
        *(type({}.keys()), type({}.values()), type({}.items())),
    )
)
_BUILT_IN = frozenset(value for value in vars(builtins).values() if isinstance(value, type))
_MOST_CLASSES = 1024


def _remembered(judge: Callable[[type], bool]) -> Callable[[type], bool]:
    """Judge a class once; of classes that are made again and again only the latest are kept."""
    return lru_cache(_MOST_CLASSES)(judge)


def asks(function: Any) -> bool:
    """Whether a compiled function or class of a module asks its arguments by their operators."""
    return function.__module__ in _ASKING_MODULES and function not in _LOOKS_INTO


@_remembered
def keeps(cls: type) -> bool:
    """Whether what is compiled of a class only keeps what it is given; so do all exceptions."""
    return all(_is_harmless(base) or not _is_compiled(base) for base in cls.__mro__)


@_remembered
def is_foreign(cls: type) -> bool:
    """Whether a class is, or derives from, a compiled one that is not built in and may look into what it is given."""
    return any(_is_compiled(base) and not _is_harmless(base) and base.__module__ != "builtins" for base in cls.__mro__)


@_remembered
def constructs(cls: type) -> bool:
    """Whether the objects of a class are made by compiled code that looks into what it is given."""
    made: Any = cls.__new__
    prepared: Any = cls.__init__  # type: ignore[misc]
    makers: list[Any] = [made.__self__] if type(made) is BuiltinFunctionType else []
    if type(prepared) is WrapperDescriptorType:
        makers.append(prepared.__objclass__)
    return not all(maker in _BUILT_IN or _is_harmless(maker) for maker in makers)


def _is_harmless(cls: type) -> bool:
    return cls in _KEEPING or issubclass(cls, BaseException)


def _is_compiled(cls: type) -> bool:
    """Whether a class has methods of its own that are compiled."""
    if not cls.__flags__ & _HEAP_TYPE:
        return True
    compiled = (MethodDescriptorType, WrapperDescriptorType)
    return any(isinstance(member, compiled) and member.__objclass__ is cls for member in vars(cls).values())
