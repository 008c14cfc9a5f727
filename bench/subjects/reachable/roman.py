"""Reading Roman numerals."""

from __future__ import annotations

VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
PAIRS = ("IV", "IX", "XL", "XC", "CD", "CM")
LARGEST = 3999


class RomanError(ValueError):
    """A text is not a Roman numeral."""


def read(text: str) -> int:
    """The number that a Roman numeral stands for."""
    if not text:
        raise RomanError("empty numeral")
    total = 0
    previous = LARGEST + 1
    repeated = 0
    was_pair = False
    position = 0
    while position < len(text):
        symbol = text[position]
        if symbol not in VALUES:
            raise RomanError(f"unknown symbol {symbol!r}")
        pair = text[position : position + 2]
        is_pair = pair in PAIRS
        value = VALUES[pair[1]] - VALUES[pair[0]] if is_pair else VALUES[symbol]
        if value > previous:
            raise RomanError(f"{symbol!r} is out of order")
        if value == previous:
            repeated += 1
            if is_pair or symbol in "VLD":
                raise RomanError(f"{symbol!r} is repeated")
            if repeated == 3:
                raise RomanError(f"too many {symbol!r}")
        elif value < previous:
            if was_pair and 10 * value > previous:
                raise RomanError(f"{symbol!r} after a subtraction")
            repeated = 0
        total += value
        previous = value
        was_pair = is_pair
        position += len(pair) if is_pair else 1
    return total
