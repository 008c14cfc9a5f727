"""Literals as formatters leave them: quotes, escapes, exponents, and texts that repeat themselves."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable
from typing import Any

from pessimal.testfile.layout import Code, bracket, call, one_tuple

Reference = Callable[[str, str], str]
"""The text by which something in a module is named, such as ``math.inf``; it may add an import."""

_SHORTEST_REPEATED = 40
_LONGEST_UNIT = 8
_LAST_PLAIN = 0x590
"""Characters from here on may be wider or narrower than one column, and are escaped."""
_HIGH_BYTES = {code: f"\\x{code:02x}" for code in range(0x80, 0x100)}
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}


def literal(value: Any, reference: Reference) -> Code:
    """The code of a plain value; its names, such as that of infinity, come from the reference."""
    kind = type(value)
    if kind is float:
        return Code(_float(value, reference))
    if kind in (str, bytes):
        return Code(_repeated(value) or text_literal(value))
    if kind is bytearray:
        return call("bytearray", [Code(text_literal(bytes(value)))] if value else [])
    if kind in (list, tuple, set, frozenset, dict):
        return _container(value, reference)
    return Code(repr(value))


def container(kind: str, members: list[Code]) -> Code:
    """The code of a list, tuple, set or frozenset of members; a dict has keys and values by turns."""
    if kind == "list":
        return bracket("[", members, "]")
    if kind == "tuple":
        return one_tuple(members[0]) if len(members) == 1 else bracket("(", members, ")")
    if kind == "dict":
        pairs = zip(members[::2], members[1::2], strict=True)
        return bracket("{", [value.after(f"{key.flat}: ") for key, value in pairs], "}")
    inside = bracket("{", members, "}") if members else Code("set()")
    if kind == "set":
        return inside
    return call("frozenset", [inside]) if members else Code("frozenset()")


def text_literal(value: str | bytes) -> str:
    """A string or bytes in double quotes, or in single ones where that saves escapes."""
    if isinstance(value, bytes):
        return "b" + text_literal(value.decode("latin-1")).translate(_HIGH_BYTES)
    return _quoted("".join(map(_escaped, value)), value.count('"'), value.count("'"))


def _quoted(body: str, doubles: int, singles: int) -> str:
    """Escaped text in quotes; quotes in it are not escaped yet."""
    quote = "'" if doubles > singles else '"'
    return quote + body.replace(quote, f"\\{quote}") + quote


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if " " <= character <= "~" or (character.isprintable() and _has_width_one(character)):
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _has_width_one(character: str) -> bool:
    return ord(character) < _LAST_PLAIN and unicodedata.category(character) not in ("Mn", "Me", "Cf")


def _repeated(value: Any) -> str | None:
    """A long text that repeats a short one, such as ``"ab" * 50``."""
    if len(value) < _SHORTEST_REPEATED:
        return None
    for size in range(1, _LONGEST_UNIT + 1):
        unit, rest = value[:size], len(value) % size
        if not rest and unit * (len(value) // size) == value:
            return f"{text_literal(unit)} * {len(value) // size}"
    return None


def _float(value: float, reference: Reference) -> str:
    if math.isnan(value):
        return reference("math", "nan")
    if math.isinf(value):
        return ("-" if value < 0 else "") + reference("math", "inf")
    return repr(value).replace("e+", "e")


def _container(value: Any, reference: Reference) -> Code:
    items: Any = value
    if isinstance(value, dict):
        items = [part for pair in value.items() for part in pair]
    elif isinstance(value, set | frozenset):
        items = sorted(value, key=lambda item: (type(item).__name__, item if type(item) in (int, str) else repr(item)))
    return container(type(value).__name__, [literal(item, reference) for item in items])
