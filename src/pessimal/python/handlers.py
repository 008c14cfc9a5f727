"""Constructs that operator overloading cannot see: one small handler each, found when the rewritten code runs.

The rewrite puts ``resolve(f)(...)`` where the source says ``f(...)``, and calls of :func:`contains` and
:func:`same` for ``in`` and ``is``. A function with a handler is replaced only when it is called; everything else is
called directly from the user's frame, so that frames, recursion depth and introspection stay as they are.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from sys import _getframe
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    MethodDescriptorType,
    ModuleType,
    NoneType,
    SimpleNamespace,
)
from typing import Any, TypeVar

from pessimal.expr import Compare, conjunction
from pessimal.inputs.domain import LAST_CHARACTER
from pessimal.python import live
from pessimal.python.counted import NATIVE, CountedBool, CountedBytes, CountedFloat, CountedInt, CountedStr, counted
from pessimal.python.values import SYMBOLIC, SymBool, SymBytes, SymFloat, SymInt, SymStr
from pessimal.python.values.number import SymNumber, wrap
from pessimal.python.values.text import number

F = TypeVar("F", bound=Callable[..., Any])

COUNTED = frozenset((CountedBool, CountedInt, CountedFloat, CountedStr, CountedBytes))
_TEXT = (SymStr, SymBytes)
_TRUTHS = (SymBool, CountedBool)
_STRICT = (str, bytes, bytearray, int, float, complex)
_TOLERANT_MODULES = frozenset(
    ("builtins", "_heapq", "_bisect", "_operator", "_functools", "_collections", "itertools", "copy", "gc", "sys")
)
_HEAP_TYPE = 1 << 9
_FUNCTIONS: dict[Any, Callable[..., Any]] = {}
_METHODS: dict[tuple[type, str], Callable[..., Any]] = {}


def handles(function: Any) -> Callable[[F], F]:
    """Register a handler for a built-in function, type, or method such as ``str.join``.

    A handler has the signature of what it stands for (a method's handler takes the object first) and must give
    exactly the native result for concrete arguments.
    """

    def register(handler: F) -> F:
        owner = getattr(function, "__objclass__", None)
        if owner is None:
            _FUNCTIONS[function] = handler
        else:
            _METHODS[owner, function.__name__] = handler
        return handler

    return register


def resolve(function: Any) -> Any:
    """The handler of what is about to be called, or the thing itself."""
    if type(function) is BuiltinFunctionType:
        owner = function.__self__
        if owner is not builtins and owner is not None:
            method = _METHODS.get((type(owner), function.__name__))
            if method is not None:
                return _bind(method, owner)
            if type(owner) in _STRICT:
                return _on_concrete(function)
    try:
        handler = _FUNCTIONS.get(function)
    except TypeError:
        return function
    if handler is not None:
        return handler
    return _on_concrete(function) if _is_strict(function) else function


def _is_strict(function: Any) -> bool:
    """Whether something written in C looks into text itself, instead of asking it; containers only keep it."""
    if type(function) is BuiltinFunctionType:
        return function.__module__ not in _TOLERANT_MODULES and type(function.__self__) in (ModuleType, NoneType)
    if type(function) in (MethodDescriptorType, ClassMethodDescriptorType):
        return function.__objclass__ in _STRICT
    return type(function) is type and not function.__flags__ & _HEAP_TYPE and function.__module__ != "builtins"


def _on_concrete(function: Any) -> Callable[..., Any]:
    """The function, called on text made concrete, which the trace tells."""

    def call(*args: Any, **kwargs: Any) -> Any:
        reason = getattr(function, "__qualname__", "a built-in")
        named = {name: _concrete(arg, reason) for name, arg in kwargs.items()}
        return function(*(_concrete(arg, reason) for arg in args), **named)

    return call


def _concrete(arg: Any, reason: str) -> Any:
    """An argument without symbolic text, also where several options are given as a tuple."""
    if type(arg) is tuple:
        return tuple(_concrete(part, reason) for part in arg)
    return arg.concrete(reason) if type(arg) in _TEXT else arg


def _bind(method: Callable[..., Any], owner: Any) -> Callable[..., Any]:
    def bound(*args: Any, **kwargs: Any) -> Any:
        return method(owner, *args, **kwargs)

    return bound


def contains(item: Any, container: Any) -> Any:
    """``item in container``: stays symbolic where the container answers symbolically."""
    if type(container) in (SymStr, SymBytes, CountedStr, CountedBytes):
        return container.__contains__(item)
    if type(container) is str and type(item) is SymStr:
        return SymStr(SymStr.codes_of(container) or ()).__contains__(item)
    if type(container) in (str, bytes) and type(item) in COUNTED:
        return counted(item in container)
    return item in container


def lacks(item: Any, container: Any) -> Any:
    """``item not in container``."""
    return _opposite(contains(item, container))


def same(left: Any, right: Any) -> Any:
    """``left is right``, where a symbolic or counted truth value is the object that it stands for."""
    if type(left) in _TRUTHS and isinstance(right, bool):
        return left == right
    if type(right) in _TRUTHS and isinstance(left, bool):
        return right == left
    return left is right


def differs(left: Any, right: Any) -> Any:
    """``left is not right``."""
    return _opposite(same(left, right))


def _opposite(answer: Any) -> Any:
    return answer ^ True if type(answer) in _TRUTHS else not answer


def decided(value: Any) -> Any:
    """What a ``__bool__`` returns, as the real bool that Python wants; a symbolic one is decided, as a branch."""
    return bool(value) if type(value) in _TRUTHS else value


class _Twin:
    """Equal to what is identical to a truth value, symbolic ones included: stands for it in a pattern."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, truth: bool) -> None:
        self._truth = truth

    def __eq__(self, other: object) -> Any:
        return same(other, self._truth)


TRUTHS = SimpleNamespace(true=_Twin(True), false=_Twin(False))
"""The twins of the truth values, as attributes that patterns can name."""


@handles(type)
def _type(*args: Any, **kwargs: Any) -> Any:
    if len(args) == 1 and type(args[0]) in SYMBOLIC:
        return args[0].__class__
    if len(args) == 1 and type(args[0]) in NATIVE:
        return NATIVE[type(args[0])]
    return type(*args, **kwargs)


def _convert(native: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A conversion as it is, its result counted again if it was made from a counted value."""
    args = tuple(arg.concrete(f"{native.__name__}()") if type(arg) in _TEXT else arg for arg in args)
    result = native(*args, **kwargs)
    return counted(result) if args and type(args[0]) in COUNTED else result


@handles(int)
def _int(*args: Any, **kwargs: Any) -> Any:
    if len(args) == 1 and not kwargs:
        value = args[0]
        if type(value) is SymInt:
            return +value
        if type(value) is SymBool:
            return value.as_int()
    return _convert(int, args, kwargs)


@handles(float)
def _float(*args: Any) -> Any:
    if len(args) == 1:
        value = args[0]
        if type(value) is SymFloat:
            return +value
        if type(value) is SymInt:
            return wrap("float", (value.expr,), "float")
    return _convert(float, args, {})


@handles(bool)
def _bool(*args: Any) -> Any:
    if len(args) == 1:
        value = args[0]
        if type(value) in (SymBool, CountedBool):
            return value
        if isinstance(value, SymNumber) or type(value) in (CountedInt, CountedFloat):
            return value != 0
    return bool(*args)


@handles(str)
def _str(*args: Any, **kwargs: Any) -> Any:
    if len(args) == 1 and type(args[0]) is SymStr:
        return args[0][:]
    return _convert(str, args, kwargs)


@handles(bytes)
def _bytes(*args: Any, **kwargs: Any) -> Any:
    if len(args) == 1 and type(args[0]) is SymBytes:
        return args[0][:]
    return _convert(bytes, args, kwargs)


@handles(ord)
def _ord(char: Any) -> Any:
    if type(char) in _TEXT:
        if len(char) == 1:
            return number(char.codes[0])
        char = char.concrete("ord()")
    code = ord(char)
    return CountedInt(code) if type(char) in COUNTED else code


@handles(chr)
def _chr(code: Any) -> Any:
    if type(code) is SymInt:
        in_range = conjunction([Compare("<=", 0, code.expr), Compare("<=", code.expr, LAST_CHARACTER)])
        if live.execution.choice(in_range, _getframe(1)):
            return SymStr((code.expr,))
        raise ValueError("chr() arg not in range(0x110000)")
    char = chr(code)
    return CountedStr(char) if type(code) in COUNTED else char


@handles(operator.index)
def _index(value: Any) -> Any:
    return +value if type(value) in (SymInt, CountedInt) else operator.index(value)


@handles(print)
def _print(*args: Any, **kwargs: Any) -> None:
    """What a target prints goes nowhere, so nothing needs to become concrete for it."""


@handles(str.join)
def _join(separator: str, parts: Any) -> Any:
    items = list(parts)
    if not any(type(item) is SymStr for item in items):
        text = separator.join(items)
        return CountedStr(text) if any(type(item) is CountedStr for item in items) else text
    joined: Any = ""
    for i, item in enumerate(items):
        joined = joined + separator + item if i else item
    return joined


__all__ = ["contains", "differs", "handles", "lacks", "resolve", "same"]
