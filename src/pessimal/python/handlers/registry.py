"""The registry of handlers: what stands for a function or method that operator overloading cannot see through.

The rewrite puts ``resolve(f)(...)`` where the source says ``f(...)``. A function with a handler is replaced only when
it is called; everything else is called directly from the user's frame, so that frames, recursion depth and
introspection stay as they are.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import BuiltinFunctionType, ClassMethodDescriptorType, MethodDescriptorType, ModuleType, NoneType
from typing import Any, TypeVar

from pessimal.python.values import SymBytes, SymStr

F = TypeVar("F", bound=Callable[..., Any])

_TEXT = (SymStr, SymBytes)
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
