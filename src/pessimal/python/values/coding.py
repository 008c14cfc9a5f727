"""Encoding and decoding of symbolic text: the length of each character is a choice, its bytes are terms."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Callable
from typing import Any

from pessimal.expr import App, Compare, Expr, Term, conjunction
from pessimal.python.deciding import between, decide
from pessimal.python.values.characters import SURROGATES
from pessimal.python.values.rows import LAST_ASCII, Row, apply, bounds, either, one_of, shifted, within

LAST_BYTE = 255
LAST_OF_PLANE = 0xFFFF
REPLACEMENT = 0xFFFD

Reject = Callable[[int, int, str], Row]
"""What to write for the positions from one to another that cannot be coded, for a reason; strict ones raise."""


def codec_name(encoding: str) -> str:
    """The one name of an encoding; an unknown one raises Python's own error."""
    return codecs.lookup(encoding).name


def encode(codes: Row, name: str, reject: Reject) -> Row | None:
    """The bytes of text; None for an encoding that has no symbolic version."""
    if name in ("ascii", "iso8859-1"):
        return _encode_single(codes, LAST_ASCII if name == "ascii" else LAST_BYTE, reject)
    encoder = _ENCODERS.get(name)
    if encoder is None:
        return None
    if name == "utf-8" and decide(conjunction([_at_most(code, LAST_ASCII) for code in codes])):
        return codes
    result: Row = MARKS.get(name, ())
    i = 0
    while i < len(codes):
        end = _skip_surrogates(codes, i, name)
        if end > i:
            result += reject(i, end, "surrogates not allowed")
        elif name == "utf-8" and decide(_at_most(codes[i], LAST_ASCII)):
            result += codes[i : i + 1]
        else:
            result += encoder(codes[i])
        i = max(end, i + 1)
    return result


def _skip_surrogates(codes: Row, i: int, name: str) -> int:
    """The end of the surrogates that begin at a position; UTF-8 reports neighbours as one error, others each."""
    end = i
    while end < len(codes) and decide(within(codes[end], SURROGATES)):
        end += 1
        if name != "utf-8":
            break
    return end


def _at_most(code: Term, limit: int) -> Expr:
    return True if bounds(code)[1] <= limit else not isinstance(code, int) and Compare("<=", code, limit)


def _encode_single(codes: Row, limit: int, reject: Reject) -> Row:
    result: Row = ()
    reason = f"ordinal not in range({limit + 1})"
    if decide(conjunction([_at_most(code, limit) for code in codes])):
        return codes
    i = 0
    while i < len(codes):
        end = i
        while end < len(codes) and not decide(_at_most(codes[end], limit)):
            end += 1
        result += codes[i : i + 1] if end == i else reject(i, end, reason)
        i = max(end, i + 1)
    return result


def _utf8(code: Term) -> Row:
    """The two to four bytes of a character beyond ASCII."""
    low = shifted(apply("%", code, 64), 0x80)
    if decide(_at_most(code, 0x7FF)):
        return shifted(apply("//", code, 64), 0xC0), low
    middle = shifted(apply("%", apply("//", code, 64), 64), 0x80)
    if decide(_at_most(code, LAST_OF_PLANE)):
        return shifted(apply("//", code, 4096), 0xE0), middle, low
    upper = shifted(apply("%", apply("//", code, 4096), 64), 0x80)
    return shifted(apply("//", code, 262144), 0xF0), upper, middle, low


def _unit(code: Term, size: int, order: str) -> Row:
    """A number as bytes."""
    row = tuple(apply("%", apply("//", code, 256**i), 256) for i in range(size))
    return row if order == "little" else row[::-1]


def _utf16(order: str) -> Callable[[Term], Row]:
    def encoder(code: Term) -> Row:
        if decide(_at_most(code, LAST_OF_PLANE)):
            return _unit(code, 2, order)
        beyond = shifted(code, -0x10000)
        high, low = shifted(apply("//", beyond, 1024), 0xD800), shifted(apply("%", beyond, 1024), 0xDC00)
        return _unit(high, 2, order) + _unit(low, 2, order)

    return encoder


def _utf32(order: str) -> Callable[[Term], Row]:
    return lambda code: _unit(code, 4, order)


_ENCODERS: dict[str, Callable[[Term], Row]] = {
    "utf-8": _utf8,
    "utf-16": _utf16(sys.byteorder),
    "utf-16-le": _utf16("little"),
    "utf-16-be": _utf16("big"),
    "utf-32": _utf32(sys.byteorder),
    "utf-32-le": _utf32("little"),
    "utf-32-be": _utf32("big"),
}
MARKS: dict[str, Row] = {name: tuple("".encode(name)) for name in ("utf-16", "utf-32")}
"""What some encodings write before the text."""


