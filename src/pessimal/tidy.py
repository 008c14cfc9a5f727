"""Simplifying witnesses: small plain numbers that have the same effect.

Solvers leave room between values, so their inputs are full of thirteen-digit numbers. A simpler input replaces one only
if the caller accepts it: because it satisfies the same path condition, or costs no less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isfinite

from pessimal.expr import Leaf
from pessimal.inputs import Domain

Accept = Callable[[list[Leaf]], bool]

MAX_SINGLE = 400
"""The largest number of inputs to try that differ in one leaf only."""


def tidy(leaves: Sequence[Leaf], domains: Sequence[Domain], accept: Accept, thorough: bool) -> list[Leaf]:
    """A simpler input that the caller accepts, or the input itself; ``thorough`` also simplifies leaf by leaf."""
    current = list(leaves)
    for candidate in _order_preserving(current, domains):
        if _lies_in(candidate, domains) and accept(candidate):
            current = candidate
            break
    return _leaf_by_leaf(current, domains, accept) if thorough else current


def _order_preserving(leaves: list[Leaf], domains: Sequence[Domain]) -> Iterator[list[Leaf]]:
    """Simpler inputs in which all integers keep their order."""
    numbers = [i for i, domain in enumerate(domains) if domain.kind == "int"]
    distinct = sorted({int(leaves[i]) for i in numbers})
    if not distinct or all(abs(value) <= len(leaves) for value in distinct):
        return
    below = sum(value < 0 for value in distinct)
    first = 0 if 0 in distinct or below else 1
    for start in dict.fromkeys((0, 1, first - below, 2, len(distinct), 10)):
        ranks = {value: start + rank for rank, value in enumerate(distinct)}
        yield _replaced(leaves, numbers, lambda value, ranks=ranks: ranks[value])  # type: ignore[misc]
    for bits in (40, 39, 38, 30, 20, 10):
        yield _replaced(leaves, numbers, lambda value, bits=bits: value >> bits)  # type: ignore[misc]


def _replaced(leaves: list[Leaf], numbers: list[int], rule: Callable[[int], int]) -> list[Leaf]:
    candidate = list(leaves)
    for i in numbers:
        candidate[i] = rule(int(leaves[i]))
    return candidate


def _leaf_by_leaf(leaves: list[Leaf], domains: Sequence[Domain], accept: Accept) -> list[Leaf]:
    budget = MAX_SINGLE
    for i, domain in enumerate(domains):
        for value in _simpler(leaves[i], domain):
            if budget == 0:
                return leaves
            budget -= 1
            candidate = [*leaves[:i], value, *leaves[i + 1 :]]
            if _lies_in([value], [domain]) and accept(candidate):
                leaves = candidate
                break
    return leaves


def _simpler(value: Leaf, domain: Domain) -> list[Leaf]:
    """Simpler values for one leaf, the simplest first."""
    if domain.kind == "float":
        plain: list[Leaf] = [0.0, 1.0, -1.0]
        if isfinite(value):
            plain += [float(round(value)), round(value, 1), round(value, 3)]
        return [item for item in plain if len(repr(item)) < len(repr(value))]
    if domain.kind == "int" and abs(value) > 2:
        return [item for item in (0, 1, -1, 2, 10, 100, 1000, -10, -100) if abs(item) < abs(value)]
    letters = (ord("a"), ord("b"), ord("0"), ord(" "))
    return list(letters) if domain.kind == "char" and not 32 <= value < 127 else []


def _lies_in(leaves: Sequence[Leaf], domains: Sequence[Domain]) -> bool:
    return all(value in domain for value, domain in zip(leaves, domains, strict=True))
