"""Groups of leaves that moves work on: those with the same domain, and those that also stand side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pessimal.expr import Leaf
from pessimal.inputs import Domain


class LeafGroup(Protocol):
    """Leaves with the same domain, so that the value of one fits the others."""

    @property
    def domain(self) -> Domain:
        """The domain of each of them."""
        ...

    @property
    def positions(self) -> Sequence[int]:
        """Where they stand in the input."""
        ...


@dataclass(frozen=True, slots=True)
class Column:
    """All leaves of an input with the same domain."""

    domain: Domain
    positions: list[int]


def columns(domains: Sequence[Domain]) -> list[Column]:
    """The leaves that can change, grouped by domain; a group occurs once per leaf, so that leaves are drawn evenly."""
    found: dict[object, Column] = {}
    weighted: list[Column] = []
    for position, domain in enumerate(domains):
        if domain.low is None or domain.low != domain.high:
            column = found.setdefault((domain.kind, domain.low, domain.high), Column(domain, []))
            column.positions.append(position)
            weighted.append(column)
    return weighted


@dataclass(frozen=True, slots=True)
class Span:
    """Neighbouring leaves that belong together, such as the characters of a text: from ``start`` to before ``stop``.

    ``length`` is the leaf that holds how many of them are used, if that varies.
    """

    start: int
    stop: int
    domain: Domain
    length: int | None = None
    positions: range = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "positions", range(self.start, self.stop))

    def __len__(self) -> int:
        return self.stop - self.start

    def used(self, leaves: Sequence[Leaf]) -> Span:
        """The part that an input uses; all of it if it uses none, since a move needs some."""
        if self.length is None or not leaves[self.length]:
            return self
        return Span(self.start, self.start + int(leaves[self.length]), self.domain)


def spans(domains: Sequence[Domain]) -> list[Span]:
    """The spans of an input in order; leaves that cannot change are in none."""
    found: list[Span] = []
    start = 0
    for position in range(1, len(domains) + 1):
        if position == len(domains) or not _belong_together(domains[start], domains[position]):
            if domains[start].low is None or domains[start].low != domains[start].high:
                length = (
                    start - 1 if start and domains[start - 1].name == f"len({_owner(domains[start].name)})" else None
                )
                found.append(Span(start, position, domains[start], length))
            start = position
    return found


def _belong_together(one: Domain, other: Domain) -> bool:
    same = (one.kind, one.low, one.high) == (other.kind, other.low, other.high)
    return same and "[" in one.name and _owner(one.name) == _owner(other.name)


def _owner(name: str) -> str:
    """The container that a leaf is in: ``xs`` for ``xs[3]``."""
    return name.rpartition("[")[0]
