"""A mathematical library in Python: elementary functions by reduction and series.

It is what ``bench.mlbse --part boxes`` looks into, or not.
"""

from __future__ import annotations

import math

pi = math.pi
LN_2 = 0.6931471805599453


def fabs(x: float) -> float:
    return -x if x < 0 else x + 0.0


def sqrt(x: float) -> float:
    """By Newton's steps from a power of two near the root."""
    if x < 0:
        raise ValueError("math domain error")
    if x == 0:
        return 0.0
    guess, size = 1.0, float(x)
    while size > 4:
        size /= 4
        guess *= 2
    while size < 1:
        size *= 4
        guess /= 2
    for _ in range(6):
        guess = (guess + x / guess) / 2
    return guess


def hypot(x: float, y: float) -> float:
    x, y = fabs(x), fabs(y)
    if x < y:
        x, y = y, x
    if x == 0:
        return 0.0
    return x * sqrt(1 + (y / x) * (y / x))


def exp(x: float) -> float:
    if x > 709:
        raise OverflowError("math range error")
    if x < -745:
        return 0.0
    steps = int(x / LN_2)
    rest = x - steps * LN_2
    term = total = 1.0
    for k in range(1, 18):
        term *= rest / k
        total += term
    return total * 2.0**steps


def log(x: float) -> float:
    if x <= 0:
        raise ValueError("math domain error")
    steps = 0
    while x > 1.5:
        x /= 2
        steps += 1
    while x < 0.75:
        x *= 2
        steps -= 1
    ratio = (x - 1) / (x + 1)
    square = ratio * ratio
    term, total = ratio, 0.0
    for k in range(1, 24, 2):
        total += term / k
        term *= square
    return 2 * total + steps * LN_2


def log10(x: float) -> float:
    return log(x) / 2.302585092994046


def sin(x: float) -> float:
    turns = int(x / (2 * pi))
    x -= turns * 2 * pi
    if x > pi:
        x -= 2 * pi
    elif x < -pi:
        x += 2 * pi
    if x > pi / 2:
        x = pi - x
    elif x < -pi / 2:
        x = -pi - x
    square, term, total = x * x, x, x
    for k in range(2, 22, 2):
        term *= -square / (k * (k + 1))
        total += term
    return total


def cos(x: float) -> float:
    return sin(x + pi / 2)


def tan(x: float) -> float:
    return sin(x) / cos(x)


def atan(x: float) -> float:
    if x < 0:
        return -atan(-x)
    if x > 1:
        return pi / 2 - atan(1 / x)
    if x > 0.4:
        return pi / 4 + atan((x - 1) / (x + 1))
    square, term, total = x * x, x, 0.0
    for k in range(1, 30, 2):
        total += term / k
        term *= -square
    return total


def atan2(y: float, x: float) -> float:
    if x > 0:
        return atan(y / x)
    if x < 0:
        return atan(y / x) + pi if y >= 0 else atan(y / x) - pi
    if y == 0:
        return 0.0
    return pi / 2 if y > 0 else -pi / 2


def asin(x: float) -> float:
    if x < -1 or x > 1:
        raise ValueError("math domain error")
    return atan2(x, sqrt(1 - x * x))


def acos(x: float) -> float:
    return pi / 2 - asin(x)


def sinh(x: float) -> float:
    return (exp(x) - exp(-x)) / 2


def cosh(x: float) -> float:
    return (exp(x) + exp(-x)) / 2


def tanh(x: float) -> float:
    if x > 20:
        return 1.0
    if x < -20:
        return -1.0
    double = exp(2 * x)
    return (double - 1) / (double + 1)
