"""Choices: decisions that a handler makes for the program. They are explored like branches, but are not counted."""

from __future__ import annotations

from collections.abc import Sequence
from sys import _getframe
from typing import TypeVar

from pessimal.expr import Compare, Expr, Term, conjunction, disjunction
from pessimal.python import current

T = TypeVar("T")
ONE_BY_ONE = 4


def decide(condition: Expr) -> bool:
    """Whether a condition holds, decided as a choice; a plain truth value needs no decision."""
    return condition if isinstance(condition, bool) else current.execution.choice(condition, _getframe(1))


def select(cases: Sequence[tuple[Expr, T]], otherwise: T) -> T:
    """The value of the case that holds; ``otherwise`` if none does. Conditions must exclude each other.

    Many cases are halved again and again, so that a table of n entries takes log n decisions.
    """
    if len(cases) > ONE_BY_ONE:
        if not decide(disjunction([condition for condition, _ in cases])):
            return otherwise
        while len(cases) > 1:
            half = len(cases) // 2
            first = decide(disjunction([condition for condition, _ in cases[:half]]))
            cases = cases[:half] if first else cases[half:]
        return cases[0][1]
    for condition, value in cases:
        if decide(condition):
            return value
    return otherwise


def number_between(term: Term, low: int, high: int) -> int:
    """The integer that a term is, known to lie within the bounds, found by halving them."""
    if isinstance(term, int):
        return term
    while low < high:
        middle = (low + high) // 2
        if decide(Compare("<=", term, middle)):
            high = middle
        else:
            low = middle + 1
    return low


def between(term: Term, low: int, high: int) -> Expr:
    """The condition that a term lies within bounds, both included."""
    if isinstance(term, int):
        return low <= term <= high
    return conjunction([Compare("<=", low, term), Compare("<=", term, high)])
