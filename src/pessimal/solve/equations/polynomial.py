"""Polynomials of integers: what an equation says once its products are multiplied out.

A remainder by a constant and a machine word are polynomials too, with one more variable each: ``t % 7`` is
``t - 7 * k`` for a ``k`` that nobody asked for. Such variables have negative numbers. That a remainder is small is left
out, so that a polynomial has every solution of its equation, and perhaps more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any, TypeAlias

from pessimal.expr import App, Compare, Expr, Junction, Not, Offset
from pessimal.expr.node import bottom_up
from pessimal.solve.base import Literal

Polynomial: TypeAlias = dict[tuple[int, ...], int]
"""The factor of each product of variables: ``3 * x0 * x0 * x1`` is ``{(0, 0, 1): 3}``."""

MAX_TERMS = 40
MAX_DEGREE = 8
MAX_OPERATIONS = 200
"""Terms of more operations are not multiplied out."""


def equations_of(literals: Iterable[Literal]) -> list[Polynomial]:
    """The equations that must hold, as polynomials that must be zero, without those that only have sums."""
    found, stack = list[Polynomial](), list(literals)
    while stack:
        condition, want = stack.pop()
        if type(condition) is Not:
            stack.append((condition.part, not want))
        elif type(condition) is Junction and (condition.op == "and") is want:
            stack.extend((part, want) for part in condition.parts)
        elif (equation := _equation(condition, want)) is not None and degree(equation) > 1:
            found.append(equation)
    return found


def degree(polynomial: Polynomial) -> int:
    """How many variables are multiplied at most."""
    return max(map(len, polynomial), default=0)


def variables_of(polynomial: Polynomial) -> list[int]:
    """The variables, the added ones first."""
    return sorted({var for powers in polynomial for var in powers})


def by_power(polynomial: Polynomial, var: int) -> dict[int, Polynomial]:
    """The polynomial as one of a single variable: the factor of each of its powers."""
    found: dict[int, Polynomial] = {}
    for powers, factor in polynomial.items():
        rest = tuple(other for other in powers if other != var)
        found.setdefault(len(powers) - len(rest), {})[rest] = factor
    return found


def _equation(condition: Expr, want: bool) -> Polynomial | None:
    if type(condition) is not Compare or condition.op != ("==" if want else "!="):
        return None
    terms = _Terms()
    left, right = terms.of(condition.left), terms.of(condition.right)
    return None if left is None or right is None else _sum(left, right, -1)


class _Terms:
    """Multiplies the terms of one equation out; terms that are no polynomials are None."""

    def __init__(self) -> None:
        self._known: dict[int, Polynomial | None] = {}
        self._added = 0

    def of(self, term: Any) -> Polynomial | None:
        """The polynomial that a term is."""
        if type(term) is int:
            return {(): term} if term else {}
        if type(term) is Offset:
            return _sum({(term.var,): 1}, {(): term.const} if term.const else {})
        if type(term) is not App or term.depth > MAX_OPERATIONS:
            return None
        for node in bottom_up(term, self._known):
            found = self._operation(node) if len(self._known) < MAX_OPERATIONS else None
            is_small = found is not None and len(found) <= MAX_TERMS and degree(found) <= MAX_DEGREE
            self._known[id(node)] = found if is_small else None
        return self._known[id(term)]

    def _operation(self, node: App) -> Polynomial | None:
        op, args = node.op, node.args
        if op in ("bv", "signed"):
            return self._without_multiples(self._part(args[1]), 1 << args[0])
        if op in ("%", "**", "<<"):
            return self._by_constant(op, self._part(args[0]), args[1]) if type(args[1]) is int else None
        parts = [self._part(arg) for arg in args] if op in ("+", "-", "*", "neg", "marked") else [None]
        if any(part is None for part in parts):
            return None
        first, *rest = (part for part in parts if part is not None)
        if not rest:
            return _sum({}, first, -1) if op == "neg" else first
        return _product(first, rest[0]) if op == "*" else _sum(first, rest[0], 1 if op == "+" else -1)

    def _part(self, term: Any) -> Polynomial | None:
        return self._known[id(term)] if type(term) is App else self.of(term)

    def _by_constant(self, op: str, base: Polynomial | None, number: int) -> Polynomial | None:
        if base is None or number < 1:
            return None
        if op == "%":
            return self._without_multiples(base, number)
        if op == "<<":
            return _product(base, {(): 1 << number}) if number <= 64 else None
        return _power(base, number) if number <= MAX_DEGREE else None

    def _without_multiples(self, base: Polynomial | None, modulus: int) -> Polynomial | None:
        """The remainder; a multiple that an inner remainder has left out is left out once more."""
        if base is None:
            return None
        self._added -= 1
        kept = {powers: factor for powers, factor in base.items() if not _is_added(powers) or factor % modulus}
        return _sum(kept, {(self._added,): modulus}, -1)


def _is_added(powers: tuple[int, ...]) -> bool:
    return len(powers) == 1 and powers[0] < 0


def _sum(a: Mapping[tuple[int, ...], int], b: Mapping[tuple[int, ...], int], sign: int = 1) -> Polynomial:
    found = dict(a)
    for powers, factor in b.items():
        found[powers] = found.get(powers, 0) + sign * factor
    return {powers: factor for powers, factor in found.items() if factor}


def _product(a: Polynomial, b: Polynomial) -> Polynomial:
    found: Polynomial = {}
    for (left, factor), (right, other) in product(a.items(), b.items()):
        powers = tuple(sorted(left + right))
        found[powers] = found.get(powers, 0) + factor * other
    return {powers: factor for powers, factor in found.items() if factor}


def _power(base: Polynomial, exponent: int) -> Polynomial | None:
    found: Polynomial = {(): 1}
    for _ in range(exponent):
        found = _product(found, base)
        if len(found) > MAX_TERMS:
            return None
    return found
