"""Puzzles with few numbers: series of all intervals, Golomb's ruler, a grocer's bill, and two without an end."""

from __future__ import annotations

from bench.subjects.mlbse.machine import Few, Int, Small


def all_interval(a: Few, b: Few, c: Few, d: Few) -> str:
    """A row of 0 to 3 whose neighbours differ by 1, 2 and 3 in some order."""
    row = [a, b, c, d]
    for i in range(4):
        if row[i] > 3:
            return "too large"
        for j in range(i):
            if row[i] == row[j]:
                return "twice"
    steps = [abs(row[i + 1] - row[i]) for i in range(3)]
    for i in range(3):
        for j in range(i):
            if steps[i] == steps[j]:
                return "same interval"
    return "series"


def golomb(a: Small, b: Small, c: Small, d: Small) -> str:
    """A ruler of four marks whose distances are all different."""
    marks = [a, b, c, d]
    if a != 0:
        return "does not begin at 0"
    for i in range(3):
        if marks[i] >= marks[i + 1]:
            return "not in order"
    distances: list[int] = []
    for i in range(4):
        for j in range(i):
            gap = marks[i] - marks[j]
            if gap in distances:
                return "same distance"
            distances.append(gap)
    return "optimal" if d == 6 else "ruler"


def grocery(a: Small, b: Small, c: Small, d: Small) -> str:
    """Four prices in cents whose sum and product, in dollars, are both 7.11."""
    if min(a, b, c, d) <= 0:
        return "not positive"
    if a + b + c + d != 711:
        return "another sum"
    if a * b * c * d != 711 * 100 * 100 * 100:
        return "another product"
    return "bill"


def unbounded(x: Int, y: Int) -> str:
    if x * x - 2 * y * y == 1 and y > 0:
        return "beyond a hundred" if x > 100 else "pair"
    return "none"


def unconstrained(a: Small, b: Small, c: Small) -> str:
    if a * a + b * b == c * c and 0 < a < b:
        if c > 100:
            return "long triple"
        return "triple"
    if a * b * c == 1001:
        return "factors"
    return "none"
