"""How far the comparisons of a recorded run were from coming out the other way.

A test follows the comparison that it tests, so that the last comparison is that of the next test; where their truths
differ, the test was of something else. Only recorded runs compare in this way: it takes several times longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import inf, isnan
from typing import Any

from pessimal.expr.distance import STEP
from pessimal.python.counted.truth import FALSE, TRUE, Compared, compared_with
from pessimal.python.counted.values import CountedBytes, CountedFloat, CountedInt, CountedStr

MISSING = 256.0
"""What a character that one text lacks counts; two that differ count less."""
_SYMBOLS = {"lt": "<", "le": "<=", "eq": "==", "ne": "!=", "gt": ">", "ge": ">="}
_DECIDED_BY_EQUALITY = ("==", "!=")
_Method = Callable[..., Any]


def distance(compared: Compared) -> float:
    """How far a comparison is from its other outcome, at least a step; infinite where no number says it."""
    symbol, left, right = compared.symbol, compared.left, compared.right
    if symbol in _DECIDED_BY_EQUALITY and (symbol == "==") is compared.truth:
        return STEP
    if isinstance(left, str | bytes) and isinstance(right, str | bytes):
        return apart(left, right) + STEP
    try:
        gap = abs(float(left - right))
    except (TypeError, ArithmeticError):
        return inf
    return inf if isnan(gap) else gap + STEP


def apart(one: str | bytes, other: str | bytes) -> float:
    """How far two texts are apart: characters that are missing, and how much the others differ."""
    both = zip(_numbers(one), _numbers(other), strict=False)
    differing = sum(min(abs(a - b), MISSING - 1) for a, b in both)
    return differing + MISSING * abs(len(one) - len(other))


def _numbers(text: str | bytes) -> list[int]:
    return list(bytes(text)) if isinstance(text, bytes) else list(map(ord, str.__str__(text)))


def _compares(native: _Method, symbol: str) -> _Method:
    def method(self: Any, other: Any) -> Any:
        truth = native(self, other)
        if truth is TRUE or truth is FALSE:
            compared_with(Compared(truth is TRUE, symbol, self, other))
        return truth

    return method


def _begins(native: _Method, *, at_end: bool) -> _Method:
    def method(self: Any, other: Any, *bounds: Any) -> Any:
        truth = native(self, other, *bounds)
        if isinstance(other, str | bytes) and not bounds:
            part = self[max(0, len(self) - len(other)) :] if at_end else self[: len(other)]
            compared_with(Compared(truth is TRUE, "==", part, other))
        return truth

    return method


def _contains(native: _Method) -> _Method:
    def method(self: Any, other: Any) -> Any:
        truth = native(self, other)
        if isinstance(other, str | bytes):
            size = len(other)
            parts = [self[at : at + size] for at in range(max(1, len(self) - size + 1))]
            compared_with(Compared(truth is TRUE, "==", min(parts, key=lambda part: apart(part, other)), other))
        return truth

    return method


_OF_TEXTS: dict[str, Callable[[_Method], _Method]] = {
    "startswith": partial(_begins, at_end=False), "endswith": partial(_begins, at_end=True), "__contains__": _contains,
}  # fmt: skip


def _methods() -> Iterator[tuple[type, str, _Method]]:
    for kind in (CountedInt, CountedFloat, CountedStr, CountedBytes):
        for name, symbol in _SYMBOLS.items():
            yield kind, f"__{name}__", _compares(getattr(kind, f"__{name}__"), symbol)
    for kind in (CountedStr, CountedBytes):
        for name, measured in _OF_TEXTS.items():
            yield kind, name, measured(getattr(kind, name))


_MEASURING = [(kind, name, getattr(kind, name), method) for kind, name, method in _methods()]


@contextmanager
def measuring() -> Iterator[None]:
    """Comparisons are noted inside."""
    for kind, name, _, method in _MEASURING:
        setattr(kind, name, method)
    try:
        yield
    finally:
        for kind, name, native, _ in _MEASURING:
            setattr(kind, name, native)
