"""An objective that wants every way in which the target can end."""

from __future__ import annotations

from typing import Any

from pessimal.objective import Verdict
from pessimal.trace import Trace


class Endings:
    """Keeps the first run of each outcome and exception; ``stop_at`` is how many are enough."""

    name = "endings"
    needs_branches = False

    def __init__(self, stop_at: float | None = None) -> None:
        self._stop_at = stop_at
        self._known: list[str] = []

    def judge(self, trace: Trace, cost: float) -> Verdict:
        """The run is worth one if it ends in a new way."""
        ending = f"{trace.outcome.value} {(trace.exception or '').partition(':')[0]}"
        if ending in self._known:
            return Verdict(0.0)
        self._known.append(ending)
        is_enough = self._stop_at is not None and len(self._known) >= self._stop_at
        return Verdict(1.0, is_best=len(self._known) == 1, is_kept=True, done="all endings" if is_enough else None)

    def state(self) -> dict[str, Any]:
        """The endings so far."""
        return {"known": self._known}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on after these."""
        self._known = list(state["known"])
