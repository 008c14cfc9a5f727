"""Subclasses of the real types whose operators give counted results.

The methods are the native ones, lifted: compute natively, then count whatever came out. Hashing, formatting,
indexing and conversion by ``int()``, ``float()`` and ``str()`` stay native and give plain values, and what a C
function computes without asking the operand's operators (``ord``, ``1.5 < x`` for an int ``x``) is plain, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import isfinite
from types import MethodDescriptorType
from typing import Any, TypeAlias

from pessimal.python.counted.truth import FALSE, TRUE, CountedBool

_Method: TypeAlias = Callable[..., Any]

_MIRRORED = {"lt": "gt", "le": "ge", "eq": "eq", "ne": "ne", "gt": "lt", "ge": "le"}
_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod")
_BITWISE = ("and", "or", "xor", "lshift", "rshift")
_ROUNDING = ("__round__", "__trunc__", "__floor__", "__ceil__")


class IntKey(int):
    """An int that was hashed; a counted one is a kind of it, so that it answers where the two meet."""

    __slots__ = ()


class FloatKey(float):
    """A float that was hashed."""

    __slots__ = ()


class StrKey(str):
    """A text that was hashed."""

    __slots__ = ()


class BytesKey(bytes):
    """Bytes that were hashed."""

    __slots__ = ()


class CountedInt(IntKey):
    """An int that came from the input."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return bool(self != 0)


class CountedFloat(FloatKey):
    """A float that came from the input."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return bool(self != 0.0)


class CountedStr(StrKey):
    """A text that came from the input; its length is fixed, so ``if text`` does not count."""

    __slots__ = ()

    def __iter__(self) -> Iterator[str]:
        return map(CountedStr, str.__iter__(self))

    def __radd__(self, other: Any) -> Any:
        return CountedStr(str.__add__(other, self)) if isinstance(other, str) else NotImplemented


class CountedBytes(BytesKey):
    """Bytes that came from the input; as with a text, the length is not counted but the elements are."""

    __slots__ = ()

    def __iter__(self) -> Iterator[int]:
        return map(CountedInt, bytes.__iter__(self))

    def __radd__(self, other: Any) -> Any:
        return CountedBytes(bytes.__add__(other, self)) if isinstance(other, bytes) else NotImplemented


_COUNTED: dict[type, Callable[[Any], Any]] = {
    bool: CountedBool,
    int: CountedInt,
    float: CountedFloat,
    str: lambda text: CountedStr(text) if text else text,  # nothing of the input is left in an empty one
    bytes: lambda data: CountedBytes(data) if data else data,
    tuple: lambda items: tuple(map(counted, items)),
    list: lambda items: list(map(counted, items)),
}


def counted(value: Any) -> Any:
    """The counted twin of a native result; what has none (NotImplemented, None, complex) passes through."""
    make = _COUNTED.get(type(value))
    return value if make is None else make(value)


def _lifted(native: _Method) -> _Method:
    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        return counted(native(self, *arguments, **named))

    return method


def _lifted_text(native: _Method) -> _Method:
    """A method of text: what it finds or counts is a plain number, decided outside of the program's tests."""

    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        result = native(self, *arguments, **named)
        return result if type(result) is int else counted(result)

    return method


def _unary(native: _Method) -> _Method:
    def method(self: Any) -> Any:
        return counted(native(self))

    return method


def _binary(native: _Method) -> _Method:
    def method(self: Any, other: Any) -> Any:
        return counted(native(self, other))

    return method


def _with_float(native: _Method, mirrored: _Method) -> _Method:
    """An int's operator leaves floats to ``float``, whose result would not be counted: so compute it here."""

    def method(self: Any, other: Any) -> Any:
        result = native(self, other)
        if result is NotImplemented and isinstance(other, float):
            result = mirrored(other, self)
        return counted(result)

    return method


def _comparison(native: _Method, mirrored: _Method) -> _Method:
    """As :func:`_with_float`, written out for speed: this is where a search spends its time."""

    def method(self: Any, other: Any) -> Any:
        truth = native(self, other)
        if truth is True:
            return TRUE
        if truth is False:
            return FALSE
        if not isinstance(other, float):
            return truth
        truth = mirrored(other, int(self))
        beyond = type(other) is float and not isfinite(other)
        return truth if beyond else counted(truth)  # infinity and NaN compare alike with every integer

    return method


def _float_comparison(native: _Method) -> _Method:
    """Python compares a float with a large int by comparing ints, which must not count a second time."""

    def method(self: Any, other: Any) -> Any:
        return counted(native(self, int(other) if isinstance(other, CountedInt) else other))

    return method


