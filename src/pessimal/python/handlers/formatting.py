"""Handlers that make text of values: ``str``, ``repr``, ``ascii``, ``format``, ``hex``, ``oct``, ``bin``, f-strings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from types import FunctionType, NoneType
from typing import Any

from pessimal.python.counted import COUNTED, CountedBool, CountedFloat, CountedStr
from pessimal.python.deciding import decide
from pessimal.python.handlers.registry import handles
from pessimal.python.handlers.specs import format_int, format_text
from pessimal.python.values import SYMBOLIC, SymBool, SymBytes, SymFloat, SymInt, SymStr
from pessimal.python.values.digits import text_of_int
from pessimal.python.values.keyed import Dict, SymDict
from pessimal.python.values.lazy_text import LazyText
from pessimal.python.values.quoting import ascii_only, quoted

_ATOMS = frozenset((int, float, complex, bool, NoneType, str, bytes, bytearray, range))
_CONTAINERS = frozenset((list, tuple, dict, set, frozenset))
_BRACKETS: dict[type, tuple[str, str]] = {list: ("[", "]"), tuple: ("(", ")"), frozenset: ("frozenset({", "})")}
_DEPTH = 50
_CONCRETE_TEXT = frozenset((CountedFloat, CountedBool))
"""Counted values whose text is plain, since symbolic runs make it concrete."""


def _kind(value: Any) -> type:
    """The class that a value shows; the dicts of rewritten code are dicts."""
    kind = type(value)
    return dict if kind is Dict or kind is SymDict else kind


def is_plain(value: Any, depth: int = 0) -> bool:
    """Whether a value is made of built-in values alone, so that Python's own formatting is all it needs."""
    kind = _kind(value)
    if kind in _ATOMS:
        return True
    if kind not in _CONTAINERS or depth > _DEPTH:
        return False
    if kind is dict:
        return all(is_plain(part, depth + 1) for item in value.items() for part in item)
    return all(is_plain(part, depth + 1) for part in value)


def text_of(value: Any) -> Any:
    """``str(value)``, symbolic where the value is."""
    kind: Any = type(value)
    if kind is SymInt:
        return text_of_int(value.expr)
    if kind is SymStr:
        return value[:]
    if kind is LazyText:
        return value.made()
    if kind in SYMBOLIC or kind in _CONTAINERS:
        return repr_of(value)
    if kind in COUNTED:
        return str(value) if kind in _CONCRETE_TEXT else CountedStr(str(value))
    if kind.__str__ is object.__str__:
        return repr_of(value)
    if kind.__str__ is BaseException.__str__ and len(value.args) == 1:
        return text_of(value.args[0])
    return _by_method(value, "__str__", str)


def repr_of(value: Any, around: tuple[int, ...] = ()) -> Any:
    """``repr(value)``, symbolic where the value is; ``around`` are the containers that it is in."""
    kind = _kind(value)
    if kind is SymInt:
        return text_of_int(value.expr)
    if kind is SymBool:
        return repr(decide(value.expr))
    if kind is SymFloat:
        return repr(value.concrete("repr()"))
    if kind is SymStr or kind is SymBytes:
        return quoted(value)
    if kind in COUNTED:
        return repr(value) if kind in _CONCRETE_TEXT else CountedStr(repr(value))
    if kind in _CONTAINERS:
        return repr(value) if is_plain(value) else _container(value, around)
    return _by_method(value, "__repr__", repr)


def _by_method(value: Any, name: str, native: Callable[[Any], str], *args: str) -> Any:
    """What a method written in Python returns, which may be symbolic; C methods are called natively."""
    method = getattr(type(value), name, None)
    if type(method) is not FunctionType:
        return native(value, *args)
    result = method(value, *args)
    if type(result) is SymStr or isinstance(result, str):
        return result
    kind = type(result).__name__
    if name == "__format__":
        raise TypeError(f"{name} must return a str, not {kind}")
    raise TypeError(f"{name} returned non-string (type {kind})")


