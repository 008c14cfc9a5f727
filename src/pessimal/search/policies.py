"""Policies that several strategies share."""

from __future__ import annotations

from collections.abc import Sequence

from pessimal.python.execution import Execution
from pessimal.trace import Site


class Follow:
    """Repeats a row of decisions, then leaves everything to the input."""

    def __init__(self, decisions: bytes | Sequence[int]) -> None:
        self._decisions = decisions

    def choose(self, site: Site, execution: Execution) -> bool | None:
        """The decision at this position, while there is one."""
        position = execution.position
        return self._decisions[position] == 1 if position < len(self._decisions) else None

    pick = choose
