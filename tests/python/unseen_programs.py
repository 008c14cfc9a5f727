"""Everyday programs on text and floats with a rare outcome 1."""

import binascii
import math
import zlib
from typing import Annotated


def parsed_float(s: str) -> int:
    try:
        return 1 if float(s) == 2.5 else 0
    except ValueError:
        return 0


def parsed_range(s: str) -> int:
    try:
        return 1 if 3.1 < float(s) < 3.4 else 0
    except ValueError:
        return 0


def parsed_binary(s: str) -> int:
    try:
        return 1 if int(s, 2) == 5 else 0
    except ValueError:
        return 0


def digit_of_another_script(s: str) -> int:
    if s[1:] != "23" or not "\u0660" <= s[0] <= "\u0669":
        return 0
    return 1 if int(s) == 423 else 0


def space_of_another_script(s: str) -> int:
    if s[:2] != "\u2003-":
        return 0
    try:
        return 1 if int(s) == -7 else 0
    except ValueError:
        return 0


def clock(s: str) -> int:
    if not (s[:1].isdecimal() and s[1:].isdecimal()):
        return 0
    return 1 if int(s[:1]) * 60 + int(s[1:]) == 559 else 0


def scaled(x: float) -> int:
    return 1 if x * 1.8 + 32 == 212 else 0


def rounded(x: float) -> int:
    return 1 if round(x, 2) == 3.14 and x != 3.14 else 0


def floored(x: float) -> int:
    return 1 if math.floor(x) == -4 and math.ceil(x) == -3 else 0


def share(n: Annotated[int, range(-(10**9), 10**9)]) -> int:
    return 1 if n / 8 == 2.125 else 0


def hexadecimal(s: str) -> int:
    try:
        return 1 if binascii.unhexlify(s) == b"O\xfe" else 0
    except ValueError:
        return 0


def base_64(s: str) -> int:
    try:
        return 1 if binascii.a2b_base64(s) == b"hi" else 0
    except ValueError:
        return 0


def checksum(b: bytes) -> int:
    return 1 if zlib.adler32(b) == zlib.adler32(b"sum!") and b[0] < b[1] else 0


def shown_as_hexadecimal(b: bytes) -> int:
    return 1 if binascii.hexlify(b) == b"0aff0001" else 0
