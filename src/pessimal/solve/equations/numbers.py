"""What number theory is needed: factors, divisors, and the equations of Pell by continued fractions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

SURE = 3_317_044_064_679_887_385_961_981
"""Below this the bases of the primality test are known to suffice."""
_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
STEPS = 60_000
"""How long a factor of one number is looked for: enough for factors of up to nine digits."""
MAX_DIVISORS = 4_000
MAX_PERIOD = 3_000
"""How far a continued fraction is followed."""
MAX_MODULUS = 100_000
"""Up to this, square roots modulo a number are looked for by trying all."""
MAX_SQUARE = 10_000
"""Up to this, numbers are tried whose square may divide another."""


def factors(number: int) -> dict[int, int] | None:
    """The prime factors of a positive number, with how often each divides it; None where that takes too long."""
    found: dict[int, int] = {}
    waiting = [number]
    while waiting:
        part = waiting.pop()
        if part == 1:
            continue
        if part >= SURE:
            return None
        if _is_prime(part):
            found[part] = found.get(part, 0) + 1
            continue
        divisor = _divisor(part)
        if divisor is None:
            return None
        waiting += [divisor, part // divisor]
    return found


def divisors(primes: Mapping[int, int]) -> list[int] | None:
    """All positive divisors of what some primes multiply to, the smallest first; None if there are too many."""
    if math.prod(count + 1 for count in primes.values()) > MAX_DIVISORS:
        return None
    powers = [[prime**k for k in range(count + 1)] for prime, count in primes.items()]
    return sorted(math.prod(chosen) for chosen in product(*powers))


def _is_prime(number: int) -> bool:
    """The test of Miller and Rabin."""
    if number < 2 or any(number % base == 0 for base in _BASES):
        return number in _BASES
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    return all(_passes(number, pow(base, odd, number), twos) for base in _BASES)


def _passes(number: int, power: int, twos: int) -> bool:
    if power in (1, number - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % number
        if power == number - 1:
            return True
    return False


def _divisor(number: int) -> int | None:
    """A divisor of a number that is not prime, by Pollard's method."""
    if (root := math.isqrt(number)) ** 2 == number:
        return root
    for prime in _BASES:
        if number % prime == 0:
            return prime
    for start in range(1, 5):
        slow = fast = 2
        for _ in range(STEPS):
            slow = (slow * slow + start) % number
            fast = (fast * fast + start) % number
            fast = (fast * fast + start) % number
            found = math.gcd(slow - fast, number)
            if found == number:
                break
            if found > 1:
                return found
    return None


def unit(d: int) -> tuple[int, int, int] | None:
    """The smallest ``t, u > 0`` with ``t * t - d * u * u`` 1 or -1, and which of the two; ``d`` must be no square."""
    for place, (q, t, u) in enumerate(_fraction(d, 0, 1)):
        if place and abs(q) == 1:
            return t, u, t * t - d * u * u
    return None


def pell(d: int, n: int) -> list[tuple[int, int]]:
    """A solution of ``x * x - d * y * y == n`` of each class, by the method of Lagrange, Matthews and Mollin."""
    found: list[tuple[int, int]] = []
    smallest = unit(d)
    for f in range(1, min(math.isqrt(abs(n)), MAX_SQUARE) + 1 if smallest else 0):
        m = n // (f * f)
        if n % (f * f) or abs(m) > MAX_MODULUS:
            continue
        for z in _square_roots(d, abs(m)):
            found += _of_class(d, m, f, z, smallest)
    return found


def _square_roots(number: int, modulus: int) -> list[int]:
    """The numbers below a modulus whose squares leave the same remainder as another number."""
    tried = np.arange(modulus, dtype=np.int64)
    found: list[int] = np.flatnonzero(tried * tried % modulus == number % modulus).tolist()
    return found


def _of_class(d: int, m: int, f: int, z: int, smallest: tuple[int, int, int] | None) -> list[tuple[int, int]]:
    for place, (q, r, s) in enumerate(_fraction(d, z, abs(m))):
        if not place or abs(q) != 1:
            continue
        norm = r * r - d * s * s
        if norm == m:
            return [(f * r, f * s)]
        if norm == -m and smallest is not None and smallest[2] == -1:
            t, u, _ = smallest
            return [(f * (r * t + s * u * d), f * (r * u + s * t))]
        return []
    return []


def _fraction(d: int, p: int, q: int) -> Iterator[tuple[int, int, int]]:
    """The continued fraction of ``(p + sqrt(d)) / q``: at each step its denominator and what leads to it."""
    root = math.isqrt(d)
    before, here = (-p, 1), (q, 0)
    for _ in range(MAX_PERIOD):
        yield q, here[0], here[1]
        a = (p + root + (q < 0)) // q
        before, here = here, (a * here[0] + before[0], a * here[1] + before[1])
        p = a * q - p
        q = (d - p * p) // q
