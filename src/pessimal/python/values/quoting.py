"""Symbolic text as ``repr`` shows it: the quotes and what needs an escape are choices, escapes are terms."""

from __future__ import annotations

from pessimal.expr import App, Compare, Expr, Term, conjunction, disjunction
from pessimal.python.deciding import decide, select
from pessimal.python.values.digits import digit_codes, is_code, within
from pessimal.python.values.literals import ASCII
from pessimal.python.values.text import SymBytes, SymStr

_BACKSLASH, _SINGLE, _DOUBLE = map(ord, "\\'\"")
_SHORT = {9: "t", 10: "n", 13: "r"}
_LAST_LATIN = 0xFF


def quoted(text: SymStr | SymBytes) -> SymStr | str:
    """What ``repr`` gives for text or bytes."""
    codes = text.codes
    front = (ord("b"),) if type(text) is SymBytes else ()
    quote = _SINGLE
    if not decide(conjunction([_is_simple(code, _SINGLE) for code in codes])):
        if decide(_holds(codes, _SINGLE)) and not decide(_holds(codes, _DOUBLE)):
            quote = _DOUBLE
        codes = tuple(part for code in codes for part in _escaped(code, quote, type(text) is SymBytes))
    return SymStr.make((*front, quote, *codes, quote))  # type: ignore[no-any-return]


def ascii_only(codes: tuple[Term, ...]) -> SymStr | str:
    """Text in which every character beyond ASCII is an escape."""
    if not decide(conjunction([within(code, 0, ASCII) for code in codes])):
        codes = tuple(part for code in codes for part in _beyond_ascii(code))
    return SymStr.make(codes)  # type: ignore[no-any-return]


def _holds(codes: tuple[Term, ...], wanted: int) -> Expr:
    return disjunction([is_code(code, wanted) for code in codes])


def _is_simple(code: Term, quote: int) -> Expr:
    """Whether a character stands for itself, whatever the rest of the text is."""
    special = [is_code(code, other) for other in (_BACKSLASH, quote)]
    if True in special:
        return False
    return conjunction([within(code, 32, 126), *[_unlike(code, c) for c in (_BACKSLASH, quote)]])


def _unlike(code: Term, other: int) -> Expr:
    if is_code(code, other) is False:
        return True
    return code != other if isinstance(code, int) else Compare("!=", code, other)


def _escaped(code: Term, quote: int, is_bytes: bool) -> tuple[Term, ...]:
    if decide(_is_simple(code, quote)):
        return (code,)
    named = {_BACKSLASH: "\\", quote: chr(quote), **_SHORT}
    letter = select([(is_code(code, special), ord(shown)) for special, shown in named.items()], 0)
    if letter:
        return (_BACKSLASH, letter)
    if is_bytes or decide(disjunction([within(code, 0, 31), within(code, 127, 0xA0), is_code(code, 0xAD)])):
        return _escape(code, "x", 2)
    if decide(within(code, 0, _LAST_LATIN)):
        return (code,)
    plain = SymStr((code,)).concrete("repr() of a character beyond Latin-1")
    return tuple(map(ord, repr(plain)[1:-1]))


def _beyond_ascii(code: Term) -> tuple[Term, ...]:
    for last, letter, count in ((ASCII, "", 0), (_LAST_LATIN, "x", 2), (0xFFFF, "u", 4)):
        if decide(within(code, 0, last)):
            return _escape(code, letter, count) if letter else (code,)
    return _escape(code, "U", 8)


def _escape(code: Term, letter: str, count: int) -> tuple[Term, ...]:
    """A character as its number in hexadecimal digits."""
    values = [_hexadecimal(code, place) for place in reversed(range(count))]
    return (_BACKSLASH, ord(letter), *digit_codes(values, 16))


def _hexadecimal(code: Term, place: int) -> Term:
    if isinstance(code, int):
        return code >> 4 * place & 15
    return App("%", (App("//", (code, 16**place), "int"), 16), "int")
