"""The growth of the cost over the size: which law explains a curve, and how well.

Each law is fitted for the least relative error, so that small sizes count as much as large ones, and judged by how well
it foretells each size from the others. That makes laws with few and with many terms comparable: a needless term fits
better, but foretells worse. Arithmetic is exact, so that an exact law has no error at all.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from pessimal.growth.squares import fit

FEWEST = 4
"""Three sizes are on a parabola, whatever the law is."""
EXACT = 1e-9
"""Errors up to this are roundings of logarithms."""
SIMPLER = 2.0
"""A law with fewer terms is preferred while its error is at most so many times the least."""
LARGEST, SMALLEST = sys.float_info.max, sys.float_info.min


@dataclass(frozen=True, slots=True)
class Law:
    """One law fitted to a curve.

    ``formula`` is Python over ``n``, with six digits; log2(0) stands for 0 in it. ``error`` is the relative error, root
    mean square, with which each size is foretold by the law fitted to the other sizes.
    """

    law: str
    formula: str
    error: float


@dataclass(frozen=True, slots=True)
class Growth:
    """The law that explains a curve best, and the next best; nothing where the sizes are too few to tell."""

    law: str | None = None
    formula: str | None = None
    error: float | None = None
    runner_up: Law | None = None


@dataclass(frozen=True, slots=True)
class _Candidate:
    law: Law
    terms: int


@dataclass(frozen=True, slots=True)
class _Term:
    """A function of the size; ``largest`` is the last size at which it is a float."""

    text: str
    at: Callable[[int], float]
    largest: float = math.inf


def _log2(n: int) -> float:
    return math.log2(n) if n else 0.0


_ONE = _Term("", lambda n: 1)
_LOG = _Term("log2(n)", _log2)
_N = _Term("n", lambda n: n)
_N_LOG = _Term("n*log2(n)", lambda n: n * _log2(n))
_SQUARE = _Term("n**2", lambda n: n**2)
_CUBE = _Term("n**3", lambda n: n**3)
_POWER_OF_TWO = _Term("2**n", lambda n: 2**n, 1023)
_FACTORIAL = _Term("factorial(n)", math.factorial, 170)

_LAWS: tuple[tuple[str, _Term, tuple[_Term, ...]], ...] = (
    ("O(1)", _ONE, ()),
    ("O(log n)", _LOG, (_ONE,)),
    ("O(n)", _N, (_ONE,)),
    ("O(n log n)", _N_LOG, (_N, _ONE)),
    ("O(n²)", _SQUARE, (_N, _ONE)),
    ("O(n³)", _CUBE, (_SQUARE, _N, _ONE)),
    ("O(2ⁿ)", _POWER_OF_TWO, (_N, _ONE)),
    ("O(n!)", _FACTORIAL, (_ONE,)),
)
"""From slow to fast: the label, the leading term, and the lower ones, of which any may be missing."""


_FIXED = frozenset(("O(n^0)", "O(n^1)", "O(n^2)", "O(n^3)", "O(1ⁿ)", "O(2ⁿ)"))
"""Where a free exponent or base comes to what another law has fixed."""


def growth(points: Iterable[tuple[int, float | None]]) -> Growth:
    """The law of a curve of sizes and costs; sizes without a cost are left out, of equal ones the worst counts."""
    worst: dict[int, float] = {}
    for size, cost in points:
        if cost is not None and abs(cost) <= LARGEST:
            worst[size] = max(cost, worst.get(size, cost))
    if len(worst) < FEWEST:
        return Growth()
    curve = dict(sorted(worst.items()))
    found = list(_candidates(curve))
    label = _choose(found, SIMPLER).law
    best = _choose([candidate for candidate in found if candidate.law.law == label])
    others = [candidate.law for candidate in found if candidate.law.law != label]
    return Growth(best.law, best.formula, best.error, min(others, key=lambda law: law.error, default=None))


def _choose(candidates: Sequence[_Candidate], factor: float = 1.0) -> Law:
    """The simplest, then the best, of those whose error is at most so many times the least."""
    least = min(candidate.law.error for candidate in candidates)
    bound = max(EXACT, factor * least)
    good = [candidate for candidate in candidates if candidate.law.error <= bound]
    return min(good, key=lambda candidate: (candidate.terms, candidate.law.error)).law


def _candidates(curve: Mapping[int, float]) -> Iterator[_Candidate]:
    for label, leading, lower in _LAWS:
        for count in range(min(len(lower), len(curve) - 2) + 1):
            for terms in combinations(lower, count):
                yield from _sum(label, (leading, *terms), curve)
    yield from _power(curve)
    yield from _exponential(curve)


def _sum(label: str, terms: Sequence[_Term], curve: Mapping[int, float]) -> Iterator[_Candidate]:
    """A sum of terms with free coefficients."""
    if max(curve) > terms[0].largest:
        return
    unit = min((cost for cost in curve.values() if cost > 0), default=1.0)
    weights = [Fraction(1 / max(abs(float(cost or unit)), SMALLEST)) for cost in curve.values()]
    rows = [[Fraction(term.at(n)) * weight for term in terms] for n, weight in zip(curve, weights, strict=True)]
    goals = [Fraction(cost) * weight for cost, weight in zip(curve.values(), weights, strict=True)]
    squares = fit(rows, goals)
    if squares is None or (squares.coefficients[0] <= 0 and terms[0] is not _ONE):
        return
    error = _mean([_float(miss) for miss in squares.misses])
    yield _Candidate(Law(label, _formula(squares.coefficients, terms), error), len(terms))


def _power(curve: Mapping[int, float]) -> Iterator[_Candidate]:
    """A power with a free exponent: a line in the logarithms of both. At size 0 it is 0."""
    if curve.get(0, 0) == 0:
        yield from _line(
            {math.log(n): cost for n, cost in curve.items() if n},
            lambda k: (f"O(n^{_short(k)})", f"n**{_digits(k)}"),
        )


def _exponential(curve: Mapping[int, float]) -> Iterator[_Candidate]:
    """A free base to the power of the size: a line in the logarithm of the cost."""
    yield from _line(
        {float(n): cost for n, cost in curve.items()},
        lambda k: (f"O({_short(math.exp(k))}ⁿ)", f"{_digits(math.exp(k))}**n"),
    )


def _line(curve: Mapping[float, float], describe: Callable[[float], tuple[str, str]]) -> Iterator[_Candidate]:
    if min(curve.values()) <= 0:
        return
    rows = [[Fraction(x), Fraction(1)] for x in curve]
    squares = fit(rows, [Fraction(math.log(cost)) for cost in curve.values()])
    if squares is None or squares.coefficients[0] <= 0:
        return
    slope, offset = map(float, squares.coefficients)
    label, term = describe(slope)
    if label in _FIXED:
        return
    error = _mean([math.expm1(min(float(miss), 300)) for miss in squares.misses])
    yield _Candidate(Law(label, _product(math.exp(offset), term), error), 3)


def _mean(errors: Sequence[float]) -> float:
    return min(math.hypot(*errors) / math.sqrt(len(errors)), LARGEST)


def _float(value: Fraction) -> float:
    """The value, or the largest number where that is larger still."""
    return float(max(min(value, Fraction(LARGEST)), Fraction(-LARGEST)))


def _formula(coefficients: Sequence[Fraction], terms: Sequence[_Term]) -> str:
    parts = [(_float(value), term.text) for value, term in zip(coefficients, terms, strict=True) if value]
    text = " ".join(f"{'-' if value < 0 else '+'} {_product(abs(value), term)}" for value, term in parts)
    return text.removeprefix("+ ") or "0"


def _product(value: float, term: str) -> str:
    digits = _digits(value)
    if not term:
        return digits
    return term if digits == "1" else f"{digits}*{term}"


def _short(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _digits(value: float) -> str:
    return f"{value:.6g}"
