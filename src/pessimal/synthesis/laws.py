"""Laws: exact integer functions of the size, found from their values at a few small sizes.

A law is a sum of multiples of simple functions of the size (its parts), possibly divided by a whole number. Sums of
several kinds are tried, the simplest first, and solved exactly. A law is accepted only if it is overdetermined: there
must be more points than it has free parameters, where the choice of a part (its divisor or offset) counts as one, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from math import gcd, isqrt, lcm
from typing import Any


@dataclass(frozen=True, slots=True, order=True)
class Part:
    """One function of the size: its kind, the power or divisor if the kind has one, and an offset added to the size."""

    kind: str
    number: int = 0
    offset: int = 0

    def __call__(self, n: int) -> int:
        """The value at a size, exact for any size."""
        m = n + self.offset
        match self.kind:
            case "power":
                return int(m**self.number)
            case "floor":
                return m // self.number
            case "square":
                return m * m // self.number
            case "remainder":
                return m % self.number
            case "log":
                return _log(m)
            case "n log":
                return n * _log(m)
            case "two to log":
                return 1 << _log(m)
            case "two to n":
                return 1 << max(m, 0)
            case "root":
                return isqrt(max(m, 0))
        raise ValueError(f"unknown kind of part: {self.kind!r}")

    def text(self, name: str) -> str:
        """As a Python expression that can be a factor of a product, except for quotients."""
        shifted = _shifted(name, self.offset)
        log = f"({shifted}.bit_length() - 1)"
        match self.kind:
            case "power":
                return shifted if self.number == 1 else f"{shifted} ** {self.number}"
            case "floor":
                return f"{shifted} // {self.number}"
            case "square":
                return f"{shifted} ** 2 // {self.number}"
            case "remainder":
                return f"{shifted} % {self.number}"
            case "log":
                return log
            case "n log":
                return f"{name} * {log}"
            case "two to log":
                return f"2 ** {log}"
            case "two to n":
                return f"2 ** {shifted}"
        return f"int({shifted} ** 0.5)"

    @property
    def choices(self) -> int:
        """How many of its numbers were chosen among alternatives; powers do not count."""
        return 0 if self.kind == "power" else 1 + (self.offset != 0)


ONE, N = Part("power", 0), Part("power", 1)


@dataclass(frozen=True, slots=True)
class Law:
    """A sum of multiples of parts, divided by a whole number; equal laws have equal fields."""

    terms: tuple[tuple[int, Part], ...]
    divisor: int = 1

    def __call__(self, n: int) -> int:
        """The value at a size."""
        return sum(multiple * part(n) for multiple, part in self.terms) // self.divisor

    @property
    def complexity(self) -> tuple[int, int, int]:
        """The sort key of laws: fewer free parameters, then a simpler kind, then smaller numbers."""
        parts = [part for _, part in self.terms if part != ONE]
        free = 1 + len(parts) + max((part.choices for part in parts), default=0)
        kind = max((_KINDS.index(part.kind) * 4 + part.number for part in parts), default=0)
        return free, kind, sum(abs(multiple).bit_length() for multiple, _ in self.terms) + self.divisor.bit_length()

    @property
    def is_constant(self) -> bool:
        """Whether its value is the same at all sizes."""
        return all(part == ONE for _, part in self.terms)

    def uses_only(self, parts: Sequence[Part]) -> bool:
        """Whether it is a sum of multiples of only these parts."""
        return all(part in parts for _, part in self.terms)

    def text(self, name: str = "n") -> str:
        """As a Python expression of the variable ``name``."""
        return _factored(self, name) or _sum_text(self, name)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "terms": [[multiple, part.kind, part.number, part.offset] for multiple, part in self.terms],
            "divisor": self.divisor,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Law:
        """The law that :meth:`to_json` wrote."""
        terms = tuple((int(multiple), Part(str(k), int(m), int(c))) for multiple, k, m, c in data["terms"])
        if any(part.kind not in _KINDS for _, part in terms) or int(data["divisor"]) < 1:
            raise ValueError(f"not a law: {dict(data)!r}")
        return cls(terms, int(data["divisor"]))


def constant(value: int) -> Law:
    """The law with the same value at all sizes."""
    return Law(((value, ONE),) if value else ())


def fit(points: Mapping[int, int], spare: int = 1) -> Law | None:
    """The simplest law through all points that has ``spare`` more points than parameters; None if there is none."""
    return next(iter(fits(points, spare)), None)


def fits(points: Mapping[int, int], spare: int = 1) -> tuple[Law, ...]:
    """All such laws, simplest first: a few points can fit several laws."""
    return _fits(tuple(sorted(points.items())), spare)


@lru_cache(maxsize=4096)
def _fits(points: tuple[tuple[int, int], ...], spare: int) -> tuple[Law, ...]:
    laws: list[Law] = []
    for parts, choices, whole in _sums():
        if len(points) < len(parts) + choices + spare or any(law.uses_only(parts) for law in laws):
            continue
        law = _solve(points, parts, whole)
        if law is not None:
            laws.append(law)
    return tuple(laws)


_KINDS = ("power", "floor", "square", "remainder", "log", "two to log", "root", "two to n", "n log")


@cache
def _sums() -> tuple[tuple[tuple[Part, ...], int, bool], ...]:
    """The sums to try, simplest first: parts, number of choices, and whether the multiples must be whole numbers."""

    def floors(*divisors: int) -> Iterator[tuple[tuple[Part, ...], bool]]:
        for divisor in divisors:
            for offset in range(divisor):
                yield (ONE, Part("floor", divisor, offset)), True

    def plain() -> Iterator[tuple[tuple[Part, ...], bool]]:
        for degree in range(4):
            yield tuple(Part("power", power) for power in range(degree + 1)), False
        yield from floors(2, 3)
        for kind in ("log", "two to log"):
            for offset in (0, 1, -1):
                yield (ONE, Part(kind, 0, offset)), True
        yield from floors(4, 8)
        for divisor in (2, 4):
            for offset in (0, 1, -1):
                yield (ONE, Part("square", divisor, offset)), True
        for divisor in (2, 3, 4):
            yield (ONE, N, Part("remainder", divisor)), False
        for offset in (0, 1, -1):
            yield (ONE, Part("root", 0, offset)), True
        yield (ONE, Part("two to n")), True
        yield (ONE, Part("n log")), True
        yield (ONE, N, Part("n log")), True
        yield (ONE, N, Part("two to log")), True
        yield (ONE, Part("log"), Part("two to log"), Part("n log")), True

    counted = [(parts, max(part.choices for part in parts), whole) for parts, whole in plain()]
    return tuple(sorted(counted, key=lambda sum_: len(sum_[0]) + sum_[1]))


def _solve(points: Sequence[tuple[int, int]], parts: Sequence[Part], whole: bool) -> Law | None:
    """The multiples of the parts that fit all points, if they are unique, by exact elimination."""
    width = len(parts)
    pivots: list[tuple[int, list[int]]] = []
    for n, value in points:
        row = [*(part(n) for part in parts), value]
        for column, lead in pivots:
            if factor := row[column]:
                row = [entry * lead[column] - other * factor for entry, other in zip(row, lead, strict=True)]
        column = next((column for column, entry in enumerate(row) if entry), width)
        if column < width:
            pivots.append((column, row))
        elif row[width]:
            return None
    return _law(_substituted(pivots, width), parts, whole) if len(pivots) == width else None


def _substituted(pivots: Sequence[tuple[int, list[int]]], width: int) -> list[Fraction]:
    """The solution of rows in echelon form, by back substitution."""
    solution = [Fraction(0)] * width
    for column, row in reversed(pivots):
        known = sum(entry * solved for entry, solved in zip(row, solution, strict=False))
        solution[column] = (row[width] - known) / Fraction(row[column])
    return solution


def _law(multiples: Sequence[Fraction], parts: Sequence[Part], whole: bool) -> Law | None:
    divisor = lcm(*(multiple.denominator for multiple in multiples))
    if whole and divisor > 1:
        return None
    return Law(tuple((int(m * divisor), part) for m, part in zip(multiples, parts, strict=True) if m), divisor)


def _log(m: int) -> int:
    return max(m.bit_length() - 1, 0) if m > 0 else 0


def _shifted(name: str, offset: int) -> str:
    return name if not offset else f"({name} {'+' if offset > 0 else '-'} {abs(offset)})"


def sum_text(pieces: Sequence[tuple[int, str]]) -> str:
    """A sum of multiples of factors; it starts with a positive one if possible. ``""`` is the factor 1."""
    ordered = sorted(((multiple, factor) for multiple, factor in pieces if multiple), key=lambda piece: piece[0] < 0)
    if not pieces or not ordered:
        return "0"
    if pieces[0][0] > 0:
        ordered = [(multiple, factor) for multiple, factor in pieces if multiple]
    text = ""
    for multiple, factor in ordered:
        body = (
            factor if abs(multiple) == 1 and factor else f"{abs(multiple)} * {factor}" if factor else str(abs(multiple))
        )
        sign = ("-" if multiple < 0 else "") if not text else (" - " if multiple < 0 else " + ")
        text += sign + body
    return text


def _sum_text(law: Law, name: str) -> str:
    pieces = []
    for multiple, part in reversed(law.terms):
        factor = "" if part == ONE else part.text(name)
        if part.kind == "log" and multiple == law.divisor == 1 and law.uses_only((ONE, part)):
            return _log_text(law, part, name)
        grouped = part.kind in ("floor", "square", "remainder") and multiple != 1
        pieces.append((multiple, f"({factor})" if grouped else factor))
    text = sum_text(pieces)
    return text if law.divisor == 1 else f"({text}) // {law.divisor}" if len(pieces) > 1 else f"{text} // {law.divisor}"


def _log_text(law: Law, part: Part, name: str) -> str:
    """One bit length and a number, which includes the minus one of the logarithm."""
    rest = sum(multiple for multiple, other in law.terms if other == ONE) - 1
    return sum_text([(1, f"{_shifted(name, part.offset)}.bit_length()"), (rest, "")])


def _factored(law: Law, name: str) -> str | None:
    """A polynomial of degree two or three as a product, if all its roots are small whole numbers."""
    if any(part.kind != "power" for _, part in law.terms):
        return None
    multiples = {part.number: multiple for multiple, part in law.terms}
    degree = max(multiples, default=0)
    if degree < 2:
        return None
    left = [multiples.get(power, 0) for power in range(degree, -1, -1)]
    roots = []
    for root in sorted(range(-32, 33), key=lambda r: (abs(r), -r)):
        while len(left) > 1 and (divided := _divided(left, root)) is not None:
            left = divided
            roots.append(root)
    if len(left) > 1:
        return None
    factors = [_shifted(name, -root) for root in roots]
    shared = gcd(left[0], law.divisor)
    lead, divisor = left[0] // shared, law.divisor // shared
    text = " * ".join(factors if abs(lead) == 1 else [str(abs(lead)), *factors])
    text = text if lead > 0 else f"-{text}"
    return text if divisor == 1 else f"{text} // {divisor}"


def _divided(multiples: Sequence[int], root: int) -> list[int] | None:
    """A polynomial, highest power first, divided by ``n - root``; None if there is a remainder."""
    result = [multiples[0]]
    for multiple in multiples[1:]:
        result.append(multiple + root * result[-1])
    return result[:-1] if result[-1] == 0 else None
