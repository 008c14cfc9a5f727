"""Random numbers from a seed, and deviates of several distributions made of them by rejection."""

from __future__ import annotations

import math

from bench.subjects.mlbse.machine import Int, Real, Small

MULTIPLIER, MODULUS = 16807, 2147483647
QUOTIENT, REMAINDER = 127773, 2836


class _Park:
    """The minimal generator, by Schrage's way of multiplying without overflow."""

    def __init__(self, seed: int) -> None:
        self.state = seed % MODULUS
        if self.state == 0:
            self.state = 123459876

    def next(self) -> float:
        high = self.state // QUOTIENT
        self.state = MULTIPLIER * (self.state - high * QUOTIENT) - REMAINDER * high
        if self.state < 0:
            self.state += MODULUS
        return self.state / MODULUS


class _Shuffled(_Park):
    """The same, with its numbers shuffled through a table of eight."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.table = [super(_Shuffled, self).next() for _ in range(8)]
        self.last = self.table[0]

    def next(self) -> float:
        place = int(self.last * 8)
        if place > 7:
            place = 7
        self.last = self.table[place]
        self.table[place] = super().next()
        return self.last


def minimal(seed: Int) -> str:
    value = _Park(seed).next()
    if seed < 0:
        return "negative seed"
    if value < 0.001:
        return "tiny"
    return "low" if value < 0.5 else "high"


def shuffled(seed: Int) -> str:
    source = _Shuffled(seed)
    first, second = source.next(), source.next()
    if first == second:
        return "equal"
    if abs(first - second) < 0.001:
        return "near"
    return "rising" if second > first else "falling"


def combined(seed: Int, other: Int) -> str:
    """Two generators of different periods, one minus the other."""
    a = 40014 * (seed % 2147483562 + 1) % 2147483563
    b = 40692 * (other % 2147483398 + 1) % 2147483399
    value = a - b
    if value < 1:
        value += 2147483562
    if value < 1000000:
        return "rare"
    return "odd" if value & 1 else "even"


def exponential(seed: Int, rate: Real) -> str:
    if rate <= 0:
        return "no rate"
    value = -math.log(_Park(seed).next()) / rate
    if value > 10:
        return "long"
    return "short" if value < 0.01 else "medium"


def normal(seed: Int) -> str:
    """By the polar way: points outside of the circle are rejected."""
    source = _Park(seed)
    for tries in range(5):
        x, y = 2 * source.next() - 1, 2 * source.next() - 1
        square = x * x + y * y
        if 0 < square < 1:
            value = x * math.sqrt(-2 * math.log(square) / square)
            if abs(value) > 3:
                return "beyond three deviations"
            return "at once" if tries == 0 else "after rejection"
    return "given up"


def gamma(seed: Int, shape: Small) -> str:
    if shape < 1:
        return "no shape"
    source = _Park(seed)
    if shape < 6:
        product = 1.0
        for _ in range(shape):
            product *= source.next()
        return "small" if -math.log(product) < shape else "large"
    root = math.sqrt(2.0 * shape - 1)
    for _ in range(5):
        tangent = math.tan(math.pi * source.next())
        value = root * tangent + shape - 1
        if value <= 0:
            continue
        ratio = (1 + tangent * tangent) * math.exp((shape - 1) * math.log(value / (shape - 1)) - root * tangent)
        if source.next() <= ratio:
            return "accepted"
    return "given up"


def poisson(seed: Int, mean: Real) -> str:
    if mean <= 0:
        return "no mean"
    source = _Park(seed)
    if mean < 12:
        limit, product, count = math.exp(-mean), source.next(), 0
        while product > limit and count < 60:
            product *= source.next()
            count += 1
        if count == 0:
            return "none"
        return "few" if count < mean else "many"
    root = math.sqrt(2 * mean)
    for _ in range(5):
        value = root * math.tan(math.pi * source.next()) + mean
        if value >= 0:
            return "above" if value > mean else "below"
    return "given up"


def binomial(seed: Int, chance: Real, n: Small) -> str:
    if not 0 <= chance <= 1 or not 0 <= n <= 25:
        return "outside"
    source = _Park(seed)
    hits = 0
    for _ in range(n):
        if source.next() < chance:
            hits += 1
    if hits == n:
        return "all"
    if hits == 0:
        return "none"
    return "most" if 2 * hits > n else "some"


def bit(seed: Int) -> str:
    """A shift register of 18 bits."""
    state = seed & 0x3FFFF
    if state == 0:
        return "stuck"
    for step in range(20):
        fresh = (state >> 17 ^ state >> 4 ^ state >> 1 ^ state) & 1
        state = (state << 1 | fresh) & 0x3FFFF
        if state == 1:
            return "single" if step < 5 else "late single"
    return "mixed"
