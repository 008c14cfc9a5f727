"""Symbolic integers as rows of digits: the sign and the number of digits are choices, each digit is a term.

Where a text came from a number, its characters have a range that can be read off the term; reading it off saves the
solver from proving again and again that a digit is a digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pessimal.expr import App, Compare, Expr, Offset, Term
from pessimal.python.deciding import between, decide
from pessimal.python.values.number import SymInt
from pessimal.python.values.text import SymStr

MOST_DIGITS = {2: 64, 8: 22, 10: 20, 16: 16}
"""How many digits a number may have in each base before it is made concrete."""

ZERO = ord("0")
_SMALL_A, _LARGE_A = ord("a"), ord("A")


class Digits(NamedTuple):
    """An integer written in a base: the values of its digits, the most significant first."""

    negative: bool
    values: tuple[Term, ...]


def digits_of(term: Term, base: int = 10, reason: str = "str()") -> Digits:
    """Take an integer apart; one with very many digits is made concrete first."""
    if isinstance(term, int):
        return _plain_digits(term, base)
    negative = decide(Compare("<", term, 0))
    count = _count_digits(term, base, negative)
    if count is None:
        return _plain_digits(SymInt(term).concrete(reason), base)
    rest: Term = App("neg", (term,), "int") if negative else term
    values: list[Term] = []
    for _ in range(count - 1):
        quotient = App("//", (rest, base), "int")
        values.append(App("-", (rest, App("*", (quotient, base), "int")), "int"))
        rest = quotient
    return Digits(negative, (rest, *reversed(values)))


def _count_digits(term: Term, base: int, negative: bool) -> int | None:
    """The number of digits, small ones first: doubled until it suffices, then halved; None if there are too many."""
    most = MOST_DIGITS[base]
    low, high = 1, most + 1
    while low < high:
        middle = (low + high) // 2 if high <= most else min(2 * (low - 1) or 1, most)
        limit = base**middle
        if decide(Compare(">", term, -limit) if negative else Compare("<", term, limit)):
            high = middle
        else:
            low = middle + 1
    return low if low <= most else None


def _plain_digits(value: int, base: int) -> Digits:
    rest = abs(value)
    values: list[Term] = []
    while rest or not values:
        rest, digit = divmod(rest, base)
        values.append(digit)
    return Digits(value < 0, tuple(reversed(values)))


def digit_codes(values: Sequence[Term], base: int, upper: bool = False) -> tuple[Term, ...]:
    """The characters of digits."""
    return tuple(_digit_code(value, base, upper) for value in values)


def _digit_code(value: Term, base: int, upper: bool) -> Term:
    letter = (_LARGE_A if upper else _SMALL_A) - 10
    if isinstance(value, int):
        return value + (ZERO if value < 10 else letter)
    if base <= 10:
        return App("+", (value, ZERO), "int")
    start = App("ite", (Compare("<", value, 10), ZERO, letter), "int")
    return App("+", (value, start), "int")


def text_of_int(term: Term) -> SymStr | str:
    """What ``str`` gives for an integer."""
    digits = digits_of(term)
    sign = (ord("-"),) if digits.negative else ()
    return SymStr.make(sign + digit_codes(digits.values, 10))  # type: ignore[no-any-return]


def shifted(term: Term, offset: int) -> Term:
    """A term plus a constant, kept as flat as it can be."""
    if isinstance(term, int):
        return term + offset
    if type(term) is Offset:
        return Offset(term.var, term.const + offset)
    if type(term) is App and term.op == "+" and type(term.args[1]) is int:
        return shifted(term.args[0], term.args[1] + offset)
    return App("+", (term, offset), "int") if offset else term


def range_of(term: Term) -> tuple[int, int] | None:
    """The range of a term where its shape alone tells it."""
    if isinstance(term, int):
        return term, term
    if type(term) is not App:
        return None
    if term.op == "%" and type(term.args[1]) is int and term.args[1] > 0:
        return 0, term.args[1] - 1
    if term.op == "-" and _is_remainder(term.args[0], term.args[1]):
        return 0, term.args[1].args[1] - 1
    if term.op == "+":
        return _sum_of_ranges(range_of(term.args[0]), range_of(term.args[1]))
    if term.op == "ite":
        return _hull(range_of(term.args[1]), range_of(term.args[2]))
    return None


def _is_remainder(whole: Term, multiple: Term) -> bool:
    """Whether a difference is what is left of a division, as :func:`digits_of` writes it."""
    if type(multiple) is not App or multiple.op != "*":
        return False
    quotient, base = multiple.args
    return type(quotient) is App and quotient.op == "//" and quotient.args[0] is whole and quotient.args[1] == base


def _sum_of_ranges(a: tuple[int, int] | None, b: tuple[int, int] | None) -> tuple[int, int] | None:
    return None if a is None or b is None else (a[0] + b[0], a[1] + b[1])


def _hull(a: tuple[int, int] | None, b: tuple[int, int] | None) -> tuple[int, int] | None:
    return None if a is None or b is None else (min(a[0], b[0]), max(a[1], b[1]))


def within(code: Term, low: int, high: int) -> Expr:
    """The condition that a code lies within bounds, answered at once where its shape tells."""
    known = range_of(code)
    if known is not None:
        if low <= known[0] and known[1] <= high:
            return True
        if known[1] < low or known[0] > high:
            return False
    return between(code, low, high)


def is_code(code: Term, wanted: int) -> Expr:
    """The condition that a code is a certain one."""
    known = range_of(code)
    if known is not None and not known[0] <= wanted <= known[1]:
        return False
    return code == wanted if isinstance(code, int) else Compare("==", code, wanted)
