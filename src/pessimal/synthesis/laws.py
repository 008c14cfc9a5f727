"""Laws: exact integer functions of the size, found from their values at a few small sizes.

A law is a sum of multiples of simple functions of the size (its parts), possibly divided by a whole number. The kinds
of sums are tried from the simplest on, each is solved exactly, and one is believed only if it is overdetermined: there
must be more points than it has free numbers, where a choice among parts (a divisor, an offset) is a number as well.
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
    """One function of the size: its kind, the power or divisor that the kind asks for, and what is added first."""

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
            case "rest":
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
        """As a Python expression that binds at least as strongly as a product's factor, save for quotients."""
        shifted = _shifted(name, self.offset)
        log = f"({shifted}.bit_length() - 1)"
        match self.kind:
            case "power":
                return shifted if self.number == 1 else f"{shifted} ** {self.number}"
            case "floor":
                return f"{shifted} // {self.number}"
            case "square":
                return f"{shifted} ** 2 // {self.number}"
            case "rest":
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
        """How many numbers were chosen among alternatives; powers are not."""
        return 0 if self.kind == "power" else 1 + (self.offset != 0)


ONE, N = Part("power", 0), Part("power", 1)


@dataclass(frozen=True, slots=True)
class Law:
    """A sum of multiples of parts over a whole number; equal laws have equal parameters."""

    terms: tuple[tuple[int, Part], ...]
    over: int = 1

    def __call__(self, n: int) -> int:
        """The value at a size."""
        return sum(times * part(n) for times, part in self.terms) // self.over

    @property
    def complexity(self) -> tuple[int, int, int]:
        """Simpler laws come first: fewer free numbers, then a simpler kind, then smaller numbers."""
        parts = [part for _, part in self.terms if part != ONE]
        free = 1 + len(parts) + max((part.choices for part in parts), default=0)
        kind = max((_KINDS.index(part.kind) * 4 + part.number for part in parts), default=0)
        return free, kind, sum(abs(times).bit_length() for times, _ in self.terms) + self.over.bit_length()

    @property
    def is_constant(self) -> bool:
        """Whether it is the same at all sizes."""
        return all(part == ONE for _, part in self.terms)

    def is_of(self, parts: Sequence[Part]) -> bool:
        """Whether it is a sum of multiples of no more than these parts."""
        return all(part in parts for _, part in self.terms)

    def text(self, name: str = "n") -> str:
        """As a Python expression in which only ``name`` is free."""
        return _factored(self, name) or _sum_text(self, name)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "terms": [[times, part.kind, part.number, part.offset] for times, part in self.terms],
            "over": self.over,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Law:
        """The law that :meth:`to_json` wrote."""
        terms = tuple((int(times), Part(str(k), int(m), int(c))) for times, k, m, c in data["terms"])
        if any(part.kind not in _KINDS for _, part in terms) or int(data["over"]) < 1:
            raise ValueError(f"not a law: {dict(data)!r}")
        return cls(terms, int(data["over"]))


def constant(value: int) -> Law:
    """The law that is one number at all sizes."""
    return Law(((value, ONE),) if value else ())


def fit(points: Mapping[int, int], spare: int = 1) -> Law | None:
    """The simplest law through all points, or None if none passes through them and leaves ``spare`` points over."""
    return next(iter(fits(points, spare)), None)


def fits(points: Mapping[int, int], spare: int = 1) -> tuple[Law, ...]:
    """All such laws, simplest first: few points can follow several."""
    return _fits(tuple(sorted(points.items())), spare)


@lru_cache(maxsize=4096)
def _fits(points: tuple[tuple[int, int], ...], spare: int) -> tuple[Law, ...]:
    laws: list[Law] = []
    for parts, choices, whole in _sums():
        if len(points) < len(parts) + choices + spare or any(law.is_of(parts) for law in laws):
            continue
        law = _solve(points, parts, whole)
        if law is not None:
            laws.append(law)
    return tuple(laws)


