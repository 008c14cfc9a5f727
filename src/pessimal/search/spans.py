"""Spans: runs of neighbouring leaves that belong together, such as the characters of a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pessimal.inputs import Domain


@dataclass(frozen=True, slots=True)
class Span:
    """The leaves from ``start`` to before ``stop``; all have the same domain, so the value of one fits the others."""

    start: int
    stop: int
    domain: Domain

    def __len__(self) -> int:
        return self.stop - self.start


def spans(domains: Sequence[Domain]) -> list[Span]:
    """The spans of an input in order; leaves that cannot change are in none."""
    found: list[Span] = []
    start = 0
    for position in range(1, len(domains) + 1):
        if position == len(domains) or not _belong_together(domains[start], domains[position]):
            if domains[start].low is None or domains[start].low != domains[start].high:
                found.append(Span(start, position, domains[start]))
            start = position
    return found


def _belong_together(one: Domain, other: Domain) -> bool:
    same = (one.kind, one.low, one.high) == (other.kind, other.low, other.high)
    return same and "[" in one.name and _owner(one.name) == _owner(other.name)


def _owner(name: str) -> str:
    """The container that a leaf is in: ``xs`` for ``xs[3]``."""
    return name.rpartition("[")[0]