def _container(value: Any, around: tuple[int, ...]) -> Any:
    """The text of a list, tuple, dict or set from the texts of what is in it."""
    kind = _kind(value)
    front, back = _BRACKETS.get(kind, ("{", "}"))
    if id(value) in around:
        return "frozenset(...)" if kind is frozenset else f"{front}...{back}"
    around = (*around, id(value))
    if kind is dict:
        items = [joined(repr_of(key, around), ": ", repr_of(item, around)) for key, item in value.items()]
    else:
        items = [repr_of(item, around) for item in value]
    comma = "," if kind is tuple and len(items) == 1 else ""
    return joined(front, *_with_commas(items), comma, back)


def _with_commas(items: Iterable[Any]) -> list[Any]:
    return [part for item in items for part in (", ", item)][1:]


def ascii_of(value: Any) -> Any:
    """``ascii(value)``, symbolic where the value is."""
    if is_plain(value):
        return ascii(value)
    text = repr_of(value)
    if type(text) is SymStr:
        return ascii_only(text.codes)
    plain = text.encode("ascii", "backslashreplace").decode()
    return CountedStr(plain) if type(text) is CountedStr else plain


def format_of(value: Any, spec: Any = "") -> Any:
    """``format(value, spec)``, symbolic where the value is."""
    if type(spec) is SymStr:
        spec = spec.concrete("a format specification")
    kind: Any = type(value)
    if kind in SYMBOLIC and isinstance(spec, str):
        return _format_symbolic(value, spec)
    if kind in COUNTED:
        return CountedStr(format(value, spec))
    if kind.__format__ is object.__format__ and type(spec) is str and not spec:
        return text_of(value)
    return _by_method(value, "__format__", format, spec)


def _format_symbolic(value: Any, spec: str) -> Any:
    kind = type(value)
    if not spec:
        return text_of(value)
    if kind is SymInt:
        return format_int(value.expr, spec)
    if kind is SymBool:
        format(True, spec)  # refuses what Python refuses of a truth value
        return format_int(value.as_int().expr, spec)
    if kind is SymStr:
        return format_text(value, spec)
    return format(value.concrete("format()"), spec)


_CONVERSIONS: dict[int, Callable[[Any], Any]] = {ord("s"): text_of, ord("r"): repr_of, ord("a"): ascii_of}


def formatted(value: Any, conversion: int, spec: Any) -> Any:
    """A replacement field of an f-string; the conversion is written as in Python's syntax tree."""
    convert = _CONVERSIONS.get(conversion)
    return format_of(value if convert is None else convert(value), spec)


def joined(*parts: Any) -> Any:
    """The parts of an f-string put together."""
    if any(type(part) is SymStr for part in parts):
        return SymStr.make([code for part in parts for code in SymStr.codes_of(part) or ()])
    text = "".join(parts)
    return CountedStr(text) if any(type(part) is CountedStr for part in parts) else text


def field(value: Any, conversion: int, spec: Any) -> Any:
    """A replacement field in the message of an error: what is symbolic is formatted only if it is read."""
    return (
        partial(formatted, value, conversion, spec) if type(value) in SYMBOLIC else formatted(value, conversion, spec)
    )


def lazy_text(*parts: Any) -> Any:
    """The message of an error, put together when it is read if something in it is symbolic."""
    if not any(type(part) is partial for part in parts):
        return joined(*parts)
    return LazyText(lambda: joined(*(part() if type(part) is partial else part for part in parts)))


@handles(int.__repr__)
def _int_repr(value: Any) -> Any:
    return repr_of(value) if type(value) in SYMBOLIC else int.__repr__(value)


@handles(repr)
def _repr(value: Any, /) -> Any:
    return repr_of(value)


@handles(ascii)
def _ascii(value: Any, /) -> Any:
    return ascii_of(value)


@handles(format)
def _format(value: Any, spec: Any = "", /) -> Any:
    return format_of(value, spec)


def _in_base(value: Any, native: Callable[[Any], str], kind: str) -> Any:
    if type(value) is SymBool:
        value = value.as_int()
    if type(value) is SymInt:
        return format_int(value.expr, f"#{kind}")
    text = native(value)
    return CountedStr(text) if type(value) in COUNTED else text


@handles(hex)
def _hex(value: Any, /) -> Any:
    return _in_base(value, hex, "x")


@handles(oct)
def _oct(value: Any, /) -> Any:
    return _in_base(value, oct, "o")


@handles(bin)
def _bin(value: Any, /) -> Any:
    return _in_base(value, bin, "b")
