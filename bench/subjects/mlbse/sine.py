"""The sine of a double from its bits: special cases by the exponent, reduction to an octant, two polynomials."""

from __future__ import annotations

import math

from bench.subjects.mlbse.machine import bits_of

HALF_PI_HIGH = 1.5707963267341256
HALF_PI_LOW = 6.077100506506192e-11
BIAS = 1023


def _odd(x: float) -> float:
    """The sine near zero, by its series."""
    z = x * x
    return x + x * z * (-1 / 6 + z * (1 / 120 + z * (-1 / 5040 + z * (1 / 362880 - z / 39916800))))


def _even(x: float) -> float:
    """The cosine near zero, by its series."""
    z = x * x
    return 1 - z * (0.5 - z * (1 / 24 - z * (1 / 720 - z * (1 / 40320 - z / 3628800))))


def sine(x: float) -> float:
    bits = bits_of(x)
    exponent = ((bits >> 52) & 0x7FF) - BIAS
    if exponent == 0x7FF - BIAS:
        return math.nan
    if exponent < -27:
        return x if bits & 0xFFFFFFFFFFFFF else x * 1.0
    if abs(x) <= math.pi / 4:
        return _odd(x)
    if exponent > 20:
        return _reduced_slowly(x)
    turns = int(abs(x) / (math.pi / 2) + 0.5)
    rest = (abs(x) - turns * HALF_PI_HIGH) - turns * HALF_PI_LOW
    return _in_quadrant(turns % 4, rest, bits >> 63 == 1)


def _reduced_slowly(x: float) -> float:
    rest = math.fmod(abs(x), 2 * math.pi)
    turns = 0
    while rest > math.pi / 4:
        rest -= math.pi / 2
        turns += 1
    return _in_quadrant(turns % 4, rest, x < 0)


def _in_quadrant(quadrant: int, rest: float, is_negative: bool) -> float:
    if quadrant == 0:
        value = _odd(rest)
    elif quadrant == 1:
        value = _even(rest)
    elif quadrant == 2:
        value = -_odd(rest)
    else:
        value = -_even(rest)
    if is_negative:
        value = -value
    if value > 1:
        return 1.0
    return -1.0 if value < -1 else value
