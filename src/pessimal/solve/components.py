"""Which conditions bear on each other: those that share variables, directly or by way of others."""

from __future__ import annotations

from collections.abc import Iterable

from pessimal.expr import variables
from pessimal.solve.base import Literal, Query


class Components:
    """Which variables depend on each other by way of conditions: each is led by one of its own."""

    def __init__(self) -> None:
        self._leader: dict[int, int] = {}

    def of(self, found: Iterable[int]) -> set[int]:
        """The leaders of the groups that some variables belong to."""
        return {self._lead(var) for var in found}

    def join(self, found: Iterable[int]) -> None:
        """Make one group of the groups of some variables."""
        leaders = sorted(self.of(found))
        for other in leaders[1:]:
            self._leader[other] = leaders[0]

    def _lead(self, var: int) -> int:
        while (leader := self._leader.get(var, var)) != var:
            var = leader
        return var


def relevant(query: Query) -> tuple[list[Literal], set[int]]:
    """The conditions that share variables with the question, however indirectly, and all of their variables."""
    components = Components()
    asked = variables(query.extra[0])
    found = [(literal, variables(literal[0])) for literal in query.path]
    components.join(asked)
    for _, names in found:
        components.join(names)
    together = components.of(asked)
    kept = [(literal, names) for literal, names in found if names and components.of(names) <= together]
    return [*(literal for literal, _ in kept), query.extra], asked.union(*(names for _, names in kept))
