"""Functions of the C library that read numbers: which characters there are is decided, their values are made concrete.

The real functions compute with numbers of many words, in whose terms no solver finds its way.
"""

from __future__ import annotations

from pessimal.binary.registers import RDI, RSI
from pessimal.binary.terms import Value
from pessimal.binary.views import Returned, View, numbers

_DIGITS, _BLANKS = (0x30, 0x39), (0x09, 0x0D)
_MOST_DIGITS = 400
_LEAST, _MOST = 1e-300, 1e300


class _Text:
    """The text of a number, as far as it was taken."""

    def __init__(self, view: View, start: int) -> None:
        self._view = view
        self._start = start
        self.taken: list[Value] = []

    def takes(self, low: int, high: int) -> bool:
        """Whether the next byte lies in a range; it is taken then."""
        byte = self._view.byte_at(self._start + len(self.taken))
        if byte is None or not self._view.ask(self._view.between(byte, low, high)):
            return False
        self.taken.append(byte)
        return True

    def takes_any(self, choices: bytes) -> bool:
        """Whether the next byte is one of some; it is taken then."""
        return any(self.takes(choice, choice) for choice in choices)

    def digits(self) -> int:
        """Take all digits that follow; how many there are."""
        count = 0
        while count < _MOST_DIGITS and self.takes(*_DIGITS):
            count += 1
        return count


def strtod(view: View) -> Returned | None:
    """Decimal numbers; hexadecimal ones, infinity, NaN, and what is too large or small is left to the real function."""
    given = numbers(view, RDI, RSI)
    return None if given is None else _read(view, *given)


def atof(view: View) -> Returned | None:
    """The same without the end of the number."""
    given = numbers(view, RDI)
    return None if given is None else _read(view, given[0], 0)


def _read(view: View, start: int, end_at: int) -> Returned | None:
    text = _Text(view, start)
    while text.takes(0x20, 0x20) or text.takes(*_BLANKS):
        pass
    text.takes_any(b"-+")
    digits = text.digits()
    if (digits == 0 and text.takes_any(b"iInN")) or (digits == 1 and text.takes_any(b"xX")):
        return None
    digits += text.digits() if text.takes_any(b".") else 0
    length = len(text.taken) if digits else 0
    if digits and text.takes_any(b"eE"):
        text.takes_any(b"-+")
        length = len(text.taken) if text.digits() else length
    value = float(view.settle(text.taken[:length], "a number")) if digits else 0.0
    is_usual = _LEAST < abs(value) < _MOST or digits == 0
    if not is_usual or length >= _MOST_DIGITS:
        return None
    if end_at:
        view.put(end_at, (start + length).to_bytes(8, "little"))
    return Returned(0, len(text.taken) + 1, value)
