"""Elliptic integrals by duplication, functions of Jacobi by descent, integrals of Fresnel, Legendre functions."""

from __future__ import annotations

import math

from bench.subjects.mlbse.machine import Real, Small

TOLERANCE = 1e-3


def _mean3(x: float, y: float, z: float) -> float:
    return math.sqrt(x) * math.sqrt(y) + math.sqrt(y) * math.sqrt(z) + math.sqrt(z) * math.sqrt(x)


def rf(x: Real, y: Real, z: Real) -> float:
    """Carlson's integral of the first kind."""
    if min(x, y, z) < 0:
        raise ValueError("negative")
    if min(x + y, x + z, y + z) < 1e-12:
        raise ValueError("two zeros")
    for _ in range(40):
        step = _mean3(x, y, z)
        x, y, z = (x + step) / 4, (y + step) / 4, (z + step) / 4
        mean = (x + y + z) / 3
        if max(abs(mean - x), abs(mean - y), abs(mean - z)) < TOLERANCE * mean:
            break
    a, b, c = 1 - x / mean, 1 - y / mean, 1 - z / mean
    e2, e3 = a * b - c * c, a * b * c
    return (1 + (e2 / 24 - 0.1 - 3 * e3 / 44) * e2 + e3 / 14) / math.sqrt(mean)


def rc(x: Real, y: Real) -> float:
    """Carlson's degenerate integral; its principal value where the second argument is negative."""
    if x < 0 or y == 0 or x + abs(y) < 1e-12:
        raise ValueError("outside")
    if y > 0:
        factor = 1.0
    else:
        factor = math.sqrt(x) / math.sqrt(x - y)
        x, y = x - y, -y
    for _ in range(40):
        step = 2 * math.sqrt(x) * math.sqrt(y) + y
        x, y = (x + step) / 4, (y + step) / 4
        mean = (x + 2 * y) / 3
        s = (y - mean) / mean
        if abs(s) < TOLERANCE:
            break
    return factor * (1 + s * s * (0.3 + s * (1 / 7 + s * (0.375 + s * 9 / 22)))) / math.sqrt(mean)


def rd(x: Real, y: Real, z: Real) -> float:
    """Carlson's integral of the second kind."""
    if min(x, y) < 0 or z <= 0:
        raise ValueError("outside")
    if x + y < 1e-12:
        raise ValueError("two zeros")
    total, factor = 0.0, 1.0
    for _ in range(40):
        step = _mean3(x, y, z)
        total += factor / (math.sqrt(z) * (z + step))
        factor /= 4
        x, y, z = (x + step) / 4, (y + step) / 4, (z + step) / 4
        mean = (x + y + 3 * z) / 5
        if max(abs(mean - x), abs(mean - y), abs(mean - z)) < TOLERANCE * mean:
            break
    return 3 * total + factor / (mean * math.sqrt(mean))


def rj(x: Real, y: Real, z: Real, p: Real) -> float:
    """Carlson's integral of the third kind."""
    if min(x, y, z) < 0 or p == 0:
        raise ValueError("outside")
    if min(x + y, x + z, y + z) < 1e-12:
        raise ValueError("two zeros")
    if p < 0:
        raise ValueError("pole")
    product = (p - x) * (p - y) * (p - z)
    total, factor = 0.0, 1.0
    for _ in range(40):
        step = _mean3(x, y, z)
        d = (math.sqrt(p) + math.sqrt(x)) * (math.sqrt(p) + math.sqrt(y)) * (math.sqrt(p) + math.sqrt(z))
        total += factor / d * rc(1.0, 1 + factor**3 * product / (d * d))
        factor /= 4
        x, y, z, p = (x + step) / 4, (y + step) / 4, (z + step) / 4, (p + step) / 4
        mean = (x + y + z + 2 * p) / 5
        if max(abs(mean - x), abs(mean - y), abs(mean - z), abs(mean - p)) < TOLERANCE * mean:
            break
    return 6 * total + factor / (mean * math.sqrt(mean))


def first_kind(phi: Real, k: Real) -> float:
    """Legendre's F."""
    if abs(k) > 1 or abs(phi) > math.pi / 2:
        raise ValueError("outside")
    s = math.sin(phi)
    rest = (1 - s * k) * (1 + s * k)
    if rest <= 0:
        raise ValueError("pole")
    return s * rf(math.cos(phi) ** 2, rest, 1.0)


def second_kind(phi: Real, k: Real) -> float:
    """Legendre's E."""
    if abs(k) > 1 or abs(phi) > math.pi / 2:
        raise ValueError("outside")
    s, c = math.sin(phi), math.cos(phi) ** 2
    rest = (1 - s * k) * (1 + s * k)
    if s == 0:
        return 0.0
    return s * (rf(c, rest, 1.0) - (s * k) ** 2 * rd(c, rest, 1.0) / 3)


def jacobi(u: Real, m: Real) -> tuple[float, float]:
    """The functions sn and cn by descending means."""
    if m < 0 or m > 1:
        raise ValueError("outside")
    if m == 0:
        return math.sin(u), math.cos(u)
    if m == 1:
        return math.tanh(u), 1 / math.cosh(min(abs(u), 700.0))
    means, ratios = [1.0], [math.sqrt(m)]
    b = math.sqrt(1 - m)
    while abs(ratios[-1]) > 1e-9 and len(means) < 20:
        a = means[-1]
        means.append((a + b) / 2)
        ratios.append((a - b) / 2)
        b = math.sqrt(a * b)
    phi = 2 ** (len(means) - 1) * means[-1] * u
    for a, c in zip(means[:0:-1], ratios[:0:-1], strict=True):
        phi = (phi + math.asin(max(-1.0, min(1.0, c / a * math.sin(phi))))) / 2
    return math.sin(phi), math.cos(phi)


def fresnel(x: Real) -> tuple[float, float]:
    """Fresnel's integrals C and S."""
    size = abs(x)
    if size < 1e-8:
        return x, 0.0
    if size <= 1.5:
        c, s = _fresnel_series(size)
    else:
        angle = math.pi / 2 * size * size
        c = 0.5 + math.sin(angle) / (math.pi * size)
        s = 0.5 - math.cos(angle) / (math.pi * size)
    return (-c, -s) if x < 0 else (c, s)


def _fresnel_series(x: float) -> tuple[float, float]:
    angle = math.pi / 2 * x * x
    sums = [0.0, 0.0]
    term = x
    for k in range(60):
        part = term / (2 * k + 1)
        sums[k % 2] += part if k % 4 < 2 else -part
        if abs(part) < 1e-16 * abs(sums[k % 2]):
            break
        term *= angle / (k + 1)
    return sums[0], sums[1]


def legendre(degree: Small, order: Small, x: Real) -> float:
    """The associated Legendre function, upwards in the degree."""
    if order < 0 or order > degree or degree > 30 or abs(x) > 1:
        raise ValueError("outside")
    value = 1.0
    if order > 0:
        root = math.sqrt((1 - x) * (1 + x))
        for k in range(1, order + 1):
            value *= -(2 * k - 1) * root
    if degree == order:
        return value
    before, value = value, x * (2 * order + 1) * value
    for k in range(order + 2, degree + 1):
        before, value = value, (x * (2 * k - 1) * value - (k + order - 1) * before) / (k - order)
    return value
