"""The registry of handlers: what stands for a function or method that operator overloading cannot see through.

The rewrite puts ``resolve(f)(...)`` where the source says ``f(...)``. A function with a handler is replaced only when
it is called; everything else is called directly from the user's frame, so that frames, recursion depth and
introspection stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, TypeVar

from pessimal.python.compiled_code import is_foreign, is_made_by_compiled_code, only_stores, uses_operators
from pessimal.python.counted import COUNTED, NATIVE, counted
from pessimal.python.plain_calls import needing_plain, plain_arguments
from pessimal.python.recompile import as_written
from pessimal.python.refusals import watched
from pessimal.python.values import SYMBOLIC, SymBool, SymBytes, SymInt, SymStr

F = TypeVar("F", bound=Callable[..., Any])

_TEXT = (SymStr, SymBytes)
_STRICT = (str, bytes, bytearray, int, float, complex)
_STRICT_OWNERS = frozenset(("_struct", "_io", "_csv", "_hashlib", "_sha1", "_sha2", "_md5", "zlib", "unicodedata"))
_EXACT_MODULES = frozenset(("marshal", "_pickle"))
"""Modules whose functions look at the exact class of each value, at any depth."""
_FUNCTIONS: dict[Any, Callable[..., Any]] = {}
_METHODS: dict[tuple[type, str], Callable[..., Any]] = {}
_KINDS: dict[type, Callable[..., Any]] = {}
_FOUND: dict[tuple[type, str], Callable[..., Any] | None] = {}
_PROMOTED: dict[type, Any] = {str: SymStr, bytes: SymBytes}
_ARGUMENTS = frozenset((SymStr, SymBytes, SymInt, SymBool))


_SPELLED_OUT: dict[str, Any] = {
    "__repr__": repr,
    "__str__": str,
    "__format__": format,
    "__hash__": hash,
    "__int__": int,
    "__float__": float,
    "__bool__": bool,
    "__abs__": abs,
    "__round__": round,
    "__divmod__": divmod,
    "__pow__": pow,
}
"""Special methods that are called by name, as in ``int.__repr__(x)``, and the functions that they answer."""


def handles(function: Any) -> Callable[[F], F]:
    """Register a handler for a built-in function, type, or method such as ``str.join``.

    A handler has the signature of what it stands for (a method's handler takes the object first) and must give
    exactly the native result for concrete arguments. One in a module that is rewritten is taken as it is written, or
    its own call of what it handles would come back to it.
    """

    def register(handler: F) -> F:
        handler = as_written(handler)
        owner = getattr(function, "__objclass__", None)
        if owner is None:
            _FUNCTIONS[function] = handler
        else:
            _METHODS[owner, function.__name__] = handler
            _FOUND.clear()
        return handler

    return register


def handles_kind(kind: type) -> Callable[[F], F]:
    """Register a handler for calls of all objects of a class; it takes the object first."""

    def register(handler: F) -> F:
        handler = as_written(handler)
        _KINDS[kind] = handler
        return handler

    return register


def resolve(function: Any) -> Any:
    """The handler of what is about to be called, or the thing itself."""
    kind: Any = type(function)
    if kind is FunctionType or kind is MethodType:
        return _plainly(function) if needing_plain and _is_noted(function) else _FUNCTIONS.get(function, function)
    if kind is BuiltinFunctionType:
        return _compiled(function)
    if kind is MethodDescriptorType or kind is WrapperDescriptorType:
        return _unbound(function)
    if kind in _KINDS:
        return _bind(_KINDS[kind], function)
    if isinstance(function, type):
        handler = _FUNCTIONS.get(function)
        if handler is None and function in needing_plain:
            return _plainly(function)
        if handler is not None or not is_made_by_compiled_code(function):
            return handler or function
        return _watched(function) if uses_operators(function) else _on_concrete(function)
    if kind is MethodWrapperType:
        return _watched(function) if is_foreign(function.__objclass__) else function
    return _handler(function) or _on_concrete(function) if is_foreign(kind) else function


def _is_noted(function: Any) -> bool:
    """Whether a function of a library refused a symbolic value before."""
    return getattr(function, "__code__", None) in needing_plain


def _plainly(function: Any) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = plain_arguments(function, args, kwargs)
        return function(*args, **kwargs)

    return call


def _handler(function: Any) -> Any:
    """The handler of an object that may not be hashable, as functions of ctypes are."""
    try:
        return _FUNCTIONS.get(function)
    except TypeError:
        return None


def _compiled(function: Any) -> Any:
    """What stands for a compiled function of a module, or a method of an object or class."""
    owner = function.__self__
    kind: Any = type(owner)
    if kind is ModuleType or kind is type or owner is None:
        handler = _FUNCTIONS.get(function)
        if handler is not None:
            return handler
    else:
        method = _method(kind, function.__name__)
        if method is not None:
            return _bind(method, owner)
    if kind is ModuleType or owner is None:
        if uses_operators(function):
            return function
        return _on_exact(function) if function.__module__ in _EXACT_MODULES else _on_concrete(function)
    if only_stores(owner if kind is type else kind):
        return function
    if kind in _PROMOTED:
        return _promoting(function, owner)
    is_strict = (owner if kind is type else kind) in _STRICT or kind.__module__ in _STRICT_OWNERS
    return _on_concrete(function) if is_strict else _watched(function)


def is_handled(function: Any) -> bool:
    """Whether something is called by way of a handler, or as a method of symbolic text."""
    owner: Any = None
    if type(function) in (MethodDescriptorType, WrapperDescriptorType):
        owner = function.__objclass__
    elif type(function) is BuiltinFunctionType and not isinstance(function.__self__, ModuleType):
        owner = type(function.__self__)
    if owner is not None and (owner in _PROMOTED or _method(owner, function.__name__) is not None):
        return True
    if getattr(function, "__module__", None) in _EXACT_MODULES:
        return True
    try:
        return function in _FUNCTIONS or type(function) in _KINDS
    except TypeError:
        return False


def _method(kind: type, name: str) -> Callable[..., Any] | None:
    """The handler of a method, also for classes that derive from the one that has it."""
    found = _FOUND.get((kind, name), _FOUND)
    if found is not _FOUND:
        return found  # type: ignore[return-value]
    found = next((_METHODS[base, name] for base in kind.__mro__ if (base, name) in _METHODS), None)
    _FOUND[kind, name] = found
    return found


def _unbound(function: Any) -> Callable[..., Any]:
    """A method taken from its class, such as ``str.upper``: the object comes with the call."""

    def call(owner: Any, *args: Any, **kwargs: Any) -> Any:
        method = _method(function.__objclass__, function.__name__)
        if method is not None and isinstance(owner, function.__objclass__):
            return method(owner, *args, **kwargs)
        if type(owner) in SYMBOLIC:
            general = _SPELLED_OUT.get(function.__name__)
            if general is not None:
                return resolve(general)(owner, *args, **kwargs)
            return getattr(owner, function.__name__)(*args, **kwargs)
        if type(owner) in _PROMOTED:
            return _promoting(getattr(owner, function.__name__), owner)(*args, **kwargs)
        if only_stores(function.__objclass__):
            return function(owner, *args, **kwargs)
        return watched(function, (owner, *args), kwargs)

    return call


def _promoting(function: Any, owner: Any) -> Callable[..., Any]:
    """A method of plain text, which becomes one of symbolic text where an argument is symbolic."""

    def call(*args: Any, **kwargs: Any) -> Any:
        given = (*args, *kwargs.values())
        if not any(map(_is_text, given)):
            result = function(*args, **kwargs)
            return counted(result) if type(result) is not int and any(type(arg) in COUNTED for arg in given) else result
        promoted = _PROMOTED[type(owner)]
        return getattr(promoted(promoted.codes_of(owner)), function.__name__)(*args, **kwargs)

    return call


def _is_text(arg: Any) -> bool:
    return type(arg) in _ARGUMENTS or (type(arg) is tuple and any(map(_is_text, arg)))


def _on_concrete(function: Any) -> Callable[..., Any]:
    """The function, called with symbolic text made concrete, which the trace records."""

    def call(*args: Any, **kwargs: Any) -> Any:
        reason = getattr(function, "__qualname__", "a built-in")
        named = {name: _concrete(arg, reason) for name, arg in kwargs.items()}
        return watched(function, tuple(_concrete(arg, reason) for arg in args), named)

    return call


def _on_exact(function: Any) -> Callable[..., Any]:
    """The function, called with plain values in place of counted ones; symbolic ones it refuses."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return watched(function, tuple(map(_exact, args)), {name: _exact(arg) for name, arg in kwargs.items()})

    return call


def _exact(value: Any) -> Any:
    """A counted value as the plain one that it shows, and containers of exactly the classes that they show."""
    kind = type(value)
    if kind in NATIVE:
        return NATIVE[kind](value)
    shown: Any = value.__class__  # dicts and sets of rewritten code show themselves as the built-in ones
    if kind in (list, tuple) or shown in (set, frozenset):
        return shown(map(_exact, value))
    return {_exact(key): _exact(item) for key, item in value.items()} if shown is dict else value


def _watched(function: Any) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return watched(function, args, kwargs)

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
