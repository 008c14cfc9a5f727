"""Which conditions bear on each other: those that share variables, directly or by way of others."""

from __future__ import annotations

from collections.abc import Iterable


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
