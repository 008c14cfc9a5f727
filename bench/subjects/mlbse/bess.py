"""Bessel functions of integer order and Dawson's integral: series, asymptotic forms, recurrences up and down."""

from __future__ import annotations

import math

from bench.subjects.mlbse.machine import Real, Small

FAR = 12.0


def _power_series(x: float, n: int, sign: int) -> float:
    """J_n (sign -1) or I_n (sign 1) near zero."""
    term = 1.0
    for k in range(1, n + 1):
        term *= x / (2 * k)
    total = term
    for k in range(1, 80):
        term *= sign * x * x / (4 * k * (k + n))
        total += term
        if abs(term) <= 1e-17 * abs(total):
            break
    return total


def _waves(x: float, n: int) -> tuple[float, float]:
    """J_n and Y_n far away."""
    m = 4 * n * n
    p = 1 - (m - 1) * (m - 9) / (128 * x * x)
    q = (m - 1) / (8 * x)
    phase = x - (2 * n + 1) * math.pi / 4
    scale = math.sqrt(2 / (math.pi * x))
    return scale * (p * math.cos(phase) - q * math.sin(phase)), scale * (p * math.sin(phase) + q * math.cos(phase))


def j0(x: Real) -> float:
    size = abs(x)
    return _power_series(size, 0, -1) if size < FAR else _waves(size, 0)[0]


def j1(x: Real) -> float:
    size = abs(x)
    value = _power_series(size, 1, -1) if size < FAR else _waves(size, 1)[0]
    return -value if x < 0 else value


def y0(x: Real) -> float:
    if x <= 0:
        raise ValueError("not positive")
    if x >= FAR:
        return _waves(x, 0)[1]
    term, total, harmonic = 1.0, 0.0, 0.0
    for k in range(1, 60):
        term *= -x * x / (4 * k * k)
        harmonic += 1 / k
        total -= term * harmonic
        if abs(term) < 1e-17:
            break
    return 2 / math.pi * ((math.log(x / 2) + 0.5772156649015329) * j0(x) + total)


def jn(n: Small, x: Real) -> float:
    if n < 2 or n > 60:
        raise ValueError("order out of range")
    size = abs(x)
    if size == 0:
        return 0.0
    if size > n:
        low, value = j0(size), j1(size)
        for k in range(1, n):
            low, value = value, 2 * k / size * value - low
    else:
        value = _downwards(n, size)
    return -value if x < 0 and n % 2 == 1 else value


def _downwards(n: int, x: float) -> float:
    """Miller's rule: any start far above the order ends with the right ratios, and their sum is known."""
    high, value, wanted, total = 0.0, 1e-20, 0.0, 0.0
    for k in range(2 * ((n + 30) // 2), 0, -1):
        high, value = value, 2 * k / x * value - high
        if abs(value) > 1e80:
            high, value, wanted, total = high * 1e-80, value * 1e-80, wanted * 1e-80, total * 1e-80
        if k % 2 == 1:
            total += 2 * value if k > 1 else value
        if k - 1 == n:
            wanted = value
    return 0.0 if total == 0 else wanted / total


def i0(x: Real) -> float:
    size = abs(x)
    if size < 15:
        return _power_series(size, 0, 1)
    if size > 700:
        return math.inf
    return math.exp(size) / math.sqrt(2 * math.pi * size) * (1 + 1 / (8 * size) + 9 / (128 * size * size))


def k0(x: Real) -> float:
    if x <= 0:
        raise ValueError("not positive")
    if x > 2:
        return math.sqrt(math.pi / (2 * x)) * math.exp(-x) * (1 - 1 / (8 * x) + 9 / (128 * x * x))
    term, total, harmonic = 1.0, 0.0, 0.0
    for k in range(1, 40):
        term *= x * x / (4 * k * k)
        harmonic += 1 / k
        total += term * harmonic
        if term < 1e-17:
            break
    return total - (math.log(x / 2) + 0.5772156649015329) * i0(x)


def dawson(x: Real) -> float:
    size = abs(x)
    if size < 0.2:
        z = x * x
        return x * (1 - 2 / 3 * z * (1 - 0.4 * z * (1 - 2 / 7 * z)))
    if size > 8:
        z = 1 / (x * x)
        return (1 + z / 2 + 0.75 * z * z) / (2 * x)
    step, total = 0.4, 0.0
    centre = 2 * int(0.5 * size / step + 0.5)
    rest = size - centre * step
    for k in range(-11, 12, 2):
        if centre + k != 0:
            total += math.exp(-((rest - k * step) ** 2)) / (centre + k)
    total /= math.sqrt(math.pi)
    return total if x > 0 else -total
