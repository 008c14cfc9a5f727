"""The values of literals in C source."""

from __future__ import annotations

import ast
import re

from pessimal.comparison import Operand

_INTEGER = re.compile(r"([+-]?)\s*(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)[uUlLzZ]*\Z")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?[fFlL]?\Z")


def literal_value(text: str) -> Operand | None:
    """The value of a number, character or string literal; None where it is none or not a plain one."""
    text = text.strip()
    number = _INTEGER.match(text)
    if number is not None:
        digits = number[2]
        is_octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
        value = int(digits, 8 if is_octal and "8" not in digits and "9" not in digits else 0 if not is_octal else 10)
        return -value if number[1] == "-" else value
    if _FLOAT.match(text):
        return float(text.rstrip("fFlL"))
    if text[:1] in "'\"" and len(text) > 1:
        try:
            value = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            return None
        if text[0] == "'":
            return ord(value) if isinstance(value, str) and len(value) == 1 else None
        return value if isinstance(value, str) and value else None
    return None
