"""Handlers of bytes written as text and of checksums, which the library has in C: hexadecimal, base 64, Adler-32."""

from __future__ import annotations

import binascii
import zlib
from typing import Any

from pessimal.expr import Expr, Term, conjunction
from pessimal.python.deciding import decide
from pessimal.python.handlers.registry import handles
from pessimal.python.values import SymBytes, SymStr
from pessimal.python.values.coding import from_hex, to_hex
from pessimal.python.values.literals import plus, times
from pessimal.python.values.rows import Row, apply, ascii_only, either, same, shifted, within
from pessimal.python.values.sequence import number

_HEX = ((48, 57), (65, 70), (97, 102))
_ALPHABET = ((43, 43), (47, 57), (65, 90), (97, 122))
_PAD = ord("=")
_MODULUS = 65521
"""The largest prime below two bytes, which both sums of Adler-32 are taken modulo."""


def _codes(data: Any) -> Row | None:
    """The codes of symbolic data; text must be ASCII."""
    if type(data) is SymStr and not ascii_only(data.codes):
        binascii.unhexlify("\x80")  # raises, in the module's own words
    return data.codes if type(data) in (SymStr, SymBytes) else None


@handles(binascii.unhexlify)
@handles(binascii.a2b_hex)
def _unhexlify(hexstr: Any) -> Any:
    codes = _codes(hexstr)
    if codes is None:
        return binascii.unhexlify(hexstr)
    if len(codes) % 2 or not decide(conjunction([within(code, _HEX) for code in codes])):
        return binascii.unhexlify("?" * len(codes))  # raises, in the module's own words
    return SymBytes.make(from_hex(codes, lambda code: False))


@handles(binascii.hexlify)
@handles(binascii.b2a_hex)
def _hexlify(data: Any, *args: Any, **kwargs: Any) -> Any:
    if type(data) is not SymBytes or args or kwargs:
        return binascii.hexlify(data.concrete("hexlify()") if type(data) is SymBytes else data, *args, **kwargs)
    return SymBytes.make(sum(to_hex(data.codes), ()))


@handles(binascii.a2b_base64)
def _from_base64(data: Any, /, *, strict_mode: bool = False) -> Any:
    codes = _codes(data)
    if codes is None:
        return binascii.a2b_base64(data, strict_mode=strict_mode)
    for pads in (0, 1, 2) if codes and len(codes) % 4 == 0 else ():
        if decide(_is_padded(codes, pads)):
            return SymBytes.make(_decoded(codes[: len(codes) - pads]))
    return binascii.a2b_base64(data.concrete("a2b_base64()"), strict_mode=strict_mode)


def _is_padded(codes: Row, pads: int) -> Expr:
    kept = len(codes) - pads
    letters = [within(code, _ALPHABET) for code in codes[:kept]]
    return conjunction([*(same(code, _PAD) for code in codes[kept:]), *letters])


def _decoded(codes: Row) -> Row:
    """The bytes of letters of six bits each; what is left of the last one is dropped, as Python does."""
    bits = [_six_bits(code) for code in codes]
    result: list[Term] = []
    for i, value in enumerate(bits[:-1]):
        step = i % 4
        if step < 3:
            kept = 4 ** (3 - step)  # 64, 16 and 4: what this letter has not given away yet
            high = value if step == 0 else apply("%", value, kept)
            result.append(plus(times(high, 4 ** (step + 1)), apply("//", bits[i + 1], kept // 4)))
    return tuple(result)


def _six_bits(code: Term) -> Term:
    large, small, digit = (within(code, (span,)) for span in ((65, 90), (97, 122), (48, 57)))
    other = either(same(code, ord("+")), 62, 63)
    return either(large, shifted(code, -65), either(small, shifted(code, -71), either(digit, shifted(code, 4), other)))


@handles(zlib.adler32)
def _adler32(data: Any, value: Any = 1, /) -> Any:
    if type(data) is not SymBytes or type(value) is not int:
        return zlib.adler32(data.concrete("adler32()") if type(data) is SymBytes else data, value)
    size = len(data.codes)
    first: Term = value & 0xFFFF
    second: Term = ((value >> 16) & 0xFFFF) + size * (value & 0xFFFF)
    for i, code in enumerate(data.codes):
        first = plus(first, code)
        second = plus(second, times(code, size - i))
    is_small = value == 1 and size + 255 * size * (size + 1) // 2 < _MODULUS
    if not is_small:
        first, second = apply("%", first, _MODULUS), apply("%", second, _MODULUS)
    return number(plus(times(second, 1 << 16), first))
