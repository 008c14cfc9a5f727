"""The outcomes that no run has taken, and the cost, as goals of one population."""

from __future__ import annotations

from collections.abc import Sequence

from pessimal.search.goals.session_goals import SessionGoals
from pessimal.strategy import Session
from pessimal.trace import Trace

COST = -1
"""The goal that is never reached: a cost beyond all others."""


class ManyOutcomes(SessionGoals):
    """The landscape of all outcomes that runs have come near to and not taken, and of minus the cost."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._largest = 1.0

    def active(self) -> Sequence[int]:
        """The cost, and the outcomes that are wanted and not taken yet."""
        return [COST, *super().active()]

    def _noted(self, trace: Trace) -> dict[int, float]:
        """The cost counts as a distance: the largest so far is the nearest."""
        cost = self._session.cost(trace)
        self._largest = max(self._largest, cost)
        return {**super()._noted(trace), COST: self._largest + 1.0 - cost}
