"""Symbolic text and bytes: a row of code points, some of them symbolic; the length is concrete.

Comparisons, tests for a part and classes of characters are one condition and so one branch when tested, as they are
for the program. Where a method needs to know something (where a part lies, how long a character is when encoded) that
is a choice. What has no symbolic version is called on the text made concrete, and says so in the trace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pessimal.expr import Expr, Term
from pessimal.python.deciding import between, decide
from pessimal.python.values.casing import byte_mapping, moved
from pessimal.python.values.characters import LAST_BYTE, Classes
from pessimal.python.values.coding import (
    MARKS,
    REPLACEMENT,
    LateError,
    Reject,
    codec_name,
    decode,
    encode,
    from_hex,
    to_hex,
)
from pessimal.python.values.methods import Methods
from pessimal.python.values.number import operand
from pessimal.python.values.rows import Row, equal, one_of, part_of, within
from pessimal.python.values.sequence import SymSequence, number
from pessimal.python.values.translation import translated


class SymStr(Methods):
    """Text with symbolic code points."""

    __slots__ = ()
    plain = str

    __class__ = property(lambda self: str)

    @classmethod
    def native(cls, codes: Sequence[Any]) -> str:
        """The plain text of concrete code points."""
        return "".join(map(chr, codes))

    @classmethod
    def codes_of(cls, value: Any) -> Row | None:
        """The code points of plain or symbolic text."""
        if type(value) is SymStr:
            return value.codes
        return tuple(map(ord, value)) if isinstance(value, str) else None

    def __getitem__(self, index: Any) -> Any:
        return self.make(self._slice(index) if isinstance(index, slice) else (self._at(index),))

    def __iter__(self) -> Iterator[Any]:
        return (self.make((code,)) for code in self.codes)

    def __contains__(self, part: Any) -> Any:
        codes = self._part(part, "__contains__")
        return self._answer(part_of(codes, self.codes), codes)

    def __str__(self) -> str:
        return self.concrete("str()")  # type: ignore[no-any-return]

    def __format__(self, spec: str) -> str:
        return format(self.concrete("format()"), spec)

    def casefold(self) -> Any:
        """The text as it is compared without regard to case."""
        return self._cased(lambda casing: casing.each("casefold"), "casefold")

    def isdecimal(self) -> Any:
        """Whether all are decimal digits."""
        return self._class(lambda classes: classes.all("isdecimal"))

    def isnumeric(self) -> Any:
        """Whether all stand for numbers."""
        return self._class(lambda classes: classes.all("isnumeric"))

    def isprintable(self) -> Any:
        """Whether ``repr`` would show all as they are."""
        return self._class(lambda classes: classes.all("isprintable"), empty=True)

    def isidentifier(self) -> Any:
        """Whether the text is a name."""
        return self._class(Classes.identifier)

    def translate(self, table: Any, /) -> Any:
        """The text with characters looked up in a table."""
        return self.make(translated(self.codes, table, self.codes_of))

    def encode(self, encoding: Any = "utf-8", errors: Any = "strict") -> Any:
        """The bytes of the text, with the length of each character decided."""
        encoding, errors = _name(encoding), _name(errors)
        if not (isinstance(encoding, str) and isinstance(errors, str)):
            self._raise_natively("encode", encoding, errors)
        name = codec_name(encoding)
        codes = encode(self.codes, name, self._unencodable(name, errors))
        return self.concrete("str.encode").encode(encoding, errors) if codes is None else SymBytes.make(codes)

    def _unencodable(self, name: str, errors: str) -> Reject:
        def reject(start: int, end: int, reason: str) -> Row:
            if errors == "strict":
                shown = "latin-1" if name == "iso8859-1" else name
                raise LateError(UnicodeEncodeError, self).at(shown, start, end, reason)
            if errors == "ignore":
                return ()
            part: Any = SymStr(self.codes[start:end])
            if errors == "replace":
                part = SymStr((ord("?"),) * (end - start))
            return tuple(part.concrete("str.encode").encode(name, errors))[len(MARKS.get(name, ())) :]

        return reject


class SymBytes(Methods):
    """Bytes with symbolic values."""

    __slots__ = ()
    plain = bytes

    __class__ = property(lambda self: bytes)

    @classmethod
    def native(cls, codes: Sequence[Any]) -> bytes:
        """The plain bytes of concrete values."""
        return bytes(codes)

    @classmethod
    def codes_of(cls, value: Any) -> Row | None:
        """The values of plain or symbolic bytes."""
        if type(value) is SymBytes:
            return value.codes
        return tuple(bytes(value)) if isinstance(value, bytes | bytearray | memoryview) else None

    def __getitem__(self, index: Any) -> Any:
        return self.make(self._slice(index)) if isinstance(index, slice) else number(self._at(index))

    def __iter__(self) -> Iterator[Any]:
        return (number(code) for code in self.codes)

    def __contains__(self, part: Any) -> Any:
        codes = self._sought(part, "__contains__")
        return self._answer(part_of(codes, self.codes), codes)

    def _sought(self, value: Any, method: str) -> Row:
        """A number may be searched for as well, if it is a byte."""
        term = operand(value) if isinstance(value, int) else None
        if term is None:
            return self._part(value, method)
        if not decide(is_byte(term)):
            self._raise_natively(method, LAST_BYTE + 1)
        return (term,)

    def __bytes__(self) -> bytes:
        return self.concrete("bytes()")  # type: ignore[no-any-return]

    def decode(self, encoding: Any = "utf-8", errors: Any = "strict") -> Any:
        """The text of the bytes, with the extent of each character decided."""
        encoding, errors = _name(encoding), _name(errors)
        if not (isinstance(encoding, str) and isinstance(errors, str)):
            self._raise_natively("decode", encoding, errors)
        name = codec_name(encoding)
        codes = decode(self.codes, name, self._undecodable(name, errors))
        return self.concrete("bytes.decode").decode(encoding, errors) if codes is None else SymStr.make(codes)

    def _undecodable(self, name: str, errors: str) -> Reject:
        def reject(start: int, end: int, reason: str) -> Row:
            if errors == "strict":
                raise LateError(UnicodeDecodeError, self).at(name, start, end, reason)
            if errors in ("ignore", "replace"):
                return (REPLACEMENT,) if errors == "replace" else ()
            part = SymBytes(self.codes[start:end]).concrete("bytes.decode")
            return tuple(map(ord, part.decode(name, errors)))

        return reject

    def hex(self, *args: Any, **kwargs: Any) -> Any:
        """The hexadecimal digits of the bytes; separators lie where they do in bytes of the same number."""
        ones, twos = (bytes((byte,) * len(self.codes)).hex(*args, **kwargs) for byte in (0x11, 0x22))
        digits = iter(sum(to_hex(self.codes), ()))
        return SymStr.make([ord(a) if a == b else next(digits) for a, b in zip(ones, twos, strict=True)])

    def translate(self, table: Any, /, delete: Any = b"") -> Any:
        """The bytes looked up in a table of 256; what is to be deleted is decided."""
        gone = self.codes_of(delete)
        if isinstance(table, SymBytes):
            table = table.concrete("bytes.translate")
        if gone is None or (table is not None and len(self.codes_of(table) or ()) != LAST_BYTE + 1):
            self._raise_natively("translate", table, delete)
        kept = [code for code in self.codes if not decide(one_of(code, gone))]
        return self.make(
            kept if table is None else [moved(code, byte_mapping(bytes(table)), LAST_BYTE) for code in kept]
        )


def is_byte(term: Term) -> Expr:
    """The condition that a number fits a byte."""
    return between(term, 0, LAST_BYTE)


def bytes_from_hex(text: Any) -> Any:
    """What ``bytes.fromhex`` makes of symbolic text."""
    spaces = ((9, 13), (32, 32))
    return SymBytes.make(from_hex(text.codes, lambda code: within(code, spaces)))


def _name(value: Any) -> Any:
    """The name of an encoding or error handler, which decides what happens and so must be concrete."""
    return value.concrete("the name of an encoding") if type(value) is SymStr else value


__all__ = ["SymBytes", "SymSequence", "SymStr", "bytes_from_hex", "equal", "is_byte", "number"]