_KINDS = ("power", "floor", "square", "rest", "log", "two to log", "root", "two to n", "n log")


@cache
def _sums() -> tuple[tuple[tuple[Part, ...], int, bool], ...]:
    """The sums to try, simplest first: parts, numbers chosen, and whether the multiples must be whole."""

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
            yield (ONE, N, Part("rest", divisor)), False
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
    """The only multiples of the parts that meet all points, by elimination without rounding."""
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
    """The solution of eliminated rows, each of which has zeros where the earlier ones have their pivots."""
    solution = [Fraction(0)] * width
    for column, row in reversed(pivots):
        known = sum(entry * solved for entry, solved in zip(row, solution, strict=False))
        solution[column] = (row[width] - known) / Fraction(row[column])
    return solution


def _law(multiples: Sequence[Fraction], parts: Sequence[Part], whole: bool) -> Law | None:
    over = lcm(*(multiple.denominator for multiple in multiples))
    if whole and over > 1:
        return None
    return Law(tuple((int(m * over), part) for m, part in zip(multiples, parts, strict=True) if m), over)


def _log(m: int) -> int:
    return max(m.bit_length() - 1, 0) if m > 0 else 0


def _shifted(name: str, offset: int) -> str:
    return name if not offset else f"({name} {'+' if offset > 0 else '-'} {abs(offset)})"


def sum_text(pieces: Sequence[tuple[int, str]]) -> str:
    """A sum of multiples of factors, positive ones first if the sum would else begin with a minus; ``""`` is one."""
    ordered = sorted(((times, factor) for times, factor in pieces if times), key=lambda piece: piece[0] < 0)
    if not pieces or not ordered:
        return "0"
    if pieces[0][0] > 0:
        ordered = [(times, factor) for times, factor in pieces if times]
    text = ""
    for times, factor in ordered:
        body = factor if abs(times) == 1 and factor else f"{abs(times)} * {factor}" if factor else str(abs(times))
        sign = ("-" if times < 0 else "") if not text else (" - " if times < 0 else " + ")
        text += sign + body
    return text


def _sum_text(law: Law, name: str) -> str:
    pieces = []
    for times, part in reversed(law.terms):
        factor = "" if part == ONE else part.text(name)
        if part.kind == "log" and times == law.over == 1 and law.is_of((ONE, part)):
            return _log_text(law, part, name)
        grouped = part.kind in ("floor", "square", "rest") and times != 1
        pieces.append((times, f"({factor})" if grouped else factor))
    text = sum_text(pieces)
    return text if law.over == 1 else f"({text}) // {law.over}" if len(pieces) > 1 else f"{text} // {law.over}"


def _log_text(law: Law, part: Part, name: str) -> str:
    """One bit length and a number: the log's own minus one is taken into the number."""
    rest = sum(times for times, other in law.terms if other == ONE) - 1
    return sum_text([(1, f"{_shifted(name, part.offset)}.bit_length()"), (rest, "")])


def _factored(law: Law, name: str) -> str | None:
    """A polynomial of degree two or three as a product, if all its roots are small whole numbers."""
    if any(part.kind != "power" for _, part in law.terms):
        return None
    multiples = {part.number: times for times, part in law.terms}
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
    shared = gcd(left[0], law.over)
    lead, over = left[0] // shared, law.over // shared
    text = " * ".join(factors if abs(lead) == 1 else [str(abs(lead)), *factors])
    text = text if lead > 0 else f"-{text}"
    return text if over == 1 else f"{text} // {over}"


def _divided(multiples: Sequence[int], root: int) -> list[int] | None:
    """A polynomial, highest power first, divided by ``n - root``; None if there is a rest."""
    result = [multiples[0]]
    for multiple in multiples[1:]:
        result.append(multiple + root * result[-1])
    return result[:-1] if result[-1] == 0 else None
