"""A strategy for bench-river: another one that starts from a given text, and a note of what it reached when."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Unpack

from pessimal.inputs import encode
from pessimal.objective import reached_by
from pessimal.registry import STRATEGIES
from pessimal.runs import Policy, RunOptions
from pessimal.search.proxy import SessionProxy
from pessimal.strategy import Session, report_of, writable_by
from pessimal.trace import Outcome, Trace


class FromText:
    """Lets another strategy search from a text."""

    def __init__(self, strategy: str, options: dict[str, Any], text: str) -> None:
        self.name = strategy
        self._inner = STRATEGIES.make(strategy, options)
        self._text = text
        self._noted: _Noted | None = None

    def search(self, session: Session) -> None:
        self._noted = _Noted(session)
        self._inner.adopt(encode(session.inputs, {"text": self._text}), 0.0)
        self._inner.search(self._noted)

    def writable(self) -> list[Path]:
        return writable_by(self._inner)

    def report(self) -> dict[str, Any]:
        noted = self._noted
        inner = {} if noted is None else {"timeline": noted.timeline, "infeasible": noted.infeasible}
        calls = {} if noted is None else {"solver_calls": noted.solver_calls}
        return {"note": (report_of(self._inner) or {}).get("note"), **inner, **calls}


class _Noted(SessionProxy):
    """Notes runs, solver calls and outcomes whenever outcomes were reached for the first time."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._reached: set[str] = set()
        self._runs = 0
        self.infeasible = 0
        self.timeline: list[tuple[int, int, int]] = []

    def run(self, policy: Policy | None = None, start: Any = None, **options: Unpack[RunOptions]) -> Trace:
        trace = super().run(policy, start, **options)
        self._runs += 1
        self.infeasible += trace.outcome is Outcome.INFEASIBLE
        before = len(self._reached)
        if trace.outcome is not Outcome.INFEASIBLE:
            self._reached |= set(reached_by(trace))
        if len(self._reached) > before:
            self.timeline.append((self._runs, self.solver_calls, len(self._reached)))
        return trace
