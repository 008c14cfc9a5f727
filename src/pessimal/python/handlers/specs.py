"""The format specification mini-language, for symbolic integers and text: what is padded where is never symbolic."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from pessimal.expr import Term
from pessimal.inputs.domain import LAST_CHARACTER
from pessimal.python.deciding import decide
from pessimal.python.values import SymInt, SymStr
from pessimal.python.values.digits import digit_codes, digits_of, within

_SPEC = re.compile(
    r"(?:(?P<fill>.)?(?P<align>[<>=^]))?(?P<sign>[-+ ])?(?P<alternate>#)?(?P<zero>0)?(?P<width>\d+)?"
    r"(?P<grouping>[,_])?(?:\.(?P<precision>\d+))?(?P<kind>.)?",
    re.DOTALL,
)
BASES = {"b": 2, "o": 8, "x": 16, "X": 16}
_BY_FLOAT = frozenset("eEfFgG%")

Codes = tuple[Term, ...]


class Layout(NamedTuple):
    """Where a text stands in its field."""

    align: str
    fill: int = ord(" ")
    width: int = 0

    def place(self, front: Codes, body: Codes) -> Codes:
        """The body and what belongs in front of it (sign, prefix), filled up to the width."""
        missing = max(self.width - len(front) - len(body), 0)
        if self.align == "=":
            return front + self._filling(missing) + body
        left = {"<": 0, ">": missing, "^": missing // 2}[self.align]
        return self._filling(left) + front + body + self._filling(missing - left)

    def _filling(self, count: int) -> Codes:
        return (self.fill,) * count


class Notation(NamedTuple):
    """How the digits of an integer are written."""

    kind: str = "d"
    sign: str = "-"
    alternate: bool = False
    precision: int = 0

    @property
    def base(self) -> int:
        """The base that the kind stands for."""
        return BASES.get(self.kind, 10)

    def write(self, term: Term, reason: str) -> tuple[Codes, Codes]:
        """Sign and prefix, and the digits."""
        digits = digits_of(term, self.base, reason)
        sign = "-" if digits.negative else self.sign.replace("-", "")
        prefix = f"0{self.kind}" if self.alternate and self.base != 10 else ""
        body = digit_codes(digits.values, self.base, self.kind == "X")
        zeros = (ord("0"),) * (self.precision - len(body))
        return tuple(map(ord, sign + prefix)), zeros + body


def format_text(text: SymStr, spec: str) -> Any:
    """What ``format`` gives for symbolic text."""
    if not spec:
        return text[:]
    format("", spec)  # refuses what Python refuses
    parts = _parse(spec)
    precision = parts["precision"]
    codes = text.codes if precision is None else text.codes[: int(precision)]
    return SymStr.make(_layout(parts, "<").place((), codes))


def format_int(term: Term, spec: str) -> Any:
    """What ``format`` gives for a symbolic integer."""
    format(0, spec)  # refuses what Python refuses
    parts = _parse(spec)
    kind = parts["kind"] or "d"
    if isinstance(term, int) or kind in _BY_FLOAT:
        return format(SymInt(term).concrete("format()"), spec)
    layout = _layout(parts, "=" if parts["zero"] else ">")
    if kind == "c":
        return SymStr.make(layout.place((), (character(term),)))
    notation = Notation("d" if kind == "n" else kind, parts["sign"] or "-", bool(parts["alternate"]))
    front, body = notation.write(term, "format()")
    if parts["grouping"]:
        body = _grouped(body, parts["grouping"], 3 if notation.base == 10 else 4, _least(layout, front))
    return SymStr.make(layout.place(front, body))


def character(term: Term) -> Term:
    """The code of a character given as a number."""
    if not decide(within(term, 0, LAST_CHARACTER)):
        raise OverflowError("%c arg not in range(0x110000)")
    return term


def _parse(spec: str) -> dict[str, Any]:
    match = _SPEC.fullmatch(spec)
    assert match is not None, f"Python accepts the format specification {spec!r} and this table does not"
    return match.groupdict()


def _layout(parts: dict[str, Any], default: str) -> Layout:
    fill = parts["fill"] or ("0" if parts["zero"] else " ")
    return Layout(parts["align"] or default, ord(fill), int(parts["width"] or 0))


def _least(layout: Layout, front: Codes) -> int:
    """How wide the digits must be at least: zeros that fill the field are grouped, too."""
    return layout.width - len(front) if layout.align == "=" and layout.fill == ord("0") else 0


def _grouped(digits: Codes, separator: str, size: int, least: int) -> Codes:
    while True:
        first = len(digits) % size or size
        groups = [digits[:first], *(digits[i : i + size] for i in range(first, len(digits), size))]
        grouped = groups[0] + tuple(code for group in groups[1:] for code in (ord(separator), *group))
        if len(grouped) >= least:
            return grouped
        digits = (ord("0"), *digits)