def decode(codes: Row, name: str, reject: Reject) -> Row | None:
    """The text of bytes; None for an encoding that has no symbolic version."""
    if name == "iso8859-1":
        return codes
    if name not in ("ascii", "utf-8"):
        return None
    if decide(conjunction([_at_most(code, LAST_ASCII) for code in codes])):
        return codes
    result: Row = ()
    i = 0
    while i < len(codes):
        if decide(_at_most(codes[i], LAST_ASCII)):
            chars, size = codes[i : i + 1], 1
        elif name == "ascii":
            chars, size = reject(i, i + 1, "ordinal not in range(128)"), 1
        else:
            chars, size = _decode_long(codes, i, reject)
        result += chars
        i += size
    return result


def _decode_long(codes: Row, i: int, reject: Reject) -> tuple[Row, int]:
    """The character that begins with a byte beyond ASCII, and how many bytes it takes."""
    lead = codes[i]
    size, base = _lead(lead)
    if size == 0:
        return reject(i, i + 1, "invalid start byte"), 1
    code = shifted(lead, -base)
    for k in range(1, size):
        if i + k >= len(codes):
            return reject(i, len(codes), "unexpected end of data"), k
        if not decide(between(codes[i + k], *_continuation(lead, k, size))):
            return reject(i, i + k, "invalid continuation byte"), k
        code = _plus(_times(code, 64), shifted(codes[i + k], -0x80))
    return (code,), size


def _lead(code: Term) -> tuple[int, int]:
    """How many bytes a leading byte announces, and what to take from it; zero for one that leads nothing."""
    for size, base, low, high in ((2, 0xC0, 0xC2, 0xDF), (3, 0xE0, 0xE0, 0xEF), (4, 0xF0, 0xF0, 0xF4)):
        if decide(between(code, low, high)):
            return size, base
    return 0, 0


def _continuation(lead: Term, k: int, size: int) -> tuple[int, int]:
    """The bytes that may follow: the second one rules out what is too long, too large or a surrogate."""
    if k == 1 and size == 3:
        if decide(one_of(lead, (0xE0,))):
            return 0xA0, 0xBF
        if decide(one_of(lead, (0xED,))):
            return 0x80, 0x9F
    if k == 1 and size == 4:
        if decide(one_of(lead, (0xF0,))):
            return 0x90, 0xBF
        if decide(one_of(lead, (0xF4,))):
            return 0x80, 0x8F
    return 0x80, 0xBF


def _times(code: Term, by: int) -> Term:
    return code * by if isinstance(code, int) else App("*", (code, by), "int")


def _plus(a: Term, b: Term) -> Term:
    if isinstance(b, int):
        return shifted(a, b)
    return shifted(b, a) if isinstance(a, int) else App("+", (a, b), "int")


def to_hex(codes: Row) -> list[Row]:
    """The two digits of every byte."""
    return [(_digit(apply("//", code, 16)), _digit(apply("%", code, 16))) for code in codes]


def _digit(value: Term) -> Term:
    is_letter: Expr = value > 9 if isinstance(value, int) else Compare(">", value, 9)
    return either(is_letter, shifted(value, ord("a") - 10), shifted(value, ord("0")))


def from_hex(codes: Row, is_space: Callable[[Term], Expr]) -> Row:
    """The bytes that pairs of hexadecimal digits stand for; white space lies between pairs only."""
    result: Row = ()
    i = 0
    while i < len(codes):
        if decide(is_space(codes[i])):
            i += 1
            continue
        for k in (i, i + 1):
            if k >= len(codes) or not decide(within(codes[k], _HEX)):
                raise ValueError(f"non-hexadecimal number found in fromhex() arg at position {k}")
        result += (_plus(_times(_value(codes[i]), 16), _value(codes[i + 1])),)
        i += 2
    return result


_HEX = ((ord("0"), ord("9")), (ord("A"), ord("F")), (ord("a"), ord("f")))


def _value(code: Term) -> Term:
    small: Expr = within(code, _HEX[2:])
    large: Expr = within(code, _HEX[1:2])
    return either(small, shifted(code, 10 - ord("a")), either(large, shifted(code, 10 - ord("A")), shifted(code, -48)))


class LateError:
    """Makes a coding error whose text is only made concrete if the program looks at it."""

    def __init__(self, native: type[UnicodeError], text: Any) -> None:
        self.native = native
        self.text = text

    def at(self, encoding: str, start: int, end: int, reason: str) -> UnicodeError:
        """The error for some positions; it is of Python's class and prints as Python's does."""
        native, text = self.native, self.text
        blank = text.native((0x80 if native is UnicodeEncodeError else 0,) * len(text))

        def whole(error: Any) -> Any:
            plain = text.concrete(native.__name__)
            return native(encoding, plain, start, end, reason)

        members = {
            "__module__": "builtins",
            "__str__": lambda error: str(whole(error)),
            "object": property(lambda error: whole(error).object),
        }
        late = type(native.__name__, (native,), members)
        error: UnicodeError = late(encoding, blank, start, end, reason)
        error.args = (encoding, text, start, end, reason)
        return error
