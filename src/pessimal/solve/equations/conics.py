"""Quadratic equations of two integers: all solutions where they are products, and as many as are wanted by Pell's."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from pessimal.solve.equations.numbers import divisors, factors, pell, unit
from pessimal.solve.equations.polynomial import Polynomial, degree, variables_of

Pair = tuple[int, int]
MAX_ORBIT = 40
"""How many solutions of each class of Pell's equation are looked at, in each direction."""
MAX_BITS = 4_096
MAX_TRIED = 100_000
"""Of an equation whose solutions are bounded, so many values of one variable are tried."""


class Conic(NamedTuple):
    """``a*x*x + b*x*y + c*y*y + d*x + e*y + f == 0``, with the numbers of the two variables."""

    x: int
    y: int
    a: int
    b: int
    c: int
    d: int
    e: int
    f: int


class Pairs(NamedTuple):
    """Solutions of a conic, and whether they are all that it has."""

    found: list[Pair]
    are_all: bool


def conic_of(equation: Polynomial) -> Conic | None:
    """The equation as a quadratic one of two variables; None if it is no such one."""
    names = variables_of(equation)
    if degree(equation) != 2 or len(names) != 2 or names[0] < 0:
        return None
    x, y = names if (names[0], names[0]) in equation else names[::-1]
    mixed = (x, y) if x < y else (y, x)
    return Conic(x, y, *(equation.get(powers, 0) for powers in ((x, x), mixed, (y, y), (x,), (y,), ())))


def solutions(conic: Conic) -> Pairs:
    """Values of ``x`` and ``y`` that satisfy the equation, the smallest first."""
    pairs = _by_product(conic) if conic.a == 0 else _by_squares(conic)
    found = sorted(set(pairs.found), key=lambda pair: (max(map(abs, pair)), pair))
    return Pairs(found, pairs.are_all)


def _by_product(conic: Conic) -> Pairs:
    """``b*x*y + d*x + e*y + f == 0`` is ``(b*x + e) * (b*y + d) == d*e - b*f``."""
    b, d, e = conic.b, conic.d, conic.e
    split = _split(d * e - b * conic.f)
    if b == 0 or split is None:
        return Pairs([], False)
    return Pairs([((u - e) // b, (v - d) // b) for u, v in split if (u - e) % b == 0 and (v - d) % b == 0], True)


def _by_squares(conic: Conic) -> Pairs:
    """With ``D = b*b - 4*a*c`` the equation becomes ``Y*Y - D*Z*Z == N``, from which ``x`` and ``y`` follow."""
    a, b, c, d, e, f = conic[2:]
    big_d, big_e, big_f = b * b - 4 * a * c, 4 * a * e - 2 * b * d, 4 * a * f - d * d
    n = big_e * big_e + 4 * big_d * big_f
    if big_d < 0:
        return _on_ellipse(conic, big_d, n)
    root = math.isqrt(big_d)
    if big_d == 0 or (n == 0 and root * root == big_d):
        return Pairs([], False)
    if n == 0:  # the square root of D is irrational
        return Pairs(list(_back(conic, 0, 0)), True)
    if root * root == big_d:
        split = _split(n)
        squares = [((u + v) // 2, (v - u) // (2 * root)) for u, v in split or () if _is_even(u, v, root)]
        return Pairs([pair for yz in squares for pair in _back(conic, *yz)], split is not None)
    return Pairs([pair for yz in _orbits(big_d, n) for pair in _back(conic, *yz)], False)


def _on_ellipse(conic: Conic, d: int, n: int) -> Pairs:
    """``Y*Y - D*Z*Z == N`` with a negative ``D``: a closed curve, whose integers can be tried one after the other."""
    most = math.isqrt(n // -d) if n >= 0 else -1
    if most > MAX_TRIED:
        return Pairs([], False)
    sides = [(math.isqrt(square), z) for z in range(-most, most + 1) if _is_square(square := n + d * z * z)]
    found = [pair for y, z in sides for sign in (1, -1) for pair in _back(conic, sign * y, z)]
    return Pairs(found, True)


def _is_square(number: int) -> bool:
    return math.isqrt(number) ** 2 == number


def _is_even(u: int, v: int, root: int) -> bool:
    return (u + v) % 2 == 0 and (v - u) % (2 * root) == 0


def _split(number: int) -> list[Pair] | None:
    """All ways to write a number as a product of two; None if they are not known."""
    if number == 0 or (primes := factors(abs(number))) is None or (found := divisors(primes)) is None:
        return None
    return [(sign * u, number // (sign * u)) for u in found for sign in (1, -1)]


def _orbits(d: int, n: int) -> Iterator[Pair]:
    """Solutions of ``y*y - d*z*z == n`` of both signs, from the smallest of each class on."""
    smallest = unit(d)
    if smallest is None:
        return
    t, u, norm = smallest
    if norm == -1:
        t, u = t * t + d * u * u, 2 * t * u
    for y, z in pell(d, n):
        for direction in (u, -u):
            point = y, z
            for _ in range(MAX_ORBIT):
                yield from (point, (-point[0], -point[1]), (-point[0], point[1]), (point[0], -point[1]))
                point = t * point[0] + d * direction * point[1], direction * point[0] + t * point[1]
                if point[0].bit_length() > MAX_BITS:
                    break


def _back(conic: Conic, big_y: int, z: int) -> Iterator[Pair]:
    """The solution that ``Y`` and ``Z`` stand for, if it is one of integers."""
    a, b, c, d, e, _ = conic[2:]
    big_d, big_e = b * b - 4 * a * c, 4 * a * e - 2 * b * d
    if (big_y + big_e) % (2 * big_d) or z % 2:
        return
    y = (big_y + big_e) // (2 * big_d)
    rest = z // 2 - b * y - d
    if rest % (2 * a) == 0:
        yield rest // (2 * a), y
