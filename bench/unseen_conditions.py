"""Conditions of kinds that neither the fit nor the design of the confidence has looked at, for its judgement alone.

They are made as those of ``bench/known_conditions.py`` are: half of each family is satisfiable, and the rest looks
the same.

- ``nested``: least and greatest values, sizes and cases of floats;
- ``wrapped``: what a machine word holds of a product of integers, tried completely;
- ``digits``: sums of digits of an integer, tried completely;
- ``polar``: lengths and angles of points, rounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from random import Random

from bench.known_conditions import NAMES, PER_FAMILY, Known, Made, chosen, declared, expression, point_of, value_of
from pessimal.conditions import Variable, read_python

KINDS = ("nested", "wrapped", "digits", "polar")


def unseen_condition_of(seed: int) -> Known:
    """The condition of a seed; those of one family differ in their numbers."""
    family, rng = Random(f"unseen {seed // PER_FAMILY}"), Random(f"unseen {seed}")
    kind, is_satisfiable = family.choice(KINDS), seed % 2 == 0
    text, variables = _MAKERS[kind](family, rng, is_satisfiable)
    return Known(read_python(text, variables), kind, is_satisfiable)


def _nested(family: Random, rng: Random, is_satisfiable: bool) -> Made:
    names = NAMES[: family.choice((1, 2, 3, 4))]
    kinds = dict.fromkeys(names, "float")
    t, u, v = (expression(family, names) for _ in range(3))
    left, right = family.choice(
        (
            (f"max({t}, {u})", f"min({t}, {u})"),
            (f"abs({t}) + abs({u})", f"abs(({t}) + ({u}))"),
            (f"({t} if {t} > {u} else {u})", t),
            (f"abs(max({t}, {u}))", f"max({t}, {u})"),
        )
    )
    is_equal, is_beside = family.random() < 0.4, family.random() < 0.6
    point = point_of(rng, kinds)
    margin = 10.0 ** rng.uniform(-4, 0)
    if not is_satisfiable:
        text = f"{left} < {right} - {margin!r}"
    elif is_equal:
        text = f"{left} == {value_of(left, point)!r}"
    else:
        text = f"{left} < {right} + {value_of(left, point) - value_of(right, point) + margin!r}"
    beside = f" and {v} <= {value_of(v, point) + margin!r}" if is_beside else ""
    return f"{text}{beside}", declared(kinds)


def _wrapped(family: Random, rng: Random, is_satisfiable: bool) -> Made:
    most = family.choice((1200, 5000, 9000))
    factor, more = family.randrange(1 << 24, 1 << 31) | 1, family.randrange(1 << 16)
    modulus = int(most * 10 ** family.uniform(0.2, 1.3))
    values = _words(factor, more, modulus, most)
    value = chosen(rng, values, modulus, is_satisfiable)
    return f"int32(n * {factor} + {more}) % {modulus} == {value}", [Variable("n", "int", 0, most)]


@cache
def _words(factor: int, more: int, modulus: int, most: int) -> frozenset[int]:
    words = ((n * factor + more + (1 << 31)) % (1 << 32) - (1 << 31) for n in range(most + 1))
    return frozenset(word % modulus for word in words)


def _digits(family: Random, rng: Random, is_satisfiable: bool) -> Made:
    a, b, c = (family.randint(2, 40) for _ in range(3))
    text = f"{a} * (n % 10) * (n // 10 % 10) + {b} * (n // 100 % 10) * (n % 10) + {c} * (n // 1000)"
    values = frozenset(eval(f"[{text} for n in range(10000)]"))
    value = chosen(rng, values, max(values) + 2, is_satisfiable)
    return f"{text} == {value}", [Variable("n", "int", 0, 9999)]


def _polar(family: Random, rng: Random, is_satisfiable: bool) -> Made:
    names = NAMES[: family.choice((2, 3))]
    kinds = dict.fromkeys(names, "float")
    t, u = (expression(family, names, 1) for _ in range(2))
    digits, core = family.randint(0, 3), family.randrange(3)
    point = point_of(rng, kinds)
    length, angle = (
        value_of(f"{name}({order})", point) for name, order in (("hypot", f"{t}, {u}"), ("atan2", f"{u}, {t}"))
    )
    wrong = (-round(length, digits) - 10.0**-digits, 32, math.floor(angle * 10) + 64)
    right = (round(length, digits), math.floor(angle * 10), math.floor(angle * 10))
    value = (right if is_satisfiable else wrong)[core]
    part = (
        f"round(hypot({t}, {u}), {digits}) == {value!r}",
        f"floor(10 * atan2({u}, {t})) == {value}",
        f"floor(10 * atan2({u}, {t})) == {value}",
    )[core]
    return f"{part} and round({names[0]} * {names[1]}, 1) == {round(point[names[0]] * point[names[1]], 1)!r}", declared(
        kinds
    )


_MAKERS: dict[str, Callable[[Random, Random, bool], Made]] = {
    "nested": _nested,
    "wrapped": _wrapped,
    "digits": _digits,
    "polar": _polar,
}
