"""Text read as a float: the shape is found by choices, the value is a quotient of integers where that is exact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pessimal.expr import Compare, Expr, Term, conjunction, disjunction
from pessimal.python.deciding import decide, number_between
from pessimal.python.values.digits import ZERO, is_code, shifted
from pessimal.python.values.literals import (
    MINUS,
    MOST_CHARACTERS,
    PLUS,
    UNDERSCORE,
    Message,
    NotALiteral,
    ascii_codes,
    is_decimal,
    is_space,
    stripped,
    times,
    weighted,
    without_sign,
)
from pessimal.python.values.number import wrap
from pessimal.python.values.text import SymBytes, SymStr

MOST_DIGITS = 15
"""Integers of so many digits are doubles."""
LARGEST_EXPONENT = 22
"""Powers of ten up to this are doubles, so that one division or product by them is rounded once."""

_POINT = ord(".")
_WORDS = ("inf", "nan", "infinity")
_LETTERS = sorted(set("".join(_WORDS)) | {"e"})


def float_of_text(text: SymStr | SymBytes) -> Any:
    """What ``float`` gives for text: a symbolic float, or the ValueError that Python raises."""
    if len(text) > MOST_CHARACTERS:
        return float(text.concrete("float()"))
    try:
        value = _value(ascii_codes(text))
    except NotALiteral:
        raise ValueError(Message.of("could not convert string to float: ", text)) from None
    return float(text.concrete("float()")) if value is None else value


def _value(codes: tuple[Term, ...]) -> Any:
    """The float; None where its value is not one exact operation away from its digits."""
    if codes and decide(conjunction([is_decimal(code) for code in codes])):
        return _scaled(codes, 0)
    if not decide(conjunction([_is_familiar(code) for code in codes])):
        raise NotALiteral
    negative, codes = without_sign(stripped(codes))
    value = _word(codes)
    if value is None:
        value = _Scan(codes).value()
    return wrap("neg", (getattr(value, "expr", value),), "float") if negative and value is not None else value


def _is_familiar(code: Term) -> Expr:
    """Whether a character can be part of a literal at all."""
    signs = [is_code(code, other) for other in (UNDERSCORE, PLUS, MINUS, _POINT)]
    return disjunction([is_decimal(code), is_space(code), *signs, *[_is_letter(code, x) for x in _LETTERS]])


def _is_letter(code: Term, letter: str) -> Expr:
    return disjunction([is_code(code, ord(letter)), is_code(code, ord(letter.upper()))])


def _word(codes: tuple[Term, ...]) -> float | None:
    for word in _WORDS:
        if len(word) == len(codes) and decide(conjunction(list(map(_is_letter, codes, word)))):
            return float(word)
    return None


def _scaled(digits: Sequence[Term], scale: int) -> Any:
    """Digits times a power of ten; None where that would be rounded more than once."""
    if len(digits) > MOST_DIGITS or abs(scale) > LARGEST_EXPONENT:
        return None
    mantissa = weighted([shifted(code, -ZERO) for code in digits], 10)
    if scale < 0:
        return wrap("/", (mantissa, 10**-scale), "float")
    return wrap("float", (times(mantissa, 10**scale),), "float")


class _Scan:
    """Reads a number from left to right."""

    def __init__(self, codes: tuple[Term, ...]) -> None:
        self.rest = codes

    def value(self) -> Any:
        """The number; None where it is not to be had exactly."""
        whole = self._digits()
        fraction = self._digits() if self._take([_POINT]) else []
        if not whole and not fraction:
            raise NotALiteral
        exponent = self._exponent() if self._take([ord("e"), ord("E")]) else 0
        if self.rest:
            raise NotALiteral
        return None if exponent is None else _scaled(whole + fraction, exponent - len(fraction))

    def _take(self, wanted: list[int]) -> bool:
        """Read one of some characters if it comes next."""
        found = bool(self.rest) and decide(disjunction([is_code(self.rest[0], code) for code in wanted]))
        if found:
            self.rest = self.rest[1:]
        return found

    def _digits(self) -> list[Term]:
        found: list[Term] = []
        while self.rest:
            if decide(is_decimal(self.rest[0])):
                found.append(self.rest[0])
                self.rest = self.rest[1:]
            elif found and self._take([UNDERSCORE]):
                if not (self.rest and decide(is_decimal(self.rest[0]))):
                    raise NotALiteral
            else:
                break
        return found

    def _exponent(self) -> int | None:
        """The exponent, made concrete by choices where it is small."""
        negative, self.rest = without_sign(self.rest)
        digits = self._digits()
        if not digits:
            raise NotALiteral
        size = weighted([shifted(code, -ZERO) for code in digits], 10)
        is_small = size <= LARGEST_EXPONENT if isinstance(size, int) else Compare("<=", size, LARGEST_EXPONENT)
        if self.rest or not decide(is_small):
            return None
        size = number_between(size, 0, LARGEST_EXPONENT)
        return -size if negative else size
