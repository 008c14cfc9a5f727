"""Functions that refused a symbolic value: from then on they are called with concrete values.

What a function does with a symbolic value is known when it has refused one. The run in which that happens does not go
the target's own way, and is made again (:func:`repeated`). This time the arguments of the function become concrete
first, which the trace records, so that a search explores what comes after the call, and other values too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from types import (
    BuiltinFunctionType,
    FrameType,
    FunctionType,
    GeneratorType,
    MethodDescriptorType,
    MethodWrapperType,
    ModuleType,
    NoneType,
    WrapperDescriptorType,
)
from typing import Any

from pessimal.python.symbolic_value import SymbolicValue
from pessimal.trace import Trace

MAX_REPETITIONS = 20
"""How often a run is made again at most, since other functions may refuse values later in it."""

_DEPTH = 4
_ATOMS = frozenset((bool, int, float, complex, str, bytes, bytearray, NoneType))
_NOT_OBJECTS = (type, ModuleType, FunctionType)
_ITERATORS: tuple[type, ...] = (GeneratorType, map, filter, zip, enumerate, reversed, type(iter([])), type(iter(())))

needing_plain: set[Any] = set()
"""What stands for the functions: the code of one in Python, the class that is made, else what :func:`_key` says."""


def repeated(run: Callable[[], Trace]) -> Trace:
    """The trace of a run, which is made again as long as functions refuse values that did not do so before."""
    for _ in range(MAX_REPETITIONS):
        known = len(needing_plain)
        trace = run()
        if trace.refused is None or len(needing_plain) == known:
            break
    return trace


def note_compiled(function: Any) -> None:
    """Note that a compiled function refused a symbolic value."""
    needing_plain.add(_key(function))


def note_frame(frame: FrameType) -> None:
    """Note that a function of a library refused one, by the frame in which it runs."""
    code = frame.f_code
    needing_plain.add(code)
    first = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
    if code.co_name == "__init__":
        needing_plain.add(type(first))
    elif code.co_name == "__new__":
        needing_plain.add(first)


def needs_plain(function: Any) -> bool:
    """Whether a compiled function refused a symbolic value before."""
    return bool(needing_plain) and _key(function) in needing_plain


def _key(function: Any) -> Any:
    """What is the same for all objects that a compiled method is bound to."""
    kind = type(function)
    if kind is MethodWrapperType:
        return function.__objclass__, function.__name__
    if kind is BuiltinFunctionType and not isinstance(function.__self__, ModuleType | NoneType):
        owner = function.__self__
        return owner if isinstance(owner, type) else type(owner), function.__name__
    if kind is BuiltinFunctionType or isinstance(function, type | MethodDescriptorType | WrapperDescriptorType):
        return function
    return kind.__qualname__, getattr(function, "__name__", None)  # of ctypes, each of which is a new object


def plain_arguments(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a function made concrete, and the object that it is a method of."""
    reason = str(getattr(function, "__qualname__", type(function).__qualname__))
    _concrete(getattr(function, "__self__", None), reason)
    return _concrete(args, reason), _concrete(kwargs, reason)


def _concrete(value: Any, reason: str, depth: int = _DEPTH) -> Any:
    """A value without symbolic ones. A list, dict or object stays the same one, and gets concrete parts."""
    kind: Any = type(value)
    if isinstance(value, SymbolicValue):
        return value.concrete(reason)
    if depth == 0 or kind in _ATOMS:
        return value
    if kind is tuple:
        return tuple(_concrete(part, reason, depth - 1) for part in value)
    if kind in _ITERATORS:
        return (_concrete(part, reason, depth - 1) for part in value)
    _replace_parts(value, kind, lambda part: _concrete(part, reason, depth - 1))
    return value


def _replace_parts(value: Any, kind: Any, replace: Callable[[Any], Any]) -> None:
    if kind is list or kind is deque:
        for place, part in enumerate(value):
            value[place] = replace(part)
    elif isinstance(value, dict):
        if not any(isinstance(key, SymbolicValue) for key in dict.keys(value)):
            for key, part in list(dict.items(value)):
                dict.__setitem__(value, key, replace(part))
    else:
        _replace_parts(attributes_of(value), dict, replace)


def attributes_of(value: Any) -> dict[str, Any]:
    """The attributes that an object keeps in a dict; none of classes, modules and functions."""
    if issubclass(type(value), _NOT_OBJECTS):
        return {}
    try:
        kept = object.__getattribute__(value, "__dict__")  # no method of the object's own is called
    except AttributeError:
        return {}
    return kept if type(kept) is dict else {}
