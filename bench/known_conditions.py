"""Conditions whose answer is known because of how they were made, for the fit of the confidence.

They come in families, which have the same terms. Half of a family is satisfiable, because its conditions were made
around a point that satisfies them, with more or less room. The other half looks the same and contradicts what holds for
all numbers, or for all of a range that was tried completely. There are seven kinds of families:

- ``smooth``: sines, products and exponentials of floats, some of them contradicted by very little;
- ``whole``: equations of integers, contradicted by remainders that squares and products never have;
- ``rounded``: floats that are rounded, contradicted by values that no rounded number has;
- ``hashed``: an integer whose hash shall have a value; which values occur was found by trying all integers;
- ``divided``: remainders of two integers, tried completely as well;
- ``called``: powers by a modulus and binomial coefficients, which are only called, tried completely as well;
- ``steep``: as many equations as floats, with one real root, which no double may meet; its neighbours were tried.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from bench.coral import RANGES
from pessimal.conditions import Condition, Variable, read_python

PER_FAMILY = 4
NAMES = "abcdef"
KINDS = ("smooth", "whole", "rounded", "hashed", "divided", "called", "steep")


class Known(NamedTuple):
    """A condition, the kind of its family, and whether it is satisfiable."""

    condition: Condition
    kind: str
    is_satisfiable: bool


Made = tuple[str, Sequence[Variable]]
"""The text of a condition and its variables."""


def condition_of(seed: int) -> Known:
    """The condition of a seed; those of one family differ in their numbers."""
    family, rng = Random(seed // PER_FAMILY), Random(seed)
    kind, is_satisfiable = family.choice(("smooth", *KINDS)), seed % 2 == 0
    text, variables = _MAKERS[kind](family, rng, is_satisfiable)
    return Known(read_python(text, variables), kind, is_satisfiable)


def expression(rng: Random, names: Sequence[str], depth: int = 2) -> str:
    """A random term over some variables."""
    if depth == 0 or rng.random() < 0.15:
        name = rng.choice(names)
        return name if rng.random() < 0.6 else f"{rng.choice((0.5, 2, 3, 1.7, -1.3))} * {name}"
    inner = expression(rng, names, depth - 1)
    kind = rng.randrange(8)
    if kind < 3:
        return f"({inner} {rng.choice('+-*')} {expression(rng, names, depth - 1)})"
    if kind < 6:
        return f"{rng.choice(('sin', 'cos', 'atan', 'tanh'))}({inner})"
    return f"({inner}) ** 2" if kind == 6 else f"exp(sin({inner}))"


def _smooth(family: Random, rng: Random, is_satisfiable: bool) -> Made:
    names = NAMES[: family.choice((1, 2, 2, 3, 3, 4, 6))]
    kinds = {name: "int" if family.random() < 0.15 else "float" for name in names}
    texts = [expression(family, names) for _ in range(family.randint(1, len(names) + 1))]
    core = family.randrange(10)
    text = _around_a_point(rng, kinds, texts) if is_satisfiable else _contradicted(rng, kinds, texts, core)
    return text, declared(kinds)


def _around_a_point(rng: Random, kinds: Mapping[str, str], texts: Sequence[str]) -> str:
    """Comparisons that hold at one point, which nobody is told."""
    point = point_of(rng, kinds)
    parts = []
    for text in texts:
        value = value_of(text, point)
        slack = 10.0 ** rng.uniform(-6, 0) * max(abs(value), 0.1)
        kind = rng.randrange(3)
        parts.append((f"{text} == {value!r}", f"{text} > {value - slack!r}", f"{text} < {value + slack!r}")[kind])
    return " and ".join(parts)


def _contradicted(rng: Random, kinds: Mapping[str, str], texts: Sequence[str], core: int) -> str:
    """A comparison that no numbers make true, by more or less, beside others that some do."""
    text, other = texts[0], texts[-1]
    margin = 10.0 ** rng.uniform(-8, 0.5)
    contradiction = (
        f"sin({text}) + cos({other}) > {2 + margin!r}",
        f"({text}) ** 2 + {margin!r} <= 0",
        f"({text}) ** 2 == {-margin!r}",
        f"({text}) + ({other}) ** 2 < ({text}) - {margin!r}",
        f"atan({text}) > {math.pi / 2 + margin!r}",
        f"exp(sin({text})) < {math.exp(-1) - min(margin, 0.3)!r}",
        f"sin({text}) ** 2 + cos({text}) ** 2 > {1 + margin!r}",
        f"({text}) * ({text}) + ({other}) * ({other}) < 2 * ({text}) * ({other}) - {margin!r}",
        f"sin({text}) * cos({other}) + cos({text}) * sin({other}) > {1 + margin!r}",
        f"cos(2 * ({text})) + 2 * sin({text}) ** 2 < {1 - margin!r}",
    )[core]
    is_alone = rng.random() < 0.5
    return contradiction if is_alone else f"{contradiction} and {_around_a_point(rng, kinds, texts[1:] or texts)}"


def _whole(family: Random, rng: Random, is_satisfiable: bool) -> Made:
    """An equation whose sides differ modulo a small number, or none of whose sides does."""
    names = NAMES[: family.choice((2, 2, 3, 4))]
    kinds = dict.fromkeys(names, "int")
    point = point_of(rng, kinds)
    t, u = (_polynomial(family, names) for _ in range(2))
    left, modulus, never = family.choice(
        (
            (f"({t}) ** 2 + ({u}) ** 2", 4, 3),
            (f"({t}) ** 2 - ({u}) ** 2", 4, 2),
            (f"({t}) * (({t}) + 1)", 2, 1),
            (f"({t}) ** 2 + 3 * ({u})", 3, 2),
            (f"({t}) ** 3 - ({t}) + 6 * ({u})", 6, 3),
        )
    )
    value = int(value_of(left, point))
    wanted = value if is_satisfiable else value - value % modulus + never
    order = f"{names[0]} {'>' if point[names[0]] > point[names[1]] else '<='} {names[1]}"
    return f"{left} == {wanted} and {order}", declared(kinds)


def _polynomial(family: Random, names: Sequence[str]) -> str:
    a, b, c = (family.choice(names) for _ in range(3))
    return family.choice(
        (f"{a} * {b} + {family.randint(2, 9)} * {c}", f"{a} * {a} - {b}", f"{a} + {b} - {c}", f"{a} * {b}")
    )


def _rounded(family: Random, rng: Random, is_satisfiable: bool) -> Made:
    names = NAMES[: family.choice((1, 2, 2, 3))]
    kinds = dict.fromkeys(names, "float")
    text, other = expression(family, names), expression(family, names)
    digits, core = family.randint(1, 5), family.randrange(4)
    point = point_of(rng, kinds)
    value = value_of(text, point)
    whole = math.floor(value)
    if is_satisfiable:
        contrary = (
            round(value, digits),
            whole % 6,
            whole % 3,
            math.ceil(value) - whole,
            math.floor(value * 10) - 10 * whole,
        )
    else:
        contrary = round(round(value, digits) + 0.5 * 10.0**-digits, digits + 1), whole % 6, (whole + 1) % 3, 2, 11
    rounded, by_six, by_three, step, digit = contrary
    part = (
        f"round({text}, {digits}) == {rounded!r}",
        f"floor({text}) % 6 == {by_six} and floor({text}) % 3 == {by_three}",
        f"ceil({text}) - floor({text}) == {step}",
        f"floor(({text}) * 10) - 10 * floor({text}) == {digit}",
    )[core]
    beside = value_of(other, point)
    return f"{part} and round({other}, 2) == {round(beside, 2)!r}", declared(kinds)


def _hashed(family: Random, rng: Random, is_satisfiable: bool) -> Made:
    most = family.choice((1500, 4000, 10_000))
    shift, factor = family.randint(3, 9), family.randrange(1 << 20, 1 << 31) | 1
    modulus = int(most * 10 ** family.uniform(0.2, 1.5))
    text = f"uint32((n ^ (n >> {shift})) * {factor}) % {modulus}"
    value = chosen(rng, _hashes(shift, factor, modulus, most), modulus, is_satisfiable)
    return f"{text} == {value}", [Variable("n", "int", 0, most)]


@cache
def _hashes(shift: int, factor: int, modulus: int, most: int) -> frozenset[int]:
    return frozenset(((n ^ (n >> shift)) * factor & 0xFFFFFFFF) % modulus for n in range(most + 1))


def _divided(family: Random, rng: Random, is_satisfiable: bool) -> Made:
    most = family.choice((60, 120, 250))
    modulus = int(most * most * 10 ** family.uniform(0.2, 1.0))
    k, q = family.randrange(3, 2000), family.randint(2, 9)
    text = family.choice(
        (
            f"(a * a + {k} * b) % {modulus}",
            f"({k} * a * b + a // {q}) % {modulus}",
            f"(a * {k}) % {modulus} + b * b // {q}",
        )
    )
    order = "a <= b" if family.random() < 0.5 else "a + b >= 0"
    value = chosen(rng, _pairs(text, order, most), modulus, is_satisfiable)
    return f"{text} == {value} and {order}", [Variable(name, "int", 0, most) for name in "ab"]


@cache
def _pairs(text: str, order: str, most: int) -> frozenset[int]:
    values: frozenset[int] = eval(
        f"frozenset({text} for a in range(most + 1) for b in range(most + 1) if {order})", {"most": most}
    )
    return values


def _called(family: Random, rng: Random, is_satisfiable: bool) -> Made:
    most = family.choice((1000, 3000, 8000))
    modulus = int(most * 10 ** family.uniform(0.2, 1.2))
    base, shift = family.randrange(3, 50), family.randint(1, 30)
    text = family.choice((f"(pow({base}, n, {modulus}) + n) % {modulus}", f"comb(n % 90 + {shift}, 7) % {modulus}"))
    value = chosen(rng, _single(text, most), modulus, is_satisfiable)
    return f"{text} == {value}", [Variable("n", "int", 0, most)]


@cache
def _single(text: str, most: int) -> frozenset[int]:
    values: frozenset[int] = eval(f"frozenset({text} for n in range(most + 1))", {"most": most, "comb": math.comb})
    return values


def chosen(rng: Random, occurring: frozenset[int], below: int, is_satisfiable: bool) -> int:
    """A value that occurs, or one below a limit that does not."""
    values = sorted(occurring) if is_satisfiable else [value for value in range(below) if value not in occurring]
    return rng.choice(values)


def _steep(family: Random, rng: Random, is_satisfiable: bool) -> Made:
    """Rising functions, so that a value is met next to one root or nowhere."""
    k = round(family.uniform(2, 30), 2)
    text, low, high = family.choice(
        (
            (f"a * exp(a) * {k}", 1.0, 6.0),
            (f"a ** 3 + {k} * a", 2.0, 40.0),
            (f"a * a * log(a) + {k}", 2.0, 50.0),
            (f"sinh(a) * {k} - cos(a)", 1.0, 9.0),
            (f"{k} * a - sin(a) + a * a", 3.0, 90.0),
        )
    )
    is_pair = family.random() < 0.4
    variables = [Variable("a", "float", low, high)]
    value, root = _value_and_root(rng, text, low, high, is_satisfiable)
    if not is_pair:
        return f"{text} == {value!r}", variables
    other = f"b ** 3 + {k} * b"
    second, _ = _value_and_root(rng, other.replace("b", "a"), 2.0, 40.0, True)
    return f"{text} == {value!r} and {other} + a == {second + root!r}", [*variables, Variable("b", "float", 1.0, 60.0)]


def _value_and_root(rng: Random, text: str, low: float, high: float, is_satisfiable: bool) -> tuple[float, float]:
    """A value that a rising function has, or has at no double, and where it has it or nearly does."""
    function = eval(f"lambda a: {text}", {**vars(math)})
    while True:
        root = rng.uniform(low, high)
        value = function(root)
        if is_satisfiable:
            return value, root
        for _ in range(20):
            value = math.nextafter(value, math.inf)
            if not _is_met(function, value, root):
                return value, root


def _is_met(function: Callable[[float], float], value: float, near: float) -> bool:
    for way in (-math.inf, math.inf):
        a = near
        for _ in range(60):
            if function(a) == value:
                return True
            a = math.nextafter(a, way)
    return False


def point_of(rng: Random, kinds: Mapping[str, str]) -> dict[str, float]:
    return {name: _coordinate(rng, kind) for name, kind in kinds.items()}


def _coordinate(rng: Random, kind: str) -> float:
    if kind == "int":
        return rng.randint(-40, 40)
    return rng.uniform(-20, 20) if rng.random() < 0.7 else float(rng.randint(-9, 9))


def value_of(text: str, point: Mapping[str, float]) -> float:
    value: float = eval(text, {**vars(math)}, dict(point))
    return value


def declared(kinds: Mapping[str, str]) -> list[Variable]:
    return [Variable(name, kind, *RANGES[kind]) for name, kind in kinds.items()]


_MAKERS: dict[str, Callable[[Random, Random, bool], Made]] = {
    "smooth": _smooth,
    "whole": _whole,
    "rounded": _rounded,
    "hashed": _hashed,
    "divided": _divided,
    "called": _called,
    "steep": _steep,
}