def _power(kind: type, name: str) -> _Method:
    native, mirrored = getattr(kind, name), float.__rpow__

    def method(self: Any, other: Any, modulo: Any = None) -> Any:
        result = native(self, other, modulo)
        if result is NotImplemented and isinstance(other, float) and modulo is None:
            result = mirrored(other, self)
        return counted(result)

    return method


def _bitwise_on_bools(native: _Method) -> _Method:
    def method(self: Any, other: Any) -> Any:
        result = native(self, other)
        return CountedBool(result) if isinstance(other, bool) else counted(result)

    return method


def _lift(kind: type, native: type, names: Iterable[str], lifted: Callable[[_Method], _Method]) -> None:
    for name in names:
        setattr(kind, name, lifted(getattr(native, name)))


def _public_methods(native: type) -> list[str]:
    members = vars(native).items()
    return [n for n, member in members if isinstance(member, MethodDescriptorType) and not n.startswith("_")]


def _dunders(names: Iterable[str], prefix: str = "") -> list[str]:
    return [f"__{prefix}{name}__" for name in names]


def _equip_number(kind: type, native: type) -> None:
    _lift(kind, native, _dunders(("neg", "pos", "abs")), _unary)
    _lift(kind, native, [*_ROUNDING, *_public_methods(native)], _lifted)
    _lift(kind, native, _dunders(_ARITHMETIC, "r"), _binary)
    for name in ("__pow__", "__rpow__"):
        setattr(kind, name, _power(native, name))


def _equip_integer(kind: type) -> None:
    _equip_number(kind, int)
    for name, mirror in _MIRRORED.items():
        own, floats = getattr(int, f"__{name}__"), getattr(float, f"__{mirror}__")
        setattr(kind, f"__{name}__", _comparison(own, floats))
    for name in _ARITHMETIC:
        own, floats = getattr(int, f"__{name}__"), getattr(float, f"__r{name}__")
        setattr(kind, f"__{name}__", _with_float(own, floats))
    _lift(kind, int, ["__invert__"], _unary)
    _lift(kind, int, [*_dunders(_BITWISE), *_dunders(_BITWISE, "r")], _binary)


def _equip_float() -> None:
    _equip_number(CountedFloat, float)
    _lift(CountedFloat, float, _dunders(_MIRRORED), _float_comparison)
    _lift(CountedFloat, float, _dunders(_ARITHMETIC), _binary)


def _equip_sequence(kind: type, native: type) -> None:
    operators = (*_MIRRORED, "add", "mul", "rmul", "mod", "rmod", "getitem", "contains")
    _lift(kind, native, _dunders(operators), _binary)
    _lift(kind, native, _public_methods(native), _lifted_text)


_equip_integer(CountedInt)
_equip_integer(CountedBool)
_lift(CountedBool, int, ["__and__", "__or__", "__xor__", "__rand__", "__ror__", "__rxor__"], _bitwise_on_bools)
_equip_float()
_equip_sequence(CountedStr, str)
_equip_sequence(CountedBytes, bytes)

# What a counted value becomes when it is hashed: a plain key, of which a dictionary may ask what it likes.
_KEYS: dict[type, type] = {CountedInt: IntKey, CountedFloat: FloatKey, CountedStr: StrKey, CountedBytes: BytesKey}


def _hash_as(key: type) -> _Method:
    def method(self: Any) -> int:
        self.__class__ = key
        return hash(self)

    return method


def hash_natively() -> None:
    """Hash by value. A hashed value no longer counts, as a symbolic one would have become concrete."""

    for kind, key in _KEYS.items():
        setattr(kind, "__hash__", _hash_as(key))  # noqa: B010 (a type's own dunder cannot be assigned for mypy)


def hash_by_identity() -> None:
    """Hash by identity, as PySE does: no value is ever found in a dictionary."""
    for kind in _KEYS:
        setattr(kind, "__hash__", object.__hash__)  # noqa: B010


hash_natively()

NATIVE: dict[type, type] = {CountedBool: bool}
"""Which type a counted or hashed value shows to the target."""

for _native, _counted in ((int, CountedInt), (float, CountedFloat), (str, CountedStr), (bytes, CountedBytes)):
    NATIVE[_counted] = NATIVE[_KEYS[_counted]] = _native
# Messages of the target's exceptions name the types of operands, and must read as they do natively.
for _shown, _meant in NATIVE.items():
    _shown.__name__ = _meant.__name__
