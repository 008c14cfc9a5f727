"""Handlers of ``struct``: numbers, truth values and bytes go into and come out of symbolic bytes.

The bits of a float are an application of the function that computes them: solvers can only try values.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from pessimal.expr import BlackBox, Term, conjunction
from pessimal.python.counted import COUNTED, CountedBytes, counted
from pessimal.python.deciding import between, decide
from pessimal.python.handlers.registry import handles
from pessimal.python.values import SYMBOLIC, SymBool, SymBytes, SymFloat, SymInt
from pessimal.python.values.arithmetic import apply, as_float, is_finite, relation
from pessimal.python.values.number import number_of, operand
from pessimal.python.values.octets import number_from, octets_of

_ORDERS = {"<": "little", ">": "big", "!": "big", "=": sys.byteorder, "@": sys.byteorder}
_SIGNED = frozenset("bhilqn")
_UNSIGNED = frozenset("BHILQN")
_LARGEST = {"d": sys.float_info.max, "f": 3.4028235677973362e38, "e": 65519.99999999999}
"""The codes of floats, and the largest double that each of them can hold."""


def _bits(code: str) -> BlackBox:
    integer = {"d": "Q", "f": "I", "e": "H"}[code]
    return BlackBox(f"bits_{code}", lambda x: struct.unpack(f"<{integer}", struct.pack(f"<{code}", x))[0])


def _from_bits(code: str) -> BlackBox:
    integer = {"d": "Q", "f": "I", "e": "H"}[code]
    return BlackBox(f"float_{code}", lambda x: struct.unpack(f"<{code}", struct.pack(f"<{integer}", x))[0])


_BITS = {code: _bits(code) for code in _LARGEST}
_FLOATS = {code: _from_bits(code) for code in _LARGEST}


class _Field(NamedTuple):
    """One item of a format: its code, where it lies, how many bytes it takes."""

    code: str
    start: int
    size: int


def _fields(form: str) -> tuple[str, list[_Field]]:
    """The order of bytes and the items of a format, placed as the module itself places them."""
    order = form[0] if form[:1] in _ORDERS else "@"
    found: list[_Field] = []
    seen = order
    for count, code in _items(form.lstrip("<>!=@")):
        for piece in (f"{count}{code}",) if code in "sp" else (code,) * count:
            end = struct.calcsize(seen + piece)
            size = struct.calcsize(order + piece)
            if code != "x":
                found.append(_Field(code, end - size, size))
            seen += piece
        if not count:
            seen += f"0{code}"
    return _ORDERS[order], found


def _items(form: str) -> Iterator[tuple[int, str]]:
    digits = ""
    for char in form:
        if char.isdigit():
            digits += char
        elif not char.isspace():
            yield int(digits) if digits else 1, char
            digits = ""


def _is_known(fields: list[_Field]) -> bool:
    return all(field.code in _SIGNED or field.code in _UNSIGNED or field.code in "?scdfe" for field in fields)


def _packed(field: _Field, order: str, value: Any) -> list[Term]:
    """The bytes of one value."""
    if field.code in "sc":
        codes = SymBytes.codes_of(value)
        if codes is None or (field.code == "c" and len(codes) != 1):
            struct.pack(f"{field.size}{field.code}", value)  # raises, in the module's own words
            raise struct.error("bad argument")
        return [*codes[: field.size], *(0,) * (field.size - len(codes))]
    if field.code == "?":
        return [operand(value if type(value) is SymBool else value != 0 if type(value) is SymInt else bool(value))]  # type: ignore[list-item]
    if field.code in _LARGEST:
        return _packed_float(field, order, value)
    term = operand(value) if isinstance(value, int) else None
    if term is None:
        return list(struct.pack(("<" if order == "little" else ">") + field.code, value))
    signed = field.code in _SIGNED
    span = 1 << 8 * field.size
    low, high = (-(span // 2), span // 2 - 1) if signed else (0, span - 1)
    if not decide(between(term, low, high)):
        raise struct.error(f"'{field.code}' format requires {low} <= number <= {high}")
    return octets_of(term, field.size, order, signed)


def _packed_float(field: _Field, order: str, value: Any) -> list[Term]:
    """The bytes of a float, which is first decided to fit."""
    if type(value) not in (SymInt, SymFloat):
        return list(struct.pack(("<" if order == "little" else ">") + field.code, _plainly(value)))
    term, largest = as_float(value.expr), _LARGEST[field.code]
    fits = conjunction([relation("<=", -largest, term), relation("<=", term, largest)])
    if field.code != "d" and not decide(fits) and is_finite(term):
        struct.pack(field.code, sys.float_info.max)  # raises, in the module's own words
    bits = _BITS[field.code](term)
    octets = [apply("&", (apply(">>", (bits, 8 * i), "int"), 0xFF), "int") for i in range(field.size)]
    return octets if order == "little" else octets[::-1]


def _is_symbolic(values: tuple[Any, ...]) -> bool:
    return any(type(value) in SYMBOLIC for value in values)


def _plainly(value: Any) -> Any:
    return value.concrete("struct") if type(value) in SYMBOLIC else value


def packed(form: Any, values: tuple[Any, ...]) -> Any:
    """``struct.pack(form, *values)``."""
    form = _plainly(form)
    text = form.decode() if isinstance(form, bytes) else form
    if not _is_symbolic(values):
        result = struct.pack(form, *values)
        return counted(result) if any(type(value) in COUNTED for value in values) else result
    order, fields = _fields(text)
    if not _is_known(fields) or len(fields) != len(values):
        return struct.pack(form, *map(_plainly, values))
    codes: list[Term] = [0] * struct.calcsize(text)
    for field, value in zip(fields, values, strict=True):
        codes[field.start : field.start + field.size] = _packed(field, order, value)
    return SymBytes.make(codes)


def _unpacked(field: _Field, order: str, codes: tuple[Term, ...]) -> Any:
    if field.code in "sc":
        return SymBytes.make(list(codes))
    if field.code in _LARGEST:
        return number_of(_FLOATS[field.code](number_from(codes, order, False), sort="float"))
    number = number_of(number_from(codes, order, field.code in _SIGNED))
    return number != 0 if field.code == "?" else number


def unpacked(form: Any, data: Any) -> Any:
    """``struct.unpack(form, data)``."""
    form = _plainly(form)
    text = form.decode() if isinstance(form, bytes) else form
    if type(data) is not SymBytes:
        values = struct.unpack(form, data)
        return tuple(map(counted, values)) if type(data) is CountedBytes else values
    order, fields = _fields(text)
    if len(data.codes) != struct.calcsize(text) or not _is_known(fields):
        return struct.unpack(form, data.concrete("struct"))
    return tuple(_unpacked(field, order, data.codes[field.start : field.start + field.size]) for field in fields)


@handles(struct.pack)
def _pack(form: Any, *values: Any) -> Any:
    return packed(form, values)


@handles(struct.unpack)
def _unpack(form: Any, data: Any) -> Any:
    return unpacked(form, data)


@handles(struct.unpack_from)
def _unpack_from(form: Any, buffer: Any, offset: Any = 0) -> Any:
    if type(buffer) is not SymBytes or type(offset) in SYMBOLIC or offset < 0:
        return struct.unpack_from(_plainly(form), _plainly(buffer), _plainly(offset))
    size = struct.calcsize(_plainly(form))
    if len(buffer) < offset + size:
        return struct.unpack_from(form, bytes(len(buffer)), offset)  # raises, in the module's own words
    return unpacked(form, buffer[offset : offset + size])


@handles(struct.Struct.pack)
def _struct_pack(form: struct.Struct, *values: Any) -> Any:
    return packed(form.format, values)


@handles(struct.Struct.unpack)
def _struct_unpack(form: struct.Struct, data: Any) -> Any:
    return unpacked(form.format, data)
