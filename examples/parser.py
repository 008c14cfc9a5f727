"""A parser of lines such as ``width = 12`` or ``# a remark``: every way to be wrong needs another text."""

from __future__ import annotations

DIGITS = "0123456789"
LETTERS = "abcdefghijklmnopqrstuvwxyz_"


class SettingError(Exception):
    """The text is not a setting."""


def parse(text: str) -> tuple[str, int] | None:
    """Read a setting as its name and value, or None for an empty line or a remark."""
    start = skip_blanks(text, 0)
    if start == len(text) or text[start] == "#":
        return None
    end = skip(text, start, LETTERS)
    if end == start:
        raise SettingError(f"a name is missing at {start}")
    equals = skip_blanks(text, end)
    if equals == len(text) or text[equals] != "=":
        raise SettingError(f"'=' is missing at {equals}")
    value, rest = number(text, skip_blanks(text, equals + 1))
    if skip_blanks(text, rest) < len(text):
        raise SettingError(f"there is more at {rest}")
    return text[start:end], value


def number(text: str, start: int) -> tuple[int, int]:
    """Read a whole number with an optional minus; return it and where it ends."""
    negative = start < len(text) and text[start] == "-"
    first = start + 1 if negative else start
    end = skip(text, first, DIGITS)
    if end == first:
        raise SettingError(f"a number is missing at {first}")
    value = 0
    for digit in text[first:end]:
        value = 10 * value + ord(digit) - ord("0")
    return (-value if negative else value), end


def skip_blanks(text: str, start: int) -> int:
    """Where the first character that is not blank stands."""
    return skip(text, start, " \t")


def skip(text: str, start: int, symbols: str) -> int:
    """Where the first character that is none of the symbols stands."""
    while start < len(text) and text[start] in symbols:
        start += 1
    return start
