"""How far a test of plain values was from coming out the other way.

A distance is a positive number. What no number says is one step away, or as far as values of different kinds are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import islice
from math import isnan
from typing import Any

from pessimal.expr.distance import STEP
from pessimal.python.measured.patterns import to_match

MISSING = 256.0
"""What a character or an element counts that only one side has; two characters that differ count less."""
OTHER_KIND = 1e9
"""How far values are apart that have nothing in common."""
LARGEST = 1e300
MOST_ELEMENTS, MOST_DEPTH = 200, 4

_TEXTS = (str, bytes, bytearray)
_CHARACTERS: Mapping[str, Callable[[str], bool]] = {
    name: getattr(str, name)
    for name in ("isalnum", "isalpha", "isdecimal", "isdigit", "isnumeric", "isspace", "isupper", "islower", "isascii")
}


def of_comparison(symbol: str, left: Any, right: Any, truth: bool) -> float:
    """How far ``left symbol right``, which came out as ``truth``, was from the other outcome."""
    try:
        return _of_comparison(symbol, left, right, truth)
    except Exception:  # the operands' own methods run here, which may do anything
        return STEP


def _of_comparison(symbol: str, left: Any, right: Any, truth: bool) -> float:
    if symbol in ("is", "is not"):
        return STEP
    if symbol in ("in", "not in"):
        return STEP if truth is (symbol == "in") else _from_members(left, right) + STEP
    if symbol in ("==", "!="):
        return STEP if truth is (symbol == "==") else _apart(left, right) + STEP
    return _order_gap(left, right) + STEP


def of_truth(value: Any, truth: bool) -> float:
    """How far a value that is tested as it is was from the other outcome."""
    if not truth:
        return STEP
    if type(value) in (int, float):
        return _finite(abs(value)) + STEP
    if isinstance(value, str | bytes | list | tuple | dict | set | frozenset):
        return len(value) + STEP
    return STEP


def of_method(name: str, receiver: Any, arguments: Sequence[Any], truth: bool) -> float:
    """How far a method of text that tells yes or no was from the other answer."""
    if truth or not isinstance(receiver, str | bytes):
        return STEP
    if name in ("startswith", "endswith") and len(arguments) == 1:
        wanted = arguments[0] if isinstance(arguments[0], tuple) else (arguments[0],)
        return min((_from_end(receiver, part, name) for part in wanted), default=0.0) + STEP
    if name in _CHARACTERS and isinstance(receiver, str):
        return sum(not _CHARACTERS[name](char) for char in receiver[:MOST_ELEMENTS]) + STEP
    return STEP


def of_number_text(value: Any, *, succeeded: bool) -> float:
    """How far a text was from being a number, or from being none."""
    if succeeded or not isinstance(value, str | bytes):
        return STEP
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    return sum(not char.isdigit() for char in text[:MOST_ELEMENTS]) + STEP


def of_look_up(owner: Any, key: Any, *, succeeded: bool) -> float:
    """How far a key or an index was from being there, or from not being there."""
    if isinstance(owner, Sequence) and isinstance(key, int):
        inside, outside = max(key - len(owner) + 1, -len(owner) - key), min(len(owner) - key, len(owner) + key + 1)
        return _finite(outside if succeeded else inside) + STEP
    if succeeded:
        return STEP
    try:
        return _from_members(key, owner) + STEP
    except Exception:  # the owner's own methods run here
        return STEP


def of_nothing_found(name: str, owner: Any, arguments: Sequence[Any]) -> float:
    """How far a look-up or a match that gave None was from giving something."""
    try:
        if name == "get" and isinstance(owner, Mapping):
            return _from_members(arguments[0], owner) + STEP
        pattern, text = (owner, arguments[0]) if isinstance(owner, re.Pattern) else (None, None)
        if owner is re:
            pattern, text = re.compile(arguments[0], *arguments[2:]), arguments[1]
        if pattern is not None and name != "get" and isinstance(text, str | bytes):
            return _finite(to_match(name, pattern.pattern, pattern.flags, text)) + STEP
    except Exception:  # the owner's own methods run here
        return STEP
    return STEP


def _finite(gap: Any) -> float:
    try:
        number = float(gap)
    except OverflowError:
        return LARGEST
    return LARGEST if isnan(number) else min(max(number, 0.0), LARGEST)


def _apart(one: Any, other: Any, depth: int = 0) -> float:
    """How far two values are from being equal; 0 if they are."""
    if isinstance(one, _TEXTS) and isinstance(other, _TEXTS):
        return _texts_apart(one, other) if isinstance(one, str) is isinstance(other, str) else OTHER_KIND
    if depth < MOST_DEPTH:
        if isinstance(one, list | tuple) and type(one) is type(other):
            return _rows_apart(one, other, depth)
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            shared = [key for key in islice(one, MOST_ELEMENTS) if key in other]
            return MISSING * len(one.keys() ^ other.keys()) + sum(_apart(one[k], other[k], depth + 1) for k in shared)
        if isinstance(one, Set) and isinstance(other, Set):
            return MISSING * len(one ^ other)
    if one is None or other is None:
        return 0.0 if one is other else OTHER_KIND
    return _numbers_apart(one, other)


def _numbers_apart(one: Any, other: Any) -> float:
    if one == other:
        return 0.0
    try:
        gap = _finite(abs(one - other))
    except (TypeError, ArithmeticError):
        return OTHER_KIND
    return gap or STEP


def _texts_apart(one: str | bytes | bytearray, other: str | bytes | bytearray) -> float:
    pairs = islice(zip(_numbers(one), _numbers(other), strict=False), MOST_ELEMENTS)
    differing = sum(min(abs(a - b), MISSING - 1) for a, b in pairs)
    return differing + MISSING * abs(len(one) - len(other))


def _numbers(text: str | bytes | bytearray) -> Iterable[int]:
    return map(ord, text) if isinstance(text, str) else text


def _rows_apart(one: Sequence[Any], other: Any, depth: int) -> float:
    pairs = islice(zip(one, other, strict=False), MOST_ELEMENTS)
    return sum(_apart(a, b, depth + 1) for a, b in pairs) + MISSING * abs(len(one) - len(other))


def _order_gap(left: Any, right: Any) -> float:
    """How much the order of two values is decided by."""
    if isinstance(left, _TEXTS) and isinstance(right, _TEXTS):
        return _first_gap(_numbers(left), _numbers(right), len(left) - len(right))
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return _first_gap(left, right, len(left) - len(right))
    if isinstance(left, Set) and isinstance(right, Set):
        return float(len(left - right))
    return _finite(abs(left - right))


def _first_gap(left: Iterable[Any], right: Iterable[Any], longer: int) -> float:
    for one, other in zip(left, right, strict=False):
        if one != other:
            return _order_gap(one, other)
    return float(abs(longer))


def _from_members(value: Any, owner: Any) -> float:
    """How far a value is from the nearest member of a container."""
    if isinstance(owner, _TEXTS) and isinstance(value, _TEXTS):
        size = len(value)
        places = range(min(max(1, len(owner) - size + 1), MOST_ELEMENTS))
        return min(_apart(owner[at : at + size], value) for at in places)
    if isinstance(owner, range) and isinstance(value, int):
        return min(_apart(value, end) for end in (owner.start, owner.stop - owner.step)) if owner else OTHER_KIND
    if not isinstance(owner, Sequence | Set | Mapping):
        return 0.0
    return min((_apart(value, member) for member in islice(owner, MOST_ELEMENTS)), default=OTHER_KIND)


def _from_end(text: str | bytes, part: Any, name: str) -> float:
    if not isinstance(part, str | bytes):
        return OTHER_KIND
    own = text[: len(part)] if name == "startswith" else text[max(0, len(text) - len(part)) :]
    return _apart(own, part)
