"""Numbers: fractions and decimals."""

from __future__ import annotations

import decimal
import fractions


def add_fractions(a: int, b: int, c: int, d: int) -> fractions.Fraction:
    """The sum of two fractions in lowest terms."""
    return fractions.Fraction(a, b) + fractions.Fraction(c, d)


def limit_denominator(a: int, b: int) -> fractions.Fraction:
    """The nearest fraction with a small denominator."""
    return fractions.Fraction(a, b).limit_denominator(3)


def read_fraction(text: str) -> fractions.Fraction:
    """A fraction read from text."""
    return fractions.Fraction(text)


def compare_fractions(a: int, b: int, c: int, d: int) -> int:
    """-1, 0 or 1, as the first fraction is less, equal or greater."""
    left, right = fractions.Fraction(a, b), fractions.Fraction(c, d)
    return (left > right) - (left < right)


def read_decimal(text: str) -> str:
    """A decimal number, rounded to one place."""
    return str(decimal.Decimal(text).quantize(decimal.Decimal("0.1")))
