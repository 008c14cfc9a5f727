"""The first inputs of a search for C: random ones, such with literals of the code in them, and such with extremes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from random import Random

from pessimal.comparison import Operand
from pessimal.expr import Leaf
from pessimal.inputs import Domain

Input = list[Leaf]
SHARE = 0.3
"""How often a leaf is drawn from what the code suggests."""
AS_TEXT = 0.5
"""How often a number of the code is written as text, where the input has texts: they may be read by ``strtol``."""
CUT = 0.5
"""How often a format is only used up to one of its conversions."""
_DIGITS = tuple(range(ord("0"), ord("9") + 1))
_CONVERSION = re.compile(r"%(\*?)[0-9]*(?:hh|h|ll|l|j|z|t|L)?([diuxXofeEgGaAcsp]|\[[^]]+\])")
"""A conversion of ``sscanf``."""


@dataclass(frozen=True, slots=True)
class SuggestedDomain(Domain):
    """A domain of which values that the code suggests are drawn more often than others."""

    suggestions: tuple[Leaf, ...] = ()

    def sample(self, rng: Random, magnitude: int | None = None) -> Leaf:
        """A value that the code suggests, or any other one."""
        if self.suggestions and rng.random() < SHARE:
            return self.clip(rng.choice(self.suggestions))
        return Domain.sample(self, rng, magnitude)


def suggested(domains: Sequence[Domain], literals: Sequence[Operand]) -> list[Domain]:
    """The domains with the literals of the code as suggestions, and digits for characters."""
    numbers = [item for item in literals if isinstance(item, int | float)]
    characters = {ord(char) for text in literals if isinstance(text, str) for char in text if ord(char) < 256}
    for_characters = (*_DIGITS, *sorted(characters | {item for item in numbers if isinstance(item, int)}))
    found: list[Domain] = []
    for domain in domains:
        pool = for_characters if domain.kind in ("char", "byte") else tuple(numbers)
        fitting = tuple(dict.fromkeys(domain.clip(item) for item in pool if domain.clip(item) == item))
        is_number = domain.kind in ("int", "float", "char", "byte")
        values = {field.name: getattr(domain, field.name) for field in fields(Domain)}
        found.append(SuggestedDomain(**values, suggestions=fitting) if is_number and fitting else domain)
    return found


class Seeds:
    """Changes inputs into ones that are likely to be interesting."""

    def __init__(self, domains: Sequence[Domain], literals: Sequence[Operand], rng: Random) -> None:
        self._domains, self._literals, self._rng = domains, literals, rng
        self._is_char = [domain.kind == "char" for domain in domains]
        chars = self._is_char
        self._starts = [i for i, char in enumerate(chars) if char and (i == 0 or not chars[i - 1])]

    def batch(self, count: int) -> list[Input]:
        """Four kinds of inputs, so many of each: random, with literals, with extremes, with both."""
        drawn = [[domain.sample(self._rng) for domain in self._domains] for _ in range(count)]
        literal = [self.with_literals(item) for item in drawn]
        return [*drawn, *literal, *map(self.with_extremes, drawn), *map(self.with_extremes, literal)]

    def with_extremes(self, leaves: Input) -> Input:
        """The input with some leaves at an end of their range or next to zero."""
        changed = list(leaves)
        for _ in range(self._rng.randrange(1, 3)):
            at = self._rng.randrange(len(changed))
            domain = self._domains[at]
            ends = [value for value in (domain.low, domain.high) if value is not None]
            changed[at] = domain.clip(self._rng.choice([*ends, 0, 0, 1, -1]))
        return changed

    def with_literals(self, leaves: Input) -> Input:
        """The input with some literals of the code written into it."""
        changed = list(leaves)
        for _ in range(self._rng.randrange(1, 4) if self._literals else 0):
            literal, at = self._rng.choice(self._literals), self._rng.randrange(len(changed))
            if isinstance(literal, str):
                self._write_text(changed, self._filled(literal), at)
            elif isinstance(literal, int | float) and self._starts and self._rng.random() < AS_TEXT:
                self._write_text(changed, str(self._near(literal)), at)
            elif isinstance(literal, int | float):
                changed[at] = self._domains[at].clip(self._near(literal))
        return changed

    def _near(self, number: float) -> float:
        return number + self._rng.choice((0, 0, 1, -1))

    def _filled(self, text: str) -> str:
        """A text, or what one reads that is a format: numbers of the code, and others, where it has conversions."""
        return _CONVERSION.sub(lambda found: self._converted(found[2]), self._cut(text)) if "%" in text else text

    def _cut(self, text: str) -> str:
        """A format up to one of its conversions: the last ones often read what should not be there."""
        if self._rng.random() >= CUT:
            return text
        return text[: self._rng.choice([len(text), *(found.end() for found in _CONVERSION.finditer(text))])]

    def _converted(self, kind: str) -> str:
        """What a conversion of this kind can read."""
        rng = self._rng
        if kind[0] in "cs[":
            words = [item for item in self._literals if isinstance(item, str) and "%" not in item]
            return rng.choice([*words, "a", kind[1:2] or "z"])
        numbers = [item for item in self._literals if isinstance(item, int | float)]
        number = self._near(rng.choice([*numbers, rng.randrange(100)]))
        return f"{int(number):x}" if kind in "xXp" else str(number if kind in "feEgGaA" else int(number))

    def _write_text(self, leaves: Input, text: str, at: int) -> None:
        """Write a text into the characters from a leaf on, from the start of their text if there is room."""
        if not self._starts:
            return
        start = self._rng.choice([*self._starts, *self._starts, at])
        written = 0
        for char in text:
            if start + written >= len(leaves) or not self._is_char[start + written]:
                break
            leaves[start + written] = self._domains[start + written].clip(ord(char))
            written += 1
        if start in self._starts and start and self._domains[start - 1].name.startswith("len("):
            leaves[start - 1] = self._domains[start - 1].clip(written)
