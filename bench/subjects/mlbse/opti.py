"""Test functions of optimisation: whether a point is a minimum, near one, or on the wrong side of a constraint."""

from __future__ import annotations

import math

from bench.subjects.mlbse.machine import Real

NEAR = 0.01


def rosenbrock(x: Real, y: Real) -> str:
    value = 100 * (y - x * x) ** 2 + (1 - x) ** 2
    if value == 0:
        return "minimum"
    if value < NEAR:
        return "near"
    return "valley" if abs(y - x * x) < NEAR else "far"


def himmelblau(x: Real, y: Real) -> str:
    first, second = x * x + y - 11, x + y * y - 7
    if first * first + second * second < NEAR:
        if x > 0:
            return "north east" if y > 0 else "south east"
        return "north west" if y > 0 else "south west"
    return "far"


def beale(x: Real, y: Real) -> str:
    terms = (1.5 - x * (1 - y), 2.25 - x * (1 - y * y), 2.625 - x * (1 - y**3))
    value = sum(term * term for term in terms)
    if value == 0:
        return "minimum"
    return "near" if value < NEAR else "far"


def freudenstein_roth(x: Real, y: Real) -> str:
    first = -13 + x + ((5 - y) * y - 2) * y
    second = -29 + x + ((y + 1) * y - 14) * y
    if first == 0 and second == 0:
        return "minimum"
    if first * first + second * second < 49:
        return "local minimum" if y < 0 else "near"
    return "far"


def powell_singular(a: Real, b: Real, c: Real, d: Real) -> str:
    value = (a + 10 * b) ** 2 + 5 * (c - d) ** 2 + (b - 2 * c) ** 4 + 10 * (a - d) ** 4
    if value < NEAR:
        return "minimum" if value == 0 else "near"
    if a + 10 * b == 0 and c == d:
        return "edge"
    return "far"


def helical_valley(x: Real, y: Real, z: Real) -> str:
    if x == 0:
        return "axis"
    turn = math.atan(y / x) / (2 * math.pi)
    if x < 0:
        turn += 0.5
    radius = math.sqrt(x * x + y * y)
    value = 100 * ((z - 10 * turn) ** 2 + (radius - 1) ** 2) + z * z
    if value < NEAR:
        return "minimum"
    return "ring" if abs(radius - 1) < NEAR else "far"
