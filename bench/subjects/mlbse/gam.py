"""The gamma function and its relatives: factorials, incomplete integrals, beta, error and exponential functions."""

from __future__ import annotations

import math

from bench.subjects.mlbse.machine import Real, Small

TINY = 1e-300
ROUNDS = 200
EULER = 0.5772156649015329


def log_gamma(x: Real) -> float:
    """By Stirling's series, after moving the argument up."""
    if x <= 0:
        raise ValueError("not positive")
    shift = 0.0
    while x < 8:
        shift += math.log(x)
        x += 1
    z = 1 / (x * x)
    series = (1 / 12 - z * (1 / 360 - z * (1 / 1260 - z / 1680))) / x
    return (x - 0.5) * math.log(x) - x + 0.9189385332046727 + series - shift


def factorial(n: Small) -> float:
    if n < 0:
        raise ValueError("negative")
    if n > 32:
        return math.inf if n > 170 else math.exp(log_gamma(n + 1.0))
    value = 1.0
    for k in range(2, n + 1):
        value *= k
    return value


def binomial(n: Small, k: Small) -> float:
    if k < 0 or k > n:
        return 0.0
    if n > 500:
        raise ValueError("too large")
    return math.floor(0.5 + math.exp(log_gamma(n + 1.0) - log_gamma(k + 1.0) - log_gamma(n - k + 1.0)))


def _gamma_series(a: float, x: float) -> float:
    total = term = 1 / a
    for k in range(1, ROUNDS):
        term *= x / (a + k)
        total += term
        if abs(term) < abs(total) * 1e-15:
            break
    return total * math.exp(-x + a * math.log(x) - log_gamma(a))


def _gamma_fraction(a: float, x: float) -> float:
    b = x + 1 - a
    c = 1 / TINY
    d = 1 / b if b != 0 else 1 / TINY
    value = d
    for k in range(1, ROUNDS):
        factor = -k * (k - a)
        b += 2
        d = factor * d + b
        if abs(d) < TINY:
            d = TINY
        c = b + factor / c
        if abs(c) < TINY:
            c = TINY
        d = 1 / d
        value *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return math.exp(-x + a * math.log(x) - log_gamma(a)) * value


def lower_gamma(a: Real, x: Real) -> float:
    """The part of the gamma integral below a point."""
    if x < 0 or a <= 0:
        raise ValueError("outside")
    if x == 0:
        return 0.0
    return _gamma_series(a, x) if x < a + 1 else 1 - _gamma_fraction(a, x)


def upper_gamma(a: Real, x: Real) -> float:
    if x < 0 or a <= 0:
        raise ValueError("outside")
    if x == 0:
        return 1.0
    return 1 - _gamma_series(a, x) if x < a + 1 else _gamma_fraction(a, x)


def beta(a: Real, b: Real) -> float:
    if a <= 0 or b <= 0:
        raise ValueError("not positive")
    return math.exp(log_gamma(a) + log_gamma(b) - log_gamma(a + b))


def part_of_beta(a: Real, b: Real, x: Real) -> float:
    """The incomplete beta function by its continued fraction, from the side where that converges."""
    if x < 0 or x > 1 or a <= 0 or b <= 0:
        raise ValueError("outside")
    if x == 0 or x == 1:
        return x
    front = math.exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * math.log(x) + b * math.log(1 - x))
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(a, b, x) / a
    return 1 - front * _beta_fraction(b, a, 1 - x) / b


def _beta_fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    if abs(d) < TINY:
        d = TINY
    d = 1 / d
    value = d
    for m in range(1, ROUNDS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for factor in (even, odd):
            d = 1 + factor * d
            if abs(d) < TINY:
                d = TINY
            c = 1 + factor / c
            if abs(c) < TINY:
                c = TINY
            d = 1 / d
            value *= d * c
        if abs(d * c - 1) < 1e-14:
            break
    return value


def error(x: Real) -> float:
    if x == 0:
        return 0.0
    value = lower_gamma(0.5, x * x)
    return -value if x < 0 else value


def exponential(n: Small, x: Real) -> float:
    """The exponential integral E_n."""
    if n < 0 or n > 50 or x < 0 or (x == 0 and n < 2):
        raise ValueError("outside")
    if n == 0:
        return math.exp(-x) / x
    if x == 0:
        return 1 / (n - 1)
    if x > 1:
        b, c = x + n, 1 / TINY
        d = 1 / b
        value = d
        for k in range(1, ROUNDS):
            factor = -k * (n - 1 + k)
            b += 2
            d = 1 / (factor * d + b)
            c = b + factor / c
            value *= c * d
            if abs(c * d - 1) < 1e-15:
                break
        return value * math.exp(-x)
    return _exponential_series(n, x)


def _exponential_series(n: int, x: float) -> float:
    value = 1 / (n - 1) if n > 1 else -math.log(x) - EULER
    power = 1.0
    for k in range(1, ROUNDS):
        power *= -x / k
        if k != n - 1:
            part = -power / (k - n + 1)
        else:
            psi = -EULER + sum(1 / j for j in range(1, n))
            part = power * (-math.log(x) + psi)
        value += part
        if abs(part) < abs(value) * 1e-15:
            break
    return value


def principal(x: Real) -> float:
    """The exponential integral Ei."""
    if x <= 0:
        raise ValueError("not positive")
    if x < 1e-30:
        return math.log(x) + EULER
    if x <= 30:
        total, term = 0.0, 1.0
        for k in range(1, ROUNDS):
            term *= x / k
            total += term / k
            if term / k < 1e-15 * total:
                break
        return total + math.log(x) + EULER
    if x > 700:
        return math.inf
    total, term = 0.0, 1.0
    for k in range(1, ROUNDS):
        before = term
        term *= k / x
        if term < 1e-15:
            break
        if term >= before:
            total -= before
            break
        total += term
    return math.exp(x) * (1 + total) / x
