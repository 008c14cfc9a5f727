"""Text read as a number, by Python's own grammar: the shape is found by choices, the value is one term.

Texts that are not literals are settled by one choice if a foreign character gives them away; others are followed
position by position.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

from pessimal.expr import App, Compare, Expr, Term, conjunction, disjunction, negation
from pessimal.inputs.domain import LAST_CHARACTER
from pessimal.python.deciding import decide
from pessimal.python.tables import table
from pessimal.python.values import rows
from pessimal.python.values.characters import members
from pessimal.python.values.digits import ZERO, is_code, shifted, within
from pessimal.python.values.text import SymBytes, SymSequence, SymStr, number

MOST_CHARACTERS = 4000
"""Longer texts are read natively: Python refuses integers of more digits than about this anyway."""

ASCII = 127
SPACES = ((9, 13), (32, 32))
UNDERSCORE, PLUS, MINUS = map(ord, "_+-")
_PREFIXES = {16: "xX", 8: "oO", 2: "bB"}


class Message(str):
    """What an error says of a symbolic text; the text is only made concrete for those who read it."""

    _text: SymSequence

    @classmethod
    def of(cls, words: str, text: SymSequence) -> Message:
        """The words, followed by the text as ``repr`` gives it."""
        message = cls(words)
        message._text = text
        return message

    def __str__(self) -> str:
        return f"{str.__str__(self)}{self._text.concrete('the message of an error')!r}"


class NotALiteral(Exception):
    """The characters do not make up a number."""


def int_of_text(text: SymStr | SymBytes, base: int = 10) -> Any:
    """What ``int`` gives for text: a symbolic integer, or the ValueError that Python raises."""
    if len(text) > MOST_CHARACTERS or not (base == 0 or 2 <= base <= 36):
        return int(text.concrete("int()"), base)
    try:
        return number(_Integer(ascii_codes(text), base).value())
    except NotALiteral:
        raise ValueError(Message.of(f"invalid literal for int() with base {base}: ", text)) from None


def ascii_codes(text: SymStr | SymBytes) -> tuple[Term, ...]:
    """The characters, those beyond ASCII replaced by what they stand for: digits and spaces of other scripts.

    Most characters stand for neither, so that one choice settles their texts; only such digits are made concrete.
    """
    codes = text.codes
    if decide(conjunction([within(code, 0, ASCII) for code in codes])):
        return codes
    if type(text) is SymBytes or decide(disjunction([_is_foreign(code) for code in codes])):
        raise NotALiteral
    return tuple(map(_as_ascii, codes))


def _is_foreign(code: Term) -> Expr:
    """Whether a character is neither of ASCII nor anything that a number is written with."""
    if isinstance(code, int):
        return code > ASCII and not rows.within(code, _numeric())
    return conjunction([Compare(">", code, ASCII), negation(rows.within(code, _numeric()))])


@table
def _numeric() -> rows.Ranges:
    """The characters beyond ASCII that Python reads as digits or white space."""
    later = map(chr, range(ASCII + 1, LAST_CHARACTER + 1))
    return rows.ranges_of(ord(char) for char in later if char.isdecimal() or char.isspace())


def _as_ascii(code: Term) -> Term:
    if decide(within(code, 0, ASCII)):
        return code
    if decide(rows.within(code, members("isspace", str, LAST_CHARACTER))):
        return ord(" ")
    char = SymStr.make((code,))
    return ZERO + unicodedata.decimal(char.concrete("a digit of another script") if type(char) is SymStr else char)


def is_space(code: Term) -> Expr:
    """Whether a character is white space of ASCII."""
    return disjunction([within(code, low, high) for low, high in SPACES])


def is_decimal(code: Term) -> Expr:
    """Whether a character is one of ``0`` to ``9``."""
    return within(code, ZERO, ZERO + 9)


def stripped(codes: tuple[Term, ...]) -> tuple[Term, ...]:
    """The characters without white space around them, found by choices."""
    while codes and decide(is_space(codes[0])):
        codes = codes[1:]
    while codes and decide(is_space(codes[-1])):
        codes = codes[:-1]
    return codes


def without_sign(codes: tuple[Term, ...]) -> tuple[bool, tuple[Term, ...]]:
    """Whether a minus comes first, and what follows the sign."""
    if codes and decide(disjunction([is_code(codes[0], PLUS), is_code(codes[0], MINUS)])):
        return decide(is_code(codes[0], MINUS)), codes[1:]
    return False, codes


def weighted(values: Sequence[Term], base: int) -> Term:
    """The number that digits make up: a linear sum wherever the digits are."""
    total: Term = 0
    for place, value in enumerate(reversed(values)):
        total = plus(total, times(value, base**place))
    return total


def plus(a: Term, b: Term) -> Term:
    """The sum of two integers."""
    if isinstance(b, int):
        return shifted(a, b)
    return shifted(b, a) if isinstance(a, int) else App("+", (a, b), "int")


def times(a: Term, factor: int) -> Term:
    """An integer times a constant."""
    if isinstance(a, int):
        return a * factor
    return a if factor == 1 else App("*", (a, factor), "int")


class _Integer:
    """Reads the characters of an integer in a base, 0 for the base that the prefix tells."""

    def __init__(self, codes: tuple[Term, ...], base: int) -> None:
        self.codes = codes
        self.base = base

    def value(self) -> Term:
        """The integer as a term."""
        base = self.base or 10
        if self.base and self.codes and decide(conjunction([is_digit(code, base) for code in self.codes])):
            return self._sum(self.codes)
        if not decide(conjunction([self._is_familiar(code) for code in self.codes])):
            raise NotALiteral
        negative, codes = without_sign(stripped(self.codes))
        total = self._sum(self._digits(self._without_prefix(codes)))
        return times(total, -1) if negative else total

    def _is_familiar(self, code: Term) -> Expr:
        """Whether a character can be part of a literal at all."""
        others = [is_code(code, other) for other in (UNDERSCORE, PLUS, MINUS)]
        letters = [is_code(code, ord(letter)) for letter in "".join(self._prefixes().values())]
        return disjunction([is_digit(code, self.base or 16), is_space(code), *others, *letters])

    def _prefixes(self) -> dict[int, str]:
        return _PREFIXES if not self.base else {b: x for b, x in _PREFIXES.items() if b == self.base}

    def _without_prefix(self, codes: tuple[Term, ...]) -> tuple[Term, ...]:
        """What follows a prefix such as ``0x``; without one, base 0 is base 10 and allows no zeros in front."""
        if len(codes) > 1 and self._prefixes() and decide(is_code(codes[0], ZERO)):
            for base, letters in self._prefixes().items():
                if decide(disjunction([is_code(codes[1], ord(letter)) for letter in letters])):
                    self.base = base
                    return self._without_underscore(codes[2:])
        if not self.base:
            self.base = 10
            self._reject_leading_zero(codes)
        return codes

    def _without_underscore(self, codes: tuple[Term, ...]) -> tuple[Term, ...]:
        return codes[1:] if codes and decide(is_code(codes[0], UNDERSCORE)) else codes

    def _reject_leading_zero(self, codes: tuple[Term, ...]) -> None:
        zeros = [disjunction([is_code(code, ZERO), is_code(code, UNDERSCORE)]) for code in codes]
        if codes and decide(is_code(codes[0], ZERO)) and not decide(conjunction(zeros)):
            raise NotALiteral

    def _digits(self, codes: tuple[Term, ...]) -> tuple[Term, ...]:
        """The digits without the underscores between them."""
        return separated(codes, lambda code: is_digit(code, self.base))

    def _sum(self, codes: Sequence[Term]) -> Term:
        return weighted([digit_value(code, self.base) for code in codes], self.base)


def separated(codes: tuple[Term, ...], is_one: Callable[[Term], Expr]) -> tuple[Term, ...]:
    """Digits without the single underscores that may stand between them."""
    if codes and decide(conjunction([is_one(code) for code in codes])):
        return codes
    found: list[Term] = []
    after_digit = False
    for code in codes:
        if decide(is_one(code)):
            found.append(code)
            after_digit = True
        elif after_digit and decide(is_code(code, UNDERSCORE)):
            after_digit = False
        else:
            raise NotALiteral
    if not after_digit:
        raise NotALiteral
    return tuple(found)


def is_digit(code: Term, base: int) -> Expr:
    """Whether a character is a digit of a base, letters of both cases included."""
    if base <= 10:
        return within(code, ZERO, ZERO + base - 1)
    letters = [within(code, ord(a), ord(a) + base - 11) for a in "aA"]
    return disjunction([is_decimal(code), *letters])


def digit_value(code: Term, base: int) -> Term:
    """What a digit is worth; of letters, the case is not asked for but computed."""
    if isinstance(code, int):
        return int(chr(code), 36)
    if base <= 10 or within(code, ZERO, ZERO + 9) is True:
        return shifted(code, -ZERO)
    large, small = shifted(code, 10 - ord("A")), shifted(code, 10 - ord("a"))
    letter = App("ite", (Compare("<", code, ord("a")), large, small), "int")
    return App("ite", (Compare("<=", code, ord("9")), shifted(code, -ZERO), letter), "int")
