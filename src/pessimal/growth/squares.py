"""Least squares in exact arithmetic, for a few columns: nothing overflows, and an exact fit leaves exactly nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Vector = Sequence[Fraction]


@dataclass(frozen=True, slots=True)
class Squares:
    """The coefficients of the columns, and by how much the fit to all other rows misses each goal."""

    coefficients: list[Fraction]
    misses: list[Fraction]


def fit(rows: Sequence[Vector], goals: Vector) -> Squares | None:
    """The coefficients with the least squared residuals; None where the rows, or all but one, do not determine them.

    Nothing is fitted again without a row: its miss is its residual, divided by one less its leverage.
    """
    columns = list(zip(*rows, strict=True))
    inverse = _inverse([[_dot(a, b) for b in columns] for a in columns])
    if inverse is None:
        return None
    moments = [_dot(column, goals) for column in columns]
    coefficients = [_dot(line, moments) for line in inverse]
    misses = []
    for row, goal in zip(rows, goals, strict=True):
        leverage = _dot(row, [_dot(line, row) for line in inverse])
        if leverage == 1:
            return None
        misses.append((_dot(row, coefficients) - goal) / (1 - leverage))
    return Squares(coefficients, misses)


def _dot(a: Vector, b: Vector) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction())


def _inverse(matrix: Sequence[Vector]) -> list[Vector] | None:
    """By elimination; the matrix is symmetric, so that a zero on the diagonal means that there is no inverse."""
    size = len(matrix)
    lines = [[*line, *(Fraction(i == j) for j in range(size))] for i, line in enumerate(matrix)]
    for i in range(size):
        if not lines[i][i]:
            return None
        lines[i] = [value / lines[i][i] for value in lines[i]]
        for j in range(size):
            if j != i:
                lines[j] = [x - lines[j][i] * y for x, y in zip(lines[j], lines[i], strict=True)]
    return [line[size:] for line in lines]
