"""Templates: ``%`` on text and bytes, ``str.format`` and ``str.format_map``; each piece is formatted by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from string import Formatter
from typing import Any

from pessimal.python.counted import COUNTED, counted
from pessimal.python.handlers.formatting import ascii_of, format_of, is_plain, joined, repr_of, text_of
from pessimal.python.handlers.registry import handles
from pessimal.python.handlers.specs import Codes, Layout, Notation, character
from pessimal.python.values import SYMBOLIC, SymBool, SymBytes, SymInt, SymStr
from pessimal.python.values.number import operand

_CONVERSION = re.compile(
    r"%(?:\((?P<key>[^()]*)\))?(?P<flags>[#0\- +]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d*))?[hlL]?(?P<kind>.)",
    re.DOTALL | re.ASCII,
)
_INTEGERS = {"d": "d", "i": "d", "u": "d", "x": "x", "X": "X", "o": "o"}
_TEXTS = {"s": text_of, "r": repr_of, "a": ascii_of}


class _Unfit(Exception):
    """The template and its arguments do not seem to fit: Python itself decides what happens."""


def percent(left: Any, right: Any) -> Any:
    """``left % right`` where the left side is text or bytes."""
    if type(left) in (SymStr, SymBytes):
        left = left.concrete("a template")
    if type(left) not in (str, bytes) or is_plain(right):
        return left % right
    if any(type(value) in COUNTED for value in _shallow(right)):
        return counted(left % right)
    try:
        return _Percent(left, right).result()
    except _Unfit:
        return left % _concrete(right)


def _shallow(right: Any) -> Sequence[Any]:
    if type(right) is tuple:
        return right
    return list(right.values()) if type(right) is dict else (right,)


def _concrete(right: Any) -> Any:
    if type(right) is tuple:
        return tuple(map(_concrete, right))
    if type(right) is dict:
        return {key: _concrete(value) for key, value in right.items()}
    return right.concrete("%") if type(right) in SYMBOLIC else right


class _Percent:
    """One ``%`` operation: reads the template from left to right and takes the arguments as they are asked for."""

    def __init__(self, template: str | bytes, right: Any) -> None:
        self.kind: type[SymStr | SymBytes] = SymStr if isinstance(template, str) else SymBytes
        self.template = template if isinstance(template, str) else template.decode("latin-1")
        self.right = right
        self.waiting: Iterator[Any] = iter(right if isinstance(right, tuple) else (right,))
        self.named = False

    def result(self) -> Any:
        """The text."""
        codes: list[Any] = []
        position = 0
        while (start := self.template.find("%", position)) >= 0:
            codes += map(ord, self.template[position:start])
            match = _CONVERSION.match(self.template, start)
            if match is None:
                raise _Unfit
            codes += self._piece(match)
            position = match.end()
        codes += map(ord, self.template[position:])
        if not self.named and next(self.waiting, self) is not self:
            raise _Unfit
        return self.kind.make(codes)

    def _piece(self, match: re.Match[str]) -> Codes:
        kind = match["kind"]
        if kind == "%":
            if match[0] != "%%":
                raise _Unfit
            return (ord("%"),)
        width, precision = self._size(match["width"]), self._size(match["precision"])
        value = self._value(match["key"])
        flags = match["flags"]
        if width is not None and width < 0:
            flags, width = flags + "-", -width
        return self._formatted(value, kind, flags, width or 0, precision)

    def _value(self, key: str | None) -> Any:
        if key is None:
            return self._next()
        if isinstance(self.right, tuple) or not hasattr(self.right, "__getitem__"):
            raise _Unfit
        self.named = True
        return self.right[key if self.kind is SymStr else key.encode("latin-1")]

    def _next(self) -> Any:
        value = next(self.waiting, self)
        if value is self:
            raise _Unfit
        return value

    def _size(self, written: str | None) -> int | None:
        """A width or precision, which may be an argument."""
        if written != "*":
            return None if written is None else int(written or 0)
        size = self._next()
        size = size.concrete("the width of a field") if type(size) is SymInt else size
        if type(size) is not int:
            raise _Unfit
        return size

    def _formatted(self, value: Any, kind: str, flags: str, width: int, precision: int | None) -> Codes:
        if kind in _INTEGERS and type(value) in (SymInt, SymBool):
            return _integer(value, _INTEGERS[kind], flags, width, precision)
        text = self._text(value, kind)
        if text is None:
            return self._native(value, kind, flags, width, precision)
        if kind in "sbra" and precision is not None:
            text = text[:precision]
        return Layout("<" if "-" in flags else ">", width=width).place((), text)

    def _text(self, value: Any, kind: str) -> Codes | None:
        """The characters of a piece that is text; None leaves it to Python."""
        if kind == "c":
            return self._character(value)
        if self.kind is SymBytes and kind in "sb":
            return value.codes if type(value) is SymBytes else None
        if kind not in _TEXTS or is_plain(value):
            return None
        convert = ascii_of if self.kind is SymBytes else _TEXTS[kind]
        return SymStr.codes_of(convert(value))

    def _character(self, value: Any) -> Codes | None:
        if type(value) is self.kind and len(value) == 1:
            return value.codes
        if type(value) is SymInt and self.kind is SymStr:
            return (character(value.expr),)
        return None

    def _native(self, value: Any, kind: str, flags: str, width: int, precision: int | None) -> Codes:
        value = value.concrete("%") if type(value) in SYMBOLIC else value
        size = (str(width) if width else "") + ("" if precision is None else f".{precision}")
        template = f"%{flags}{size}{kind}"
        if self.kind is SymBytes:
            return tuple(template.encode("latin-1") % (value,))
        return tuple(map(ord, template % (value,)))


def _integer(value: Any, kind: str, flags: str, width: int, precision: int | None) -> Codes:
    sign = "+" if "+" in flags else " " if " " in flags else "-"
    term = operand(value)
    assert term is not None
    front, body = Notation(kind, sign, "#" in flags, precision or 0).write(term, "%")
    if "-" in flags:
        return Layout("<", width=width).place(front, body)
    return (
        Layout("=", ord("0"), width).place(front, body) if "0" in flags else Layout(">", width=width).place(front, body)
    )


class _Fields(Formatter):
    """Looks up replacement fields and puts the text together from symbolic pieces."""

    def __init__(self, args: Sequence[Any] | None, named: Mapping[str, Any]) -> None:
        self.args = args
        self.named = named
        self.automatic: bool | None = None
        self.count = 0

    def fill(self, template: str, depth: int = 2) -> Any:
        """The template with its fields replaced, those of specifications first."""
        if depth == 0:
            raise ValueError("Max string recursion exceeded")
        parts: list[Any] = []
        for literal, name, spec, conversion in self.parse(template):
            parts.append(literal)
            if name is not None:
                value = self.get_field(name, (), {})[0]
                parts.append(format_of(_converted(value, conversion), self.fill(spec, depth - 1) if spec else ""))
        return joined(*parts)

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """The argument that a field names, by the rules of ``str.format``."""
        if key == "" or isinstance(key, int):
            return self._positional(key)
        return self.named[key]

    def _positional(self, key: int | str) -> Any:
        if self.args is None:
            raise ValueError("Format string contains positional fields")
        automatic = key == ""
        if self.automatic is (not automatic):
            ways = ("manual field specification", "automatic field numbering")
            raise ValueError(f"cannot switch from {ways[not automatic]} to {ways[automatic]}")
        self.automatic = automatic
        index = self.count if automatic else int(key)
        self.count += automatic
        if index >= len(self.args):
            raise IndexError(f"Replacement index {index} out of range for positional args tuple")
        return self.args[index]


def _converted(value: Any, conversion: str | None) -> Any:
    if conversion is None:
        return value
    if conversion not in _TEXTS:
        raise ValueError(f"Unknown conversion specifier {conversion}")
    return _TEXTS[conversion](value)


@handles(str.format)
def _str_format(template: str, /, *args: Any, **kwargs: Any) -> Any:
    if is_plain(args) and is_plain(kwargs):
        return template.format(*args, **kwargs)
    return _Fields(args, kwargs).fill(template)


@handles(str.format_map)
def _str_format_map(template: str, mapping: Any, /) -> Any:
    return template.format_map(mapping) if is_plain(mapping) else _Fields(None, mapping).fill(template)
