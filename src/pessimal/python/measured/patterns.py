"""How far a text is from being matched by a regular expression: the least cost of changing it so that it is.

A character that is in the way or missing counts 256, one that is another one by how far their codes are apart. What a
pattern says beyond characters, their order and their number (what groups have matched, what lies around) is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf
from typing import Any

from pessimal.python.regex.classes import Ranges, accepted, parser, sre

MISSING = 256.0
MOST_CHARACTERS, MOST_REPEATS = 100, 100

Costs = list[float]
"""For each position of the text, what it costs that all before it is matched by what was read of the pattern."""


def to_match(name: str, pattern: str | bytes, flags: int, text: str | bytes) -> float:
    """The cost of changing a text so that ``match``, ``fullmatch`` or ``search`` finds something."""
    codes = [ord(item) if isinstance(item, str) else item for item in text[:MOST_CHARACTERS]]
    begin = [0.0 if name == "search" else at * MISSING for at in range(len(codes) + 1)]
    items, own_flags = _parsed(pattern, flags)
    costs = _Reader(codes, own_flags, isinstance(pattern, bytes)).sequence(items, begin)
    return costs[-1] if name == "fullmatch" else min(costs)


@lru_cache(200)
def _parsed(pattern: str | bytes, flags: int) -> tuple[Any, int]:
    made = parser.parse(pattern, flags)
    return made, made.state.flags


class _Reader:
    """Reads a pattern from left to right, with the costs of all ways to match a text so far."""

    def __init__(self, codes: Sequence[int], flags: int, of_bytes: bool) -> None:
        self._codes, self._flags, self._of_bytes = codes, flags, of_bytes

    def sequence(self, items: Any, costs: Costs) -> Costs:
        """The costs after items that follow each other."""
        for op, value in items:
            costs = self._item(op, value, costs)
        return costs

    def _item(self, op: Any, value: Any, costs: Costs) -> Costs:
        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            key = tuple(value) if op is sre.IN else value
            return self._character(accepted(op, key, self._flags, self._of_bytes), costs)
        if op is sre.BRANCH:
            return [min(parts) for parts in zip(*(self.sequence(part, costs) for part in value[1]), strict=True)]
        if op is sre.SUBPATTERN:
            return self.sequence(value[3], costs)
        if op is sre.ATOMIC_GROUP:
            return self.sequence(value, costs)
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            least, most, repeated = value
            return self._repeat(least, most, repeated, costs)
        if op is sre.AT:
            return self._anchor(value, costs)
        return costs

    def _character(self, ranges: Ranges, costs: Costs) -> Costs:
        after = [costs[0] + MISSING]
        for at, code in enumerate(self._codes):
            changed = costs[at] + min((_gap(code, low, high) for low, high in ranges), default=inf)
            after.append(min(changed, costs[at + 1] + MISSING, after[at] + MISSING))
        return after

    def _repeat(self, least: int, most: int, items: Any, costs: Costs) -> Costs:
        for _ in range(min(least, MOST_REPEATS)):
            costs = self.sequence(items, costs)
        best = costs
        for _ in range(min(most - least, len(costs))):
            costs = self.sequence(items, costs)
            better = [min(pair) for pair in zip(best, costs, strict=True)]
            if better == best:
                break
            best = better
        return best

    def _anchor(self, place: Any, costs: Costs) -> Costs:
        last = len(self._codes)
        if place in (sre.AT_BEGINNING, sre.AT_BEGINNING_STRING):
            return [costs[0] + at * MISSING for at in range(last + 1)]
        if place in (sre.AT_END, sre.AT_END_STRING):
            return [inf] * last + [min(cost + (last - at) * MISSING for at, cost in enumerate(costs))]
        return costs


def _gap(code: int, low: int, high: int) -> float:
    return 0.0 if low <= code <= high else float(min(low - code if code < low else code - high, MISSING - 1))
