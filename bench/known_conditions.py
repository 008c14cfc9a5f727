"""Conditions whose answer is known because of how they were made, for the fit of the confidence.

They come in families, which have the same terms. Half of a family is satisfiable, because its conditions were made
around a point that satisfies them, with more or less room. The other half looks the same and contradicts what holds for
all numbers, or for all of a range that was tried completely. There are four kinds of families:

- ``smooth``: sines, products and exponentials of floats, some of them contradicted by very little;
- ``whole``: equations of integers, contradicted by remainders that squares and products never have;
- ``rounded``: floats that are rounded, contradicted by values that no rounded number has;
- ``hashed``: an integer whose hash shall have a value; which values occur was found by trying all integers.
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
KINDS = ("smooth", "whole", "rounded", "hashed")


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
    return text, _declared(kinds)


def _around_a_point(rng: Random, kinds: Mapping[str, str], texts: Sequence[str]) -> str:
    """Comparisons that hold at one point, which nobody is told."""
    point = _point(rng, kinds)
    parts = []
    for text in texts:
        value = _value(text, point)
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
    point = _point(rng, kinds)
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
    value = int(_value(left, point))
    wanted = value if is_satisfiable else value - value % modulus + never
    order = f"{names[0]} {'>' if point[names[0]] > point[names[1]] else '<='} {names[1]}"
    return f"{left} == {wanted} and {order}", _declared(kinds)


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
    point = _point(rng, kinds)
    value = _value(text, point)
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
    beside = _value(other, point)
    return f"{part} and round({other}, 2) == {round(beside, 2)!r}", _declared(kinds)


def _hashed(family: Random, rng: Random, is_satisfiable: bool) -> Made:
    most = family.choice((1500, 4000, 10_000))
    shift, factor = family.randint(3, 9), family.randrange(1 << 20, 1 << 31) | 1
    modulus = int(most * 10 ** family.uniform(0.2, 1.5))
    text = f"uint32((n ^ (n >> {shift})) * {factor}) % {modulus}"
    occurring = _hashes(shift, factor, modulus, most)
    values = sorted(occurring) if is_satisfiable else [value for value in range(modulus) if value not in occurring]
    return f"{text} == {rng.choice(values)}", [Variable("n", "int", 0, most)]


@cache
def _hashes(shift: int, factor: int, modulus: int, most: int) -> frozenset[int]:
    return frozenset(((n ^ (n >> shift)) * factor & 0xFFFFFFFF) % modulus for n in range(most + 1))


def _point(rng: Random, kinds: Mapping[str, str]) -> dict[str, float]:
    return {name: _coordinate(rng, kind) for name, kind in kinds.items()}


def _coordinate(rng: Random, kind: str) -> float:
    if kind == "int":
        return rng.randint(-40, 40)
    return rng.uniform(-20, 20) if rng.random() < 0.7 else float(rng.randint(-9, 9))


def _value(text: str, point: Mapping[str, float]) -> float:
    value: float = eval(text, {**vars(math)}, dict(point))
    return value


def _declared(kinds: Mapping[str, str]) -> list[Variable]:
    return [Variable(name, kind, *RANGES[kind]) for name, kind in kinds.items()]


_MAKERS: dict[str, Callable[[Random, Random, bool], Made]] = {
    "smooth": _smooth,
    "whole": _whole,
    "rounded": _rounded,
    "hashed": _hashed,
}
