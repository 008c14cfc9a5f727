"""Integers as rows of bytes and back, on terms."""

from __future__ import annotations

from collections.abc import Sequence

from pessimal.expr import Term
from pessimal.python.deciding import between, decide
from pessimal.python.values.arithmetic import apply, case, relation, shift


def check_order(order: str) -> None:
    """Refuse an order of bytes that there is not."""
    if order not in ("big", "little"):
        raise ValueError("byteorder must be either 'little' or 'big'")


def octets_of(term: Term, length: int, order: str, signed: bool) -> list[Term]:
    """The bytes of an integer that fits, which is decided as a choice."""
    check_order(order)
    if length < 0:
        raise ValueError("length argument must be non-negative")
    span = 1 << 8 * length
    low, high = (-(span // 2), (span - 1) // 2) if signed else (0, span - 1)
    if not decide(between(term, low, high)):
        if not signed and decide(relation("<", term, 0)):
            raise OverflowError("can't convert negative int to unsigned")
        raise OverflowError("int too big to convert")
    octets = [apply("&", (shift(">>", term, 8 * i), 0xFF), "int") for i in range(length)]
    return octets if order == "little" else octets[::-1]


def number_from(octets: Sequence[Term], order: str, signed: bool) -> Term:
    """The integer that a row of bytes stands for."""
    check_order(order)
    total: Term = 0
    for i, octet in enumerate(octets if order == "little" else reversed(octets)):
        part = apply("*", (octet, 256**i), "int") if i else octet
        total = apply("+", (total, part), "int") if i else part
    if not signed:
        return total
    span = 256 ** len(octets)
    return case(relation(">=", total, span // 2 or 1), apply("-", (total, span), "int"), total)
