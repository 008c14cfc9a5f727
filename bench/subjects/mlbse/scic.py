"""Numerical methods of a first course: roots, integrals and differential equations."""

from __future__ import annotations

import math
from collections.abc import Callable

from bench.subjects.mlbse.machine import Real, Small

ENOUGH = 1e-9
ROUNDS = 30


def cube_root(x: Real) -> float:
    if x == 0:
        return 0.0
    guess = x if abs(x) > 1 else math.copysign(1.0, x)
    for _ in range(3 * ROUNDS):
        better = (2 * guess + x / (guess * guess)) / 3
        if abs(better - guess) < ENOUGH * abs(better):
            return better
        guess = better
    return guess


def euler(start: Real, slope: Real, steps: Small) -> str:
    if not 1 <= steps <= 20:
        return "no steps"
    y = start
    for _ in range(steps):
        y += slope * y / steps
        if abs(y) > 1e6:
            return "exploded"
    if abs(y) < ENOUGH:
        return "vanished"
    return "grown" if abs(y) > abs(start) else "shrunk"


def newton(a: Real, b: Real, start: Real) -> str:
    """A root of x**3 + a x + b."""
    x = start
    for _ in range(ROUNDS):
        value, slope = x * x * x + a * x + b, 3 * x * x + a
        if abs(value) < ENOUGH:
            return "root" if x != start else "at once"
        if slope == 0:
            return "flat"
        x -= value / slope
        if abs(x) > 1e9:
            return "diverged"
    return "too slow"


def _simpson(function: Callable[[float], float], low: float, high: float, parts: int) -> float:
    width = (high - low) / parts
    total = function(low) + function(high)
    for i in range(1, parts):
        total += (4 if i % 2 == 1 else 2) * function(low + i * width)
    return total * width / 3


def simpson(low: Real, high: Real, parts: Small) -> str:
    if parts < 2 or parts > 20:
        return "no parts"
    if parts % 2 == 1:
        return "odd"
    if low > high:
        low, high = high, low
    value = _simpson(math.sin, low, high, parts)
    error = abs(value - (math.cos(low) - math.cos(high)))
    if error < 1e-6:
        return "exact"
    return "near" if error < 0.1 else "far"


def newton_simpson(wanted: Real) -> str:
    """The upper end at which the integral of exp(-t*t/2) from 0 on has a value."""
    if wanted < 0 or wanted > 1.25:
        return "out of reach"
    x = wanted
    for _ in range(10):
        value = _simpson(lambda t: math.exp(-t * t / 2), 0.0, x, 10) - wanted
        if abs(value) < 1e-6:
            return "found"
        x -= value / math.exp(-x * x / 2)
        if x > 6:
            return "lost"
    return "too slow"


def runge_kutta(start: Real, rate: Real, capacity: Real) -> str:
    """Logistic growth over five steps of one."""
    if capacity <= 0 or start <= 0:
        return "no population"

    def growth(y: float) -> float:
        return rate * y * (1 - y / capacity)

    y = start
    for _ in range(5):
        k1 = growth(y)
        k2 = growth(y + k1 / 2)
        k3 = growth(y + k2 / 2)
        k4 = growth(y + k3)
        y += (k1 + 2 * k2 + 2 * k3 + k4) / 6
        if y <= 0:
            return "extinct"
        if y > 1e6:
            return "unstable"
    if abs(y - capacity) < 0.01 * capacity:
        return "saturated"
    return "growing" if y > start else "falling"
