"""Airy functions and spherical Bessel functions: series near zero, asymptotic forms far away."""

from __future__ import annotations

import math

from bench.subjects.mlbse.machine import Real, Small

AI_0, AI_1 = 0.3550280538878172, 0.2588194037928068
"""Ai and the size of its slope at zero."""


def _series(x: float) -> tuple[float, float]:
    """The two solutions of y'' = x y that are 1 and x near zero."""
    f = term_f = 1.0
    g = term_g = x
    for k in range(1, 60):
        term_f *= x * x * x / ((3 * k - 1) * (3 * k))
        term_g *= x * x * x / ((3 * k) * (3 * k + 1))
        f, g = f + term_f, g + term_g
        if abs(term_f) + abs(term_g) < 1e-16 * (abs(f) + abs(g)):
            break
    return f, g


def airy(x: Real) -> tuple[float, float]:
    """Ai and Bi."""
    if abs(x) < 4:
        f, g = _series(x)
        return AI_0 * f - AI_1 * g, math.sqrt(3) * (AI_0 * f + AI_1 * g)
    zeta = 2 / 3 * abs(x) ** 1.5
    scale = 1 / (math.sqrt(math.pi) * abs(x) ** 0.25)
    if x < 0:
        phase = zeta + math.pi / 4
        return scale * math.sin(phase), scale * math.cos(phase)
    if zeta > 700:
        return 0.0, math.inf
    decay = 1 - 5 / (72 * zeta)
    return scale / 2 * math.exp(-zeta) * decay, scale * math.exp(zeta) * (2 - decay)


def spherical(n: Small, x: Real) -> tuple[float, float]:
    """The spherical Bessel functions of both kinds, by their recurrence, downwards where that is stable."""
    if n < 0 or n > 40 or x <= 0:
        raise ValueError("no such function")
    second, before = -math.cos(x) / x, math.sin(x) / x
    for k in range(n):
        second, before = (2 * k + 1) / x * second - before, second
        if abs(second) > 1e200:
            break
    if x > n:
        first, last = math.sin(x) / x, math.cos(x) / x
        for k in range(n):
            first, last = (2 * k + 1) / x * first - last, first
        return first, second
    start = n + 20
    high, value, wanted = 0.0, 1e-30, 0.0
    for k in range(start, 0, -1):
        high, value = value, (2 * k + 1) / x * value - high
        if k - 1 == n:
            wanted = value
        if abs(value) > 1e100:
            high, value, wanted = high / 1e100, value / 1e100, wanted / 1e100
    if value == 0:
        return 0.0, second
    return wanted * (math.sin(x) / x) / value, second
