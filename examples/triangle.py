"""The testing textbook's triangle: five answers, one of which needs three equal numbers."""

from __future__ import annotations


def classify(a: int, b: int, c: int) -> str:
    """Tell what kind of triangle three side lengths make."""
    if a <= 0 or b <= 0 or c <= 0:
        return "not a length"
    if a + b <= c or a + c <= b or b + c <= a:
        return "not a triangle"
    if a == b == c:
        return "equilateral"
    if a == b or b == c or c == a:
        return "isosceles"
    return "scalene"
