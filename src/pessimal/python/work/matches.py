"""Texts that match a regular expression, drawn at random: inputs that pass a test which no random change would pass.

Conditions on what comes before and after a place are left out, so that a text may not match after all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from re import _constants as sre  # type: ignore[attr-defined]
from typing import Any, TypeAlias

from pessimal.python.regex.classes import Ranges, accepted, accepted_first
from pessimal.python.work.patterns import Pattern

ATTEMPTS = 150
MOST_OF_A_LENGTH = 4
FEW = 8
"""The numbers of a repetition with so many choices are equally likely; of one with more, small ones are likelier."""

_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
_CHARACTERS = (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN)
PRINTABLE = 32, 126

Items: TypeAlias = Iterable[tuple[Any, Any]]


def matches(pattern: Pattern, length: int, seed: int = 0) -> list[Any]:
    """A few texts that match: of the length if some can be drawn, and the shortest and the longest below it."""
    items, of_bytes = pattern.parsed(), isinstance(pattern.text, bytes)
    if not items:
        return []
    rng, flags = Random(seed), items.state.flags
    classes: dict[tuple[Any, str], Ranges] = {}
    exact: dict[str, None] = {}
    shorter: dict[str, None] = {}
    for attempt in range(ATTEMPTS):
        text = _Drawn(rng, flags, of_bytes, classes, longest=length, greed=attempt % 4 / 4).text(items)
        if 0 < len(text) <= length:
            (exact if len(text) == length else shorter)[text] = None
        if len(exact) == MOST_OF_A_LENGTH:
            break
    others = sorted(shorter, key=len)
    texts = [*exact, *others[:1], *others[1:][-1:]]
    return [text.encode("latin-1") for text in texts] if of_bytes else texts


class _Drawn:
    """One random text; repetitions stop where it is longer than wanted."""

    def __init__(
        self,
        rng: Random,
        flags: int,
        of_bytes: bool,
        classes: dict[tuple[Any, str], Ranges],
        *,
        longest: int,
        greed: float,
    ) -> None:
        self._rng = rng
        self._classes = classes
        self._flags = flags
        self._of_bytes = of_bytes
        self._longest = longest
        self._greed = greed
        self._groups: dict[int, str] = {}
        self._length = 0

    def text(self, items: Items) -> str:
        """A text for items that follow each other."""
        return "".join(piece for operation, argument in items for piece in self._pieces(operation, argument))

    def _pieces(self, operation: Any, argument: Any) -> Iterator[str]:
        if operation in _CHARACTERS:
            yield self._character(operation, argument)
        elif operation in _REPEATS:
            yield from self._repeated(*argument)
        elif operation is sre.BRANCH:
            yield self.text(self._rng.choice(argument[1]))
        elif operation is sre.SUBPATTERN:
            yield self._group(argument[0], argument[-1])
        elif operation is sre.ATOMIC_GROUP:
            yield self.text(argument)
        elif operation is sre.GROUPREF:
            yield self._groups.get(argument, "")
        elif operation is sre.GROUPREF_EXISTS:
            group, present, absent = argument
            yield self.text((present if group in self._groups else absent) or ())

    def _group(self, number: int | None, items: Items) -> str:
        text = self.text(items)
        if number is not None:
            self._groups[number] = text
        return text

    def _repeated(self, least: int, most: Any, items: Items) -> Iterator[str]:
        for done in range(self._times(int(least), int(most))):
            if done >= least and self._length >= self._longest:
                return
            yield self.text(items)

    def _times(self, least: int, most: int) -> int:
        if most - least <= FEW:
            return most if self._rng.random() < self._greed else self._rng.randint(least, most)
        return min(most, least + int(self._rng.expovariate(1 / (1 + self._greed * self._longest))))

    def _character(self, operation: Any, argument: Any) -> str:
        self._length += 1
        if operation is sre.LITERAL:
            return chr(argument)
        key = operation, repr(argument)
        if key not in self._classes:
            self._classes[key] = _usual(operation, argument, self._flags, self._of_bytes)
        low, high = self._rng.choice(self._classes[key])
        return chr(self._rng.randint(low, high))


def _usual(operation: Any, argument: Any, flags: int, of_bytes: bool) -> Ranges:
    """The printable characters that an item accepts; if there are none, any."""
    first = accepted_first(operation, argument, flags, of_bytes)
    value = tuple(argument) if operation is sre.IN else argument
    return _common(first, *PRINTABLE) or first or accepted(operation, value, flags, of_bytes) or ((ord("a"), ord("a")),)


def _common(ranges: Ranges, low: int, high: int) -> Ranges:
    return tuple((max(low, first), min(high, last)) for first, last in ranges if first <= high and last >= low)
