"""Classes of characters, as conditions on codes: read off Python's own answers at first use, exact for all Unicode."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from operator import not_
from typing import Any

from pessimal.expr import Expr, Term, conjunction, disjunction, negation
from pessimal.inputs.domain import LAST_CHARACTER
from pessimal.python.tables import table
from pessimal.python.values.rows import LAST_ASCII, Ranges, ascii_only, ranges_of, within

LAST_BYTE = 255
SIGMA, FINAL_SIGMA, SMALL_SIGMA = 0x3A3, 0x3C2, 0x3C3
SURROGATES: Ranges = ((0xD800, 0xDFFF),)

_CLASSES: dict[str, Callable[[Any, type], bool]] = {
    "cased": lambda char, kind: bool((char + _letter("a", kind)).title()[-1:] == _letter("a", kind)),
    "ends a word": lambda char, kind: bool((char + chr(SIGMA)).lower()[-1] == chr(FINAL_SIGMA)),
    "is skipped": lambda char, kind: (
        ("A" + char + chr(SIGMA)).lower()[-1] == chr(FINAL_SIGMA)
        and (char + chr(SIGMA)).lower()[-1] != chr(FINAL_SIGMA)
    ),
    "breaks lines": lambda char, kind: bool(char.splitlines()[0] != char),
}

_FOLLOWING = {
    "bars lower": ("a", "islower", False),
    "bars upper": ("A", "isupper", False),
    "goes on": ("a", "isidentifier", True),
}
"""Classes by what a method says of a letter with the character behind it."""


def _letter(char: str, kind: type) -> Any:
    return char if kind is str else char.encode()


@table
def members(name: str, kind: type, top: int) -> Ranges:
    """The codes up to ``top`` that belong to a class: a method such as ``isalpha``, or one of our own classes."""
    return ranges_of(compress(range(top + 1), _answers(name, kind, top)))


def _answers(name: str, kind: type, top: int) -> Iterable[bool]:
    """Whether each code belongs to a class, asked without a step in Python where possible: there are a million."""
    chars: Iterable[Any] = map(chr, range(top + 1)) if kind is str else (bytes((code,)) for code in range(top + 1))
    if name in _FOLLOWING:
        before, method, wanted = _FOLLOWING[name]
        found = map(getattr(kind, method), map(_letter(before, kind).__add__, chars))
        return found if wanted else map(not_, found)
    if name in _CLASSES:
        return (_CLASSES[name](char, kind) for char in chars)
    return map(getattr(kind, name), chars)


class Classes:
    """The classes of one row's characters, with short tables where all of them are ASCII, decided as one choice."""

    def __init__(self, codes: Sequence[Term], kind: type) -> None:
        self.codes = codes
        self.kind = kind
        if kind is bytes:
            self.top = LAST_BYTE
        else:
            self.top = LAST_ASCII if ascii_only(codes) else LAST_CHARACTER

    def belongs(self, code: Term, name: str) -> Expr:
        """The condition that one character belongs to a class."""
        if type(code) is int:
            top = LAST_BYTE if self.kind is bytes else LAST_CHARACTER if code > LAST_ASCII else LAST_ASCII
            return within(code, members(name, self.kind, top))
        return within(code, members(name, self.kind, self.top), self.top)

    def all(self, name: str) -> Expr:
        """The condition that every character belongs to a class."""
        return conjunction([self.belongs(code, name) for code in self.codes])

    def all_of_one(self, case: str, barred: str) -> Expr:
        """The condition that there is a letter of one case and none of the other."""
        some = disjunction([self.belongs(code, case) for code in self.codes])
        return conjunction([some, *(negation(self.belongs(code, barred)) for code in self.codes)])

    def titled(self) -> Expr:
        """The condition that capitals start words and small letters go on with them."""
        before: Expr = False
        some: list[Expr] = []
        rules: list[Expr] = []
        for code in self.codes:
            large, small = self.belongs(code, "bars lower"), self.belongs(code, "islower")
            rules.append(disjunction([negation(large), negation(before)]))
            rules.append(disjunction([negation(small), before]))
            before = disjunction([large, small])
            some.append(before)
        return conjunction([disjunction(some), *rules])

    def identifier(self) -> Expr:
        """The condition that the text is a name."""
        if not self.codes:
            return False
        rest = [self.belongs(code, "goes on") for code in self.codes[1:]]
        return conjunction([self.belongs(self.codes[0], "isidentifier"), *rest])
